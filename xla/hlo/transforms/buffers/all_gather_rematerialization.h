// AllGatherRematerialization:
//
//   w = f32[64] all-gather(x)              w = f32[64] all-gather(x)
//   y = f(w)                               y = f(w)
//   ...                               =>   ...
//   z = g(w, y)                            w.1 = f32[64] all-gather(x)
//                                          z = g(w.1, y)
//
// Gathers an array again, with its transposes and the like, before uses that
// are far behind others, so that the whole array is not kept where the program
// needs most memory. Training steps of fully sharded weights, which read each
// weight forward and backward, then keep a few whole weights at a time.
//
// The rule: only gaps between uses that contain the instruction at which most
// memory is alive are closed, the largest array first, until nothing of it is
// an all-gather's. A byte that the peak shrinks by is worth two bytes that a
// device receives, where each collective counts as kLatencyBytes more; of all
// stages, the one with the best balance is taken. Nothing changes if the
// balance is negative, if the peak shrinks by less than a sixteenth, or if it
// is below a mebibyte, which caches hold.
//
// Assumes a schedule, into which it puts the repeated instructions, and what
// HloDataflow assumes. Arrays whose parts a loop writes over, or whose uses are
// not known since a loop hands them on, stay.
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_ALL_GATHER_REMATERIALIZATION_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_ALL_GATHER_REMATERIALIZATION_H_

#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class AllGatherRematerialization : public HloPassInterface {
 public:
  // `alias_info` outlives the pass.
  explicit AllGatherRematerialization(const AliasInfo* alias_info)
      : alias_info_(alias_info) {}

  absl::string_view name() const override {
    return "all-gather-rematerialization";
  }
  // Errors: as HloDataflow.
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const AliasInfo* const alias_info_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_ALL_GATHER_REMATERIALIZATION_H_
