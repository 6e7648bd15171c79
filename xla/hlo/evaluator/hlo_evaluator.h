// HloEvaluator: XLA's interface to the evaluator, for one device. replicated.h
// runs several devices and has queues to the host.
#ifndef XLA_HLO_EVALUATOR_HLO_EVALUATOR_H_
#define XLA_HLO_EVALUATOR_HLO_EVALUATOR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/array/array2d.h"
#include "xla/core/comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/hlo_evaluator_interface.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/evaluator/parsed_while_loop.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class CallGraph;
class TuplePointsToAnalysis;

// Evaluates verified HLO. Results have the layout of the shape of the evaluated
// computation or instruction. Errors of all methods: InvalidArgument for
// arguments that do not fit, Unimplemented for unsupported features. Not thread
// safe.
class HloEvaluator : public HloEvaluatorInterface {
 public:
  // Analyses of the module, so as not to make them again. Only the call graph,
  // of all threads, is used: to find what calls a computation.
  struct PrecomputedAnalyses {
    TuplePointsToAnalysis* tuple_points_to;
    const CallGraph* call_graph;
  };
  using Substitutions =
      absl::flat_hash_map<const HloInstruction*, const LiteralBase*>;

  // Runs at most `max_loop_iterations` of each while loop; -1 means no bound.
  explicit HloEvaluator(int64_t max_loop_iterations = -1)
      : max_loop_iterations_(max_loop_iterations) {}
  // Tells whether there is code for the opcode, as there is for all.
  static bool IsOpcodeImplemented(HloOpcode opcode) { return true; }

  // Returns an evaluator like this one for the computations that control flow
  // runs. This one runs them, and only tells the other about them.
  virtual std::unique_ptr<HloEvaluator> CreateEmbedded(
      int64_t max_loop_iterations);
  // Called before a computation is evaluated, here for those that Evaluate is
  // given. Computations that an op applies to elements are not among them.
  virtual void OnEvaluateComputation(const HloComputation& computation) {}

  // Evaluate the module's entry, or a computation, with these arguments. The
  // template forms yield to this one in Evaluate(module, {}).
  absl::StatusOr<Literal> Evaluate(const HloModule& module,
                                   absl::Span<const Literal* const> arguments);
  absl::StatusOr<Literal> Evaluate(
      const HloComputation& computation,
      absl::Span<const Literal* const> arguments) override;
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
  // `recursively_evaluate_nonconstant_operands`, follow from constants, in the
  // computation or in its only caller (constant_finder.h). `substitutions` are
  // the values of some instructions. Errors: FailedPrecondition if it needs an
  // argument of the program, another device, the host or a random state.
  absl::StatusOr<Literal> Evaluate(
      const HloInstruction* instruction, PrecomputedAnalyses analyses = {},
      bool recursively_evaluate_nonconstant_operands = false,
      const Substitutions& substitutions = {});
  absl::StatusOr<Literal> Evaluate(
      const HloInstruction* instruction,
      bool recursively_evaluate_nonconstant_operands) {
    return Evaluate(instruction, PrecomputedAnalyses(),
                    recursively_evaluate_nonconstant_operands);
  }
  // Returns false if that fails.
  bool TryEvaluate(const HloInstruction* instruction, Literal* result,
                   bool recursively_evaluate_nonconstant_operands = false);
  absl::StatusOr<Literal> EvaluateWithSubstitutions(
      const HloInstruction* instruction, const Substitutions& substitutions,
      bool recursively_evaluate_nonconstant_operands = false) {
    return Evaluate(instruction, {}, recursively_evaluate_nonconstant_operands,
                    substitutions);
  }

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

  absl::StatusOr<Literal> EvaluateScaledDotOp(
      const DotDimensionNumbers& dim_numbers,
      const PrecisionConfig& precision_config, const Literal& lhs,
      const Literal& rhs, const Literal& lhs_scale, const Literal& rhs_scale);

