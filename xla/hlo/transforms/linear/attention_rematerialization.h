// Computes gradients of attention in blocks, from scores that are computed
// again, so that no array of scores is in memory:
//
//   s = f32[8,4096,4096] dot(q, k)           o = dot(softmax(dot(q, k)), v)
//   p = softmax(s)                      =>   ...
//   o = dot(p, v)                            while (blocks of 8 heads or of
//   ... do                                          256 rows):
//   dv = dot(p, do)                            s = dot(block of q, k)
//   ds = f(p, dot(do, v))                      p = softmax(s)
//   dq = dot(ds, k)                            ds = f(p, dot(block of do, v))
//   dk = dot(ds, q)                            dv += dot(p, block of do), ...
//
// What reads no scores but those of one product, as o here, stays as it is, for
// AttentionFusion. Memory is then linear in the length of the sequence. One
// product more takes about the time that reading and writing scores took. Any
// ops on the scores are taken that can be divided, not those of softmax alone
// (score_region.h, block_axes.h).
// Sources: Rabe and Staats, "Self-attention Does Not Need O(n^2) Memory", 2021;
// Dao et al., "FlashAttention", 2022.
// Assumes a simplified module, dots still in their own order of dimensions.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_ATTENTION_REMATERIALIZATION_H_
#define XLA_HLO_TRANSFORMS_LINEAR_ATTENTION_REMATERIALIZATION_H_

#include <cstdint>

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class AttentionRematerialization : public HloPassInterface {
 public:
  // Products of fewer scores stay as they are: less than 128 MB of f32 are
  // written and read about as fast as they are computed again. Blocks have
  // about `block_elements` scores, and at least `block_rows` rows.
  explicit AttentionRematerialization(int64_t min_elements = int64_t{1} << 25,
                                      int64_t block_elements = int64_t{1} << 21,
                                      int64_t block_rows = 128)
      : min_elements_(min_elements),
        block_elements_(block_elements),
        block_rows_(block_rows) {}

  absl::string_view name() const override {
    return "attention-rematerialization";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const int64_t min_elements_, block_elements_, block_rows_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_ATTENTION_REMATERIALIZATION_H_
