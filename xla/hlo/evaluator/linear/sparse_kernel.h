// Expands the kernel of a sparse convolution with all its zeros.
#ifndef XLA_HLO_EVALUATOR_LINEAR_SPARSE_KERNEL_H_
#define XLA_HLO_EVALUATOR_LINEAR_SPARSE_KERNEL_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Expands values T[.., c, ..] and places I[.., c, ..] to T[.., c N, ..] in the
// dimension of the convolution's sparsity_config: block i of N elements has
// value i at place i and 0 elsewhere; it is all 0 if the place is not one of 0
// to N - 1. Errors: ResourceExhausted.
absl::StatusOr<Literal> DenseKernel(const HloInstruction& convolution,
                                    const Literal& values,
                                    const Literal& places);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_LINEAR_SPARSE_KERNEL_H_
