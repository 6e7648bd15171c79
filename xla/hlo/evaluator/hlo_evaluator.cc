// Evaluation of modules, computations and single instructions on one device.
#include "xla/hlo/evaluator/hlo_evaluator.h"

#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/constant_finder.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla {
namespace {

// What PatternMatchParseWhileLoop may run of calls, which may be nested.
constexpr int64_t kMaxInstructionsToParse = 100000;

// The text of the detail is its number, 4 bytes, the least significant first.
absl::Status DependsOnArguments(const HloInstruction& hlo) {
  absl::Status error = absl::FailedPreconditionError(
      absl::StrCat(hlo.name(),
                   " is not a constant: it depends on arguments of the "
                   "program or on infeed"));
  static_assert(static_cast<int>(
                    internal::EvalErrorDetail::kDynamicValueDependence) == 0);
  error.SetPayload(internal::kEvalErrorDetailUrl,
                   absl::Cord(std::string(sizeof(uint32_t), '\0')));
  return error;
}

// Appends the dimensions of `shape` that are in neither list.
void AppendFreeDimensions(const Shape& shape, absl::Span<const int64_t> batch,
                          absl::Span<const int64_t> contracting,
                          std::vector<int64_t>* dimensions) {
  for (int64_t d = 0; d < shape.dimensions_size(); ++d) {
    if (!absl::c_linear_search(batch, d) &&
        !absl::c_linear_search(contracting, d)) {
      dimensions->push_back(shape.dimensions(d));
    }
  }
}

// Returns the shape of a dot of these operands; its rules check the numbers.
Shape DotShape(const DotDimensionNumbers& numbers, const Shape& lhs,
               const Shape& rhs) {
  std::vector<int64_t> dimensions;
  for (int64_t d : numbers.lhs_batch_dimensions()) {
    if (d >= 0 && d < lhs.rank()) dimensions.push_back(lhs.dimensions(d));
  }
  AppendFreeDimensions(lhs, numbers.lhs_batch_dimensions(),
                       numbers.lhs_contracting_dimensions(), &dimensions);
  AppendFreeDimensions(rhs, numbers.rhs_batch_dimensions(),
                       numbers.rhs_contracting_dimensions(), &dimensions);
  Shape shape(ShapeUtil::HigherPrecisionElementType(lhs, rhs), dimensions);
  LayoutUtil::SetToDefaultLayout(&shape);
  return shape;
}

Literal ToLiteral(const Shape& shape, Value value) {
  return WithLayoutOf(shape, value.is_tuple() ? value.ToLiteral()
                                              : std::move(value).TakeArray());
}

}  // namespace

std::unique_ptr<HloEvaluator> HloEvaluator::CreateEmbedded(
    int64_t max_loop_iterations) {
  auto embedded = std::make_unique<HloEvaluator>(max_loop_iterations);
  embedded->seed_ = seed_;
  embedded->custom_call_handler_ = custom_call_handler_;
  return embedded;
}

void HloEvaluator::Observe(Interpreter& interpreter) {
  Interpreter::Observer observer;
  observer.on_computation = [this, embedded = std::shared_ptr<HloEvaluator>()](
                                const HloComputation& computation,
                                int depth) mutable {
    if (depth == 1) return OnEvaluateComputation(computation);
    if (embedded == nullptr) embedded = CreateEmbedded(max_loop_iterations_);
    embedded->OnEvaluateComputation(computation);
  };
  observer.on_value = eval_literal_handler_;
  interpreter.set_observer(std::move(observer));
}

std::vector<const Literal*> HloEvaluator::Pointers(
    absl::Span<const Literal> literals) {
  std::vector<const Literal*> pointers;
  for (const Literal& literal : literals) pointers.push_back(&literal);
  return pointers;
}

absl::StatusOr<Literal> HloEvaluator::Run(const HloComputation& computation,
                                          std::vector<Value> arguments) {
  DeviceContext device(seed_);
  device.set_custom_call_handler(custom_call_handler_);
  Interpreter interpreter(&device, max_loop_iterations_);
  Observe(interpreter);
  TF_ASSIGN_OR_RETURN(Value value,
                      interpreter.Run(computation, std::move(arguments)));
  return ToLiteral(computation.root_instruction()->shape(), std::move(value));
}

absl::StatusOr<Literal> HloEvaluator::Evaluate(
    const HloModule& module, absl::Span<const Literal* const> arguments) {
  if (!module.has_entry_computation()) {
    return absl::InvalidArgumentError(
        absl::StrCat("module ", module.name(), " has no entry computation"));
  }
  return Evaluate(*module.entry_computation(), arguments);
}

absl::StatusOr<Literal> HloEvaluator::Evaluate(
    const HloComputation& computation,
    absl::Span<const Literal* const> arguments) {
  std::vector<Value> values;
  for (const Literal* argument : arguments) {
    values.push_back(BorrowedValue(*argument));
  }
  return Run(computation, std::move(values));
}

absl::StatusOr<Literal> HloEvaluator::EvaluateSlices(
    const HloComputation& computation,
    absl::Span<const LiteralSlice> arguments) {
  std::vector<Value> values;
  for (const LiteralSlice& argument : arguments) {
    values.push_back(Value(argument.Clone()));
  }
  return Run(computation, std::move(values));
}

