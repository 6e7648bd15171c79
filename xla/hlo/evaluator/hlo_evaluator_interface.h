// HloEvaluatorInterface: what a client needs of an evaluator, for evaluators
// that wrap another one.
#ifndef XLA_HLO_EVALUATOR_HLO_EVALUATOR_INTERFACE_H_
#define XLA_HLO_EVALUATOR_HLO_EVALUATOR_INTERFACE_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

class DynamicDimensionInference;

class HloEvaluatorInterface {
 public:
  // Returns the result of a custom call, given its operands' values.
  using CustomCallHandler = xla::CustomCallHandler;

  virtual ~HloEvaluatorInterface() = default;

  // Evaluates a computation with one argument for each parameter.
  virtual absl::StatusOr<Literal> Evaluate(
      const HloComputation& computation,
      absl::Span<const Literal* const> args) = 0;

  // Callers call this between two evaluations.
  virtual void ResetVisitStates() = 0;

  // An evaluator may ask the analysis for sizes that values do not have.
  virtual void set_dynamic_dimension_inference(
      DynamicDimensionInference* dynamic_dimension_inference) = 0;

  // Allows a faster way for dots and convolutions.
  virtual void set_use_fast_path(bool value) = 0;

  // Makes the handler run custom calls.
  virtual void set_custom_call_handler(CustomCallHandler handler) = 0;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_HLO_EVALUATOR_INTERFACE_H_
