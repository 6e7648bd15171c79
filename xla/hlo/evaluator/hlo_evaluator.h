// HloEvaluator: XLA's interface to the evaluator, for one device. Several
// devices, and queues to the host, are in replicated.h.
#ifndef XLA_HLO_EVALUATOR_HLO_EVALUATOR_H_
#define XLA_HLO_EVALUATOR_HLO_EVALUATOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Evaluates verified HLO. Results have the layout of the shape of what was
// evaluated. Errors of all: InvalidArgument for arguments that do not fit,
// Unimplemented for what the evaluator does not do. Not thread safe.
class HloEvaluator {
 public:
  using CustomCallHandler = xla::CustomCallHandler;

  // XLA passes analyses here; this evaluator needs none.
  struct PrecomputedAnalyses {};

  // At most `max_loop_iterations` of each while loop; -1: no bound.
  explicit HloEvaluator(int64_t max_loop_iterations = -1)
      : max_loop_iterations_(max_loop_iterations) {}
  virtual ~HloEvaluator() = default;

  // One like this, for a computation that this one evaluates.
  virtual std::unique_ptr<HloEvaluator> CreateEmbedded(
      int64_t max_loop_iterations);

  // The module's entry, or a computation, with these arguments. The overloads
  // for other argument types give way in Evaluate(module, {}).
  absl::StatusOr<Literal> Evaluate(const HloModule& module,
                                   absl::Span<const Literal* const> arguments);
  absl::StatusOr<Literal> Evaluate(const HloComputation& computation,
                                   absl::Span<const Literal* const> arguments);
  template <typename Dummy = void>
  absl::StatusOr<Literal> Evaluate(const HloModule& module,
                                   absl::Span<const Literal> arguments) {
    return Evaluate(module, Pointers(arguments));
  }
  template <typename Dummy = void>
  absl::StatusOr<Literal> Evaluate(const HloComputation& computation,
                                   absl::Span<const Literal> arguments) {
    return Evaluate(computation, Pointers(arguments));
  }
  // Copies the arguments.
  absl::StatusOr<Literal> EvaluateSlices(
      const HloComputation& computation,
      absl::Span<const LiteralSlice> arguments);

  // One instruction whose operands are constants or, with
  // `recursively_evaluate_nonconstant_operands`, follow from constants.
  // Iterative. Errors: FailedPrecondition where a parameter, or another device,
  // the host or a random state would be needed.
  absl::StatusOr<Literal> Evaluate(
      const HloInstruction* instruction, PrecomputedAnalyses analyses = {},
      bool recursively_evaluate_nonconstant_operands = false);
  absl::StatusOr<Literal> Evaluate(
      const HloInstruction* instruction,
      bool recursively_evaluate_nonconstant_operands) {
    return Evaluate(instruction, PrecomputedAnalyses(),
                    recursively_evaluate_nonconstant_operands);
  }
  // False if that fails.
  bool TryEvaluate(const HloInstruction* instruction, Literal* result,
                   bool recursively_evaluate_nonconstant_operands = false);

  // As Evaluate, with these values instead of the instructions that they are
  // given for.
  absl::StatusOr<Literal> EvaluateWithSubstitutions(
      const HloInstruction* instruction,
      const absl::flat_hash_map<const HloInstruction*, const LiteralBase*>&
          substitutions,
      bool recursively_evaluate_nonconstant_operands = false);

  // One op on literals.
  absl::StatusOr<Literal> EvaluateElementwiseUnaryOp(HloOpcode opcode,
                                                     const Literal& operand);
  absl::StatusOr<Literal> EvaluateElementwiseBinaryOp(HloOpcode opcode,
                                                      const Literal& lhs,
                                                      const Literal& rhs);
  absl::StatusOr<Literal> EvaluateElementwiseTernaryOp(HloOpcode opcode,
                                                       const Literal& lhs,
                                                       const Literal& rhs,
                                                       const Literal& ehs);
  absl::StatusOr<Literal> EvaluateElementwiseCompareOp(
      ComparisonDirection direction, const Literal& lhs, const Literal& rhs);
  absl::StatusOr<Literal> EvaluateDotOp(const DotDimensionNumbers& dim_numbers,
                                        const PrecisionConfig& precision_config,
                                        const Literal& lhs, const Literal& rhs);

  // Runs custom calls instead of the registered targets.
  void set_custom_call_handler(CustomCallHandler handler) {
    custom_call_handler_ = std::move(handler);
  }
  // Of rng and rng-get-and-update-state.
  void set_seed(uint64_t seed) { seed_ = seed; }
  // XLA's switches of speed, without a meaning here.
  void set_use_fast_path(bool value) {}
  void set_reduce_use_fast_path(bool value) {}
  void ResetVisitStates() {}

 private:
  static std::vector<const Literal*> Pointers(
      absl::Span<const Literal> literals);
  absl::StatusOr<Literal> Run(const HloComputation& computation,
                              std::vector<Value> arguments);
  // The op on the values of constants made for it.
  absl::StatusOr<Literal> EvaluateOp(HloOpcode opcode,
                                     absl::Span<const Literal* const> operands,
                                     Attrs attrs = {},
                                     const Shape* declared = nullptr);

  int64_t max_loop_iterations_;
  uint64_t seed_ = 0;
  CustomCallHandler custom_call_handler_;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_HLO_EVALUATOR_H_
