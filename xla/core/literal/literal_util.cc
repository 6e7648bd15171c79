// Makes literals from types, tuples and other literals at run time.
#include "xla/core/literal/literal_util.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/types.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/bitmap.h"
#include "xla/core/layout.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_conversions.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Copies a subtree of `literal`, converting arrays of `from` to `to`.
Literal ConvertArrays(const LiteralSlice& literal, PrimitiveType from,
                      PrimitiveType to) {
  if (literal.shape().IsTuple()) {
    std::vector<Literal> elements;
    for (int i = 0; i < literal.shape().tuple_shapes_size(); ++i) {
      elements.push_back(ConvertArrays(LiteralSlice(literal, {i}), from, to));
    }
    return LiteralUtil::MakeTupleOwned(std::move(elements));
  }
  if (literal.shape().element_type() != from) return literal.Clone();
  absl::StatusOr<Literal> converted = literal.Convert(to);
  CHECK_OK(converted.status());
  return *std::move(converted);
}

// Returns the scalar of `type` that `pick` chooses from its limits.
template <typename Pick>
Literal Limit(PrimitiveType type, const Pick& pick) {
  return primitive_util::ArrayTypeSwitch<Literal>(
      [&](auto constant) -> Literal {
        using T = primitive_util::NativeTypeOf<constant>;
        if constexpr (is_complex_v<T>) {
          LOG(FATAL) << "complex numbers have no order";
        } else {
          return LiteralUtil::CreateR0<T>(pick(std::numeric_limits<T>()));
        }
      },
      type);
}

}  // namespace

Literal LiteralUtil::ScalarOf(PrimitiveType type, const void* value,
                              PrimitiveType value_type) {
  Literal literal(ShapeUtil::MakeShape(type, {}));
  ConvertElements(value_type, value, type, literal.untyped_data(), 1);
  return literal;
}

Literal LiteralUtil::CreateR1(const tsl::core::Bitmap& values) {
  Literal literal(
      ShapeUtil::MakeShape(PRED, {static_cast<int64_t>(values.bits())}));
  literal.PopulateR1(values);
  return literal;
}

Literal LiteralUtil::CreateR1U8(absl::string_view value) {
  return CreateR1<uint8_t>(absl::MakeConstSpan(
      reinterpret_cast<const uint8_t*>(value.data()), value.size()));
}

Literal LiteralUtil::CreateR2F32Linspace(float from, float to, int64_t rows,
                                         int64_t cols) {
  return CreateFromArray(*MakeLinspaceArray2D<float>(from, to, rows, cols));
}

Literal LiteralUtil::CreateFromDimensions(
    PrimitiveType primitive_type, absl::Span<const int64_t> dimensions) {
  return Literal(ShapeUtil::MakeShape(primitive_type, dimensions));
}

Literal LiteralUtil::Zero(PrimitiveType primitive_type) {
  return CreateR0<int64_t>(primitive_type, 0);
}

Literal LiteralUtil::One(PrimitiveType primitive_type) {
  return CreateR0<int64_t>(primitive_type, 1);
}

Literal LiteralUtil::MinValue(PrimitiveType primitive_type) {
  return Limit(primitive_type, [](auto limits) {
    using Limits = decltype(limits);
    if constexpr (Limits::has_infinity) return -Limits::infinity();
    return Limits::lowest();
  });
}

Literal LiteralUtil::MaxValue(PrimitiveType primitive_type) {
  return Limit(primitive_type, [](auto limits) {
    using Limits = decltype(limits);
    if constexpr (Limits::has_infinity) return Limits::infinity();
    return Limits::max();
  });
}

Literal LiteralUtil::MaxFiniteValue(PrimitiveType primitive_type) {
  return Limit(primitive_type,
               [](auto limits) { return decltype(limits)::max(); });
}

