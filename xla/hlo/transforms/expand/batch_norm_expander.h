// Replaces batch normalization by reductions and element-wise ops:
//
//   batch-norm-inference(x, scale, offset, mean, variance)
//     =>  (x - mean) * (scale / sqrt(variance + epsilon)) + offset
//
// and the training and gradient ops by their formulas, with the features
// broadcast over the other dimensions. Types below 32 bits are computed in f32
// and rounded once. The pass leaves dynamic dimensions alone. Source: sections
// "BatchNormTraining", "BatchNormInference" and "BatchNormGrad".
#ifndef XLA_HLO_TRANSFORMS_EXPAND_BATCH_NORM_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_BATCH_NORM_EXPANDER_H_

#include <vector>

#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/creation/dynamic_array.h"

namespace xla {

// Emits the formula of `hlo`, a batch normalization, for `operands`. Returns
// its results, the elements of the tuple separately.
std::vector<HloInstruction*> EmitBatchNorm(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);

class BatchNormExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "batch-norm-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_BATCH_NORM_EXPANDER_H_
