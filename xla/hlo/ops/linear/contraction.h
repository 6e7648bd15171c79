// The products of arrays: dot, ragged-dot, scaled-dot. Attributes, shape rules
// and definitions.
#ifndef XLA_HLO_OPS_LINEAR_CONTRACTION_H_
#define XLA_HLO_OPS_LINEAR_CONTRACTION_H_

#include <tuple>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/op_indexing.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

struct DotAttrs {
  DotDimensionNumbers dot_dimension_numbers;
  PrecisionConfig precision_config;

  static constexpr auto kFields = std::tuple(
      Field{"dot_dimension_numbers", &DotAttrs::dot_dimension_numbers,
            "lhs_batch_dims, lhs_contracting_dims, rhs_batch_dims, "
            "rhs_contracting_dims",
            Show::kAlways},
      Field{"precision_config", &DotAttrs::precision_config,
            "operand_precision and algorithm"});
};

// Makes the precisions of a product those of the one with its operands swapped.
inline void SwapOperands(PrecisionConfig& config) {
  if (config.operand_precision_size() == 2) {
    config.mutable_operand_precision()->SwapElements(0, 1);
  }
}

struct RaggedDotAttrs {
  RaggedDotDimensionNumbers ragged_dot_dimension_numbers;
  PrecisionConfig precision_config;

  static constexpr auto kFields = std::tuple(
      Field{"ragged_dot_dimension_numbers",
            &RaggedDotAttrs::ragged_dot_dimension_numbers,
            "those of dot, lhs_ragged_dims and rhs_group_dims", Show::kAlways},
      Field{"precision_config", &RaggedDotAttrs::precision_config,
            "operand_precision"});
};

struct ScaledDotAttrs {
  DotDimensionNumbers dot_dimension_numbers;
  PrecisionConfig precision_config;

  static constexpr auto kFields = std::tuple(
      Field{"dot_dimension_numbers", &ScaledDotAttrs::dot_dimension_numbers,
            "as in dot", Show::kAlways},
      Field{"precision_config", &ScaledDotAttrs::precision_config,
            "operand_precision and algorithm"});
};

// [batch..., lhs free..., rhs free...], with the element type that the program
// declares: any array type, as today's verifier allows. Errors: rules dot_c1
// to dot_c7. Source: section "DotGeneral".
absl::StatusOr<Shape> InferDot(const InferArgs& args, const DotAttrs& attrs);

// Shape by mode, with g groups in group_sizes:
//   ragged free:        [b,m,k] x [g,b,k,n], [b,g] or [g] -> [b,m,n]
//   ragged contracting: [b,m,k] x [b,k,n],   [b,g] or [g] -> [g,b,m,n]
//   ragged batch:       [b,m,k] x [b,k,n],   [g]          -> [b,m,n]
// Errors: rules ragged_dot_c1 to ragged_dot_c5 and those of dot.
absl::StatusOr<Shape> InferRaggedDot(const InferArgs& args,
                                     const RaggedDotAttrs& attrs);

// As InferDot, of lhs and rhs; each scale has its operand's rank, and sizes
// that divide the operand's, or is a scalar (no scaling). Errors: rules
// scaled_dot_c1 to scaled_dot_c3 and those of dot.
absl::StatusOr<Shape> InferScaledDot(const InferArgs& args,
                                     const ScaledDotAttrs& attrs);

// The elements whose products are summed: ranges are the contracting dimensions
// in their order, the same for both sides.
OpIndexing DotIndexing(const IndexingArgs& args, const DotAttrs& attrs);

// The ragged dimension and the groups are whole, others as in dot.
DimensionFactors RaggedDotFactors(const FactorArgs& args,
                                  const RaggedDotAttrs& attrs);
// As in dot. Where a scale has fewer elements than its operand, the dimension
// is the product of the scale's and of what each of its elements is for.
DimensionFactors ScaledDotFactors(const FactorArgs& args,
                                  const ScaledDotAttrs& attrs);

inline constexpr OpDef kDot = {
    .opcode = HloOpcode::kDot,
    .name = "dot",
    .operands = {"lhs", "rhs"},
    .attrs = AttrsOf<DotAttrs>(),
    .infer = Infer<DotAttrs, InferDot>(),
    .declares_shape = true,
    .indexing = Indexing<DotAttrs, DotIndexing>(),
    .cost_class = CostClass::kContraction,
    .summary = "Sums products over contracting dimensions, batch by batch.",
    .section = "DotGeneral",
};

inline constexpr OpDef kRaggedDot = {
    .opcode = HloOpcode::kRaggedDot,
    .name = "ragged-dot",
    .operands = {"lhs", "rhs", "group_sizes"},
    .attrs = AttrsOf<RaggedDotAttrs>(),
    .infer = Infer<RaggedDotAttrs, InferRaggedDot>(),
    .declares_shape = true,
    .factors = Factors<RaggedDotAttrs, RaggedDotFactors>(),
    .cost_class = CostClass::kContraction,
    .summary = "A dot over groups of rows that are cut from one dimension.",
};

inline constexpr OpDef kScaledDot = {
    .opcode = HloOpcode::kScaledDot,
    .name = "scaled-dot",
    .operands = {"lhs", "rhs", "lhs_scale", "rhs_scale"},
    .attrs = AttrsOf<ScaledDotAttrs>(),
    .infer = Infer<ScaledDotAttrs, InferScaledDot>(),
    .declares_shape = true,
    .factors = Factors<ScaledDotAttrs, ScaledDotFactors>(),
    .cost_class = CostClass::kContraction,
    .summary = "A dot of operands that are multiplied by scales per block.",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_LINEAR_CONTRACTION_H_
