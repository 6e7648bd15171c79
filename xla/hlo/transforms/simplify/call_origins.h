// CallOrigins: where instructions come from that replace a call. The program
// names what a function does from the function on; a copy in its caller has the
// names and stack frames of the call before them:
//
//   g { ROOT t = tanh(x), metadata={op_name="while/tanh" stack_frame_id=2} }
//   c = call(a), to_apply=g, metadata={op_name="jit(f)/jit(g)"
//                                      stack_frame_id=1}
//   => t = tanh(a), metadata={op_name="jit(f)/jit(g)/while/tanh"
//                             stack_frame_id=3}, frame 3 is 2, called by 1
//
// Instructions whose op_name begins with the same part, jit(f), stay as they
// are: they have the whole name.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_ORIGINS_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_ORIGINS_H_

#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class CallOrigins {
 public:
  // The module must outlive it.
  explicit CallOrigins(HloModule* module) : module_(*module) {}
  // Gives the new frames, at most 2^20, to the module.
  ~CallOrigins();
  CallOrigins(const CallOrigins&) = delete;
  CallOrigins& operator=(const CallOrigins&) = delete;

  // Changes the metadata of `copy`, an instruction of what `call` calls, and of
  // the bodies and branches that it calls, unless another copy that calls them
  // was first. Copies without op_name stay as they are.
  void Join(const HloInstruction& call, HloInstruction& copy);

 private:
  void JoinOne(const OpMetadata& call, HloInstruction& copy);
  // Returns `frame` as called by `caller`.
  int32_t FrameBelow(int32_t frame, int32_t caller);
  int32_t FindOrAddFrame(int32_t location, int32_t caller);

  HloModule& module_;
  StackFrameIndexProto index_;  // a copy of the module's, when first used
  bool has_index_ = false;
  // By file location and calling frame.
  absl::flat_hash_map<std::pair<int32_t, int32_t>, int32_t> frames_;
  // The results of FrameBelow.
  absl::flat_hash_map<std::pair<int32_t, int32_t>, int32_t> joined_;
  absl::flat_hash_set<const HloComputation*> computations_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_CALL_ORIGINS_H_
