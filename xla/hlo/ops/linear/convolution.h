// Convolution: attributes, shape rules and definition.
#ifndef XLA_HLO_OPS_LINEAR_CONVOLUTION_H_
#define XLA_HLO_OPS_LINEAR_CONVOLUTION_H_

#include <cstdint>
#include <optional>
#include <tuple>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/op_indexing.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

struct ConvolutionAttrs {
  Window window;
  ConvolutionDimensionNumbers convolution_dimension_numbers;
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
  PrecisionConfig precision_config;
  SparsityConfig sparsity_config;
  ConvolutionKind convolution_kind = CONVOLUTION_KIND_UNSET;

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
      Field{"convolution_kind", &ConvolutionAttrs::convolution_kind,
            "what the convolution was made for: fprop, dgrad or wgrad",
            Show::kOptional, "conv_kind"},
      Field{"precision_config", &ConvolutionAttrs::precision_config,
            "operand_precision"},
      Field{"sparsity_config", &ConvolutionAttrs::sparsity_config,
            "which elements of the kernel's blocks are not zero"});
};

// The kernel that `rhs`, an operand of the convolution, stands for: its own
// shape, or that of the values with all their zeros. Errors: convolution_c12 to
// convolution_c15.
absl::StatusOr<Shape> DenseKernelShape(const Shape& rhs,
                                       const ConvolutionAttrs& attrs);

// The output's batch, feature and spatial sizes, in the places that the
// dimension numbers give them, with the declared element type. Errors: rules
// convolution_c1 to convolution_c11. Source: section "Conv".
//
// With sparsity_config rhs={sparsity=1xN dimension=i}, where i holds the input
// features, the kernel is a tuple: values, and as many integers; N consecutive
// input features have the one value at the place that its integer, 0 to N - 1,
// says, and 0 elsewhere. Errors: convolution_c12 to convolution_c15.
absl::StatusOr<Shape> InferConvolution(const InferArgs& args,
                                       const ConvolutionAttrs& attrs);

// The elements whose products are summed: ranges are the input features of a
// group and the window's dimensions, the same for both operands. Nullopt for
// sparse kernels.
std::optional<OpIndexing> ConvolutionIndexing(const IndexingArgs& args,
                                              const ConvolutionAttrs& attrs);

// Those that follow from the indexing, but along a spatial dimension in which
// the kernel is longer than the result, as in the gradient of a kernel, the
// input moves with the kernel, whose parts give partial results.
std::optional<DimensionFactors> ConvolutionFactors(
    const FactorArgs& args, const ConvolutionAttrs& attrs);

inline constexpr OpDef kConvolution = {
    .opcode = HloOpcode::kConvolution,
    .name = "convolution",
    .operands = {"lhs", "rhs"},
    .attrs = AttrsOf<ConvolutionAttrs>(),
    .infer = Infer<ConvolutionAttrs, InferConvolution>(),
    .declares_shape = true,
    .indexing = Indexing<ConvolutionAttrs, ConvolutionIndexing>(),
    .factors = Factors<ConvolutionAttrs, ConvolutionFactors>(),
    .cost_class = CostClass::kContraction,
    .summary = "Sums products of a kernel with windows of the input.",
    .section = "ConvWithGeneralPadding",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_LINEAR_CONVOLUTION_H_
