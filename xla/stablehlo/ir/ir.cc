// Lookups in the tree, and types and places as text.
#include "xla/stablehlo/ir/ir.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/core/primitive_util.h"

namespace xla::stablehlo {
namespace {

const Attribute* FindIn(absl::Span<const NamedAttribute> attributes,
                        absl::string_view name) {
  for (const NamedAttribute& attribute : attributes) {
    if (attribute.name == name) return attribute.value;
  }
  return nullptr;
}

std::string ElementName(PrimitiveType type) {
  using primitive_util::LowercasePrimitiveTypeName;
  switch (type) {
    case PRED:
      return "i1";
    case C64:
      return "complex<f32>";
    case C128:
      return "complex<f64>";
    default:
      break;
  }
  std::string name = LowercasePrimitiveTypeName(type);
  if (primitive_util::IsSignedIntegralType(type)) {
    return absl::StrCat("i", name.substr(1));
  }
  if (primitive_util::IsUnsignedIntegralType(type)) {
    return absl::StrCat("ui", name.substr(1));
  }
  // f8e4m3fn is f8E4M3FN in MLIR.
  if (name.size() > 3 && name[0] == 'f') {
    for (char& c : name) c = c == 'f' ? 'f' : std::toupper(c);
    for (size_t i = 1; i < name.size(); ++i) name[i] = std::toupper(name[i]);
  }
  return name;
}

std::string Joined(absl::Span<const Type* const> types) {
  return absl::StrJoin(types, ", ", [](std::string* out, const Type* type) {
    absl::StrAppend(out, type->ToString());
  });
}

}  // namespace

bool Type::IsStatic() const {
  const auto is_static = [](const Type* type) { return type->IsStatic(); };
  return std::find(dimensions.begin(), dimensions.end(), kDynamic) ==
             dimensions.end() &&
         std::all_of(elements.begin(), elements.end(), is_static);
}

std::string Type::ToString() const {
  switch (kind) {
    case Kind::kTensor: {
      std::string text = "tensor<";
      for (int64_t size : dimensions) {
        absl::StrAppend(&text, size == kDynamic ? "?" : absl::StrCat(size),
                        "x");
      }
      return absl::StrCat(
          text, quantized != nullptr ? "!quant" : ElementName(element_type),
          ">");
    }
    case Kind::kScalar:
      return ElementName(element_type);
    case Kind::kIndex:
      return "index";
    case Kind::kToken:
      return "!stablehlo.token";
    case Kind::kTuple:
      return absl::StrCat("tuple<", Joined(elements), ">");
    case Kind::kFuture:
      return absl::StrCat("!stablehlo.future<", Joined(elements), ">");
    case Kind::kFunction:
      return absl::StrCat("(", Joined(elements), ") -> (", Joined(results),
                          ")");
    case Kind::kNone:
      return "none";
    case Kind::kUnknown:
      return std::string(text);
  }
  return "";
}

const Attribute* Attribute::Field(absl::string_view name) const {
  return FindIn(fields, name);
}

std::string Location::ToString() const {
  return text ? absl::StrCat("line ", line, ", column ", column)
              : absl::StrCat("op ", op_index, " at byte ", byte_offset);
}

const Op* Block::Terminator() const {
  if (ops.empty() || ops.back()->name != "return") return nullptr;
  return ops.back();
}

const Attribute* Op::Find(absl::string_view attribute) const {
  return FindIn(attributes, attribute);
}

std::string Op::Place() const {
  const std::string line = loc == nullptr ? "" : loc->LineToString();
  return line.empty() ? location.ToString()
                      : absl::StrCat(location.ToString(), " (", line, ")");
}

const Block* Op::Body(size_t region) const {
  if (region >= regions.size() || regions[region].blocks.size() != 1) {
    return nullptr;
  }
  return regions[region].blocks[0];
}

absl::string_view Arena::CopyString(absl::string_view text) {
  if (text.empty()) return "";
  char* copy = static_cast<char*>(resource_.allocate(text.size(), 1));
  std::memcpy(copy, text.data(), text.size());
  return absl::string_view(copy, text.size());
}

}  // namespace xla::stablehlo
