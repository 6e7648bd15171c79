// Accesses columns and rows, and builds masks.
#include "xla/hlo/builder/linear/columns.h"

#include <numeric>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/lib/slicing.h"

namespace xla::linear {

XlaOp ColumnAt(XlaOp x, XlaOp j, const MatrixShape& shape) {
  return Reshape(
      DynamicSliceInMinorDims(x, {ScalarLike(j, 0), j}, {shape.m, 1}),
      shape.With({shape.m}));
}

XlaOp RowAt(XlaOp x, XlaOp i, const MatrixShape& shape) {
  return Reshape(
      DynamicSliceInMinorDims(x, {i, ScalarLike(i, 0)}, {1, shape.n}),
      shape.With({shape.n}));
}

XlaOp IndexMask(int64_t n, ComparisonDirection direction, XlaOp number,
                const MatrixShape& shape) {
  return InBatch(Compare(Iota(number.builder(), S32, n), number, {}, direction),
                 shape);
}

XlaOp SumWhere(XlaOp mask, XlaOp vector) {
  return SumOfColumns(Select(mask, vector, ZerosLike(vector)));
}

XlaOp GreatestSize(XlaOp vector) {
  XlaBuilder* builder = vector.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    XlaOp sizes = Abs(vector);
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(sizes));
    return Reduce(sizes, Zero(builder, shape.element_type()),
                  CreateScalarMaxComputation(shape.element_type(), builder),
                  {shape.rank() - 1});
  });
}

XlaOp Repeat(XlaOp scalars, int64_t n, const MatrixShape& shape) {
  std::vector<int64_t> places(shape.batch.size());
  std::iota(places.begin(), places.end(), 0);
  return BroadcastInDim(scalars, shape.With({n}), places);
}

XlaOp AbsSquare(XlaOp x) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    if (!primitive_util::IsComplexType(shape.element_type())) return Square(x);
    return Add(Square(Real(x)), Square(Imag(x)));
  });
}

XlaOp Conjugate(XlaOp x) { return MaybeConjugate(x, true); }

XlaOp RealPart(XlaOp x) { return Conjugate(x).IsIdenticalTo(x) ? x : Real(x); }

}  // namespace xla::linear
