// Chooses code families and workgroups.
#include "xla/backends/cpu/codegen/plans/work.h"

#include <algorithm>
#include <optional>

#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/analysis/cpu_opcode_groups.h"
#include "xla/backends/cpu/codegen/plans/column_plan.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/backends/cpu/codegen/plans/reduction_plan.h"
#include "xla/backends/cpu/codegen/plans/scan_plan.h"
#include "xla/backends/cpu/codegen/plans/scatter_plan.h"
#include "xla/backends/cpu/codegen/plans/tile_plan.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/opcode_groups.h"

namespace xla::cpu {
namespace {

const HloInstruction* ThroughBitcasts(const HloInstruction* value) {
  while (value->opcode() == HloOpcode::kBitcast) value = value->operand(0);
  return value;
}

// Returns the family of an op outside a fusion.
CodeFamily FamilyOfOp(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kScatter:
      return CodeFamily::kScatter;
    case XLA_REDUCTION_OPCODES:
      if (hlo.def().reduces) return CodeFamily::kReduction;
      return LinearScanOf(hlo).has_value() ? CodeFamily::kScan
                                           : CodeFamily::kLoop;
    case XLA_MOVEMENT_OPCODES:
      return hlo.opcode() == HloOpcode::kDynamicUpdateSlice
                 ? CodeFamily::kUpdateInPlace
                 : CodeFamily::kLoop;
    // A loop computes small dots.
    case XLA_ELEMENTWISE_OPCODES:
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kCopy:
    case HloOpcode::kDot:
    case HloOpcode::kIota:
    case HloOpcode::kMap:
    case HloOpcode::kReshape:
      return CodeFamily::kLoop;
    // A fusion has the family of its roots (CodeFamilyOf).
    case HloOpcode::kFusion:
      return CodeFamily::kNone;
    // These only name, bundle or order values in memory.
    case XLA_NO_CODE_OPCODES:
      return CodeFamily::kNone;
    // The computations of these have code of their own.
    case XLA_CONTROL_OPCODES:
      return CodeFamily::kNone;
    // The library runs these (thunk_emitter/library_ops.cc).
    case XLA_DEVICE_OPCODES:
    case XLA_CPU_LIBRARY_OPCODES:
      return CodeFamily::kNone;
    // Passes make other ops of them.
    case XLA_CPU_EXPANDED_OPCODES:
      return CodeFamily::kNone;
  }
  return CodeFamily::kNone;
}

CodeFamily FamilyOfRoot(const HloInstruction* root) {
  root = ThroughBitcasts(root);
  if (root->opcode() == HloOpcode::kGetTupleElement) root = root->operand(0);
  const CodeFamily family = FamilyOfOp(*root);
  switch (family) {
    case CodeFamily::kReduction:
    case CodeFamily::kScatter:
    case CodeFamily::kScan:
      return family;
    case CodeFamily::kNone:
    case CodeFamily::kLoop:
    case CodeFamily::kUpdateInPlace:
      // Whether an update is in place depends on the fusion's operands too.
      return CodeFamily::kLoop;
  }
  return CodeFamily::kLoop;
}

}  // namespace

bool HasBodies(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kWhile ||
         instruction.opcode() == HloOpcode::kConditional;
}

bool IsMemoryName(HloOpcode opcode) {
  return GetOpDef(opcode).cost_class == CostClass::kNone;
}

bool IsCostly(HloOpcode opcode) {
  switch (GetOpDef(opcode).cost_class) {
    case CostClass::kDivision:
    case CostClass::kRemainder:
    case CostClass::kTranscendental:
    case CostClass::kLongTranscendental:
    case CostClass::kApplication:
      return true;
    case CostClass::kContraction:
      // The library runs the others, or passes make dots of them.
      return opcode == HloOpcode::kDot;
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kMovement:
    case CostClass::kArithmetic:
    case CostClass::kSquareRoot:
    case CostClass::kScatteredUpdate:
    case CostClass::kAlgorithm:
    case CostClass::kDevice:
    case CostClass::kForeign:
      return false;
  }
  return false;
}

std::vector<LoopValue> ValuesOf(const HloInstruction& instruction) {
  std::vector<LoopValue> values;
  if (instruction.opcode() != HloOpcode::kFusion) {
    values.push_back({&instruction});
    for (const HloInstruction* operand : instruction.operands()) {
      if (operand->shape().IsArray()) {
        values.push_back({operand, /*in_memory=*/true});
      }
    }
    return values;
  }
  for (const auto& value :
       instruction.fused_instructions_computation()->instructions()) {
    values.push_back({value});
  }
  return values;
}

const Shape* LoopShape(const HloInstruction& instruction) {
  const std::vector<const Shape*> leaves = Leaves(instruction.shape());
  if (leaves.empty()) return nullptr;
  for (const Shape* leaf : leaves) {
    if (!leaf->IsArray() || !ShapeUtil::SameDimensions(*leaf, *leaves[0])) {
      return nullptr;
    }
  }
  return leaves[0];
}

