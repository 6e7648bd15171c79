// Plans the lanes, rows and workgroups of a loop from the shapes and ops of its
// values.
#include "xla/backends/cpu/codegen/plans/loop_plan.h"

#include <algorithm>
#include <bit>

#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {
namespace {

// The least elements of a row that are worth a workgroup of their own.
constexpr int64_t kBlockElements = 4096;

// Loops over at least this many elements, with bodies of at most this many
// operations, repay the time to compile their bodies twice.
constexpr int64_t kInterleaveElements = 1 << 18;
constexpr size_t kInterleaveValues = 384;
// Such loops with bodies of at most this many have bodies of their own for
// ranges in which no bounds need be tested.
constexpr size_t kSplitValues = 160;

// The least vectors, times two, in a row that consists of several short ones.
// With fewer, vectors would overlap at its end more than they save.
constexpr int64_t kCrossedHalfVectors = 3;

// The most lanes of a vector that crosses rows: each lane has an address of its
// own.
constexpr int64_t kMaxCrossingLanes = 32;

// The most registers, of halving lengths, that such a vector may be divided
// into so that it consists of whole rows.
constexpr int kMaxRowRegisters = 4;

// The most vectors of a small array that become straight-line code.
constexpr int kMaxStraight = 4;

// An array, or row, of at most this many elements is one vector, of whatever
// length: vectors that overlap would keep a small array on the stack from
// becoming registers.
constexpr int64_t kMaxWholeElements = 16;
// Arrays of at most so many elements have vectors of rows, never ones that
// cross them, and as straight-line code at most so many rows, with at most so
// many steps of contractions in them.
constexpr int64_t kMaxSmallElements = 64;
constexpr int64_t kMaxStraightRows = 8;
constexpr int64_t kMaxStraightSteps = 64;

// Whether the op's code gains from two registers at a time: the code of other
// ops does so already, or is long, with branches or loops.
bool Interleaves(HloOpcode opcode) {
  switch (GetOpDef(opcode).cost_class) {
    case CostClass::kApplication:
    case CostClass::kContraction:
    case CostClass::kRemainder:
      return false;
    case CostClass::kTranscendental:
    case CostClass::kLongTranscendental:
      return opcode != HloOpcode::kAtan2 && opcode != HloOpcode::kCos &&
             opcode != HloOpcode::kPower && opcode != HloOpcode::kSin &&
             opcode != HloOpcode::kTan;
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kMovement:
    case CostClass::kArithmetic:
    case CostClass::kDivision:
    case CostClass::kSquareRoot:
    case CostClass::kScatteredUpdate:
    case CostClass::kAlgorithm:
    case CostClass::kDevice:
    case CostClass::kForeign:
      return true;
  }
  return true;
}

// True if the value at a row-major position depends on other values only at
// that position.
bool IsLinear(const HloInstruction& value, const Shape& shape) {
  if (ShapeUtil::ElementsIn(value.shape()) != ShapeUtil::ElementsIn(shape)) {
    return false;
  }
  if (value.opcode() == HloOpcode::kBroadcast) {
    return ShapeUtil::ElementsIn(value.operand(0)->shape()) == 1;
  }
  switch (value.opcode()) {
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
    case HloOpcode::kCopy:
      return true;
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
      return true;
    default:
      return value.IsElementwiseOp();
  }
}

// Returns the lanes, at most `widest`, of vectors that consist of whole blocks
// of the last dimensions: their lanes are then constant distances apart,
// however rows are moved. 0 if there is none. Of the blocks of one dimension,
// of two and so on, the largest one for which there are such vectors counts.
int64_t LanesOfWholeBlocks(absl::Span<const int64_t> dimensions,
                           int64_t widest) {
  int64_t lanes = 0, block = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    block *= dimensions[i];
    if (block > widest) break;
    if (const int64_t all = LanesOfBlocks(block, widest); all > 0) lanes = all;
  }
  return lanes;
}

}  // namespace

int64_t LanesOfBlocks(int64_t block, int64_t widest) {
  int64_t lanes = 0, registers = 1;
  for (int64_t all = RoundDownTo(widest, block); all > 0; all -= block) {
    const int count = std::popcount(static_cast<uint64_t>(all));
    if (count <= kMaxRowRegisters && all * registers > lanes * count) {
      lanes = all;
      registers = count;
    }
  }
  return lanes;
}

int RegisterBytes(PrimitiveType type) {
  switch (type) {
    case PRED:
      return 1;
    case C64:
      return 4;
    case C128:
      return 8;
    default:
      if (primitive_util::IsFloatingPointType(type)) {
        return std::max(4, primitive_util::BitWidth(type) / 8);
      }
      return std::max(1, primitive_util::BitWidth(type) / 8);
  }
}

