// Factorizations, transforms and normalizations: cholesky, triangular_solve,
// fft, batch_norm_*.
#include "xla/hlo/ops/linear/linear_algebra.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {
namespace {

absl::Status ConvertCholesky(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  CholeskyAttrs attrs;
  TF_ASSIGN_OR_RETURN(bool lower, conversion.BoolOr("lower", false));
  attrs.cholesky_options.set_lower(lower);
  return conversion.Emit(HloOpcode::kCholesky, conversion.operands(),
                         std::move(attrs));
}

absl::Status ConvertTriangularSolve(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TriangularSolveAttrs attrs;
  TriangularSolveOptions& options = attrs.triangular_solve_options;
  TF_ASSIGN_OR_RETURN(bool flag, conversion.BoolOr("left_side", false));
  options.set_left_side(flag);
  TF_ASSIGN_OR_RETURN(flag, conversion.BoolOr("lower", false));
  options.set_lower(flag);
  TF_ASSIGN_OR_RETURN(flag, conversion.BoolOr("unit_diagonal", false));
  options.set_unit_diagonal(flag);
  TF_ASSIGN_OR_RETURN(absl::string_view transpose,
                      conversion.EnumOr("transpose_a", "NO_TRANSPOSE"));
  if (transpose == "NO_TRANSPOSE") {
    options.set_transpose_a(TriangularSolveOptions::NO_TRANSPOSE);
  } else if (transpose == "TRANSPOSE") {
    options.set_transpose_a(TriangularSolveOptions::TRANSPOSE);
  } else if (transpose == "ADJOINT") {
    options.set_transpose_a(TriangularSolveOptions::ADJOINT);
  } else {
    return conversion.Error(
        absl::StrCat("unknown transpose_a: '", transpose, "'"));
  }
  return conversion.Emit(HloOpcode::kTriangularSolve, conversion.operands(),
                         std::move(attrs));
}

absl::Status ConvertFft(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  FftAttrs attrs;
  TF_ASSIGN_OR_RETURN(absl::string_view type,
                      conversion.EnumOr("fft_type", ""));
  if (type == "FFT") {
    attrs.fft_type = FFT;
  } else if (type == "IFFT") {
    attrs.fft_type = IFFT;
  } else if (type == "RFFT") {
    attrs.fft_type = RFFT;
  } else if (type == "IRFFT") {
    attrs.fft_type = IRFFT;
  } else {
    return conversion.Error(absl::StrCat("unknown fft_type: '", type, "'"));
  }
  TF_ASSIGN_OR_RETURN(attrs.fft_length, conversion.Integers("fft_length"));
  return conversion.Emit(HloOpcode::kFft, conversion.operands(),
                         std::move(attrs));
}

template <HloOpcode kOpcode, int kOperands, int kResults>
absl::Status ConvertBatchNorm(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(kOperands));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(kResults));
  BatchNormAttrs attrs;
  TF_ASSIGN_OR_RETURN(double epsilon, conversion.Float("epsilon"));
  attrs.epsilon = static_cast<float>(epsilon);
  TF_ASSIGN_OR_RETURN(attrs.feature_index, conversion.Integer("feature_index"));
  return conversion.Emit(kOpcode, conversion.operands(), attrs);
}

constexpr Rule kLinearAlgebraRules[] = {
    {"stablehlo.batch_norm_grad",
     ConvertBatchNorm<HloOpcode::kBatchNormGrad, 5, 3>},
    {"stablehlo.batch_norm_inference",
     ConvertBatchNorm<HloOpcode::kBatchNormInference, 5, 1>},
    {"stablehlo.batch_norm_training",
     ConvertBatchNorm<HloOpcode::kBatchNormTraining, 3, 3>},
    {"stablehlo.cholesky", ConvertCholesky},
    {"stablehlo.fft", ConvertFft},
    {"stablehlo.triangular_solve", ConvertTriangularSolve},
};

}  // namespace

absl::Span<const Rule> LinearAlgebraRules() { return kLinearAlgebraRules; }

}  // namespace xla::stablehlo