absl::StatusOr<Literal> LiteralUtil::NanValue(PrimitiveType primitive_type) {
  if (primitive_util::IsComplexType(primitive_type)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return CreateR0<complex128>(primitive_type, complex128(nan, nan));
  }
  absl::Status no_nan = absl::InvalidArgumentError(
      absl::StrCat(PrimitiveType_Name(primitive_type), " has no nan"));
  if (!primitive_util::IsFloatingPointType(primitive_type)) return no_nan;
  Literal nan = CreateR0<double>(primitive_type,
                                 std::numeric_limits<double>::quiet_NaN());
  if (!std::isnan(*nan.GetAsDouble({}))) return no_nan;
  return nan;
}

Literal LiteralUtil::CreateToken() {
  return Literal(ShapeUtil::MakeTokenShape());
}

Literal LiteralUtil::MakeTuple(absl::Span<const Literal* const> elements) {
  std::vector<Literal> copies;
  for (const Literal* element : elements) copies.push_back(element->Clone());
  return MakeTupleOwned(std::move(copies));
}

Literal LiteralUtil::MakeTupleFromSlices(
    absl::Span<const LiteralSlice> elements) {
  std::vector<Literal> copies;
  for (const LiteralSlice& element : elements) {
    copies.push_back(element.Clone());
  }
  return MakeTupleOwned(std::move(copies));
}

Literal LiteralUtil::MakeTupleOwned(std::vector<Literal> elements) {
  return Literal::MoveIntoTuple(absl::MakeSpan(elements));
}

std::vector<const Literal*> LiteralUtil::MakePointers(
    absl::Span<const Literal> literals) {
  std::vector<const Literal*> pointers;
  for (const Literal& literal : literals) pointers.push_back(&literal);
  return pointers;
}

Literal LiteralConversions::ConvertBF16ToF32(const LiteralSlice& literal) {
  return ConvertArrays(literal, BF16, F32);
}
Literal LiteralConversions::ConvertBF16ToF64(const LiteralSlice& literal) {
  return ConvertArrays(literal, BF16, F64);
}
Literal LiteralConversions::ConvertF32ToBF16(const LiteralSlice& literal) {
  return ConvertArrays(literal, F32, BF16);
}
Literal LiteralConversions::ConvertF32ToF64(const LiteralSlice& literal) {
  return ConvertArrays(literal, F32, F64);
}
Literal LiteralConversions::ConvertF64ToBF16(const LiteralSlice& literal) {
  return ConvertArrays(literal, F64, BF16);
}
Literal LiteralConversions::ConvertF64ToF32(const LiteralSlice& literal) {
  return ConvertArrays(literal, F64, F32);
}
Literal LiteralConversions::ConvertS32ToF32(const LiteralSlice& literal) {
  return ConvertArrays(literal, S32, F32);
}
Literal LiteralConversions::ConvertF32ToS8(const LiteralSlice& literal) {
  return ConvertArrays(literal, F32, S8);
}
Literal LiteralConversions::ConvertS8ToF32(const LiteralSlice& literal) {
  return ConvertArrays(literal, S8, F32);
}
Literal LiteralConversions::ConvertS32ToS1(const LiteralSlice& literal) {
  return ConvertArrays(literal, S32, S1);
}
Literal LiteralConversions::ConvertF32ToF8E4M3FN(const LiteralSlice& literal) {
  return ConvertArrays(literal, F32, F8E4M3FN);
}
Literal LiteralConversions::ConvertF32ToF8E4M3FNUZ(
    const LiteralSlice& literal) {
  return ConvertArrays(literal, F32, F8E4M3FNUZ);
}
Literal LiteralConversions::ConvertF32ToF8E5M2(const LiteralSlice& literal) {
  return ConvertArrays(literal, F32, F8E5M2);
}
Literal LiteralConversions::ConvertF32ToF8E5M2FNUZ(
    const LiteralSlice& literal) {
  return ConvertArrays(literal, F32, F8E5M2FNUZ);
}
Literal LiteralConversions::ConvertF8E4M3FNToF32(const LiteralSlice& literal) {
  return ConvertArrays(literal, F8E4M3FN, F32);
}
Literal LiteralConversions::ConvertF8E5M2ToF32(const LiteralSlice& literal) {
  return ConvertArrays(literal, F8E5M2, F32);
}

