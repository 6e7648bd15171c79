// Puts two dots and the ops on the rows between them into a fusion of kind
// kCustom, whose values between the dots are never in memory as a whole:
//
//   s = f32[16,512,512] dot(q, k)             a = f32[16,512,64]
//   p = f32[16,512,512] fusion(s),       =>       fusion(q, k, v), kind=kCustom
//           kind=kInput (softmax)
//   a = f32[16,512,64] dot(p, v)
// The fusion contains these three instructions, and transposes and broadcasts
// of what they read and of the result where the backend works on arrays in
// place. The backend says which groups it can compute in this way, and does all
// for a block of rows at a time.
// Assumes dots in canonical form and the fusions of instruction-fusion.
#ifndef XLA_HLO_TRANSFORMS_FUSE_ATTENTION_FUSION_H_
#define XLA_HLO_TRANSFORMS_FUSE_ATTENTION_FUSION_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla {

class AttentionFusion : public HloPassInterface {
 public:
  // The frontend attribute of what writes scores and weights, which says why
  // they are in memory. Only explanations have it.
  static constexpr absl::string_view kReasonAttribute = "attention_reason";

  // `backend` outlives the pass. `explain` adds the attribute and changes
  // nothing else.
  explicit AttentionFusion(const FusionBackend* backend, bool explain = false)
      : backend_(backend), explain_(explain) {}

  absl::string_view name() const override { return "attention-fusion"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  void Explain(const HloInstruction& second) const;

  const FusionBackend* const backend_;
  const bool explain_;
};

// Puts a dot and the transposes of its operands into a fusion of kind kCustom,
// which reads the operands where they are. The backend says which; these are
// dots whose results have few rows or columns, as in attention of one token to
// all before it. Comes before epilogue-fusion, which fuses other dots with
// transposes of a right operand.
class DotInPlaceFusion : public HloPassInterface {
 public:
  // `backend` outlives the pass.
  explicit DotInPlaceFusion(const FusionBackend* backend) : backend_(backend) {}

  absl::string_view name() const override { return "dot-in-place-fusion"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const FusionBackend* const backend_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_ATTENTION_FUSION_H_