absl::StatusOr<Literal> HloEvaluator::Evaluate(
    const HloInstruction* instruction, PrecomputedAnalyses analyses,
    bool recursively_evaluate_nonconstant_operands,
    const Substitutions& substitutions) {
  DeviceContext device(seed_);
  device.set_custom_call_handler(custom_call_handler_);
  Interpreter interpreter(&device, max_loop_iterations_);
  ConstantFinder finder(interpreter, custom_call_handler_ != nullptr,
                        analyses.call_graph);
  for (const auto& [hlo, literal] : substitutions) {
    Value value(literal->Clone());
    if (!value.Fits(hlo->shape())) {
      return absl::InvalidArgumentError(
          absl::StrCat("the substitute of ", hlo->name(), " must be ",
                       ShapeUtil::HumanString(hlo->shape()), ", got ",
                       ShapeUtil::HumanString(literal->shape())));
    }
    finder.Set(hlo, std::move(value));
  }
  if (!recursively_evaluate_nonconstant_operands) {
    TF_ASSIGN_OR_RETURN(Value value, finder.Evaluate(*instruction));
    return ToLiteral(instruction->shape(), std::move(value));
  }
  TF_ASSIGN_OR_RETURN(std::optional<Value> value, finder.Find(instruction));
  if (!value.has_value()) return DependsOnArguments(*instruction);
  return ToLiteral(instruction->shape(), *std::move(value));
}

bool HloEvaluator::TryEvaluate(const HloInstruction* instruction,
                               Literal* result,
                               bool recursively_evaluate_nonconstant_operands) {
  absl::StatusOr<Literal> literal =
      Evaluate(instruction, recursively_evaluate_nonconstant_operands);
  if (!literal.ok()) return false;
  *result = *std::move(literal);
  return true;
}

absl::StatusOr<Literal> HloEvaluator::EvaluateOp(
    HloOpcode opcode, absl::Span<const Literal* const> operands, Attrs attrs,
    const Shape* declared) {
  HloComputation computation("evaluated_op");
  std::vector<HloInstruction*> constants;
  for (const Literal* operand : operands) {
    constants.push_back(computation.AddInstruction(
        HloInstruction::CreateConstant(operand->Clone())));
  }
  TF_ASSIGN_OR_RETURN(
      HloInstruction * op,
      computation.Add(opcode, constants, std::move(attrs), {}, declared));
  return Evaluate(op);
}

absl::StatusOr<Literal> HloEvaluator::EvaluateElementwiseUnaryOp(
    HloOpcode opcode, const Literal& operand) {
  return EvaluateOp(opcode, {&operand});
}

absl::StatusOr<Literal> HloEvaluator::EvaluateElementwiseBinaryOp(
    HloOpcode opcode, const Literal& lhs, const Literal& rhs) {
  return EvaluateOp(opcode, {&lhs, &rhs});
}

absl::StatusOr<Literal> HloEvaluator::EvaluateElementwiseTernaryOp(
    HloOpcode opcode, const Literal& lhs, const Literal& rhs,
    const Literal& ehs) {
  return EvaluateOp(opcode, {&lhs, &rhs, &ehs});
}

absl::StatusOr<Literal> HloEvaluator::EvaluateElementwiseCompareOp(
    ComparisonDirection direction, const Literal& lhs, const Literal& rhs) {
  CompareAttrs attrs;
  attrs.direction = direction;
  return EvaluateOp(HloOpcode::kCompare, {&lhs, &rhs}, std::move(attrs));
}

absl::StatusOr<Literal> HloEvaluator::EvaluateDotOp(
    const DotDimensionNumbers& dim_numbers,
    const PrecisionConfig& precision_config, const Literal& lhs,
    const Literal& rhs) {
  DotAttrs attrs;
  attrs.dot_dimension_numbers = dim_numbers;
  attrs.precision_config = precision_config;
  const Shape declared = DotShape(dim_numbers, lhs.shape(), rhs.shape());
  return EvaluateOp(HloOpcode::kDot, {&lhs, &rhs}, std::move(attrs), &declared);
}

absl::StatusOr<Literal> HloEvaluator::EvaluateScaledDotOp(
    const DotDimensionNumbers& dim_numbers,
    const PrecisionConfig& precision_config, const Literal& lhs,
    const Literal& rhs, const Literal& lhs_scale, const Literal& rhs_scale) {
  ScaledDotAttrs attrs;
  attrs.dot_dimension_numbers = dim_numbers;
  attrs.precision_config = precision_config;
  const Shape declared = DotShape(dim_numbers, lhs.shape(), rhs.shape());
  return EvaluateOp(HloOpcode::kScaledDot, {&lhs, &rhs, &lhs_scale, &rhs_scale},
                    std::move(attrs), &declared);
}

std::optional<ParsedWhileLoop> PatternMatchParseWhileLoop(
    const HloInstruction* while_op,
    HloEvaluator::PrecomputedAnalyses precomputed_analyses) {
  DeviceContext device;
  Interpreter interpreter(&device, /*max_loop_iterations=*/0);
  interpreter.set_max_instructions(kMaxInstructionsToParse);
  ConstantFinder finder(interpreter, /*has_custom_call_handler=*/false,
                        precomputed_analyses.call_graph);
  return ParseWhileLoop(*while_op, finder);
}

namespace internal {

std::optional<EvalErrorDetail> ParseEvalErrorDetail(const absl::Status& error) {
  const auto text = error.GetPayload(kEvalErrorDetailUrl);
  if (!text.has_value() || text->size() != sizeof(uint32_t)) {
    return std::nullopt;
  }
  uint32_t number = 0;
  for (size_t i = 0; i < sizeof(uint32_t); ++i) {
    number |= uint32_t{static_cast<uint8_t>((*text)[i])} << (8 * i);
  }
  return static_cast<EvalErrorDetail>(number);
}

}  // namespace internal

}  // namespace xla
