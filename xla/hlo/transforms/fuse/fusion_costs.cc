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
#include "xla/hlo/ops/fold/reduction.h"

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

// A static array in descending layout.
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

bool IsFoldedWindow(const HloInstruction& instruction) {
  const int64_t elements = WindowElements(instruction);
  return elements <= kMaxWindow && (elements <= kMaxScanAsWindow ||
                                    !LinearScanOf(instruction).has_value());
}

FusionRole RoleByOpcode(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
      return FusionRole::kOpaque;
    case HloOpcode::kReshape:
      return FusionRole::kReshape;
    case HloOpcode::kBitcast:
      return instruction.shape().element_type() ==
                     instruction.operand(0)->shape().element_type()
                 ? FusionRole::kReshape
                 : FusionRole::kOpaque;
    case HloOpcode::kConcatenate:
      return HasManyParts(instruction) ? FusionRole::kOpaque
                                       : FusionRole::kIndexMap;
    case HloOpcode::kBroadcast:
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kGather:
    case HloOpcode::kIota:
    case HloOpcode::kPad:
    case HloOpcode::kReverse:
    case HloOpcode::kSlice:
    case HloOpcode::kTranspose:
      return FusionRole::kIndexMap;
    case HloOpcode::kReduceWindow:
      return IsFoldedWindow(instruction) ? FusionRole::kFold
                                         : FusionRole::kOpaque;
    case HloOpcode::kReduce:
      return IsShortReduction(instruction) ? FusionRole::kFold
                                           : FusionRole::kReduce;
    case HloOpcode::kDynamicUpdateSlice:
      return FusionRole::kUpdate;
    case HloOpcode::kScatter:
      // Of one operand; others have several memories to look after.
      return instruction.operand_count() == 3 ? FusionRole::kScatter
                                              : FusionRole::kOpaque;
    case HloOpcode::kMap:
      return FusionRole::kElementwise;
    case HloOpcode::kBitcastConvert: {
      const Shape& from = instruction.operand(0)->shape();
      return ShapeUtil::SameDimensions(from, instruction.shape())
                 ? FusionRole::kElementwise
                 : FusionRole::kOpaque;
    }
    default:
      return instruction.IsElementwise() ? FusionRole::kElementwise
                                         : FusionRole::kOpaque;
  }
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
  switch (instruction.opcode()) {
    case HloOpcode::kBroadcast:
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
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
    case HloOpcode::kDivide:
    case HloOpcode::kSqrt:
    case HloOpcode::kRsqrt:
      return primitive_util::IsFloatingPointType(
                 instruction.shape().element_type())
                 ? 0.3
                 : 2;
    case HloOpcode::kRemainder:
    case HloOpcode::kPower:
    case HloOpcode::kAtan2:
    case HloOpcode::kTan:
    case HloOpcode::kErf:
    case HloOpcode::kCbrt:
    case HloOpcode::kAcosh:
    case HloOpcode::kAsinh:
    case HloOpcode::kAtanh:
      return 2;
    case HloOpcode::kAcos:
    case HloOpcode::kAsin:
    case HloOpcode::kCosh:
    case HloOpcode::kSinh:
    case HloOpcode::kExp:
    case HloOpcode::kExpm1:
    case HloOpcode::kLog:
    case HloOpcode::kLog1p:
    case HloOpcode::kTanh:
    case HloOpcode::kSin:
    case HloOpcode::kCos:
    case HloOpcode::kLogistic:
      return 0.8;
    case HloOpcode::kMap:
      return 1;
    case HloOpcode::kReduceWindow:
      return 0.1 * WindowElements(instruction);
    case HloOpcode::kReduce:
      return 0.1;
    default: {
      const PrimitiveType type = FusionShape(instruction).element_type();
      return primitive_util::IsComplexType(type) ? 0.3 : 0.06;
    }
  }
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
