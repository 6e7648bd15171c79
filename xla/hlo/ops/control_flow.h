// Ops that call computations once or in a loop, run something
// asynchronously, call out of the program, or only order other ops.
#ifndef XLA_HLO_OPS_CONTROL_FLOW_H_
#define XLA_HLO_OPS_CONTROL_FLOW_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

struct FusionAttrs {
  FusionKind kind = FusionKind::kLoop;
  std::vector<OutputOperandAlias> output_to_operand_aliasing;
  static constexpr auto kFields = std::tuple(
      Field{"kind", &FusionAttrs::kind, "what the fusion was made for",
            Show::kRequired, "fusion_kind"},
      Field{"output_to_operand_aliasing",
            &FusionAttrs::output_to_operand_aliasing,
            "outputs that share an operand's buffer", Show::kOptional,
            "output_operand_aliasing"});
};

struct AsyncAttrs {
  std::string async_execution_thread;  // empty: the main thread
  static constexpr auto kFields = std::tuple(
      Field{"async_execution_thread", &AsyncAttrs::async_execution_thread,
            "name of the thread that runs the computation"});
};

struct AsyncStartAttrs {
  std::string async_execution_thread;  // empty: the main thread
  std::vector<OutputOperandAlias> output_to_operand_aliasing;
  static constexpr auto kFields = std::tuple(
      Field{"async_execution_thread", &AsyncStartAttrs::async_execution_thread,
            "name of the thread that runs the computation"},
      Field{"output_to_operand_aliasing",
            &AsyncStartAttrs::output_to_operand_aliasing,
            "parts of the result that share an operand's buffer",
            Show::kOptional, "output_operand_aliasing"});
};

struct CustomCallAttrs {
  Window window;
  ConvolutionDimensionNumbers dim_labels;
  int64_t feature_group_count = 1;
  int64_t batch_group_count = 1;
  PaddingType padding_type = PADDING_INVALID;
  PrecisionConfig precision_config;
  std::string custom_call_target;
  // An empty list is that of a call without operands: its result's layout is
  // constrained.
  std::optional<std::vector<Shape>> operand_layout_constraints;
  bool custom_call_has_side_effect = false;
  SharedLiteral literal;
  std::vector<OutputOperandAlias> output_to_operand_aliasing;
  CustomCallSchedule schedule = SCHEDULE_NONE;
  CustomCallApiVersion api_version = API_VERSION_ORIGINAL;
  static constexpr auto kFields = std::tuple(
      Field{"window", &CustomCallAttrs::window, "for targets that convolve"},
      Field{"dim_labels", &CustomCallAttrs::dim_labels,
            "for targets that convolve", Show::kOptional,
            "convolution_dimension_numbers"},
      Field{"feature_group_count", &CustomCallAttrs::feature_group_count,
            "for targets that convolve"},
      Field{"batch_group_count", &CustomCallAttrs::batch_group_count,
            "for targets that convolve"},
      Field{"operand_precision", &CustomCallAttrs::precision_config,
            "for targets that convolve", Show::kOptional, "precision_config"},
      Field{"padding_type", &CustomCallAttrs::padding_type,
            "for targets that convolve"},
      Field{"custom_call_target", &CustomCallAttrs::custom_call_target,
            "name of the function", Show::kRequired},
      Field{"operand_layout_constraints",
            &CustomCallAttrs::operand_layout_constraints,
            "shapes with the layouts in which the target wants its operands",
            Show::kOptional, "operand_shapes_with_layout"},
      Field{"custom_call_has_side_effect",
            &CustomCallAttrs::custom_call_has_side_effect,
            "whether it must run even if nobody uses the result"},
      Field{"literal", &CustomCallAttrs::literal, "a value for the target"},
      Field{"output_to_operand_aliasing",
            &CustomCallAttrs::output_to_operand_aliasing,
            "outputs that share an operand's buffer", Show::kOptional,
            "output_operand_aliasing"},
      Field{"schedule", &CustomCallAttrs::schedule,
            "how early or late to run it", Show::kOptional,
            "custom_call_schedule"},
      Field{"api_version", &CustomCallAttrs::api_version,
            "how the target takes its arguments", Show::kOptional,
            "custom_call_api_version"});
};

