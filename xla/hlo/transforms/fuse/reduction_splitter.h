// Splits reductions that are long and have few results into two, the first of
// which has enough results to keep threads busy:
//
//   ROOT s = f32[] reduce(x, z),       r = f32[512,32768] reshape(x)
//       dimensions={0}                 p = f32[512] reduce(r, z),
//       dimensions={1}
//                                  =>  ROOT s = f32[] reduce(p, z),
//                                          dimensions={0}
// for x = f32[16777216], and in the same way for columns. Dimensions that are
// not adjacent are reduced one group after the other, short rows last; a few
// columns of many rows become wider columns, or rows. The split depends only on
// the shape and the backend's ReductionChunks, so results do not depend on
// threads. Takes reductions of role kReduce by add, multiply, minimum, maximum,
// and, or, xor; leaves others alone, and small ones.
#ifndef XLA_HLO_TRANSFORMS_FUSE_REDUCTION_SPLITTER_H_
#define XLA_HLO_TRANSFORMS_FUSE_REDUCTION_SPLITTER_H_

#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla {

class ReductionSplitter : public HloPassInterface {
 public:
  // `backend` outlives the pass.
  explicit ReductionSplitter(const FusionBackend* backend)
      : backend_(backend) {}

  absl::string_view name() const override { return "reduction-splitter"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const FusionBackend* const backend_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_REDUCTION_SPLITTER_H_
