// Diagonals, triangles and transposes of lib/matrix.h. einsum.cc has products.
#include "xla/hlo/builder/lib/matrix.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/linear/matrices.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using linear::MatrixShape;
using linear::MatrixShapeOf;

// pred[m, n]: `compare`(column - row, diagonal).
XlaOp BandMask(XlaBuilder* builder, const MatrixShape& shape, int diagonal,
               ComparisonDirection direction) {
  XlaOp distance = Sub(linear::ColumnNumbers(builder, shape.m, shape.n),
                       linear::RowNumbers(builder, shape.m, shape.n));
  return Compare(distance, ConstantR0<int32_t>(builder, diagonal), {},
                 direction);
}

// Returns the length of diagonal k, which is 0 outside the matrix.
int64_t DiagonalLength(const MatrixShape& shape, int64_t k) {
  return std::max<int64_t>(
      k >= 0 ? std::min(shape.m, shape.n - k) : std::min(shape.m + k, shape.n),
      0);
}

}  // namespace

XlaOp IdentityMatrix(XlaBuilder* builder, PrimitiveType type, int64_t m,
                     int64_t n) {
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_RETURN_IF_ERROR(ShapeUtil::MakeValidatedShape(S32, {m, n}).status());
    return ConvertElementType(Eq(linear::RowNumbers(builder, m, n),
                                 linear::ColumnNumbers(builder, m, n)),
                              type);
  });
}

XlaOp GetDiagonalMask(XlaOp x, int diagonal) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape shape, MatrixShapeOf(x));
    return InBatch(BandMask(builder, shape, diagonal, ComparisonDirection::kEq),
                   shape);
  });
}

XlaOp GetMatrixDiagonal(XlaOp x, int k) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape shape, MatrixShapeOf(x));
    const int64_t length = DiagonalLength(shape, k);
    // Sum the bits, so that -0 and NaN payloads survive and any type works: all
    // but one term of each sum are zeros. Complex and narrow types, which have
    // no integer of their width, are gathered.
    const PrimitiveType bits = primitive_util::UnsignedIntegralTypeForBitWidth(
        primitive_util::BitWidth(shape.type));
    if (length == 0 || bits == PRIMITIVE_TYPE_INVALID || shape.is_complex() ||
        shape.type == PRED || primitive_util::BitWidth(bits) < 8) {
      return GetMatrixDiagonalViaGather(x, k);
    }
    XlaOp raw = BitcastConvertType(x, bits);
    XlaOp masked = Select(GetDiagonalMask(x, k), raw, ZerosLike(raw));
    // Sum down the columns of wide matrices, along the rows of others.
    XlaOp sums = shape.m <= shape.n ? linear::SumOfColumns(masked)
                                    : linear::SumOfRows(masked);
    const int64_t rank = shape.batch.size();
    const int64_t first = shape.m <= shape.n ? std::max(-k, 0) : std::max(k, 0);
    return BitcastConvertType(SliceInDim(sums, first, first + length, 1, rank),
                              shape.type);
  });
}

XlaOp GetMatrixDiagonalViaGather(XlaOp x, int k) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape shape, MatrixShapeOf(x));
    const int64_t length = DiagonalLength(shape, k);
    // s32[length, 2]: (i, i + k), or (i - k, i).
    XlaOp along = Iota(builder, ShapeUtil::MakeShape(S32, {length, 2}), 0);
    XlaOp first =
        ConstantR1<int32_t>(builder, {std::max(-k, 0), std::max(k, 0)});
    XlaOp positions = Add(along, first, {1});
    const int64_t rank = shape.batch.size();
    GatherDimensionNumbers numbers;
    std::vector<int64_t> sizes = shape.With({1, 1});
    for (int64_t i = 0; i < rank; ++i) numbers.add_offset_dims(i);
    for (int64_t i = rank; i < rank + 2; ++i) {
      numbers.add_collapsed_slice_dims(i);
      numbers.add_start_index_map(i);
    }
    numbers.set_index_vector_dim(1);
    return Gather(x, positions, numbers, sizes, /*indices_are_sorted=*/true);
  });
}

XlaOp SetMatrixDiagonal(XlaOp matrix, XlaOp diag, int k) {
  XlaBuilder* builder = matrix.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape shape, MatrixShapeOf(matrix));
    const int64_t length = DiagonalLength(shape, k);
    TF_ASSIGN_OR_RETURN(const Shape diag_shape, builder->GetShape(diag));
    if (!diag_shape.IsArray() ||
        diag_shape.dimensions() != shape.With({length})) {
      // diagonal_c1: the diagonal has as many elements as the matrix's.
      return RuleError("diagonal_c1",
                       absl::StrCat("diagonal ", k, " has ", length,
                                    " elements, not the shape ",
                                    ShapeUtil::HumanString(diag_shape)));
    }
    if (length == 0) return matrix;
    // Put the diagonal in its rows and repeat it along them.
    XlaOp zero = Zero(builder, shape.type);
    const int64_t above = std::max(-k, 0);
    XlaOp padded = PadInDim(diag, zero, shape.batch.size(), above,
                            shape.m - above - length);
    return Select(GetDiagonalMask(matrix, k),
                  linear::AsColumns(padded, shape, shape.n), matrix);
  });
}

XlaOp TriangleMask(XlaOp x, int diagonal) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape shape, MatrixShapeOf(x));
    return InBatch(BandMask(builder, shape, diagonal, ComparisonDirection::kLe),
                   shape);
  });
}

XlaOp Triangle(XlaOp x, bool lower) {
  return lower ? LowerTriangle(x) : UpperTriangle(x);
}

XlaOp UpperTriangle(XlaOp x) {
  return Select(TriangleMask(x, -1), ZerosLike(x), x);
}

XlaOp LowerTriangle(XlaOp x) {
  return Select(TriangleMask(x, 0), x, ZerosLike(x));
}

XlaOp Symmetrize(XlaOp x, bool lower) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape shape, MatrixShapeOf(x));
    if (shape.m != shape.n) {
      // matrix_c2: square matrices.
      return RuleError("matrix_c2",
                       absl::StrCat("expected square matrices, got ", shape.m,
                                    " x ", shape.n));
    }
    XlaOp mask = lower ? TriangleMask(x, 0) : Not(TriangleMask(x, -1));
    if (shape.is_complex()) {
      // The diagonal of a Hermitian matrix is real.
      XlaOp real = Real(x);
      XlaOp imag = Select(GetDiagonalMask(x), ZerosLike(real), Imag(x));
      x = Complex(real, imag);
    }
    return Select(mask, x, TransposeInMinorDims(MaybeConjugate(x, true)));
  });
}

XlaOp TransposeInMinorDims(XlaOp x) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape shape, MatrixShapeOf(x));
    std::vector<int64_t> permutation(shape.batch.size() + 2);
    std::iota(permutation.begin(), permutation.end(), 0);
    std::swap(permutation.back(), permutation[permutation.size() - 2]);
    return Transpose(x, permutation);
  });
}

XlaOp MaybeTransposeInMinorDims(XlaOp x, bool transpose) {
  return transpose ? TransposeInMinorDims(x) : x;
}

}  // namespace xla