struct DomainAttrs {
  DomainShardings domain;
  static constexpr auto kFields = std::tuple(
      Field{"domain", &DomainAttrs::domain,
            "the shardings on the user's side (entry) and the operand's (exit)",
            Show::kRequired, "domain_entry_sharding"});
};

// (T0, ...) through to_apply: (T0, ...) -> R. Errors: call_c1. Source: section
// "Call".
absl::StatusOr<Shape> InferCall(const InferArgs& args);
// T through condition: T -> pred[] and body: T -> T. Errors: while_c1 to
// while_c3. Source: section "While".
absl::StatusOr<Shape> InferWhile(const InferArgs& args);
// pred[] or s32[], T0, ..., Tn-1 through branches Ti -> R. A dimension that is
// dynamic in one branch is so in the result. Errors: conditional_c1 to
// conditional_c5. Source: section "Conditional".
absl::StatusOr<Shape> InferConditional(const InferArgs& args);
// Checks the first operand of a conditional. Errors: conditional_c1.
absl::Status CheckBranchIndex(const Shape& index);
// As call. Errors: fusion_c1, output_operand_aliasing_c1 to _c4.
absl::StatusOr<Shape> InferFusion(const InferArgs& args,
                                  const FusionAttrs& attrs);
// T -> T. Source: section "OptimizationBarrier".
absl::StatusOr<Shape> InferOptimizationBarrier(const InferArgs& args);
// T0, ... through computation (T0, ...) -> R to the declared
// ((T0, ...), R, contexts...). Errors: async_start_c1 to async_start_c3,
// output_operand_aliasing_c1 to _c4.
absl::StatusOr<Shape> InferAsyncStart(const InferArgs& args,
                                      const AsyncStartAttrs& attrs);
// ((T0, ...), R, ...) -> the same. Errors: async_update_c1.
absl::StatusOr<Shape> InferAsyncUpdate(const InferArgs& args,
                                       const AsyncAttrs& attrs);
// ((T0, ...), R, ...) -> R. Errors: async_done_c1.
absl::StatusOr<Shape> InferAsyncDone(const InferArgs& args,
                                     const AsyncAttrs& attrs);
// The declared shape. Errors: custom_call_c1 to custom_call_c3,
// output_operand_aliasing_c1 to _c4. Source: section "CustomCall".
absl::StatusOr<Shape> InferCustomCall(const InferArgs& args,
                                      const CustomCallAttrs& attrs);
// Whether the operands fit a custom call's operand_layout_constraints, where
// the program gives them. Errors: custom_call_c1, custom_call_c2.
absl::Status CheckOperandLayouts(absl::Span<const Shape* const> operands,
                                 const std::vector<Shape>& wanted);
// T -> T.
absl::StatusOr<Shape> InferDomain(const InferArgs& args,
                                  const DomainAttrs& attrs);
// Tokens, or values of any shape -> token. Source: section "AfterAll".
absl::StatusOr<Shape> InferAfterAll(const InferArgs& args);
// T, token -> T. Errors: add_dependency_c1.
absl::StatusOr<Shape> InferAddDependency(const InferArgs& args);

inline constexpr OpDef kCall = {
    .opcode = HloOpcode::kCall,
    .name = "call",
    .operands = {"operands..."},
    .computations = {"to_apply"},
    .infer = Infer<NoAttrs, InferCall>(),
    .cost_class = CostClass::kControl,
    .summary = "Calls a computation with the operands as arguments.",
    .section = "Call",
};

inline constexpr OpDef kWhile = {
    .opcode = HloOpcode::kWhile,
    .name = "while",
    .operands = {"init"},
    .computations = {"condition", "body"},
    .infer = Infer<NoAttrs, InferWhile>(),
    .cost_class = CostClass::kControl,
    .summary = "Applies the body to the value while the condition holds.",
    .section = "While",
};

