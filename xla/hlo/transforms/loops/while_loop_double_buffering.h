// Makes each iteration do the work of two in a loop that would have to copy a
// carry back to its place at the end of each:
//
//   body: c = f32[512,512] get-tuple-element(p), index=1
//         d = f32[512,512] fusion(c), kind=kLoop      of c and its neighbours
//         ROOT t = (s32[], f32[512,512]) tuple(i + 1, d)
//     =>
//   body: d = f32[512,512] fusion(c), e = f32[512,512] fusion(d)
//         ROOT t = (s32[], f32[512,512]) tuple(i + 2, e)
//
// so that e reuses the memory of c, which is no longer read, and d has its own.
// The first of an odd number of iterations moves before the loop. Runs after
// fusion, when each loop has computations of its own. Leaves loops alone whose
// number of iterations is unknown, whose bodies are large compared to the cost
// of the copies, or that have side effects.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOUBLE_BUFFERING_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOUBLE_BUFFERING_H_

#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopDoubleBuffering : public HloPassInterface {
 public:
  // `alias_info` outlives the pass.
  explicit WhileLoopDoubleBuffering(const AliasInfo* alias_info)
      : alias_info_(alias_info) {}

  absl::string_view name() const override {
    return "while-loop-double-buffering";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const AliasInfo* const alias_info_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_DOUBLE_BUFFERING_H_