  // Returns the product of [m,k] and [k,n] (CHECK), summed in T in order.
  template <typename T>
  static std::unique_ptr<Array2D<T>> MatmulArray2D(const Array2D<T>& lhs,
                                                   const Array2D<T>& rhs);

  // The handler runs custom calls instead of the registered targets.
  void set_custom_call_handler(CustomCallHandler handler) override {
    custom_call_handler_ = std::move(handler);
  }
  CustomCallHandler custom_call_handler() { return custom_call_handler_; }
  // The handler gets the value of each instruction of the computation that
  // Evaluate is given, except parameters, constants and what the result does
  // not need.
  using EvalLiteralHandler = std::function<void(const HloInstruction* hlo,
                                                const LiteralSlice& literal)>;
  void set_eval_literal_handler(EvalLiteralHandler handler) {
    eval_literal_handler_ = std::move(handler);
  }
  // Sets the seed of rng and rng-get-and-update-state.
  void set_seed(uint64_t seed) { seed_ = seed; }
  // Values know their dynamic sizes, so the analysis is only kept.
  void set_dynamic_dimension_inference(
      DynamicDimensionInference* dynamic_dimension_inference) override {
    dynamic_dimension_inference_ = dynamic_dimension_inference;
  }
  DynamicDimensionInference* dynamic_dimension_inference() {
    return dynamic_dimension_inference_;
  }
  // XLA's performance switches, which have no effect here.
  void set_use_fast_path(bool value) override {}
  void set_reduce_use_fast_path(bool value) {}
  void ResetVisitStates() override {}

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

  // Makes the interpreter tell this about computations and values.
  void Observe(Interpreter& interpreter);

  int64_t max_loop_iterations_;
  uint64_t seed_ = 0;
  CustomCallHandler custom_call_handler_;
  EvalLiteralHandler eval_literal_handler_;
  DynamicDimensionInference* dynamic_dimension_inference_ = nullptr;
};

template <typename T>
std::unique_ptr<Array2D<T>> HloEvaluator::MatmulArray2D(const Array2D<T>& lhs,
                                                        const Array2D<T>& rhs) {
  CHECK_EQ(lhs.width(), rhs.height());
  auto product = std::make_unique<Array2D<T>>(lhs.height(), rhs.width(), T{});
  for (int64_t i = 0; i < lhs.height(); ++i) {
    for (int64_t j = 0; j < rhs.width(); ++j) {
      T sum{};
      for (int64_t k = 0; k < lhs.width(); ++k) {
        sum = static_cast<T>(sum + lhs(i, k) * rhs(k, j));
      }
      (*product)(i, j) = sum;
    }
  }
  return product;
}
inline std::unique_ptr<Array2D<float>> MatmulArray2D(
    const Array2D<float>& lhs, const Array2D<float>& rhs) {
  return HloEvaluator::MatmulArray2D(lhs, rhs);
}

// Finds how often a while loop runs. The condition compares an element of the
// carry with a constant, in either order, by less or greater (or equal), and
// the body adds or subtracts a constant; constants may also be elements that
// the loop never changes. Or the condition is an element that the body sets to
// a constant. Copies, calls and tuples may lie between. Returns nullopt for
// other loops. Types do not wrap around. Ends for every verified module, as it
// runs no iteration of other loops and a bounded number of instructions.
std::optional<ParsedWhileLoop> PatternMatchParseWhileLoop(
    const HloInstruction* while_op,
    HloEvaluator::PrecomputedAnalyses precomputed_analyses = {});

namespace internal {

// Why an evaluation failed.
enum class EvalErrorDetail : uint32_t {
  // The value depends on arguments of the program, or on infeed.
  kDynamicValueDependence = 0,
};
inline constexpr absl::string_view kEvalErrorDetailUrl = "EvalErrorDetailUrl";

// Returns the detail that an error of Evaluate has.
std::optional<EvalErrorDetail> ParseEvalErrorDetail(const absl::Status& error);

}  // namespace internal

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_HLO_EVALUATOR_H_
