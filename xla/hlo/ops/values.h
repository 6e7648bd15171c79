// Ops that name values: parameter, constant, tuple, get-tuple-element. The
// parenthesis of parameter(0) and constant({1, 2}) is the printer's.
#ifndef XLA_HLO_OPS_VALUES_H_
#define XLA_HLO_OPS_VALUES_H_

#include <cstdint>
#include <tuple>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

struct ParameterAttrs {
  int64_t number = 0;
  ParameterReplication replication;
  static constexpr auto kFields = std::tuple(
      Field{"number", &ParameterAttrs::number,
            "position among the computation's parameters", Show::kPayload,
            "parameter_number"},
      Field{"parameter_replication", &ParameterAttrs::replication,
            "for each leaf, whether all replicas pass the same value"});
};

struct ConstantAttrs {
  SharedLiteral literal;
  static constexpr auto kFields = std::tuple(
      Field{"literal", &ConstantAttrs::literal, "the value", Show::kPayload});
};

struct GetTupleElementAttrs {
  int64_t index = 0;
  static constexpr auto kFields = std::tuple(
      Field{"index", &GetTupleElementAttrs::index, "which element of the tuple",
            Show::kRequired, "tuple_index"});
};

// The declared shape. Errors: parameter_c1, parameter_c2.
absl::StatusOr<Shape> InferParameter(const InferArgs& args,
                                     const ParameterAttrs& attrs);
// The shape of the literal. Errors: constant_c1.
absl::StatusOr<Shape> InferConstant(const InferArgs& args,
                                    const ConstantAttrs& attrs);
// (T0, T1, ...). Errors: tuple_c1. Source: section "Tuple".
absl::StatusOr<Shape> InferTuple(const InferArgs& args);
// (T0, T1, ...) -> T_index. Errors: get_tuple_element_c1, _c2. Source: section
// "GetTupleElement".
absl::StatusOr<Shape> InferGetTupleElement(const InferArgs& args,
                                           const GetTupleElementAttrs& attrs);

inline constexpr OpDef kParameter = {
    .opcode = HloOpcode::kParameter,
    .name = "parameter",
    .attrs = AttrsOf<ParameterAttrs>(),
    .infer = Infer<ParameterAttrs, InferParameter>(),
    .declares_shape = true,
    .cost_class = CostClass::kNone,
    .summary = "An argument of the computation.",
    .section = "Parameter",
};

inline constexpr OpDef kConstant = {
    .opcode = HloOpcode::kConstant,
    .name = "constant",
    .attrs = AttrsOf<ConstantAttrs>(),
    .infer = Infer<ConstantAttrs, InferConstant>(),
    .cost_class = CostClass::kNone,
    .summary = "A value that the program holds.",
    .section = "ConstantLiteral",
};

inline constexpr OpDef kTuple = {
    .opcode = HloOpcode::kTuple,
    .name = "tuple",
    .operands = {"elements..."},
    .infer = Infer<NoAttrs, InferTuple>(),
    .cost_class = CostClass::kNone,
    .summary = "Puts values together into one.",
    .section = "Tuple",
};

inline constexpr OpDef kGetTupleElement = {
    .opcode = HloOpcode::kGetTupleElement,
    .name = "get-tuple-element",
    .operands = {"tuple"},
    .attrs = AttrsOf<GetTupleElementAttrs>(),
    .infer = Infer<GetTupleElementAttrs, InferGetTupleElement>(),
    .cost_class = CostClass::kNone,
    .summary = "One element of a tuple.",
    .section = "GetTupleElement",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_VALUES_H_
