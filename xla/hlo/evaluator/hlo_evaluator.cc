// Evaluation of modules, computations and single instructions on one device.
#include "xla/hlo/evaluator/hlo_evaluator.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

// Returns true for ops whose value is not a function of their operands.
bool NeedsSurroundings(HloOpcode opcode, bool has_custom_call_handler) {
  const OpDef& def = GetOpDef(opcode);
  return def.device_dependent || def.side_effect ||
         (opcode == HloOpcode::kCustomCall && !has_custom_call_handler);
}

// Computes values of instructions from constants and other known values.
class ConstantFinder {
 public:
  ConstantFinder(Interpreter& interpreter, bool has_custom_call_handler)
      : interpreter_(interpreter),
        has_custom_call_handler_(has_custom_call_handler) {}

  void Set(const HloInstruction* hlo, Value value) {
    values_[hlo] = std::move(value);
  }

  // Each instruction waits on the stack until its operands have values.
  absl::StatusOr<Value> Find(const HloInstruction* instruction,
                             bool recursively) {
    std::vector<const HloInstruction*> stack = {instruction};
    while (!stack.empty()) {
      const HloInstruction* hlo = stack.back();
      if (values_.contains(hlo)) {
        stack.pop_back();
        continue;
      }
      if (hlo->opcode() != HloOpcode::kConstant) {
        if (!recursively && hlo != instruction) return NotConstant(*hlo);
        TF_RETURN_IF_ERROR(Check(*hlo));
      }
      const size_t before = stack.size();
      for (const HloInstruction* operand : hlo->operands()) {
        if (!values_.contains(operand)) stack.push_back(operand);
      }
      if (stack.size() > before) {
        // A cycle, which only a malformed module has, never gets its values.
        TF_RET_CHECK(waiting_.insert(hlo).second) << hlo->name();
        continue;
      }
      TF_ASSIGN_OR_RETURN(Value value, Run(*hlo));
      values_[hlo] = std::move(value);
      stack.pop_back();
    }
    return values_[instruction];
  }

 private:
  static absl::Status NotConstant(const HloInstruction& hlo) {
    return absl::FailedPreconditionError(absl::StrCat(
        hlo.name(), " (", hlo.def().name.data(), ") is not a constant"));
  }

  // Checks that the instruction, and what it calls, depends only on its
  // operands.
  absl::Status Check(const HloInstruction& root) {
    std::vector<const HloInstruction*> work = {&root};
    while (!work.empty()) {
      const HloInstruction& hlo = *work.back();
      work.pop_back();
      if (NeedsSurroundings(hlo.opcode(), has_custom_call_handler_) ||
          (&hlo == &root && hlo.opcode() == HloOpcode::kParameter)) {
        return NotConstant(hlo);
      }
      for (const HloComputation* computation : hlo.called_computations()) {
        if (!checked_.insert(computation).second) continue;
        for (const auto& called : computation->instructions()) {
          work.push_back(called);
        }
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Value> Run(const HloInstruction& hlo) {
    if (hlo.opcode() == HloOpcode::kConstant) {
      const auto& literal = hlo.attrs<ConstantAttrs>().literal.value;
      TF_RET_CHECK(literal != nullptr) << hlo.name();
      return Value(literal);
    }
    std::vector<Value> operands;
    for (const HloInstruction* operand : hlo.operands()) {
      operands.push_back(values_[operand]);
    }
    return interpreter_.RunInstruction(hlo, std::move(operands));
  }

  Interpreter& interpreter_;
  const bool has_custom_call_handler_;
  absl::flat_hash_map<const HloInstruction*, Value> values_;
  absl::flat_hash_set<const HloInstruction*> waiting_;
  absl::flat_hash_set<const HloComputation*> checked_;
};

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
  Shape shape(lhs.element_type(), dimensions);
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
    bool recursively_evaluate_nonconstant_operands) {
  return EvaluateWithSubstitutions(instruction, {},
                                   recursively_evaluate_nonconstant_operands);
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

absl::StatusOr<Literal> HloEvaluator::EvaluateWithSubstitutions(
    const HloInstruction* instruction,
    const absl::flat_hash_map<const HloInstruction*, const LiteralBase*>&
        substitutions,
    bool recursively_evaluate_nonconstant_operands) {
  DeviceContext device(seed_);
  device.set_custom_call_handler(custom_call_handler_);
  Interpreter interpreter(&device, max_loop_iterations_);
  ConstantFinder finder(interpreter, custom_call_handler_ != nullptr);
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
  TF_ASSIGN_OR_RETURN(
      Value value,
      finder.Find(instruction, recursively_evaluate_nonconstant_operands));
  return ToLiteral(instruction->shape(), std::move(value));
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

}  // namespace xla
