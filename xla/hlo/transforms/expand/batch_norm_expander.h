// Replaces batch normalization by reductions and element-wise ops:
//
//   batch-norm-inference(x, scale, offset, mean, variance)
//     =>  (x - mean) * (scale / sqrt(variance + epsilon)) + offset
//
// and the training and gradient ops by their formulas, with the features
// broadcast over the other dimensions. Types below 32 bits compute in f32 and
// round once. Dynamic dimensions are left alone here. Source: sections
// "BatchNormTraining", "BatchNormInference" and "BatchNormGrad".
#ifndef XLA_HLO_TRANSFORMS_EXPAND_BATCH_NORM_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_BATCH_NORM_EXPANDER_H_

#include <vector>

#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/creation/dynamic_array.h"

namespace xla {

// The formula of `hlo`, a batch normalization, on `operands`: what it returns,
// elements of the tuple apart.
std::vector<HloInstruction*> EmitBatchNorm(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands);

class BatchNormExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "batch-norm-expander"; }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_BATCH_NORM_EXPANDER_H_