Literal LiteralConversions::ReshapeSlice(
    absl::Span<const int64_t> new_dimensions,
    absl::Span<const int64_t> minor_to_major, const LiteralSlice& literal) {
  Shape shape =
      ShapeUtil::MakeShape(literal.shape().element_type(), new_dimensions);
  const Layout row_major = shape.layout();
  *shape.mutable_layout() = Layout(minor_to_major);
  Literal result(shape);
  CHECK_EQ(result.size_bytes(), literal.size_bytes());
  std::memcpy(result.untyped_data(), literal.untyped_data(),
              literal.size_bytes());
  return result.Relayout(row_major);
}

Literal LiteralConversions::GetFirstScalarLiteral(const LiteralSlice& literal) {
  CHECK(literal.shape().IsArray() && literal.element_count() > 0);
  std::vector<int64_t> first(literal.shape().dimensions_size(), 0);
  return GetScalarLiteral(literal, first);
}

Literal LiteralConversions::GetScalarLiteral(
    const LiteralBase& literal, absl::Span<const int64_t> multi_index) {
  Literal scalar(ShapeUtil::MakeShape(literal.shape().element_type(), {}));
  CHECK_OK(scalar.CopyElementFrom(literal, multi_index, {}));
  return scalar;
}

void LiteralConversions::SetScalarLiteral(MutableLiteralBase& literal,
                                          absl::Span<const int64_t> multi_index,
                                          const LiteralBase& scalar) {
  CHECK_OK(literal.CopyElementFrom(scalar, {}, multi_index));
}

Literal LiteralConversions::MaxElement(const LiteralSlice& literal) {
  CHECK(literal.shape().IsArray() && literal.element_count() > 0);
  const PrimitiveType type = literal.shape().element_type();
  CHECK(!primitive_util::IsComplexType(type)) << "complex numbers: no order";
  std::optional<std::vector<int64_t>> best;
  long double best_value = 0;  // holds int64, uint64 and double exactly
  literal.EachElement([&](absl::Span<const int64_t> at, const void* element) {
    long double value = 0;
    if (type == U64) {
      value = *static_cast<const uint64_t*>(element);
    } else if (primitive_util::IsFloatingPointType(type)) {
      double wide = 0;
      ConvertElements(type, element, F64, &wide, 1);
      value = wide;
    } else {
      int64_t wide = 0;
      ConvertElements(type, element, S64, &wide, 1);
      value = wide;
    }
    if (!best.has_value() || value > best_value || std::isnan(value)) {
      best.emplace(at.begin(), at.end());
      best_value = value;
    }
    return !std::isnan(value);
  });
  return GetScalarLiteral(literal, *best);
}

std::optional<int64_t> LiteralConversions::LiteralAsScalarInt64(
    const Literal& literal) {
  if (!ShapeUtil::IsEffectiveScalar(literal.shape())) return std::nullopt;
  return literal.GetFirstInteger();
}

std::optional<double> LiteralConversions::LiteralAsScalarDouble(
    const Literal& literal) {
  if (!ShapeUtil::IsEffectiveScalar(literal.shape()) ||
      !primitive_util::IsFloatingPointType(literal.shape().element_type())) {
    return std::nullopt;
  }
  return GetFirstScalarLiteral(literal).GetAsDouble({});
}

std::string LiteralUtil::MultiIndexAsString(
    absl::Span<const int64_t> multi_index) {
  return absl::StrCat("{", absl::StrJoin(multi_index, ","), "}");
}

}  // namespace xla
