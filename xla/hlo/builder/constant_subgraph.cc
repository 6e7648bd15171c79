// XlaBuilder: finds constant ops and builds programs of those alone.
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/builder/builder.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// Returns false for ops whose value does not follow from their operands'
// values, and for those that call computations which may hold such ops.
bool FollowsFromOperands(const HloInstruction& instruction) {
  if (instruction.HasSideEffect() || instruction.def().device_dependent) {
    return false;
  }
  switch (instruction.def().cost_class) {
    case CostClass::kNone:
      return instruction.opcode() != HloOpcode::kParameter &&
             instruction.opcode() != HloOpcode::kAfterAll;
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kForeign:
      return false;
    case CostClass::kMovement:
    case XLA_ELEMENTWISE_COST_CLASSES:
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
    case CostClass::kDevice:
      return true;
  }
  return true;
}

// Returns `root` and what it depends on. A dimension's size depends on nothing.
absl::flat_hash_set<const HloInstruction*> Dependencies(
    const HloInstruction* root) {
  absl::flat_hash_set<const HloInstruction*> reached = {root};
  std::vector<const HloInstruction*> pending = {root};
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    pending.pop_back();
    if (next->opcode() == HloOpcode::kGetDimensionSize) continue;
    for (const HloInstruction* operand : next->operands()) {
      if (reached.insert(operand).second) pending.push_back(operand);
    }
  }
  return reached;
}

// Returns the constant that replaces the size of a dimension.
std::unique_ptr<HloInstruction> SizeConstant(const HloInstruction& size,
                                             bool dynamic_is_minus_one) {
  const int64_t dimension = size.attrs<DimensionSizeAttrs>().dimensions[0];
  const Shape& shape = size.operand(0)->shape();
  int64_t value = shape.dimensions(dimension);
  if (dynamic_is_minus_one && shape.is_dynamic_dimension(dimension)) value = -1;
  return HloInstruction::CreateConstant(
      LiteralUtil::CreateR0<int32_t>(static_cast<int32_t>(value)));
}

}  // namespace

absl::StatusOr<bool> XlaBuilder::IsConstant(XlaOp operand) const {
  TF_RETURN_IF_ERROR(first_error_);
  TF_ASSIGN_OR_RETURN(const HloInstruction* root, LookUp(operand));
  for (const HloInstruction* next : Dependencies(root)) {
    if (!FollowsFromOperands(*next)) return false;
  }
  return true;
}

absl::StatusOr<XlaComputation> XlaBuilder::BuildConstantSubGraph(
    XlaOp root, bool dynamic_dimension_is_minus_one) {
  TF_ASSIGN_OR_RETURN(const HloInstruction* instruction, LookUp(root));
  TF_ASSIGN_OR_RETURN(bool is_constant, IsConstant(root));
  // builder_c8: the root of a constant subgraph is constant.
  if (!is_constant) {
    return RuleError("builder_c8",
                     absl::StrCat(instruction->ToString(),
                                  " depends on a parameter or on a state"));
  }
  const auto needed = Dependencies(instruction);
  HloModule module(name_);
  HloComputation* target =
      module.AddEntryComputation(std::make_unique<HloComputation>(name_));
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> mapped;
  absl::flat_hash_map<const HloComputation*, HloComputation*> computations;
  for (const auto& source : computation_->instructions()) {
    if (!needed.contains(source)) continue;
    if (source->opcode() == HloOpcode::kGetDimensionSize) {
      mapped[source] = target->AddInstruction(
          SizeConstant(*source, dynamic_dimension_is_minus_one));
      continue;
    }
    HloInstruction::InstructionVector operands;
    for (const HloInstruction* operand : source->operands()) {
      operands.push_back(mapped.at(operand));
    }
    auto clone = source->CloneWithNewOperands(source->shape(), operands);
    for (size_t i = 0; i < clone->called_computations().size(); ++i) {
      HloComputation*& copy = computations[clone->called_computations()[i]];
      if (copy == nullptr) {
        copy = module.DeepCloneComputation(*clone->called_computations()[i]);
      }
      clone->set_called_computation(i, copy);
    }
    mapped[source] = target->AddInstruction(std::move(clone));
  }
  target->set_root_instruction(mapped.at(instruction));
  return AsComputation(module.ToProto());
}

}  // namespace xla
