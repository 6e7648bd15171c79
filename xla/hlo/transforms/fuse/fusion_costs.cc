// Tables by opcode.
#include "xla/hlo/transforms/fuse/fusion_costs.h"

#include <algorithm>

#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/analysis/reduction_structure.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {
namespace {

// A window of more elements is left to whoever knows its shape.
constexpr int64_t kMaxWindow = 64;
// A scan adds up every element once; as a window of its own length, as often as
// that is long.
constexpr int64_t kMaxScanAsWindow = 8;
// Each element looks into all operands of a concatenation.
constexpr int64_t kMaxConcatenated = 8;
// Beyond this, copying is quicker, and so is compiling.
constexpr int64_t kMaxParts = 32;

// A static array in row-major layout.
bool IsPlainArray(const Shape& shape) {
  return shape.IsArray() && shape.is_static() &&
         LayoutUtil::IsRowMajorOrUnset(shape) && !HasTilesOrPadding(shape);
}

// Arrays only, and nobody but get-tuple-elements reads a tuple.
bool HasPlainResult(const HloInstruction& instruction) {
  if (instruction.shape().IsArray()) return IsPlainArray(instruction.shape());
  if (!instruction.shape().IsTuple() || instruction.IsRoot()) return false;
  for (const Shape& element : instruction.shape().tuple_shapes()) {
    if (!IsPlainArray(element)) return false;
  }
  for (const HloInstruction* user : instruction.users()) {
    if (user->opcode() != HloOpcode::kGetTupleElement ||
        user->HasControlDependencies()) {
      return false;
    }
  }
  return !instruction.shape().tuple_shapes().empty();
}

int64_t WindowElements(const HloInstruction& instruction) {
  int64_t elements = 1;
  for (const WindowDimension& dimension :
       instruction.attrs<ReduceWindowAttrs>().window.dimensions()) {
    if (dimension.size() > kMaxWindow) return kMaxWindow + 1;
    elements = std::min(elements * dimension.size(), kMaxWindow + 1);
  }
  return elements;
}

bool IsInlineWindow(const HloInstruction& instruction) {
  const int64_t elements = WindowElements(instruction);
  return elements <= kMaxWindow && (elements <= kMaxScanAsWindow ||
                                    !LinearScanOf(instruction).has_value());
}

FusionRole MovementRole(const HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kDynamicUpdateSlice) {
    return FusionRole::kUpdate;
  }
  return HasManyParts(instruction) ? FusionRole::kOpaque
                                   : FusionRole::kIndexingMap;
}

FusionRole ReductionRole(const HloInstruction& instruction) {
  if (instruction.def().reduces) {
    return IsShortReduction(instruction) ? FusionRole::kInlineReduce
                                         : FusionRole::kReduce;
  }
  return IsInlineWindow(instruction) ? FusionRole::kInlineReduce
                                     : FusionRole::kOpaque;
}

FusionRole RoleByOpcode(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kReshape:
      return FusionRole::kReshape;
    case HloOpcode::kBitcast:
      return instruction.shape().element_type() ==
                     instruction.operand(0)->shape().element_type()
                 ? FusionRole::kReshape
                 : FusionRole::kOpaque;
    case XLA_MOVEMENT_OPCODES:
      return MovementRole(instruction);
    case HloOpcode::kIota:
      return FusionRole::kIndexingMap;
    case XLA_REDUCTION_OPCODES:
      return ReductionRole(instruction);
    case HloOpcode::kScatter:
      // Of one operand; others have several memories to look after.
      return instruction.operand_count() == 3 ? FusionRole::kScatter
                                              : FusionRole::kOpaque;
    case XLA_ELEMENTWISE_OPCODES:
    case HloOpcode::kCopy:
    case HloOpcode::kMap:
      return FusionRole::kElementwise;
    case HloOpcode::kBitcastConvert: {
      const Shape& from = instruction.operand(0)->shape();
      return ShapeUtil::SameDimensions(from, instruction.shape())
                 ? FusionRole::kElementwise
                 : FusionRole::kOpaque;
    }
    // Values that are there, and what bundles or orders values.
    case HloOpcode::kAddDependency:
    case HloOpcode::kAfterAll:
    case HloOpcode::kConstant:
    case HloOpcode::kDomain:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kParameter:
    case HloOpcode::kTuple:
      return FusionRole::kOpaque;
    // Their computations are fused on their own.
    case XLA_CONTROL_OPCODES:
    case HloOpcode::kFusion:
      return FusionRole::kOpaque;
    // Algorithms and library calls. Passes that run before fusion make other
    // ops of some.
    case HloOpcode::kBatchNormGrad:
    case HloOpcode::kBatchNormInference:
    case HloOpcode::kBatchNormTraining:
    case HloOpcode::kCholesky:
    case HloOpcode::kConvolution:
    case HloOpcode::kCustomCall:
    case HloOpcode::kDot:
    case HloOpcode::kDynamicReshape:
    case HloOpcode::kFft:
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kRaggedDot:
    case HloOpcode::kRng:
    case HloOpcode::kRngBitGenerator:
    case HloOpcode::kScaledDot:
    case HloOpcode::kScan:
    case HloOpcode::kSelectAndScatter:
    case HloOpcode::kSetDimensionSize:
    case HloOpcode::kSort:
    case HloOpcode::kTopK:
    case HloOpcode::kTriangularSolve:
      return FusionRole::kOpaque;
    // The device has a part in them.
    case XLA_DEVICE_OPCODES:
    case HloOpcode::kCopyDone:
    case HloOpcode::kCopyStart:
      return FusionRole::kOpaque;
  }
  return FusionRole::kOpaque;
}

