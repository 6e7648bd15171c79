// Prepares arrays for sums of products: converts them to the type of the sum
// and orders their dimensions. Shared by dot and convolution.
#ifndef XLA_HLO_EVALUATOR_LINEAR_MATRIX_H_
#define XLA_HLO_EVALUATOR_LINEAR_MATRIX_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Returns the type in which products of `lhs` and `rhs` are summed for a result
// of type `result`: C128, C64, F64, F32, U64 or S64. F32 for all smaller
// floats; the result type matters only if it is F64 or C128.
PrimitiveType ProductType(PrimitiveType lhs, PrimitiveType rhs,
                          PrimitiveType result);

// Returns the values of `operand`, an array in default layout, as `type`, a
// ProductType; dimension i of the packed array is dimension permutation[i].
// Elements beyond the size of a dynamic dimension become 0.
absl::StatusOr<Literal> PackMatrix(const Literal& operand,
                                   absl::Span<const int64_t> permutation,
                                   PrimitiveType type);

// Like PackMatrix, after rounding the values as `algorithm` requires.
absl::StatusOr<Literal> PackMatrix(const Literal& operand,
                                   absl::Span<const int64_t> permutation,
                                   PrimitiveType type,
                                   PrecisionConfig::Algorithm algorithm);

// c[m,n] += a[m,k] b[k,n], row-major arrays of `type`, a ProductType. Rows of b
// and c are `b_stride` and `c_stride` elements apart.
void MultiplyAdd(PrimitiveType type, int64_t m, int64_t k, int64_t n,
                 const void* a, const void* b, int64_t b_stride, void* c,
                 int64_t c_stride);
inline void MultiplyAdd(PrimitiveType type, int64_t m, int64_t k, int64_t n,
                        const void* a, const void* b, void* c) {
  MultiplyAdd(type, m, k, n, a, b, n, c, n);
}

// Returns the sums, in `shape`'s row-major order, as an array of that shape.
// Complex sums for real results lose the imaginary part.
absl::StatusOr<Literal> FromProductType(Literal sums, const Shape& shape);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_LINEAR_MATRIX_H_
