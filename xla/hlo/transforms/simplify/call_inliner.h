// Replaces calls by the instructions of the called computations:
//
//   twice { x = f32[] parameter(0)
//           ROOT y = f32[] add(x, x) }
//   ROOT c = f32[] call(a), to_apply=twice     =>   ROOT y = f32[] add(a, a)
//
// Copies have the names and stack frames of their calls before their own
// (call_origins.h). Composite calls are inlined too. Computations that other
// ops call (while, map, fusion, async-start, ...) are left alone. Removes
// computations that are no longer called. Takes time proportional to the
// instructions that there are afterwards. Errors: ResourceExhausted when nested
// calls would make too many.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_INLINER_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_INLINER_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/simplify/call_origins.h"

namespace xla {

// The most instructions that copying computations may leave in a module.
inline constexpr int64_t kMaxInstructionsAfterCopies = int64_t{1} << 21;

// Replaces `caller` by a copy of `callee` applied to `arguments`; `caller` is
// an instruction of the same module with callee's result shape and is removed.
// If `made` is not null, appends the copies to it, operands before users. If
// `origins` is not null, joins the metadata of the caller to that of the
// copies.
absl::Status InlineCall(HloInstruction* caller, const HloComputation& callee,
                        absl::Span<HloInstruction* const> arguments,
                        std::vector<HloInstruction*>* made = nullptr,
                        CallOrigins* origins = nullptr);

// Inlines what instructions of `opcode` call, including calls in callees, in
// all computations that the entry reaches. Returns true if there were any;
// errors name `pass`.
absl::StatusOr<bool> InlineAll(HloModule* module, HloOpcode opcode,
                               absl::string_view pass);

class CallInliner : public HloPassInterface {
 public:
  using InlinedInstructionMap =
      absl::flat_hash_map<HloInstruction*, HloInstruction*>;

  // Inlines one call, which it removes, but not the calls in what it calls, nor
  // removes the called computation. Returns what stands for each instruction
  // of that computation, which for parameters is the call's operands. Errors:
  // InvalidArgument for other instructions.
  static absl::StatusOr<InlinedInstructionMap> Inline(HloInstruction* call);

  absl::string_view name() const override { return "call-inliner"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_INLINER_H_
