// Shapes of batches of matrices and broadcasts of vectors into them.
#include "xla/hlo/builder/linear/matrices.h"

#include <numeric>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/ops/op_def.h"

namespace xla::linear {
namespace {

std::vector<int64_t> Numbers(int64_t count) {
  std::vector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

XlaOp SumOf(XlaOp x, int64_t dimension_from_end) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    const PrimitiveType type = shape.element_type();
    return Reduce(x, Zero(builder, type),
                  CreateScalarAddComputation(type, builder),
                  {shape.rank() - dimension_from_end});
  });
}

}  // namespace

std::vector<int64_t> MatrixShape::With(absl::Span<const int64_t> minor) const {
  std::vector<int64_t> dims = batch;
  dims.insert(dims.end(), minor.begin(), minor.end());
  return dims;
}

Shape MatrixShape::ShapeOf(PrimitiveType element_type,
                           absl::Span<const int64_t> minor) const {
  return ShapeUtil::MakeShape(element_type, With(minor));
}

absl::StatusOr<MatrixShape> MatrixShapeOf(XlaOp x) {
  TF_ASSIGN_OR_RETURN(const Shape shape, x.builder()->GetShape(x));
  if (!shape.IsArray() || shape.rank() < 2) {
    // matrix_c1: an array of two or more dimensions.
    return RuleError("matrix_c1", absl::StrCat("expected matrices, got ",
                                               ShapeUtil::HumanString(shape)));
  }
  MatrixShape result;
  result.type = shape.element_type();
  result.real = primitive_util::IsComplexType(result.type)
                    ? primitive_util::ComplexComponentType(result.type)
                    : result.type;
  result.batch.assign(shape.dimensions().begin(), shape.dimensions().end() - 2);
  result.m = shape.dimensions(shape.rank() - 2);
  result.n = shape.dimensions(shape.rank() - 1);
  return result;
}

absl::StatusOr<MatrixShape> NumericMatrixShapeOf(XlaOp x) {
  TF_ASSIGN_OR_RETURN(MatrixShape shape, MatrixShapeOf(x));
  if (shape.real != F32 && shape.real != F64) {
    // matrix_c3: decompositions are of F32, F64, C64 and C128.
    return RuleError("matrix_c3",
                     absl::StrCat("no decomposition of matrices of ",
                                  PrimitiveType_Name(shape.type)));
  }
  return shape;
}

XlaOp AsColumns(XlaOp vector, const MatrixShape& shape, int64_t n) {
  XlaBuilder* builder = vector.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape v, builder->GetShape(vector));
    return BroadcastInDim(vector, shape.With({v.dimensions().back(), n}),
                          Numbers(v.rank()));
  });
}

XlaOp AsRows(XlaOp vector, const MatrixShape& shape, int64_t m) {
  XlaBuilder* builder = vector.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape v, builder->GetShape(vector));
    std::vector<int64_t> places = Numbers(v.rank());
    ++places.back();
    return BroadcastInDim(vector, shape.With({m, v.dimensions().back()}),
                          places);
  });
}

XlaOp SumOfRows(XlaOp x) { return SumOf(x, 2); }
XlaOp SumOfColumns(XlaOp x) { return SumOf(x, 1); }

XlaOp RowNumbers(XlaBuilder* builder, int64_t m, int64_t n) {
  return Iota(builder, ShapeUtil::MakeShape(S32, {m, n}), 0);
}

XlaOp ColumnNumbers(XlaBuilder* builder, int64_t m, int64_t n) {
  return Iota(builder, ShapeUtil::MakeShape(S32, {m, n}), 1);
}

XlaOp InBatch(XlaOp x, const MatrixShape& shape) {
  return shape.batch.empty() ? x : Broadcast(x, shape.batch);
}

double EpsilonOf(const MatrixShape& shape) {
  return shape.real == F64 ? 0x1p-52 : 0x1p-23;
}

}  // namespace xla::linear
