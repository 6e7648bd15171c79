// Visits operands before users, so that a chain of constants folds in one
// sweep.
#include "xla/hlo/transforms/simplify/constant_folding.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/core/window_math.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {
namespace {

// Bytes up to which a result may be larger than its operands.
constexpr int64_t kFreeBytes = 64 << 10;
// The most evaluator steps, roughly elements visited, for one instruction and
// for a whole module: they bound the compile time.
constexpr double kMaxSteps = 4e6;
constexpr double kMaxStepsOfModule = 4e7;
// The most iterations of loops inside computations that reduce, map and so on
// apply.
constexpr int64_t kMaxLoopIterations = 1000;

// Returns true for copies to another layout or memory, and for sizes that are
// known only at run time.
bool Stays(HloOpcode opcode) {
  return opcode == HloOpcode::kCopy || opcode == HloOpcode::kCopyStart ||
         opcode == HloOpcode::kCopyDone ||
         opcode == HloOpcode::kGetDimensionSize ||
         opcode == HloOpcode::kSetDimensionSize;
}

// Returns false for ops that are not folded: short descriptions of large
// arrays, ops whose value is not a function of their operands, and ops that run
// whole programs.
bool MayFold(const HloInstruction& hlo) {
  if (hlo.def().device_dependent || hlo.def().side_effect) return false;
  switch (hlo.def().cost_class) {
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kForeign:
      return false;
    case CostClass::kMovement:
      return !Stays(hlo.opcode());
    case CostClass::kAlgorithm:
      return hlo.opcode() != HloOpcode::kScan;
    case XLA_ELEMENTWISE_COST_CLASSES:
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate:
    case CostClass::kContraction:
    case CostClass::kDevice:
      return true;
  }
  return true;
}

double Elements(const Shape& shape) {
  return shape.IsArray() ? static_cast<double>(ShapeUtil::ElementsIn(shape))
                         : 0;
}

// Returns about how many elements the evaluator visits.
double Steps(const HloInstruction& hlo) {
  double result = Elements(hlo.shape());
  double operands = 0;
  for (const HloInstruction* operand : hlo.operands()) {
    operands += Elements(operand->shape());
  }
  for (int i = 0; i < hlo.shape().tuple_shapes_size(); ++i) {
    result += Elements(hlo.shape().tuple_shapes(i));
  }
  switch (hlo.opcode()) {
    case HloOpcode::kDot: {
      double depth = 1;
      for (int64_t d :
           hlo.attrs<DotAttrs>()
               .dot_dimension_numbers.lhs_contracting_dimensions()) {
        depth *= static_cast<double>(hlo.operand(0)->shape().dimensions(d));
      }
      return result * depth + operands;
    }
    case HloOpcode::kRaggedDot:
    case HloOpcode::kScaledDot:
    case HloOpcode::kConvolution:
    case HloOpcode::kCholesky:
    case HloOpcode::kTriangularSolve:
      return result * Elements(hlo.operand(1 % hlo.operand_count())->shape()) +
             operands;
    case HloOpcode::kReduceWindow:
      return result * window_util::WindowElements(
                          hlo.attrs<ReduceWindowAttrs>().window) +
             operands;
    case HloOpcode::kSelectAndScatter:
      return result * window_util::WindowElements(
                          hlo.attrs<SelectAndScatterAttrs>().window) +
             operands;
    case HloOpcode::kSort:
    case HloOpcode::kTopK:
    case HloOpcode::kFft:
      return 64 * operands;
    case HloOpcode::kTranspose:
      // Only moves elements, so that the kernels of whole networks fold.
      return result / 2;
    default:
      return result + operands;
  }
}

int64_t Bytes(const Shape& shape) {
  return ShapeUtil::ByteSizeOfElementsRecursive(shape);
}

// Whether `hlo` is one constant number several times, which stays as it is but
// does not keep what is computed of it and of constants.
bool IsRepeatedNumber(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kBroadcast && hlo.shape().is_static() &&
         hlo.operand(0)->IsConstant() && !hlo.HasControlDependencies() &&
         Elements(hlo.operand(0)->shape()) == 1;
}

bool IsCandidate(const HloInstruction& hlo) {
  if (!MayFold(hlo) || hlo.shape().is_dynamic() ||
      hlo.HasControlDependencies() || hlo.HasSideEffect()) {
    return false;
  }
  const bool is_array_or_tuple = hlo.shape().IsArray() || hlo.shape().IsTuple();
  if (!is_array_or_tuple) return false;
  int64_t operand_bytes = 0;
  bool has_constant = hlo.operand_count() == 0;
  for (const HloInstruction* operand : hlo.operands()) {
    if (IsRepeatedNumber(*operand)) continue;
    if (!operand->IsConstant() || operand->shape().is_dynamic()) return false;
    has_constant = true;
    operand_bytes = std::max(operand_bytes, Bytes(operand->shape()));
  }
  if (!has_constant) return false;
  const int64_t bytes = Bytes(hlo.shape());
  // A constant is preferable for a number or a short list, but not for one
  // number several times.
  if (hlo.opcode() == HloOpcode::kBroadcast &&
      Elements(hlo.operand(0)->shape()) == 1) {
    return Elements(hlo.shape()) <= 1;
  }
  if (hlo.opcode() == HloOpcode::kBroadcast ||
      hlo.opcode() == HloOpcode::kIota) {
    return bytes <= 8;
  }
  return bytes <= std::max(kFreeBytes, operand_bytes) &&
         Steps(hlo) <= kMaxSteps;
}

// Adds a constant, or a tuple of constants.
HloInstruction* AddConstant(HloComputation* computation, Literal literal,
                            const HloInstruction& hlo) {
  if (!literal.shape().IsTuple()) {
    auto constant = HloInstruction::CreateConstant(std::move(literal));
    constant->set_metadata(hlo.metadata());
    return computation->AddInstruction(std::move(constant));
  }
  HloInstruction::InstructionVector elements;
  for (Literal& element : literal.DecomposeTuple()) {
    elements.push_back(AddConstant(computation, std::move(element), hlo));
  }
  return computation->AddInstruction(HloInstruction::CreateTuple(elements));
}

}  // namespace

absl::StatusOr<bool> ConstantFolding::RunImpl(HloModule* module) {
  HloEvaluator evaluator(kMaxLoopIterations);
  bool changed = false;
  double steps = 0;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (computation->IsFusionComputation()) continue;
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (!IsCandidate(*hlo) || steps > kMaxStepsOfModule) continue;
      steps += Steps(*hlo);
      Literal value;
      if (!evaluator.TryEvaluate(
              hlo, &value,
              /*recursively_evaluate_nonconstant_operands=*/true)) {
        continue;
      }
      HloInstruction* constant =
          AddConstant(computation, std::move(value), *hlo);
      module->set_is_scheduled(false);
      TF_RETURN_IF_ERROR(computation->ReplaceInstruction(hlo, constant));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
