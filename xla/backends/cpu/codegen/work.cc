// Families of code, items and costs.
#include "xla/backends/cpu/codegen/work.h"

#include <algorithm>
#include <optional>

#include "xla/backends/cpu/codegen/folds/reduction_plan.h"
#include "xla/backends/cpu/codegen/folds/scan_plan.h"
#include "xla/backends/cpu/codegen/folds/scatter_plan.h"
#include "xla/backends/cpu/codegen/loop_emitter.h"
#include "xla/backends/cpu/codegen/tiles/tile_plan.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/in_place.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla::cpu {
namespace {

const HloInstruction* ThroughBitcasts(const HloInstruction* value) {
  while (value->opcode() == HloOpcode::kBitcast) value = value->operand(0);
  return value;
}

CodeFamily FamilyOfRoot(const HloInstruction* root) {
  root = ThroughBitcasts(root);
  if (root->opcode() == HloOpcode::kGetTupleElement) root = root->operand(0);
  switch (root->opcode()) {
    case HloOpcode::kReduce:
      return CodeFamily::kReduction;
    case HloOpcode::kScatter:
      return CodeFamily::kScatter;
    case HloOpcode::kReduceWindow:
      return LinearScanOf(*root).has_value() ? CodeFamily::kScan
                                             : CodeFamily::kLoop;
    default:
      return CodeFamily::kLoop;
  }
}

bool HasLoopCode(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kBroadcast:
    case HloOpcode::kConcatenate:
    case HloOpcode::kCopy:
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kGather:
    case HloOpcode::kIota:
    case HloOpcode::kMap:
    case HloOpcode::kPad:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kReshape:
    case HloOpcode::kReverse:
    case HloOpcode::kSlice:
    case HloOpcode::kTranspose:
    case HloOpcode::kDot:
      return true;
    case HloOpcode::kBitcastConvert:
      return true;
    default:
      return instruction.IsElementwise();
  }
}

}  // namespace

bool HasBodies(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kWhile ||
         instruction.opcode() == HloOpcode::kConditional;
}

bool IsMemoryName(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kBitcast:
    case HloOpcode::kAddDependency:
    case HloOpcode::kAfterAll:
    case HloOpcode::kDomain:
    case HloOpcode::kOptimizationBarrier:
      return true;
    default:
      return false;
  }
}

bool IsCostly(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kDivide:
    case HloOpcode::kRemainder:
    case HloOpcode::kPower:
    case HloOpcode::kExp:
    case HloOpcode::kExpm1:
    case HloOpcode::kLog:
    case HloOpcode::kLog1p:
    case HloOpcode::kLogistic:
    case HloOpcode::kErf:
    case HloOpcode::kCbrt:
    case HloOpcode::kSin:
    case HloOpcode::kCos:
    case HloOpcode::kTan:
    case HloOpcode::kAsin:
    case HloOpcode::kAcos:
    case HloOpcode::kAtan2:
    case HloOpcode::kSinh:
    case HloOpcode::kCosh:
    case HloOpcode::kTanh:
    case HloOpcode::kAsinh:
    case HloOpcode::kAcosh:
    case HloOpcode::kAtanh:
    case HloOpcode::kMap:
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kDot:
      return true;
    default:
      return false;
  }
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
    values.push_back({value.get()});
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

namespace {

// Products that each element of a dot sums.
int64_t ContractedElements(const HloInstruction& dot) {
  return Product(
      dot.operand(0)->shape().dimensions(),
      dot.attrs<DotAttrs>().dot_dimension_numbers.lhs_contracting_dimensions());
}

}  // namespace

bool IsSmallDot(const HloInstruction& instruction) {
  constexpr int64_t kSmall = 4096;  // products
  if (instruction.opcode() != HloOpcode::kDot ||
      instruction.attrs<DotAttrs>().precision_config.algorithm() !=
          PrecisionConfig::ALG_UNSET) {
    return false;  // algorithms round operands
  }
  const int64_t elements = ShapeUtil::ElementsIn(instruction.shape());
  const int64_t products = ContractedElements(instruction);
  return elements <= kSmall && products <= kSmall &&
         elements * products <= kSmall;
}

CodeFamily CodeFamilyOf(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kReduce:
      return CodeFamily::kReduction;
    case HloOpcode::kScatter:
      return CodeFamily::kScatter;
    case HloOpcode::kReduceWindow:
      return FamilyOfRoot(&instruction);
    case HloOpcode::kDynamicUpdateSlice:
      return CodeFamily::kUpdateInPlace;
    case HloOpcode::kFusion:
      break;
    default:
      return HasLoopCode(instruction) ? CodeFamily::kLoop : CodeFamily::kNone;
  }
  // Made for rows or columns, whatever its roots are.
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
      // A scan beside others is computed element by element.
      if (own != CodeFamily::kScan) family = std::max(family, own);
    }
  } else {
    family = FamilyOfRoot(root);
  }
  if (family != CodeFamily::kLoop) return family;
  for (int leaf = 0; leaf < leaves; ++leaf) {
    if (InPlaceOperand(&instruction, leaf).has_value()) {
      return CodeFamily::kUpdateInPlace;
    }
  }
  return family;
}

