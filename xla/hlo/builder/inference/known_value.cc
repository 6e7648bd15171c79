// Converts between literals and elements.
#include "xla/hlo/builder/inference/known_value.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

bool IsUnsigned(PrimitiveType type) {
  return type == PRED || primitive_util::IsUnsignedIntegralType(type);
}

// Returns numbers of 64 bits as an array of another integer type.
absl::StatusOr<Literal> FromNumbers(absl::Span<const absl::int128> numbers,
                                    const Shape& shape) {
  const PrimitiveType type = shape.element_type();
  const PrimitiveType wide = IsUnsigned(type) ? U64 : S64;
  TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(ShapeUtil::MakeShape(
                                           wide, shape.dimensions())));
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (wide == U64) {
      literal.data<uint64_t>()[i] = static_cast<uint64_t>(numbers[i]);
    } else {
      literal.data<int64_t>()[i] = static_cast<int64_t>(numbers[i]);
    }
  }
  return literal.Convert(type);
}

std::vector<KnownElement> FromLiteral(const Literal& literal) {
  std::vector<KnownElement> elements(literal.element_count());
  if (!IsCounted(literal.shape().element_type())) {
    for (KnownElement& element : elements) element.dynamic = false;
    return elements;
  }
  const bool is_unsigned = IsUnsigned(literal.shape().element_type());
  const absl::StatusOr<Literal> wide = literal.Convert(is_unsigned ? U64 : S64);
  if (!wide.ok()) return elements;
  for (size_t i = 0; i < elements.size(); ++i) {
    elements[i] = is_unsigned
                      ? KnownElement::Constant(wide->data<uint64_t>()[i])
                      : KnownElement::Constant(wide->data<int64_t>()[i]);
  }
  return elements;
}

absl::int128 NumberOf(const KnownElement& element, ElementPart part) {
  switch (part) {
    case ElementPart::kLow:
      return element.unbounded ? 0 : element.bounds.low;
    case ElementPart::kHigh:
      return element.unbounded ? 0 : element.bounds.high;
    case ElementPart::kUnbounded:
      return element.dynamic && element.unbounded;
    case ElementPart::kDynamic:
      break;
  }
  return element.dynamic;
}

}  // namespace

bool IsCounted(PrimitiveType type) {
  return type == PRED || primitive_util::IsIntegralType(type);
}

std::vector<KnownElement> ElementsOf(const KnownArray* array,
                                     const Shape& shape) {
  if (array == nullptr) {
    return std::vector<KnownElement>(ShapeUtil::ElementsIn(shape));
  }
  if (array->constant != nullptr) return FromLiteral(*array->constant);
  return array->elements;
}

absl::StatusOr<KnownArray> ArrayOf(std::vector<KnownElement> elements,
                                   const Shape& shape) {
  KnownArray array;
  if (absl::c_any_of(elements,
                     [](const KnownElement& e) { return e.dynamic; })) {
    array.elements = std::move(elements);
    return array;
  }
  std::vector<absl::int128> numbers;
  for (const KnownElement& element : elements) {
    numbers.push_back(element.bounds.low);
  }
  TF_ASSIGN_OR_RETURN(Literal literal, FromNumbers(numbers, shape));
  array.constant = std::make_shared<const Literal>(std::move(literal));
  return array;
}

absl::StatusOr<KnownArray> ArrayOf(std::vector<KnownElement> elements,
                                   Literal values) {
  if (IsCounted(values.shape().element_type())) {
    return ArrayOf(std::move(elements), values.shape());
  }
  KnownArray array;
  auto shared = std::make_shared<const Literal>(std::move(values));
  if (absl::c_any_of(elements,
                     [](const KnownElement& e) { return e.dynamic; })) {
    array.elements = std::move(elements);
    array.values = std::move(shared);
  } else {
    array.constant = std::move(shared);
  }
  return array;
}

absl::StatusOr<Literal> PartOf(const KnownArray* array, const Shape& shape,
                               ElementPart part) {
  const bool is_number =
      part == ElementPart::kLow || part == ElementPart::kHigh;
  if (is_number && array != nullptr && array->constant != nullptr) {
    return array->constant->Clone();
  }
  if (is_number && array != nullptr && array->values != nullptr) {
    return array->values->Clone();
  }
  const Shape result = ShapeUtil::MakeShape(
      is_number ? shape.element_type() : PRED, shape.dimensions());
  if (array == nullptr) {
    TF_ASSIGN_OR_RETURN(Literal unknown, Literal::Make(result));
    if (!is_number) {
      for (bool& missing : unknown.data<bool>()) missing = true;
    }
    return unknown;
  }
  std::vector<absl::int128> numbers;
  if (array->constant != nullptr) {
    numbers.assign(array->constant->element_count(), 0);
  } else {
    for (const KnownElement& element : ElementsOf(array, shape)) {
      numbers.push_back(NumberOf(element, part));
    }
  }
  return FromNumbers(numbers, result);
}

absl::StatusOr<Literal> PartOf(const KnownValue& value, const Shape& shape,
                               ElementPart part) {
  if (shape.IsTuple()) {
    std::vector<Literal> literals;
    for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
      const bool known = !value.parts.empty();
      TF_ASSIGN_OR_RETURN(literals.emplace_back(),
                          PartOf(known ? value.parts[i] : KnownValue(),
                                 shape.tuple_shapes(i), part));
    }
    return LiteralUtil::MakeTupleOwned(std::move(literals));
  }
  if (shape.IsToken()) {
    if (part == ElementPart::kLow || part == ElementPart::kHigh) {
      return LiteralUtil::CreateToken();
    }
    return LiteralUtil::CreateR0<bool>(true);
  }
  if (!shape.IsArray() || shape.is_unbounded_dynamic()) {
    return absl::UnimplementedError(
        absl::StrCat("value inference: ", ShapeUtil::HumanString(shape),
                     " has no values of bounded sizes"));
  }
  return PartOf(value.array.has_value() ? &*value.array : nullptr, shape, part);
}

}  // namespace xla
