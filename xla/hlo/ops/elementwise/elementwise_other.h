// Element-wise ops beyond functions of one or two numbers: selection, clamp,
// and conversions between element types.
#ifndef XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_OTHER_H_
#define XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_OTHER_H_

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

struct ReducePrecisionAttrs {
  int64_t exponent_bits = 0;
  int64_t mantissa_bits = 0;
  static constexpr auto kFields = std::tuple(
      Field{"exponent_bits", &ReducePrecisionAttrs::exponent_bits,
            "exponent bits of the lower precision", Show::kRequired},
      Field{"mantissa_bits", &ReducePrecisionAttrs::mantissa_bits,
            "mantissa bits, the hidden one not counted", Show::kRequired});
};

// T[dims] or T[] min and max, T[dims] operand -> T[dims]. Errors: rules
// clamp_c1 to _c3.
absl::StatusOr<Shape> InferClamp(const InferArgs& args);

// pred[dims] or pred[], T[dims], T[dims] -> T[dims]; with pred[] also tuples of
// compatible shape. Errors: rules select_c1 to _c6.
absl::StatusOr<Shape> InferSelect(const InferArgs& args);

// T[dims] -> declared U[dims]. Errors: rules convert_c1 and _c2. Source:
// "ConvertElementType".
absl::StatusOr<Shape> InferConvert(const InferArgs& args);

// T[dims] -> declared U[dims], U[dims, n] where T is n times as wide as U, or
// U[dims without the last] where U is n times as wide and the last dimension
// is n. Errors: rules bitcast_convert_c1 to _c5. Source: "BitcastConvertType".
absl::StatusOr<Shape> InferBitcastConvert(const InferArgs& args);

// Float T[dims] -> T[dims]. Errors: rules reduce_precision_c1 to _c3.
absl::StatusOr<Shape> InferReducePrecision(const InferArgs& args,
                                           const ReducePrecisionAttrs& attrs);

// Float T[dims], unsigned random[dims] of T's width -> declared U[dims].
// Errors: rules stochastic_convert_c1 to _c5.
absl::StatusOr<Shape> InferStochasticConvert(const InferArgs& args);

inline constexpr OpDef kClamp = {
    .opcode = HloOpcode::kClamp,
    .name = "clamp",
    .operands = {"min", "operand", "max"},
    .infer = Infer<NoAttrs, InferClamp>(),
    .elementwise = true,
    .cost_class = CostClass::kArithmetic,
    .summary = "min(max(operand, min), max); scalar bounds hold for all.",
    .section = "Clamp",
};

inline constexpr OpDef kSelect = {
    .opcode = HloOpcode::kSelect,
    .name = "select",
    .operands = {"pred", "on_true", "on_false"},
    .infer = Infer<NoAttrs, InferSelect>(),
    .elementwise = true,
    .cost_class = CostClass::kArithmetic,
    .summary = "Elements of on_true where pred holds, else of on_false.",
    .section = "Select",
};

inline constexpr OpDef kConvert = {
    .opcode = HloOpcode::kConvert,
    .name = "convert",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferConvert>(),
    .declares_shape = true,
    .elementwise = true,
    .cost_class = CostClass::kArithmetic,
    .summary =
        "Each element in another type, rounded to nearest even; to "
        "integers towards zero, saturated.",
    .section = "ConvertElementType",
};

// Reads the wider element that a part belongs to, or all parts of one.
OpIndexing BitcastConvertIndexing(const IndexingArgs& args);
// A dimension of the parts of wider elements is whole.
DimensionFactors BitcastConvertFactors(const FactorArgs& args);

inline constexpr OpDef kBitcastConvert = {
    .opcode = HloOpcode::kBitcastConvert,
    .name = "bitcast-convert",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferBitcastConvert>(),
    .declares_shape = true,
    .indexing = Indexing<NoAttrs, BitcastConvertIndexing>(),
    .factors = Factors<NoAttrs, BitcastConvertFactors>(),
    .cost_class = CostClass::kMovement,
    .summary =
        "The bits of the elements as another type; a change of width "
        "adds or removes the last dimension.",
    .section = "BitcastConvertType",
};

inline constexpr OpDef kReducePrecision = {
    .opcode = HloOpcode::kReducePrecision,
    .name = "reduce-precision",
    .operands = {"operand"},
    .attrs = AttrsOf<ReducePrecisionAttrs>(),
    .infer = Infer<ReducePrecisionAttrs, InferReducePrecision>(),
    .elementwise = true,
    .cost_class = CostClass::kArithmetic,
    .summary = "Rounds to a float format of fewer bits, and back.",
    .section = "ReducePrecision",
};

inline constexpr OpDef kStochasticConvert = {
    .opcode = HloOpcode::kStochasticConvert,
    .name = "stochastic-convert",
    .operands = {"operand", "random"},
    .infer = Infer<NoAttrs, InferStochasticConvert>(),
    .declares_shape = true,
    .elementwise = true,
    .cost_class = CostClass::kArithmetic,
    .summary = "Converts floats, rounding up or down as random bits decide.",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_ELEMENTWISE_ELEMENTWISE_OTHER_H_
