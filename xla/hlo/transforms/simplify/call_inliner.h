// Puts the instructions of called computations where they are called:
//
//   twice { x = f32[] parameter(0)
//           ROOT y = f32[] add(x, x) }
//   ROOT c = f32[] call(a), to_apply=twice     =>   ROOT y = f32[] add(a, a)
//
// Calls of composites count. Left alone: what other ops call (while, map,
// fusion, async-start, ...). Removes the computations that nothing calls then.
// Takes time in proportion to the instructions that are there afterwards.
// Errors: ResourceExhausted when nested calls would make too many.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_INLINER_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_INLINER_H_

#include <cstdint>
#include <vector>

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

// The most instructions that copying computations may leave in a module.
inline constexpr int64_t kMaxInstructionsAfterCopies = int64_t{1} << 21;

// Puts a copy of `callee`, applied to `arguments`, in place of `caller`, an
// instruction of the same module with callee's result shape. Removes `caller`.
// `made`, if not null, gets the copies, operands before users.
absl::Status InlineCall(HloInstruction* caller, const HloComputation& callee,
                        absl::Span<HloInstruction* const> arguments,
                        std::vector<HloInstruction*>* made = nullptr);

// Puts what instructions of `opcode` call in place of them, calls in callees
// too, wherever the entry computation leads. True if there were any; errors
// name `pass`.
absl::StatusOr<bool> InlineAll(HloModule* module, HloOpcode opcode,
                               absl::string_view pass);

class CallInliner : public HloPassInterface {
 public:
  absl::string_view name() const override { return "call-inliner"; }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_INLINER_H_
