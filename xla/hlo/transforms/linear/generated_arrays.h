// Arrays that ops compute from indices and numbers alone, such as causal masks.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_GENERATED_ARRAYS_H_
#define XLA_HLO_TRANSFORMS_LINEAR_GENERATED_ARRAYS_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Replaces those of the broadcasts among `ops` whose operands are computed from
// iotas and scalars, element by element, by these computations in the
// dimensions of the broadcast:
//
//   m = pred[8,8] compare(iota(), iota())
//   b = pred[4,8,8] broadcast(m), dimensions={1,2}
//     =>  b = pred[4,8,8] compare(iota(), iota())
//
// A block of b then needs a block of nothing else. Returns whether there was
// one; what is no longer read is removed. Errors: those of HloBuilder.
absl::StatusOr<bool> GenerateInPlace(absl::Span<HloInstruction* const> ops);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_GENERATED_ARRAYS_H_
