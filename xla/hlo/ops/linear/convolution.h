// Convolution: attributes, shape rules and definition.
#ifndef XLA_HLO_OPS_LINEAR_CONVOLUTION_H_
#define XLA_HLO_OPS_LINEAR_CONVOLUTION_H_

#include <cstdint>
#include <tuple>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

struct ConvolutionAttrs {
  Window window;
  ConvolutionDimensionNumbers convolution_dimension_numbers;
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
  PrecisionConfig precision_config;

  static constexpr auto kFields = std::tuple(
      Field{"window", &ConvolutionAttrs::window,
            "size, stride, padding, dilations and reversal of each spatial "
            "dimension"},
      Field{"dim_labels", &ConvolutionAttrs::convolution_dimension_numbers,
            "where batch, feature and spatial dimensions are: b01f_01io->b01f",
            Show::kRequired, "convolution_dimension_numbers"},
      Field{"feature_group_count", &ConvolutionAttrs::feature_group_count,
            "number of groups that the input features are cut into"},
      Field{"batch_group_count", &ConvolutionAttrs::batch_group_count,
            "number of groups that the batch is cut into"},
      Field{"precision_config", &ConvolutionAttrs::precision_config,
            "operand_precision"});
};

// The output's batch, feature and spatial sizes, in the places that the
// dimension numbers give them, with the declared element type. Errors: rules
// convolution_c1 to convolution_c11. Source: section "Conv".
absl::StatusOr<Shape> InferConvolution(const InferArgs& args,
                                       const ConvolutionAttrs& attrs);

inline constexpr OpDef kConvolution = {
    .opcode = HloOpcode::kConvolution,
    .name = "convolution",
    .operands = {"lhs", "rhs"},
    .attrs = AttrsOf<ConvolutionAttrs>(),
    .infer = Infer<ConvolutionAttrs, InferConvolution>(),
    .declares_shape = true,
    .summary = "Sums products of a kernel with windows of the input.",
    .section = "ConvWithGeneralPadding",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_LINEAR_CONVOLUTION_H_
