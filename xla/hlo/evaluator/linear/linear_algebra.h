// Kernels of cholesky, triangular-solve and fft.
#ifndef XLA_HLO_EVALUATOR_LINEAR_LINEAR_ALGEBRA_H_
#define XLA_HLO_EVALUATOR_LINEAR_LINEAR_ALGEBRA_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Computes in F64 or C128 and reads only the requested triangle; the other
// triangle of the result is 0. A matrix that is not positive definite becomes
// all NaN.
absl::StatusOr<Literal> EvaluateCholesky(const HloInstruction& hlo,
                                         Operands operands);

// Solves by substitution, in F64 or C128; does not read the other triangle of
// a, nor a unit diagonal. A zero on the diagonal gives infinities or NaN.
absl::StatusOr<Literal> EvaluateTriangularSolve(const HloInstruction& hlo,
                                                Operands operands);

// Computes in C128, in O(n log n) steps for any n; scales inverse transforms by
// 1/n.
absl::StatusOr<Literal> EvaluateFft(const HloInstruction& hlo,
                                    Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_LINEAR_LINEAR_ALGEBRA_H_