int64_t ContractedElements(const HloInstruction& dot) {
  return Product(
      dot.operand(0)->shape().dimensions(),
      dot.attrs<DotAttrs>().dot_dimension_numbers.lhs_contracting_dimensions());
}

// Whether a dot multiplies rows by a matrix so small that it stays in registers
// and the first cache: a library would spend more on packing than on products.
bool HasTinyRightOperand(const HloInstruction& dot) {
  constexpr int64_t kMostSide = 16;
  constexpr int64_t kMostElements = 128;
  const Shape& left = dot.operand(0)->shape();
  const Shape& right = dot.operand(1)->shape();
  const PrimitiveType type = dot.shape().element_type();
  const DotDimensionNumbers& numbers =
      dot.attrs<DotAttrs>().dot_dimension_numbers;
  return (type == F32 || type == F64) && left.element_type() == type &&
         right.element_type() == type && left.dimensions().size() == 2 &&
         right.dimensions().size() == 2 &&
         numbers.lhs_contracting_dimensions().size() == 1 &&
         numbers.lhs_contracting_dimensions(0) == 1 &&
         numbers.rhs_contracting_dimensions(0) == 0 &&
         right.dimensions(0) <= kMostSide && right.dimensions(1) <= kMostSide &&
         right.dimensions(1) > 1 &&
         ShapeUtil::ElementsIn(right) <= kMostElements;
}

bool IsSmallDot(const HloInstruction& instruction) {
  constexpr int64_t kSmall = 4096;  // products
  if (instruction.opcode() != HloOpcode::kDot ||
      instruction.attrs<DotAttrs>().precision_config.algorithm() !=
          PrecisionConfig::ALG_UNSET) {
    return false;  // algorithms round operands
  }
  if (HasTinyRightOperand(instruction)) return true;
  const int64_t elements = ShapeUtil::ElementsIn(instruction.shape());
  const int64_t products = ContractedElements(instruction);
  return elements <= kSmall && products <= kSmall &&
         elements * products <= kSmall;
}

CodeFamily CodeFamilyOf(const HloInstruction& instruction) {
  if (instruction.opcode() != HloOpcode::kFusion) {
    return FamilyOfOp(instruction);
  }
  // The code is that for rows or columns, whatever the roots are.
  if (instruction.attrs<FusionAttrs>().kind == FusionKind::kInput) {
    return CodeFamily::kReduction;
  }
  if (instruction.attrs<FusionAttrs>().kind == FusionKind::kCustom) {
    return CodeFamily::kNone;  // blocks of rows, a library's
  }
  const int leaves = LeafCount(instruction.shape());
  const HloInstruction* root =
      instruction.fused_instructions_computation()->root_instruction();
  CodeFamily family = CodeFamily::kLoop;
  if (root->opcode() == HloOpcode::kTuple) {
    for (const HloInstruction* element : root->operands()) {
      const CodeFamily own = FamilyOfRoot(element);
      // A scan beside other roots is computed element by element.
      if (own != CodeFamily::kScan) family = std::max(family, own);
    }
  } else {
    family = FamilyOfRoot(root);
  }
  if (family != CodeFamily::kLoop) return family;
  for (int leaf = 0; leaf < leaves; ++leaf) {
    if (CpuAliasInfo().MustAlias(instruction, leaf).has_value()) {
      return CodeFamily::kUpdateInPlace;
    }
  }
  return family;
}

Work WorkOf(const HloInstruction& instruction, const TargetInfo& target) {
  return WorkOf(instruction, target,
                CpuCostModel(target).CodeCost(instruction).nanoseconds);
}

Work WorkOf(const HloInstruction& instruction, const TargetInfo& target,
            double nanoseconds) {
  Work work;
  const CodeFamily family = CodeFamilyOf(instruction);
  std::optional<ReductionPlan> reduction;
  if (family == CodeFamily::kReduction) {
    reduction = PlanReduction(instruction, target);
  }
  if (reduction.has_value()) {
    work.workgroups = reduction->workgroups();
  } else if (family == CodeFamily::kScan) {
    const std::optional<ScanPlan> scan = PlanScan(instruction, target);
    work.workgroups = scan.has_value() ? scan->workgroups() : 0;
  } else if (family == CodeFamily::kScatter) {
    const HloInstruction* scatter = ScatterOf(instruction);
    if (scatter != nullptr)
      work.workgroups = PlanScatter(*scatter).workgroups();
  } else if (family == CodeFamily::kLoop || family == CodeFamily::kReduction) {
    if (const std::optional<TilePlan> tiles = PlanTiles(instruction, target)) {
      work.workgroups = tiles->workgroups();
    } else if (const std::optional<ColumnPlan> columns =
                   PlanColumns(instruction, target)) {
      work.workgroups = columns->workgroups();
    } else if (const Shape* shape = LoopShape(instruction)) {
      work.workgroups =
          PlanLoop(*shape, ValuesOf(instruction), target).workgroups();
    }
  }
  work.nanoseconds_per_workgroup =
      nanoseconds / std::max<double>(1, static_cast<double>(work.workgroups));
  return work;
}

}  // namespace xla::cpu
