// Batch normalization of one feature dimension: training, inference, gradient.
#ifndef XLA_HLO_OPS_REDUCTION_BATCH_NORM_H_
#define XLA_HLO_OPS_REDUCTION_BATCH_NORM_H_

#include <cstdint>
#include <tuple>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

struct BatchNormAttrs {
  float epsilon = 0;
  int64_t feature_index = 0;
  static constexpr auto kFields = std::tuple(
      Field{"epsilon", &BatchNormAttrs::epsilon,
            "added to the variance before its root", Show::kRequired},
      Field{"feature_index", &BatchNormAttrs::feature_index,
            "the feature dimension of operand", Show::kRequired});
};

// operand T[dims], scale and offset [features] -> (T[dims], T[features] mean,
// T[features] variance). Errors: rules batch_norm_c1 to _c4.
absl::StatusOr<Shape> InferBatchNormTraining(const InferArgs& args,
                                             const BatchNormAttrs& attrs);

// operand T[dims], scale, offset, mean and variance [features] -> T[dims].
// Errors: rules batch_norm_c1 to _c4.
absl::StatusOr<Shape> InferBatchNormInference(const InferArgs& args,
                                              const BatchNormAttrs& attrs);

// operand T[dims], scale, mean and variance [features], grad_output [dims] ->
// (T[dims], T[features] grad_scale, T[features] grad_offset). Errors: rules
// batch_norm_c1 to _c5.
absl::StatusOr<Shape> InferBatchNormGrad(const InferArgs& args,
                                         const BatchNormAttrs& attrs);

// Features are passed through; with statistics that are given all dimensions
// are.
DimensionFactors BatchStatisticsFactors(const FactorArgs& args,
                                        const BatchNormAttrs& attrs);
DimensionFactors BatchNormInferenceFactors(const FactorArgs& args,
                                           const BatchNormAttrs& attrs);

inline constexpr OpDef kBatchNormTraining = {
    .opcode = HloOpcode::kBatchNormTraining,
    .name = "batch-norm-training",
    .operands = {"operand", "scale", "offset"},
    .attrs = AttrsOf<BatchNormAttrs>(),
    .infer = Infer<BatchNormAttrs, InferBatchNormTraining>(),
    .factors = Factors<BatchNormAttrs, BatchStatisticsFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary =
        "Normalizes each feature by its mean and variance, which are "
        "results too.",
    .section = "BatchNormTraining",
};

inline constexpr OpDef kBatchNormInference = {
    .opcode = HloOpcode::kBatchNormInference,
    .name = "batch-norm-inference",
    .operands = {"operand", "scale", "offset", "mean", "variance"},
    .attrs = AttrsOf<BatchNormAttrs>(),
    .infer = Infer<BatchNormAttrs, InferBatchNormInference>(),
    .factors = Factors<BatchNormAttrs, BatchNormInferenceFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary = "Normalizes each feature by a given mean and variance.",
    .section = "BatchNormInference",
};

inline constexpr OpDef kBatchNormGrad = {
    .opcode = HloOpcode::kBatchNormGrad,
    .name = "batch-norm-grad",
    .operands = {"operand", "scale", "mean", "variance", "grad_output"},
    .attrs = AttrsOf<BatchNormAttrs>(),
    .infer = Infer<BatchNormAttrs, InferBatchNormGrad>(),
    .factors = Factors<BatchNormAttrs, BatchStatisticsFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary = "Gradients of batch-norm-training by operand, scale and offset.",
    .section = "BatchNormGrad",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_REDUCTION_BATCH_NORM_H_
