// Packs operands and multiplies the packed matrices.
#include "xla/hlo/evaluator/linear/matrix.h"

#include <bit>
#include <complex>
#include <cstring>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"

namespace xla {
namespace {

// Multiplies complex numbers without C99's special cases for infinities.
template <typename T>
void Accumulate(T a, T b, T& sum) {
  sum += a * b;
}
template <typename T>
void Accumulate(std::complex<T> a, std::complex<T> b, std::complex<T>& sum) {
  sum += std::complex<T>(a.real() * b.real() - a.imag() * b.imag(),
                         a.real() * b.imag() + a.imag() * b.real());
}

template <typename T>
void MultiplyAddAs(int64_t m, int64_t k, int64_t n, const void* a_data,
                   const void* b_data, int64_t b_stride, void* c_data,
                   int64_t c_stride) {
  const T* a = static_cast<const T*>(a_data);
  const T* b = static_cast<const T*>(b_data);
  T* c = static_cast<T*>(c_data);
  for (int64_t i = 0; i < m; ++i) {
    T* c_row = c + i * c_stride;
    for (int64_t l = 0; l < k; ++l) {
      const T factor = a[i * k + l];
      const T* b_row = b + l * b_stride;
      for (int64_t j = 0; j < n; ++j) Accumulate(factor, b_row[j], c_row[j]);
    }
  }
}

// TF32 has the exponent of F32 and 10 bits of mantissa.
void RoundToTf32(absl::Span<float> values) {
  for (float& value : values) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7f800000) == 0x7f800000) continue;
    bits += 0xfff + ((bits >> 13) & 1);
    value = std::bit_cast<float>(bits & ~0x1fffu);
  }
}

// Zeroes elements beyond the sizes of dynamic dimensions, so that they do not
// contribute to sums.
absl::StatusOr<Literal> ZeroPadding(const Literal& operand) {
  const std::vector<int64_t> sizes = CurrentSizes(operand);
  TF_ASSIGN_OR_RETURN(Literal result, Literal::Make(ShapeUtil::MakeShape(
                                          operand.shape().element_type(),
                                          operand.shape().dimensions())));
  if (!HasIndex(sizes)) return result;
  const int width = LiteralElementBytes(operand.shape().element_type());
  const std::vector<int64_t> strides =
      RowMajorStrides(operand.shape().dimensions());
  std::vector<int64_t> index(sizes.size(), 0);
  do {
    int64_t offset = 0;
    for (size_t d = 0; d < index.size(); ++d) offset += index[d] * strides[d];
    offset *= width;
    std::memcpy(static_cast<char*>(result.untyped_data()) + offset,
                static_cast<const char*>(operand.untyped_data()) + offset,
                width);
  } while (NextIndex(sizes, absl::MakeSpan(index)));
  return result;
}

// Returns the real parts of a complex array.
absl::StatusOr<Literal> RealParts(const Literal& array) {
  const bool wide = array.shape().element_type() == C128;
  TF_ASSIGN_OR_RETURN(Literal result,
                      Literal::Make(ShapeUtil::MakeShape(
                          wide ? F64 : F32, array.shape().dimensions())));
  for (int64_t i = 0; i < array.element_count(); ++i) {
    if (wide) {
      result.data<double>()[i] = array.data<complex128>()[i].real();
    } else {
      result.data<float>()[i] = array.data<complex64>()[i].real();
    }
  }
  return result;
}

}  // namespace

PrimitiveType ProductType(PrimitiveType lhs, PrimitiveType rhs,
                          PrimitiveType result) {
  const auto any = [&](auto predicate) {
    return predicate(lhs) || predicate(rhs);
  };
  const auto is_double = [](PrimitiveType t) { return t == F64 || t == C128; };
  const bool wide = any(is_double) || is_double(result);
  if (any(primitive_util::IsComplexType)) return wide ? C128 : C64;
  if (any(primitive_util::IsFloatingPointType)) return wide ? F64 : F32;
  if (any([](PrimitiveType t) { return t == U64; })) return U64;
  return S64;
}

absl::StatusOr<Literal> PackMatrix(const Literal& operand,
                                   absl::Span<const int64_t> permutation,
                                   PrimitiveType type) {
  if (operand.shape().is_dynamic()) {
    TF_ASSIGN_OR_RETURN(Literal padded, ZeroPadding(operand));
    return PackMatrix(padded, permutation, type);
  }
  const auto pack = [&](const Literal& values) {
    const Literal view = values.Transpose(permutation);
    return view.Relayout(LayoutUtil::GetDefaultLayoutForShape(view.shape()));
  };
  if (operand.shape().element_type() == type) return pack(operand);
  TF_ASSIGN_OR_RETURN(Literal converted, operand.Convert(type));
  return pack(converted);
}

absl::StatusOr<Literal> PackMatrix(const Literal& operand,
                                   absl::Span<const int64_t> permutation,
                                   PrimitiveType type,
                                   PrecisionConfig::Algorithm algorithm) {
  PrimitiveType rounded = PRIMITIVE_TYPE_INVALID;
  switch (algorithm) {
    case PrecisionConfig::ALG_DOT_BF16_BF16_BF16:
    case PrecisionConfig::ALG_DOT_BF16_BF16_F32:
      rounded = BF16;
      break;
    case PrecisionConfig::ALG_DOT_F16_F16_F16:
    case PrecisionConfig::ALG_DOT_F16_F16_F32:
      rounded = F16;
      break;
    default:
      // Summing several rounded products (X3, X6, X9) is as accurate as F32.
      break;
  }
  if (rounded != PRIMITIVE_TYPE_INVALID &&
      primitive_util::IsFloatingPointType(operand.shape().element_type())) {
    TF_ASSIGN_OR_RETURN(Literal values, operand.Convert(rounded));
    return PackMatrix(values, permutation, type);
  }
  TF_ASSIGN_OR_RETURN(Literal packed, PackMatrix(operand, permutation, type));
  if (algorithm == PrecisionConfig::ALG_DOT_TF32_TF32_F32 && type == F32) {
    RoundToTf32(packed.data<float>());
  }
  return packed;
}

void MultiplyAdd(PrimitiveType type, int64_t m, int64_t k, int64_t n,
                 const void* a, const void* b, int64_t b_stride, void* c,
                 int64_t c_stride) {
  switch (type) {
    case F32:
      return MultiplyAddAs<float>(m, k, n, a, b, b_stride, c, c_stride);
    case F64:
      return MultiplyAddAs<double>(m, k, n, a, b, b_stride, c, c_stride);
    case C64:
      return MultiplyAddAs<complex64>(m, k, n, a, b, b_stride, c, c_stride);
    case C128:
      return MultiplyAddAs<complex128>(m, k, n, a, b, b_stride, c, c_stride);
    default:
      // Signed sums wrap around like unsigned ones.
      return MultiplyAddAs<uint64_t>(m, k, n, a, b, b_stride, c, c_stride);
  }
}

absl::StatusOr<Literal> FromProductType(Literal sums, const Shape& shape) {
  if (primitive_util::IsComplexType(sums.shape().element_type()) &&
      !primitive_util::IsComplexType(shape.element_type())) {
    TF_ASSIGN_OR_RETURN(sums, RealParts(sums));
  }
  if (sums.shape().element_type() != shape.element_type()) {
    TF_ASSIGN_OR_RETURN(sums, sums.Convert(shape.element_type()));
  }
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(shape));
  TF_RET_CHECK(result.element_count() == sums.element_count());
  std::memcpy(result.untyped_data(), sums.untyped_data(), sums.size_bytes());
  return result;
}

}  // namespace xla
