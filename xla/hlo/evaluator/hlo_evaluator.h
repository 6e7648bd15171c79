// HloEvaluator: XLA's interface to the evaluator, for one device. replicated.h
// runs several devices and has queues to the host.
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

// Evaluates verified HLO. Results have the layout of the shape of the evaluated
// computation or instruction. Errors of all methods: InvalidArgument for
// arguments that do not fit, Unimplemented for unsupported features. Not thread
// safe.
class HloEvaluator {
 public:
  using CustomCallHandler = xla::CustomCallHandler;

  // XLA passes analyses; this evaluator needs none.
  struct PrecomputedAnalyses {};

  // Runs at most `max_loop_iterations` of each while loop; -1 means no bound.
  explicit HloEvaluator(int64_t max_loop_iterations = -1)
      : max_loop_iterations_(max_loop_iterations) {}
  virtual ~HloEvaluator() = default;

  // Returns an evaluator like this one for a computation that this one
  // evaluates.
  virtual std::unique_ptr<HloEvaluator> CreateEmbedded(
      int64_t max_loop_iterations);

  // Evaluate the module's entry, or a computation, with these arguments. The
  // template forms yield to this one in Evaluate(module, {}).
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

  // Evaluates one instruction whose operands are constants or, with
  // `recursively_evaluate_nonconstant_operands`, follow from constants.
  // Iterative. Errors: FailedPrecondition if it needs a parameter, another
  // device, the host or a random state.
  absl::StatusOr<Literal> Evaluate(
      const HloInstruction* instruction, PrecomputedAnalyses analyses = {},
      bool recursively_evaluate_nonconstant_operands = false);
  absl::StatusOr<Literal> Evaluate(
      const HloInstruction* instruction,
      bool recursively_evaluate_nonconstant_operands) {
    return Evaluate(instruction, PrecomputedAnalyses(),
                    recursively_evaluate_nonconstant_operands);
  }
  // Returns false if that fails.
  bool TryEvaluate(const HloInstruction* instruction, Literal* result,
                   bool recursively_evaluate_nonconstant_operands = false);

  // Like Evaluate, but uses the given values for the given instructions.
  absl::StatusOr<Literal> EvaluateWithSubstitutions(
      const HloInstruction* instruction,
      const absl::flat_hash_map<const HloInstruction*, const LiteralBase*>&
          substitutions,
      bool recursively_evaluate_nonconstant_operands = false);

  // These evaluate one op on literals.
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

  // The handler runs custom calls instead of the registered targets.
  void set_custom_call_handler(CustomCallHandler handler) {
    custom_call_handler_ = std::move(handler);
  }
  // Sets the seed of rng and rng-get-and-update-state.
  void set_seed(uint64_t seed) { seed_ = seed; }
  // XLA's performance switches, which have no effect here.
  void set_use_fast_path(bool value) {}
  void set_reduce_use_fast_path(bool value) {}
  void ResetVisitStates() {}

 private:
  static std::vector<const Literal*> Pointers(
      absl::Span<const Literal> literals);
  absl::StatusOr<Literal> Run(const HloComputation& computation,
                              std::vector<Value> arguments);
  // Evaluates the op on constants made of the operands.
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
