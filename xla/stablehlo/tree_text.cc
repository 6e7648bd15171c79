// Prints the tree in a normal form.
#include "xla/stablehlo/tree_text.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "xla/base/stable_hash.h"
#include "xla/core/primitive_util.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

// The most elements of a list that are printed one by one; more are printed as
// data.
constexpr int64_t kLongList = 256;
// The most bytes of data that are printed; more are printed as a hash.
constexpr size_t kLongData = 64;

std::string TypesToText(absl::Span<const Type* const> types) {
  return absl::StrJoin(types, ", ", [](std::string* out, const Type* type) {
    absl::StrAppend(out, TypeToText(*type));
  });
}

std::string QuantizedToText(const QuantizedType& type) {
  Type storage;
  storage.kind = Type::Kind::kScalar;
  storage.element_type = type.storage_type;
  Type expressed = storage;
  expressed.element_type = type.expressed_type;
  std::string text =
      absl::StrCat("!quant.uniform<", storage.ToString(), "<", type.storage_min,
                   ":", type.storage_max, ">:", expressed.ToString());
  if (type.axis >= 0) absl::StrAppend(&text, ":", type.axis);
  if (!type.axes.empty()) {
    absl::StrAppend(&text, ":{", absl::StrJoin(type.axes, ","), "}:{",
                    absl::StrJoin(type.block_sizes, ","), "}");
  }
  for (size_t i = 0; i < type.scales.size(); ++i) {
    absl::StrAppendFormat(&text, ", %.9g", type.scales[i]);
    if (i < type.zero_points.size()) {
      absl::StrAppend(&text, ":", type.zero_points[i]);
    }
  }
  return text + ">";
}

int64_t ElementCount(const Type& type) {
  int64_t count = 1;
  for (int64_t size : type.dimensions) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return -1;
  }
  return count;
}

// Returns the data of one element if all are equal, else all data.
absl::string_view Deduplicated(absl::string_view data, size_t width) {
  if (width == 0 || data.size() <= width) return data;
  const bool equal =
      std::memcmp(data.data(), data.data() + width, data.size() - width) == 0;
  return equal ? data.substr(0, width) : data;
}

// Keeps only the bits of the type: others in its bytes have no meaning.
std::string Masked(absl::string_view data, PrimitiveType type) {
  std::string masked(data);
  const int bits = primitive_util::internal::BitWidthOrZero(type);
  if (bits >= 8 || bits == 0 || type == PRED) return masked;
  for (char& byte : masked) byte &= (1 << bits) - 1;
  return masked;
}

std::string ElementsToText(const Attribute& attribute) {
  const Type& type = *attribute.type;
  const int64_t count = ElementCount(type);
  absl::string_view data = attribute.data;
  const size_t width = attribute.splat ? data.size()
                       : count > 0     ? data.size() / count
                                       : 0;
  const bool is_list = type.element_type == S64 || type.element_type == PRED;
  if (is_list && type.dimensions.size() == 1 && count <= kLongList) {
    std::vector<int64_t> list;
    for (int64_t i = 0; i < count; ++i) {
      const size_t offset = attribute.splat ? 0 : i * width;
      if (width > 8 || offset + width > data.size()) break;
      int64_t value = 0;
      std::memcpy(&value, data.data() + offset, width);
      list.push_back(value);
    }
    return absl::StrCat("[", absl::StrJoin(list, ", "), "]");
  }
  const std::string masked =
      Masked(Deduplicated(data, width), type.element_type);
  data = masked;
  const std::string value =
      data.size() > kLongData ? absl::StrFormat("%d bytes, hash %016x",
                                                data.size(), StableHash(data))
      : data.empty()          ? ""
                     : absl::StrCat("0x", absl::BytesToHexString(data));
  return absl::StrCat("dense<", value, "> : ", TypeToText(type));
}

using Named = std::pair<absl::string_view, const Attribute*>;

std::string FieldsToText(std::vector<Named> fields) {
  std::sort(fields.begin(), fields.end(),
            [](const Named& a, const Named& b) { return a.first < b.first; });
  return absl::StrCat("{",
                      absl::StrJoin(fields, ", ",
                                    [](std::string* out, const Named& field) {
                                      absl::StrAppend(
                                          out, field.first, " = ",
                                          AttributeToText(*field.second));
                                    }),
                      "}");
}

