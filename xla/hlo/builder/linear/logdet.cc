// Determinants from LU decompositions.
#include "xla/hlo/builder/lib/logdet.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/lu_decomposition.h"
#include "xla/hlo/builder/lib/matrix.h"
#include "xla/hlo/builder/linear/matrices.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using linear::MatrixShape;

absl::StatusOr<SignAndLogDet> SignAndLog(XlaOp a) {
  XlaBuilder* builder = a.builder();
  TF_ASSIGN_OR_RETURN(const MatrixShape shape, linear::NumericMatrixShapeOf(a));
  if (shape.m != shape.n) {
    return RuleError("matrix_c2", absl::StrCat("no determinant of ", shape.m,
                                               " x ", shape.n, " matrices"));
  }
  const LuDecompositionResult lu = LuDecomposition(a);
  XlaOp diagonal = GetMatrixDiagonal(lu.lu);
  // Each exchange of two rows changes the sign.
  XlaOp own = InBatch(Iota(builder, S32, shape.n), shape);
  XlaOp one = FullLike(diagonal, 1);
  XlaOp signs = Mul(Sign(diagonal), Select(Ne(lu.pivots, own), Neg(one), one));
  XlaOp sign = Reduce(signs, One(builder, shape.type),
                      CreateScalarMultiplyComputation(shape.type, builder),
                      {static_cast<int64_t>(shape.batch.size())});
  // Make -0 +0.
  sign = Add(sign, ZerosLike(sign));
  return SignAndLogDet{sign, linear::SumOfColumns(Log(Abs(diagonal)))};
}

}  // namespace

SignAndLogDet SLogDet(XlaOp a) {
  absl::StatusOr<SignAndLogDet> result = SignAndLog(a);
  if (result.ok()) return *result;
  XlaOp error = a.builder()->ReportError(result.status());
  return {error, error};
}

XlaOp LogDet(XlaOp a) {
  return a.builder()->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const MatrixShape shape,
                        linear::NumericMatrixShapeOf(a));
    TF_ASSIGN_OR_RETURN(const SignAndLogDet det, SignAndLog(a));
    if (shape.is_complex()) {
      return Complex(det.logdet, Atan2(Imag(det.sign), Real(det.sign)));
    }
    return Select(
        Lt(det.sign, ZerosLike(det.sign)),
        FullLike(det.logdet, std::numeric_limits<double>::quiet_NaN()),
        det.logdet);
  });
}

}  // namespace xla
