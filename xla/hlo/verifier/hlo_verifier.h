// HloVerifier: says whether a module is well formed. What one op demands stands
// in its shape rules (hlo/ops), which are run again here; this folder adds what
// concerns computations, the module and its schedule.
#ifndef XLA_HLO_VERIFIER_HLO_VERIFIER_H_
#define XLA_HLO_VERIFIER_HLO_VERIFIER_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/async_ops.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

struct HloVerifierOptions {
  // Accept a declared element type that differs from the inferred one if both
  // are floating point (F32 where BF16 operands give BF16) and the op computes
  // elements: those that move them, collectives included, convert none.
  bool allow_mixed_precision = true;
  // Accept a parameter or result of the entry that is the vector of its buffer,
  // where the entry layout has tiles or padding: how passes see it from
  // layout-normalization on. Programs of users have the layout's dimensions.
  bool allow_entry_buffers = false;
};

// Each broken rule is InvalidArgument with the rule's label, and names module,
// computation and instruction. Of several the first in program order is
// reported. Linear in the size of the module. The module is not changed.
class HloVerifier {
 public:
  explicit HloVerifier(HloVerifierOptions options = {}) : options_(options) {}

  // Rules module_c*, computation_c*, schedule_c*, alias_c*, instruction_c*,
  // async_c* and those of the ops.
  absl::Status Verify(const HloModule& module) const;

 private:
  absl::Status VerifyComputation(const HloComputation& computation,
                                 AsyncChecker& checker) const;
  absl::Status VerifyInstruction(const HloInstruction& instruction) const;

  HloVerifierOptions options_;
};

// Rules of the parts, each in its file.
//
// alias_c1 to alias_c4: input_output_alias and buffer_donor.
absl::Status VerifyAliases(const HloModule& module);
// schedule_c1: in a scheduled module operands come before users.
absl::Status VerifySchedule(const HloModule& module);
// async_c1 to async_c6: start and done instructions are paired and agree.
// `checker` is of the module.
absl::Status VerifyAsyncPairs(const HloComputation& computation,
                              AsyncChecker& checker);

}  // namespace xla

#endif  // XLA_HLO_VERIFIER_HLO_VERIFIER_H_
