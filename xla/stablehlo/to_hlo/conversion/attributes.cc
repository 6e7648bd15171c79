// Reads attributes of the current op as C++ values, and types as shapes.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

// The most elements of a list: lists are about dimensions, devices and windows.
constexpr int64_t kMaxListSize = 1 << 20;
// The most elements of a list of one repeated value, which takes no space in
// the source: such lists are about dimensions.
constexpr int64_t kMaxSplatListSize = 1 << 12;
// The highest rank: checks of shapes take time quadratic in it.
constexpr size_t kMaxRank = 1 << 12;

int64_t IntegerAt(const char* data, PrimitiveType type) {
  switch (type) {
    case S64:
    case U64: {
      int64_t value;
      std::memcpy(&value, data, sizeof value);
      return value;
    }
    case S32: {
      int32_t value;
      std::memcpy(&value, data, sizeof value);
      return value;
    }
    default:
      return *data;
  }
}

absl::StatusOr<std::vector<int64_t>> IntegersOfElements(
    const Attribute& attribute) {
  const Type& type = *attribute.type;
  const bool taken = type.element_type == S64 || type.element_type == U64 ||
                     type.element_type == S32 || type.element_type == PRED;
  if (!taken) return absl::InvalidArgumentError("is not a list of integers");
  const int64_t limit = attribute.splat ? kMaxSplatListSize : kMaxListSize;
  int64_t count = 1;
  for (int64_t size : type.dimensions) {
    if (size < 0 || (size != 0 && count > limit / size)) {
      return absl::InvalidArgumentError("is too long a list");
    }
    count *= size;
  }
  const int64_t width = LiteralElementBytes(type.element_type);
  const int64_t stored = attribute.splat ? 1 : count;
  if (static_cast<int64_t>(attribute.data.size()) != stored * width) {
    return absl::InvalidArgumentError("has data of another size than its type");
  }
  std::vector<int64_t> values(count);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = attribute.splat ? 0 : i;
    values[i] =
        IntegerAt(attribute.data.data() + at * width, type.element_type);
  }
  return values;
}

// Sources may sign-extend types below 8 bits to the whole byte, unlike
// literals.
void ClearHighBits(PrimitiveType type, char* data, size_t size) {
  if (type == PRED || primitive_util::BitWidth(type) >= 8) return;
  const char mask = (1 << primitive_util::BitWidth(type)) - 1;
  for (size_t i = 0; i < size; ++i) data[i] &= mask;
}

// Returns the bytes of the literal. Errors: InvalidArgument unless the data fit
// the type.
absl::StatusOr<int64_t> BytesOfElements(const Attribute& attribute) {
  if (attribute.kind != Attribute::Kind::kElements) {
    return absl::InvalidArgumentError("expected a dense<> value");
  }
  TF_ASSIGN_OR_RETURN(const Shape shape, ShapeOfType(*attribute.type));
  const int64_t width = LiteralElementBytes(shape.element_type());
  TF_ASSIGN_OR_RETURN(
      const int64_t size,
      MultiplyOrError(ShapeUtil::ElementsIn(shape), width, "dense<>"));
  if (std::ssize(attribute.data) != (attribute.splat ? width : size)) {
    return absl::InvalidArgumentError(
        absl::StrCat("dense<> has ", attribute.data.size(),
                     " bytes, but its type is ", attribute.type->ToString()));
  }
  return size;
}

std::string Quoted(absl::string_view name) {
  return absl::StrCat("attribute '", name, "' ");
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> IntegersOfAttribute(
    const Attribute& attribute) {
  switch (attribute.kind) {
    case Kind::kIntegers:
      return std::vector<int64_t>(attribute.integers.begin(),
                                  attribute.integers.end());
    case Kind::kElements:
      return IntegersOfElements(attribute);
    case Kind::kArray: {
      std::vector<int64_t> values;
      for (const Attribute* element : attribute.elements) {
        if (element->kind != Kind::kInteger && element->kind != Kind::kBool) {
          return absl::InvalidArgumentError("is not a list of integers");
        }
        values.push_back(element->integer);
      }
      return values;
    }
    default:
      return absl::InvalidArgumentError("is not a list of integers");
  }
}

const Attribute* OpConversion::Find(absl::string_view name) const {
  for (size_t i = 0; i < op_.attributes.size(); ++i) {
    if (op_.attributes[i].name != name) continue;
    if (i < read_.size()) read_.set(i);
    return op_.attributes[i].value;
  }
  return nullptr;
}

absl::Status OpConversion::CheckAllRead() const {
  for (size_t i = 0; i < op_.attributes.size(); ++i) {
    const absl::string_view name = op_.attributes[i].name;
    if (i >= read_.size()) {
      return Error(absl::StrCat("has more than ", read_.size(), " attributes"));
    }
    // Attributes of other dialects, such as "mhlo.sharding", are hints.
    if (read_.test(i) || absl::StrContains(name, '.')) continue;
    return Error(absl::StrCat(Quoted(name), "is unknown here"));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> OpConversion::Integer(absl::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return Error(Quoted(name) + "is missing");
  if (attribute->kind != Kind::kInteger && attribute->kind != Kind::kBool) {
    return Error(Quoted(name) + "must be an integer");
  }
  return attribute->integer;
}

absl::StatusOr<int64_t> OpConversion::IntegerOr(absl::string_view name,
                                                int64_t missing) const {
  if (Find(name) == nullptr) return missing;
  return Integer(name);
}

absl::StatusOr<bool> OpConversion::BoolOr(absl::string_view name,
                                          bool missing) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return missing;
  if (attribute->kind == Kind::kUnit) return true;
  TF_ASSIGN_OR_RETURN(int64_t value, Integer(name));
  return value != 0;
}

absl::StatusOr<double> OpConversion::Float(absl::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return Error(Quoted(name) + "is missing");
  if (attribute->kind != Kind::kFloat) {
    return Error(Quoted(name) + "must be a float");
  }
  return attribute->real;
}

absl::StatusOr<std::string> OpConversion::String(absl::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return Error(Quoted(name) + "is missing");
  if (attribute->kind != Kind::kString && attribute->kind != Kind::kSymbol) {
    return Error(Quoted(name) + "must be a string");
  }
  return std::string(attribute->text);
}

absl::StatusOr<std::string> OpConversion::StringOr(
    absl::string_view name, absl::string_view missing) const {
  if (Find(name) == nullptr) return std::string(missing);
  return String(name);
}

absl::StatusOr<absl::string_view> OpConversion::EnumOr(
    absl::string_view name, absl::string_view missing) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return missing;
  if (attribute->kind != Kind::kEnum && attribute->kind != Kind::kString) {
    return Error(Quoted(name) + "must be an enumerator");
  }
  return attribute->text;
}

absl::StatusOr<std::vector<int64_t>> OpConversion::Integers(
    absl::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return Error(Quoted(name) + "is missing");
  absl::StatusOr<std::vector<int64_t>> values = IntegersOfAttribute(*attribute);
  if (!values.ok()) {
    return Error(absl::StrCat(Quoted(name), values.status().message()));
  }
  return values;
}

absl::StatusOr<std::vector<int64_t>> OpConversion::IntegersOrEmpty(
    absl::string_view name) const {
  if (Find(name) == nullptr) return std::vector<int64_t>();
  return Integers(name);
}

absl::StatusOr<std::vector<int64_t>> OpConversion::IntegersOr(
    absl::string_view name, int64_t size, int64_t missing) const {
  if (Find(name) == nullptr) return std::vector<int64_t>(size, missing);
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> values, Integers(name));
  if (static_cast<int64_t>(values.size()) != size) {
    return Error(absl::StrCat(Quoted(name), "must have ", size, " values, got ",
                              values.size()));
  }
  return values;
}

absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>>
OpConversion::PairsOrZeros(absl::string_view name, int64_t count) const {
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> flat,
                      IntegersOr(name, 2 * count, 0));
  std::vector<std::pair<int64_t, int64_t>> pairs(count);
  for (int64_t i = 0; i < count; ++i) {
    pairs[i] = {flat[2 * i], flat[2 * i + 1]};
  }
  return pairs;
}

absl::StatusOr<Literal> OpConversion::Elements(absl::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return Error(Quoted(name) + "is missing");
  absl::StatusOr<int64_t> bytes = BytesOfElements(*attribute);
  if (!bytes.ok()) return Annotate(bytes.status());
  TF_RETURN_IF_ERROR(Annotate(module_.Charge(*bytes)));
  absl::StatusOr<Literal> literal = LiteralOfElements(*attribute);
  if (!literal.ok()) return Annotate(literal.status());
  return literal;
}

absl::StatusOr<Shape> ShapeOfType(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kToken:
      return ShapeUtil::MakeTokenShape();
    case Type::Kind::kTuple:
    case Type::Kind::kFuture: {
      std::vector<Shape> shapes;
      for (const Type* element : type.elements) {
        TF_ASSIGN_OR_RETURN(shapes.emplace_back(), ShapeOfType(*element));
      }
      return ShapeUtil::MakeTupleShape(shapes);
    }
    case Type::Kind::kTensor:
      break;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("type ", type.ToString(), " has no shape"));
  }
  const size_t rank = type.dimensions.size();
  if (rank > kMaxRank) {
    return absl::InvalidArgumentError(
        absl::StrCat("a type has rank ", rank, ", more than ", kMaxRank));
  }
  std::vector<int64_t> sizes(type.dimensions.begin(), type.dimensions.end());
  std::vector<bool> dynamic(rank, false);
  for (size_t i = 0; i < rank; ++i) {
    if (sizes[i] != kDynamic) continue;
    if (type.bounds.size() != rank || type.bounds[i] == kDynamic) {
      return absl::InvalidArgumentError(
          absl::StrCat("the size of dimension ", i, " of ", type.ToString(),
                       " does not follow from constants"));
    }
    sizes[i] = type.bounds[i];
    dynamic[i] = true;
  }
  const PrimitiveType element = type.quantized != nullptr
                                    ? type.quantized->storage_type
                                    : type.element_type;
  TF_ASSIGN_OR_RETURN(Shape shape,
                      ShapeUtil::MakeValidatedShape(element, sizes, dynamic));
  return shape;
}

absl::StatusOr<Literal> LiteralOfElements(const Attribute& attribute) {
  TF_ASSIGN_OR_RETURN(const size_t size, BytesOfElements(attribute));
  TF_ASSIGN_OR_RETURN(Shape shape, ShapeOfType(*attribute.type));
  TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(shape));
  const size_t width = LiteralElementBytes(shape.element_type());
  char* to = static_cast<char*>(literal.untyped_data());
  if (!attribute.splat) {
    if (size > 0) std::memcpy(to, attribute.data.data(), size);
    ClearHighBits(shape.element_type(), to, size);
    return literal;
  }
  // Double the filled part until all is filled.
  size_t filled = std::min(width, size);
  if (filled > 0) std::memcpy(to, attribute.data.data(), filled);
  while (filled < size) {
    const size_t more = std::min(filled, size - filled);
    std::memcpy(to + filled, to, more);
    filled += more;
  }
  ClearHighBits(shape.element_type(), to, size);
  return literal;
}

}  // namespace xla::stablehlo