std::vector<Named> Fields(absl::Span<const NamedAttribute> attributes) {
  std::vector<Named> fields;
  for (const NamedAttribute& attribute : attributes) {
    fields.emplace_back(attribute.name, attribute.value);
  }
  return fields;
}

// Returns the value of all elements with which a list means the same as no
// list; -1 if no list is a default.
int64_t DefaultElement(absl::string_view name) {
  if (name == "window_strides" || name == "lhs_dilation" ||
      name == "rhs_dilation" || name == "base_dilations" ||
      name == "window_dilations") {
    return 1;
  }
  return name == "padding" || name == "window_reversal" ? 0 : -1;
}

bool AllElementsAre(const Attribute& attribute, int64_t value) {
  if (attribute.kind == Kind::kIntegers) {
    return std::all_of(attribute.integers.begin(), attribute.integers.end(),
                       [&](int64_t i) { return i == value; });
  }
  if (attribute.kind != Kind::kElements) return false;
  const int64_t count = ElementCount(*attribute.type);
  const size_t width = attribute.splat ? attribute.data.size()
                       : count > 0     ? attribute.data.size() / count
                                       : 0;
  if (width == 0 || width > 8) return count == 0;
  for (size_t i = 0; i + width <= attribute.data.size(); i += width) {
    int64_t element = 0;
    std::memcpy(&element, attribute.data.data() + i, width);
    if (element != value) return false;
  }
  return true;
}

bool IsDefault(absl::string_view op, absl::string_view name,
               const Attribute& attribute) {
  // Only the text form of collectives has it, without effect.
  if (name == "channel_type") {
    return op != "stablehlo.send" && op != "stablehlo.recv";
  }
  switch (attribute.kind) {
    case Kind::kBool:
      return attribute.integer == 0;
    case Kind::kString:
      return attribute.text.empty();
    case Kind::kInteger:
      return attribute.integer == 0 &&
             (name == "channel_id" || name == "version");
    case Kind::kEnum:
      return attribute.text == "NOTYPE" ||
             attribute.text == "API_VERSION_ORIGINAL";
    case Kind::kArray: {
      if (name == "branches") return false;
      return std::all_of(attribute.elements.begin(), attribute.elements.end(),
                         [](const Attribute* element) {
                           return (element->kind == Kind::kEnum &&
                                   element->text == "DEFAULT") ||
                                  (element->kind == Kind::kDictionary &&
                                   element->fields.empty());
                         });
    }
    case Kind::kDictionary: {
      if (attribute.fields.empty()) return true;
      if (name != "result_accuracy") return false;
      const Attribute* mode = attribute.Field("mode");
      return mode != nullptr && mode->text == "DEFAULT";
    }
    case Kind::kIntegers:
    case Kind::kElements: {
      const int64_t element = DefaultElement(name);
      return element >= 0 && AllElementsAre(attribute, element);
    }
    default:
      return false;
  }
}

class Printer {
 public:
  explicit Printer(const TreeTextOptions& options) : options_(options) {}

  std::string Take() { return std::move(out_); }

  void Print(const Op& op, int indent) {
    out_.append(indent, ' ');
    for (size_t i = 0; i < op.results.size(); ++i) {
      absl::StrAppend(&out_, i == 0 ? "" : ", ", Define(op.results[i]));
    }
    absl::StrAppend(&out_, op.results.empty() ? "" : " = ", "\"", op.name,
                    "\"(",
                    absl::StrJoin(op.operands, ", ",
                                  [&](std::string* out, const Value* value) {
                                    absl::StrAppend(out, Name(*value));
                                  }),
                    ")");
    PrintAttributes(op);
    for (size_t i = 0; i < op.regions.size(); ++i) {
      absl::StrAppend(&out_, i == 0 ? " (" : ", ");
      Print(op.regions[i], indent);
      if (i + 1 == op.regions.size()) out_ += ")";
    }
    std::vector<const Type*> operands, results;
    for (const Value* value : op.operands) operands.push_back(value->type);
    for (const Value& value : op.results) results.push_back(value.type);
    absl::StrAppend(&out_, " : (", TypesToText(operands), ") -> (",
                    TypesToText(results), ")\n");
  }

 private:
  void PrintAttributes(const Op& op) {
    std::vector<Named> fields;
    for (const Named& field : Fields(op.attributes)) {
      if (!options_.defaults && op.name != "stablehlo.constant" &&
          IsDefault(op.name, field.first, *field.second)) {
        continue;
      }
      fields.push_back(field);
    }
    if (!fields.empty()) absl::StrAppend(&out_, " ", FieldsToText(fields));
  }