double ArithmeticNanoseconds(const HloInstruction& instruction) {
  const PrimitiveType type = FusionShape(instruction).element_type();
  return primitive_util::IsComplexType(type) ? 0.3 : 0.06;
}

double MovementNanoseconds(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kBroadcast:
    case HloOpcode::kReshape:
    case HloOpcode::kCopy:
    case HloOpcode::kBitcastConvert:
      return 0;
    case HloOpcode::kIota:
    case HloOpcode::kSlice:
      return 0.02;
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kReverse:
      return 0.05;
    case HloOpcode::kPad:
      return 0.1;
    case HloOpcode::kConcatenate:
      return instruction.operand_count() > kMaxConcatenated
                 ? 4
                 : 0.08 * instruction.operand_count();
    case HloOpcode::kGather:
    case HloOpcode::kTranspose:
      return 1;
    default:
      return ArithmeticNanoseconds(instruction);
  }
}

double ApplicationNanoseconds(const HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kMap) return 1;
  return instruction.opcode() == HloOpcode::kReduceWindow
             ? 0.1 * WindowElements(instruction)
             : 0.1;
}

}  // namespace

FusionRole FusionRoleOf(const HloInstruction& instruction) {
  if (instruction.HasControlDependencies() || instruction.HasSideEffect() ||
      !HasPlainResult(instruction)) {
    return FusionRole::kOpaque;
  }
  for (const HloInstruction* operand : instruction.operands()) {
    if (!IsPlainArray(operand->shape())) return FusionRole::kOpaque;
  }
  return RoleByOpcode(instruction);
}

double ElementNanoseconds(const HloInstruction& instruction) {
  switch (instruction.def().cost_class) {
    case CostClass::kMovement:
      return MovementNanoseconds(instruction);
    case CostClass::kDivision:
    case CostClass::kSquareRoot:
      return primitive_util::IsFloatingPointType(
                 instruction.shape().element_type())
                 ? 0.3
                 : 2;
    case CostClass::kRemainder:
    case CostClass::kLongTranscendental:
      return 2;
    case CostClass::kTranscendental:
      return 0.8;
    case CostClass::kApplication:
      return ApplicationNanoseconds(instruction);
    case CostClass::kNone:
      // Others stand outside of fusions.
      return instruction.opcode() == HloOpcode::kBitcast
                 ? 0
                 : ArithmeticNanoseconds(instruction);
    case CostClass::kArithmetic:
    case CostClass::kScatteredUpdate:
      return ArithmeticNanoseconds(instruction);
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
    case CostClass::kDevice:
    case CostClass::kForeign:
      // Never in a fusion, so that what they cost there is of no matter.
      return ArithmeticNanoseconds(instruction);
  }
  return ArithmeticNanoseconds(instruction);
}

const Shape& FusionShape(const HloInstruction& instruction) {
  const Shape* shape = &instruction.shape();
  while (shape->IsTuple() && !shape->tuple_shapes().empty()) {
    shape = &shape->tuple_shapes(0);
  }
  return *shape;
}

int64_t FusionElements(const HloInstruction& instruction) {
  const Shape& shape = FusionShape(instruction);
  return shape.IsArray() ? ShapeUtil::ElementsIn(shape) : 0;
}

double FusionBytes(const HloInstruction& instruction) {
  double bytes = 0;
  for (const Shape* leaf : Leaves(instruction.shape())) {
    if (!leaf->IsArray()) continue;
    bytes += static_cast<double>(ShapeUtil::ElementsIn(*leaf)) *
             std::max(1, primitive_util::BitWidth(leaf->element_type()) / 8);
  }
  return bytes;
}

bool HasManyParts(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kConcatenate &&
         instruction.operand_count() > kMaxParts;
}

bool IsScalarConstant(const HloInstruction& instruction) {
  return instruction.IsConstant() && instruction.shape().IsArray() &&
         ShapeUtil::ElementsIn(instruction.shape()) == 1;
}

}  // namespace xla