LoopPlan PlanLoop(const Shape& shape, absl::Span<const LoopValue> values,
                  const TargetInfo& target) {
  LoopPlan plan;
  const int64_t elements = ShapeUtil::ElementsIn(shape);
  bool linear = true;
  int bytes = 1;
  int costly = 0;
  int64_t steps = 1;
  bool has_dot = false;
  bool interleaves = true;
  for (const auto& [value, in_memory] : values) {
    if (!value->shape().IsArray()) continue;
    const int64_t size = ShapeUtil::ElementsIn(value->shape());
    if (size == 1 && elements != 1) continue;
    bytes = std::max(bytes, RegisterBytes(value->shape().element_type()));
    linear = linear && (in_memory ? size == elements : IsLinear(*value, shape));
    if (in_memory) continue;
    if (IsCostly(value->opcode())) ++costly;
    if (value->opcode() == HloOpcode::kDot) {
      has_dot = true;
      steps *= ContractedElements(*value);
    }
    interleaves = interleaves && Interleaves(value->opcode());
  }
  plan.inner = elements;
  plan.linear = linear;
  bool crosses = !linear;
  if (!linear && !shape.dimensions().empty()) {
    int64_t d = static_cast<int64_t>(shape.dimensions().size()) - 1;
    while (d > 0 && shape.dimensions(d) == 1) --d;
    const int64_t width = target.vector_bytes / bytes;
    // Vectors should cross rows that are far shorter than they are, unless each
    // element needs many of a row, or the row has so many that their indices,
    // 64 bits each, would fill several registers.
    if (shape.dimensions(d) * 2 > width ||
        shape.dimensions(d) >= kMaxWholeElements ||
        (has_dot && shape.dimensions(d) > 1) ||
        elements <= std::max(width, kMaxSmallElements)) {
      plan.inner = shape.dimensions(d);
      plan.outer.assign(shape.dimensions().begin(),
                        shape.dimensions().begin() + d);
      plan.rows = elements == 0 ? 0 : elements / plan.inner;
      crosses = false;
    } else {
      // They cross no more of the outer ones than they need to, since what
      // depends on an outer index alone is then the same for all lanes.
      plan.inner = 1;
      while (d >= 0 && 2 * plan.inner < kCrossedHalfVectors * width) {
        plan.inner *= shape.dimensions(d--);
      }
      plan.outer.assign(shape.dimensions().begin(),
                        shape.dimensions().begin() + (d + 1));
      plan.rows = elements == 0 ? 0 : elements / plan.inner;
    }
  }
  // Simple bodies process several registers at a time. So do costly ones that
  // run for long if there are enough registers, since elementary functions are
  // long chains of dependent operations.
  const bool interleave = interleaves && target.num_vector_registers >= 32 &&
                          elements >= kInterleaveElements &&
                          values.size() <= kInterleaveValues;
  const int unroll = costly == 0 && values.size() <= 8                    ? 4
                     : (costly <= 1 && values.size() <= 24) || interleave ? 2
                                                                          : 1;
  int64_t widest = unroll * target.vector_bytes / bytes;
  if (crosses) widest = std::min(widest, kMaxCrossingLanes);
  plan.lanes = static_cast<int>(std::max<int64_t>(
      1, std::min<int64_t>(widest, std::bit_floor(static_cast<uint64_t>(
                                       std::max<int64_t>(plan.inner, 1))))));
  if (crosses && interleaves && costly == 0) {
    const int64_t whole =
        LanesOfWholeBlocks(shape.dimensions().subspan(plan.outer.size()),
                           std::min(widest, plan.inner));
    if (whole > 0) plan.lanes = static_cast<int>(whole);
  }
  const bool small = elements <= kMaxSmallElements;
  if (plan.inner > 0 &&
      ((small && plan.inner <= kMaxWholeElements) ||
       (has_dot && plan.inner * bytes <= target.vector_bytes))) {
    plan.lanes = static_cast<int>(plan.inner);
  }
  if (small && plan.rows <= kMaxStraightRows &&
      plan.rows * steps <= kMaxStraightSteps) {
    plan.straight_rows = static_cast<int>(plan.rows);
  }
  plan.register_width =
      std::max(1, static_cast<int>(target.vector_bytes / bytes));
  plan.register_lanes = std::min(plan.lanes, plan.register_width);
  if (plan.register_lanes < plan.register_width) {
    plan.narrow = plan.outer.empty()
                      ? "the array has fewer elements than a vector register"
                      : "a vector is a part of one row, and rows, along the "
                        "last dimension, have fewer elements than a vector "
                        "register";
  }
  const bool repays =
      elements >= kInterleaveElements && values.size() <= kSplitValues;
  plan.copies = values.size() <= 16             ? 12
                : values.size() <= 64 || repays ? 6
                                                : 2;
  if (costly == 0 && plan.rows == 1) {
    plan.straight = std::clamp<int>(32 / static_cast<int>(values.size() + 1), 1,
                                    kMaxStraight);
  }
  plan.block = plan.inner;
  if (plan.inner >= 2 * kBlockElements) {
    plan.block = RoundDownTo(kBlockElements, int64_t{plan.lanes});
    plan.blocks = CeilOfRatio(plan.inner, plan.block);
  }
  return plan;
}

LoopPlan PlanRows(const Shape& shape, absl::Span<const LoopValue> values,
                  int64_t columns, const TargetInfo& target) {
  LoopPlan plan = PlanLoop(shape, values, target);
  const int64_t last = static_cast<int64_t>(shape.dimensions().size()) - 1;
  plan.inner = shape.dimensions(last);
  plan.outer.assign(shape.dimensions().begin(),
                    shape.dimensions().begin() + last);
  plan.rows = plan.inner == 0 ? 0 : ShapeUtil::ElementsIn(shape) / plan.inner;
  plan.block = columns;
  plan.blocks = CeilOfRatio(plan.inner, columns);
  // Blocks consist of whole vectors, except for the last one, whose rest is not
  // computed by vectors and should be small.
  const int64_t most = plan.blocks == 1 ? plan.inner : columns;
  while (plan.lanes > most || (plan.blocks > 1 && columns % plan.lanes != 0) ||
         (plan.lanes > plan.register_lanes && plan.inner % plan.lanes != 0)) {
    plan.lanes /= 2;
  }
  plan.register_lanes = std::min(plan.register_lanes, plan.lanes);
  return plan;
}

}  // namespace xla::cpu
