// Prints attributes as MLIR does.
#include "xla/stablehlo/to_hlo/conversion/attribute_text.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

std::string StringText(absl::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '\\') {
      quoted += "\\\\";
    } else if (absl::ascii_isprint(c) && c != '"') {
      quoted += c;
    } else {
      absl::StrAppendFormat(&quoted, "\\%02X", static_cast<unsigned char>(c));
    }
  }
  return quoted + "\"";
}

// Prints NaN and infinities as their bits.
std::string FloatText(double value, const Type* type) {
  const bool narrow = type != nullptr && type->element_type == F32;
  if (std::isfinite(value)) {
    return narrow ? absl::StrFormat("%.9e", value)
                  : absl::StrFormat("%.17e", value);
  }
  if (narrow) {
    const float single = value;
    uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    return absl::StrFormat("0x%08X", bits);
  }
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return absl::StrFormat("0x%016X", bits);
}

std::string Typed(std::string value, const Type* type) {
  return type == nullptr ? value : absl::StrCat(value, " : ", type->ToString());
}

std::string IntegersText(const Attribute& attribute) {
  const std::string type =
      attribute.type == nullptr ? "i64" : attribute.type->ToString();
  const std::string values = absl::StrJoin(
      attribute.integers, ", ", [&](std::string* out, int64_t value) {
        type == "i1" ? absl::StrAppend(out, value != 0 ? "true" : "false")
                     : absl::StrAppend(out, value);
      });
  return absl::StrCat("array<", type, values.empty() ? "" : ": ", values, ">");
}

// Prints a list as array<>, which typed calls expect, and other tensors by
// type.
std::string ElementsText(const Attribute& attribute) {
  const absl::StatusOr<Literal> literal = LiteralOfElements(attribute);
  if (!literal.ok() || literal->shape().dimensions_size() > 1) {
    return absl::StrCat("dense : ", attribute.type->ToString());
  }
  const PrimitiveType type = literal->shape().element_type();
  Type element;
  element.kind = Type::Kind::kScalar;
  element.element_type = type;
  std::vector<std::string> values;
  for (int64_t i = 0; i < literal->element_count(); ++i) {
    const std::vector<int64_t> at(literal->shape().dimensions_size(), i);
    if (type == PRED) {
      values.push_back(literal->Get<bool>(at) ? "true" : "false");
    } else if (primitive_util::IsFloatingPointType(type)) {
      values.push_back(FloatText(*literal->GetAsDouble(at), &element));
    } else if (primitive_util::IsIntegralType(type)) {
      values.push_back(type == U64
                           ? absl::StrCat(literal->Get<uint64_t>(at))
                           : absl::StrCat(*literal->GetIntegralAsS64(at)));
    } else {
      return absl::StrCat("dense : ", attribute.type->ToString());
    }
  }
  return absl::StrCat("array<", element.ToString(), values.empty() ? "" : ": ",
                      absl::StrJoin(values, ", "), ">");
}

std::string ArrayText(const Attribute& attribute) {
  const auto& elements = attribute.elements;
  if (!elements.empty() && elements[0]->kind == Kind::kFloat &&
      elements[0]->type != nullptr) {
    return absl::StrCat(
        "array<", elements[0]->type->ToString(), ": ",
        absl::StrJoin(elements, ", ",
                      [](std::string* out, const Attribute* element) {
                        out->append(FloatText(element->real, element->type));
                      }),
        ">");
  }
  return absl::StrCat("[",
                      absl::StrJoin(elements, ", ",
                                    [](std::string* out, const Attribute* e) {
                                      out->append(AttributeText(*e));
                                    }),
                      "]");
}

std::string DictionaryText(const Attribute& attribute) {
  return absl::StrCat(
      "{",
      absl::StrJoin(attribute.fields, ", ",
                    [](std::string* out, const NamedAttribute& field) {
                      absl::StrAppend(out, field.name);
                      if (field.value->kind == Kind::kUnit) return;
                      absl::StrAppend(out, " = ", AttributeText(*field.value));
                    }),
      "}");
}

}  // namespace

std::string AttributeText(const Attribute& attribute) {
  switch (attribute.kind) {
    case Kind::kUnit:
      return "unit";
    case Kind::kElements:
      return ElementsText(attribute);
    case Kind::kBool:
      return attribute.integer != 0 ? "true" : "false";
    case Kind::kInteger:
      return Typed(absl::StrCat(attribute.integer), attribute.type);
    case Kind::kFloat:
      return Typed(FloatText(attribute.real, attribute.type), attribute.type);
    case Kind::kString:
    case Kind::kEnum:
      return StringText(attribute.text);
    case Kind::kSymbol:
      return absl::StrCat("@", attribute.text);
    case Kind::kType:
      return attribute.type == nullptr ? "none" : attribute.type->ToString();
    case Kind::kIntegers:
      return IntegersText(attribute);
    case Kind::kArray:
      return ArrayText(attribute);
    case Kind::kDictionary:
      return DictionaryText(attribute);
    case Kind::kUnknown:
      return std::string(attribute.text);
  }
  return "";
}

}  // namespace xla::stablehlo