  void Print(const Region& region, int indent) {
    out_ += "{\n";
    for (const Block* block : region.blocks) {
      if (!block->arguments.empty() || region.blocks.size() > 1) {
        out_.append(indent, ' ');
        out_ += "^(";
        for (size_t i = 0; i < block->arguments.size(); ++i) {
          const Value& argument = block->arguments[i];
          absl::StrAppend(&out_, i == 0 ? "" : ", ", Define(argument), ": ",
                          TypeToText(*argument.type));
        }
        out_ += "):\n";
      }
      for (const Op* op : block->ops) Print(*op, indent + 2);
    }
    out_.append(indent, ' ');
    out_ += "}";
  }

  std::string Define(const Value& value) {
    const int number = numbers_.size();
    return absl::StrCat("%",
                        numbers_.try_emplace(&value, number).first->second);
  }

  std::string Name(const Value& value) const {
    auto it = numbers_.find(&value);
    if (it == numbers_.end()) return absl::StrCat("%undefined#", value.id);
    return absl::StrCat("%", it->second);
  }

  const TreeTextOptions& options_;
  std::string out_;
  absl::flat_hash_map<const Value*, int> numbers_;
};

}  // namespace

std::string TypeToText(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kTuple:
      return absl::StrCat("tuple<", TypesToText(type.elements), ">");
    case Type::Kind::kFuture:
      return absl::StrCat("!stablehlo.future<", TypesToText(type.elements),
                          ">");
    case Type::Kind::kFunction:
      return absl::StrCat("(", TypesToText(type.elements), ") -> (",
                          TypesToText(type.results), ")");
    case Type::Kind::kTensor:
      break;
    default:
      return type.ToString();
  }
  if (type.quantized == nullptr && type.bounds.empty()) return type.ToString();
  Type scalar;
  scalar.kind = Type::Kind::kScalar;
  scalar.element_type = type.element_type;
  std::string text = "tensor<";
  for (int64_t size : type.dimensions) {
    absl::StrAppend(&text, size == kDynamic ? "?" : absl::StrCat(size), "x");
  }
  absl::StrAppend(&text, type.quantized != nullptr
                             ? QuantizedToText(*type.quantized)
                             : scalar.ToString());
  if (!type.bounds.empty()) {
    const auto append = [](std::string* out, int64_t bound) {
      absl::StrAppend(out, bound == kDynamic ? "?" : absl::StrCat(bound));
    };
    absl::StrAppend(&text, ", bounds<",
                    absl::StrJoin(type.bounds, ", ", append), ">");
  }
  return text + ">";
}

std::string AttributeToText(const Attribute& attribute) {
  switch (attribute.kind) {
    case Kind::kUnit:
      return "true";
    case Kind::kBool:
      return attribute.integer != 0 ? "true" : "false";
    case Kind::kInteger:
      return absl::StrCat(attribute.integer);
    case Kind::kFloat:
      return absl::StrFormat("%.17g", attribute.real);
    case Kind::kString:
      return absl::StrCat("\"", absl::CEscape(attribute.text), "\"");
    case Kind::kSymbol:
      return absl::StrCat("@", attribute.text);
    case Kind::kType:
      return TypeToText(*attribute.type);
    case Kind::kEnum:
      return std::string(attribute.text);
    case Kind::kIntegers:
      return absl::StrCat("[", absl::StrJoin(attribute.integers, ", "), "]");
    case Kind::kArray:
      return absl::StrCat(
          "[",
          absl::StrJoin(attribute.elements, ", ",
                        [](std::string* out, const Attribute* element) {
                          absl::StrAppend(out, AttributeToText(*element));
                        }),
          "]");
    case Kind::kDictionary:
      return FieldsToText(Fields(attribute.fields));
    case Kind::kElements:
      return ElementsToText(attribute);
    case Kind::kUnknown:
      return absl::StrCat("unknown<", attribute.text, ">");
  }
  return "";
}

std::string TreeToString(const Op& op, const TreeTextOptions& options) {
  Printer printer(options);
  printer.Print(op, 0);
  return printer.Take();
}

std::string TreeToString(const Module& module, const TreeTextOptions& options) {
  return module.root == nullptr ? "" : TreeToString(*module.root, options);
}

}  // namespace xla::stablehlo