namespace {

// Nanoseconds to compute an element of each value, on one thread.
double ElementCost(const HloInstruction& value) {
  switch (value.opcode()) {
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
    case HloOpcode::kBitcast:
    case HloOpcode::kReshape:
    case HloOpcode::kBroadcast:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
      return 0;
    case HloOpcode::kTranspose:
      return 0.3;
    case HloOpcode::kGather:
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kSort:
      return 1;
    default:
      return IsCostly(value.opcode()) ? 0.7 : 0.07;
  }
}

}  // namespace

namespace {

double ElementsOf(const HloInstruction& value) {
  double elements = 0;
  for (const Shape* leaf : Leaves(value.shape())) {
    if (leaf->IsArray()) elements += ShapeUtil::ElementsIn(*leaf);
  }
  return elements;
}

double BytesOf(const HloInstruction& value) {
  double bytes = 0;
  for (const Shape* leaf : Leaves(value.shape())) {
    if (!leaf->IsArray()) continue;
    bytes += static_cast<double>(ShapeUtil::ElementsIn(*leaf)) *
             primitive_util::ByteWidth(leaf->element_type());
  }
  return bytes;
}

// Bytes of a fusion's parameter that are read, roughly.
double BytesRead(const HloInstruction& parameter) {
  double read = 0;
  for (const HloInstruction* user : parameter.users()) {
    const bool first =
        user->operand_count() > 0 && user->operand(0) == &parameter;
    switch (user->opcode()) {
      case HloOpcode::kDynamicSlice:
      case HloOpcode::kGather:
      case HloOpcode::kSlice:
        read = std::max(read, BytesOf(first ? *user : parameter));
        break;
      case HloOpcode::kDynamicUpdateSlice:
      case HloOpcode::kScatter:
        // Overwritten where it is.
        if (!first) read = std::max(read, BytesOf(parameter));
        break;
      default:
        return BytesOf(parameter);
    }
  }
  return read;
}

// Elements that are computed of a value; `in_place`: only what an update
// changes.
double ElementsComputed(const HloInstruction& value, bool in_place) {
  switch (value.opcode()) {
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
      return ElementsOf(value) + ElementsOf(*value.operand(0));
    case HloOpcode::kDynamicUpdateSlice:
      return in_place ? ElementsOf(*value.operand(1)) : ElementsOf(value);
    case HloOpcode::kScatter: {
      const int64_t updates = value.operand_count() / 2 + 1;
      return ElementsOf(*value.operand(updates)) +
             (in_place ? 0 : ElementsOf(value));
    }
    default:
      return ElementsOf(value);
  }
}

}  // namespace

Work WorkOf(const HloInstruction& instruction, const TargetInfo& target) {
  Work work;
  double nanoseconds = 0;
  const bool in_place = InPlaceOperand(&instruction, 0).has_value();
  for (const auto& [value, in_memory] : ValuesOf(instruction)) {
    // What is around an op on its own costs nothing here.
    if (in_memory) continue;
    if (value->opcode() == HloOpcode::kParameter) {
      nanoseconds += BytesRead(*value) * kNanosecondsOfByte;
      continue;
    }
    const double elements = ElementsComputed(*value, in_place);
    nanoseconds += value->opcode() == HloOpcode::kDot
                       ? elements * ContractedElements(*value) * 0.1
                       : elements * ElementCost(*value);
  }
  const CodeFamily family = CodeFamilyOf(instruction);
  std::optional<ReductionPlan> reduction;
  if (family == CodeFamily::kReduction) {
    reduction = PlanReduction(instruction, target);
  }
  if (reduction.has_value()) {
    work.items = reduction->items();
  } else if (family == CodeFamily::kScan) {
    const std::optional<ScanPlan> scan = PlanScan(instruction, target);
    work.items = scan.has_value() ? scan->items() : 0;
  } else if (family == CodeFamily::kScatter) {
    const HloInstruction* scatter = ScatterOf(instruction);
    if (scatter != nullptr) work.items = PlanScatter(*scatter).items();
  } else if (family == CodeFamily::kLoop || family == CodeFamily::kReduction) {
    if (const std::optional<TilePlan> tiles = PlanTiles(instruction, target)) {
      work.items = tiles->items();
    } else if (const Shape* shape = LoopShape(instruction)) {
      work.items = PlanLoop(*shape, ValuesOf(instruction), target).items();
    }
  }
  work.nanoseconds_per_item =
      nanoseconds / std::max<double>(1, static_cast<double>(work.items));
  return work;
}

}  // namespace xla::cpu
