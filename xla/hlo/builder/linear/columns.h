// Building blocks of the decompositions: one column or row of each matrix of a
// batch, whose number is an op, and masks of the elements before or after it.
#ifndef XLA_HLO_BUILDER_LINEAR_COLUMNS_H_
#define XLA_HLO_BUILDER_LINEAR_COLUMNS_H_

#include <cstdint>

#include "xla/core/comparison.h"
#include "xla/hlo/builder/linear/matrices.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla::linear {

// [..., m, n] -> [..., m]: column j, an s32[]; -> [..., n]: row i.
XlaOp ColumnAt(XlaOp x, XlaOp j, const MatrixShape& shape);
XlaOp RowAt(XlaOp x, XlaOp i, const MatrixShape& shape);

// Returns pred[batch..., n]: `direction`(0, 1, ..., n - 1; number).
XlaOp IndexMask(int64_t n, ComparisonDirection direction, XlaOp number,
                const MatrixShape& shape);

// [..., n] -> [...]: the sum of the elements where `mask` is true.
XlaOp SumWhere(XlaOp mask, XlaOp vector);
// [..., n] -> [...]: the maximum of |x|.
XlaOp GreatestSize(XlaOp vector);

// [...] -> [..., n].
XlaOp Repeat(XlaOp scalars, int64_t n, const MatrixShape& shape);

// |x|^2, real.
XlaOp AbsSquare(XlaOp x);
// Returns the conjugate; `x` if it is real.
XlaOp Conjugate(XlaOp x);
// Returns the real part; `x` if it is real.
XlaOp RealPart(XlaOp x);

}  // namespace xla::linear

#endif  // XLA_HLO_BUILDER_LINEAR_COLUMNS_H_
