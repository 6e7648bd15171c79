// Factorisations, solvers and transforms: cholesky, triangular-solve, fft.
#ifndef XLA_HLO_OPS_LINEAR_LINEAR_ALGEBRA_H_
#define XLA_HLO_OPS_LINEAR_LINEAR_ALGEBRA_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

struct CholeskyAttrs {
  CholeskyOptions cholesky_options;

  static constexpr auto kFields = std::tuple(
      Field{"cholesky_options", &CholeskyAttrs::cholesky_options,
            "lower: whether the lower triangle is read and written"});
};

struct TriangularSolveAttrs {
  TriangularSolveOptions triangular_solve_options;

  static constexpr auto kFields =
      std::tuple(Field{"triangular_solve_options",
                       &TriangularSolveAttrs::triangular_solve_options,
                       "left_side, lower, unit_diagonal, transpose_a"});
};

struct FftAttrs {
  FftType fft_type = FFT;
  std::vector<int64_t> fft_length;

  static constexpr auto kFields = std::tuple(
      Field{"fft_type", &FftAttrs::fft_type, "FFT, IFFT, RFFT or IRFFT",
            Show::kRequired},
      Field{"fft_length", &FftAttrs::fft_length,
            "sizes of the transformed (last) dimensions", Show::kRequired});
};

// [...,n,n] -> [...,n,n], floating point or complex. Errors: rules cholesky_c1
// to cholesky_c3. Source: section "Cholesky".
absl::StatusOr<Shape> InferCholesky(const InferArgs& args,
                                    const CholeskyAttrs& attrs);

// a [...,n,n], b [...,n,m] (left side) or [...,m,n] -> the shape of b. Errors:
// rules triangular_solve_c1 to c6. Source: section "TriangularSolve".
absl::StatusOr<Shape> InferTriangularSolve(const InferArgs& args,
                                           const TriangularSolveAttrs& attrs);

// Up to 3 last dimensions transformed; RFFT makes the last one n/2+1 complex
// elements, IRFFT makes n real ones from that. Errors: rules fft_c1 to fft_c4.
// Source: section "Fft".
absl::StatusOr<Shape> InferFft(const InferArgs& args, const FftAttrs& attrs);

// All dimensions but the last two, or the transformed ones, are passed through,
// and with them what is solved for several right sides.
DimensionFactors CholeskyFactors(const FactorArgs& args);
DimensionFactors TriangularSolveFactors(const FactorArgs& args,
                                        const TriangularSolveAttrs& attrs);
DimensionFactors FftFactors(const FactorArgs& args, const FftAttrs& attrs);

inline constexpr OpDef kCholesky = {
    .opcode = HloOpcode::kCholesky,
    .name = "cholesky",
    .operands = {"a"},
    .attrs = AttrsOf<CholeskyAttrs>(),
    .infer = Infer<CholeskyAttrs, InferCholesky>(),
    .factors = Factors<NoAttrs, CholeskyFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary = "The triangular factor of positive definite matrices.",
    .section = "Cholesky",
};

inline constexpr OpDef kTriangularSolve = {
    .opcode = HloOpcode::kTriangularSolve,
    .name = "triangular-solve",
    .operands = {"a", "b"},
    .attrs = AttrsOf<TriangularSolveAttrs>(),
    .infer = Infer<TriangularSolveAttrs, InferTriangularSolve>(),
    .factors = Factors<TriangularSolveAttrs, TriangularSolveFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary = "Solves op(a) x = b or x op(a) = b for a triangular a.",
    .section = "TriangularSolve",
};

inline constexpr OpDef kFft = {
    .opcode = HloOpcode::kFft,
    .name = "fft",
    .operands = {"operand"},
    .attrs = AttrsOf<FftAttrs>(),
    .infer = Infer<FftAttrs, InferFft>(),
    .factors = Factors<FftAttrs, FftFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary = "Fourier transforms of the last dimensions, and their inverses.",
    .section = "Fft",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_LINEAR_LINEAR_ALGEBRA_H_
