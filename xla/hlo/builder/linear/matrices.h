// Shared by the functions on batches of matrices: their sizes, and ops with one
// vector per matrix.
#ifndef XLA_HLO_BUILDER_LINEAR_MATRICES_H_
#define XLA_HLO_BUILDER_LINEAR_MATRICES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla::linear {

// The sizes of [batch..., m, n].
struct MatrixShape {
  PrimitiveType type;  // T
  PrimitiveType real;  // the type of |x|
  std::vector<int64_t> batch;
  int64_t m;
  int64_t n;

  bool is_complex() const { return type != real; }
  // Returns [batch..., a...].
  std::vector<int64_t> With(absl::Span<const int64_t> minor) const;
  Shape ShapeOf(PrimitiveType element_type,
                absl::Span<const int64_t> minor) const;
};

// Errors: matrix_c1 if `x` is no array of two or more dimensions.
absl::StatusOr<MatrixShape> MatrixShapeOf(XlaOp x);
// Like MatrixShapeOf, for decompositions. Errors: matrix_c3 if elements are not
// F32, F64, C64 or C128 (smaller floats must be converted first).
absl::StatusOr<MatrixShape> NumericMatrixShapeOf(XlaOp x);

// [batch..., k] -> [batch..., k, n] or [batch..., m, k]: repeats the vector in
// each column, or in each row.
XlaOp AsColumns(XlaOp vector, const MatrixShape& shape, int64_t n);
XlaOp AsRows(XlaOp vector, const MatrixShape& shape, int64_t m);

// SumOfRows: [..., m, n] -> [..., n]; SumOfColumns: [..., m].
XlaOp SumOfRows(XlaOp x);
XlaOp SumOfColumns(XlaOp x);

// s32[m, n] or s32[n]: the index along the dimension, without batch dimensions.
XlaOp RowNumbers(XlaBuilder* builder, int64_t m, int64_t n);
XlaOp ColumnNumbers(XlaBuilder* builder, int64_t m, int64_t n);

// pred[a...] -> pred[batch..., a...].
XlaOp InBatch(XlaOp x, const MatrixShape& shape);

// Returns the machine epsilon: 2^-23 or 2^-52.
double EpsilonOf(const MatrixShape& shape);

}  // namespace xla::linear

#endif  // XLA_HLO_BUILDER_LINEAR_MATRICES_H_