inline constexpr OpDef kConditional = {
    .opcode = HloOpcode::kConditional,
    .name = "conditional",
    .operands = {"branch_index", "branch_operands..."},
    .computations = {"branch_computations..."},
    .infer = Infer<NoAttrs, InferConditional>(),
    .cost_class = CostClass::kControl,
    .summary = "Calls one of several computations with its own operand.",
    .section = "Conditional",
};

inline constexpr OpDef kFusion = {
    .opcode = HloOpcode::kFusion,
    .name = "fusion",
    .operands = {"operands..."},
    .computations = {"calls"},
    .attrs = AttrsOf<FusionAttrs>(),
    .infer = Infer<FusionAttrs, InferFusion>(),
    .cost_class = CostClass::kFusion,
    .summary = "Calls a computation that is to be compiled as one kernel.",
};

inline constexpr OpDef kOptimizationBarrier = {
    .opcode = HloOpcode::kOptimizationBarrier,
    .name = "opt-barrier",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferOptimizationBarrier>(),
    .cost_class = CostClass::kNone,
    .summary = "The operand; no optimisation moves ops across it.",
    .section = "OptimizationBarrier",
};

inline constexpr OpDef kAsyncStart = {
    .opcode = HloOpcode::kAsyncStart,
    .name = "async-start",
    .operands = {"operands..."},
    .computations = {"calls"},
    .attrs = AttrsOf<AsyncStartAttrs>(),
    .infer = Infer<AsyncStartAttrs, InferAsyncStart>(),
    .declares_shape = true,
    .cost_class = CostClass::kControl,
    .summary = "Starts to call a computation.",
    .section = "Async",
};

inline constexpr OpDef kAsyncUpdate = {
    .opcode = HloOpcode::kAsyncUpdate,
    .name = "async-update",
    .operands = {"operand"},
    .computations = {"calls?"},
    .attrs = AttrsOf<AsyncAttrs>(),
    .infer = Infer<AsyncAttrs, InferAsyncUpdate>(),
    .cost_class = CostClass::kControl,
    .summary = "A point in between an async-start and its async-done.",
    .section = "Async",
};

inline constexpr OpDef kAsyncDone = {
    .opcode = HloOpcode::kAsyncDone,
    .name = "async-done",
    .operands = {"operand"},
    .computations = {"calls?"},
    .attrs = AttrsOf<AsyncAttrs>(),
    .infer = Infer<AsyncAttrs, InferAsyncDone>(),
    .cost_class = CostClass::kControl,
    .summary = "Waits for the computation that an async-start called.",
    .section = "Async",
};

inline constexpr OpDef kCustomCall = {
    .opcode = HloOpcode::kCustomCall,
    .name = "custom-call",
    .operands = {"operands..."},
    .computations = {"called_computations..."},
    .attrs = AttrsOf<CustomCallAttrs>(),
    .infer = Infer<CustomCallAttrs, InferCustomCall>(),
    .declares_shape = true,
    .cost_class = CostClass::kForeign,
    .summary = "Calls a function of the host program by name.",
    .section = "CustomCall",
};

inline constexpr OpDef kDomain = {
    .opcode = HloOpcode::kDomain,
    .name = "domain",
    .operands = {"operand"},
    .attrs = AttrsOf<DomainAttrs>(),
    .infer = Infer<DomainAttrs, InferDomain>(),
    .cost_class = CostClass::kNone,
    .summary = "The operand, at the border between two shardings.",
};

inline constexpr OpDef kAfterAll = {
    .opcode = HloOpcode::kAfterAll,
    .name = "after-all",
    .operands = {"operands..."},
    .infer = Infer<NoAttrs, InferAfterAll>(),
    .cost_class = CostClass::kNone,
    .summary = "A token that comes after all operands; a new one for none.",
    .section = "AfterAll",
};

inline constexpr OpDef kAddDependency = {
    .opcode = HloOpcode::kAddDependency,
    .name = "add-dependency",
    .operands = {"operand", "token"},
    .infer = Infer<NoAttrs, InferAddDependency>(),
    .cost_class = CostClass::kNone,
    .summary = "The operand, not before the token.",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_CONTROL_FLOW_H_
