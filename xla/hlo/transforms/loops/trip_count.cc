// Numbers are 128 bits wide here, so that nothing overflows.
#include "xla/hlo/transforms/loops/trip_count.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/numeric/int128.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"

namespace xla {
namespace {

using Wide = absl::int128;

// SequenceOf ignores starts, steps and offsets beyond this, so that sums over
// all iterations fit int64.
constexpr int64_t kMaxNumber = int64_t{1} << 40;

// Returns whether `hlo` is an element of the only parameter; sets which one.
bool IsElementOfParameter(const HloInstruction* hlo, int64_t* index) {
  if (hlo->opcode() != HloOpcode::kGetTupleElement ||
      hlo->operand(0)->opcode() != HloOpcode::kParameter) {
    return false;
  }
  *index = hlo->tuple_index();
  return true;
}

std::optional<Wide> ConstantOf(const HloInstruction* hlo) {
  // Copy insertion copies the constants that loops start with.
  while (hlo != nullptr && hlo->opcode() == HloOpcode::kCopy) {
    hlo = hlo->operand(0);
  }
  if (hlo == nullptr || !hlo->IsConstant() ||
      !ShapeUtil::IsScalar(hlo->shape()) || !hlo->shape().IsInteger()) {
    return std::nullopt;
  }
  const PrimitiveType type = hlo->shape().element_type();
  if (primitive_util::IsUnsignedIntegralType(type)) {
    absl::StatusOr<Literal> value = hlo->literal().Convert(U64);
    if (!value.ok()) return std::nullopt;
    return Wide(value->GetFirstElement<uint64_t>());
  }
  absl::StatusOr<Literal> value = hlo->literal().Convert(S64);
  if (!value.ok()) return std::nullopt;
  return Wide(value->GetFirstElement<int64_t>());
}

// Returns the value of a constant in the loop, or of a carry element that is
// always the same constant.
std::optional<Wide> FixedValue(const HloInstruction& loop,
                               const HloInstruction* hlo) {
  int64_t index;
  if (IsElementOfParameter(hlo, &index) && IsInvariant(loop, index)) {
    return ConstantOf(InitialElement(loop, index));
  }
  return ConstantOf(hlo);
}

// Returns how much the body adds to element `index`.
std::optional<Wide> StepOf(const HloInstruction& loop, int64_t index) {
  const HloInstruction* root = loop.while_body()->root_instruction();
  if (root->opcode() != HloOpcode::kTuple) return std::nullopt;
  const HloInstruction* next = root->operand(index);
  const bool subtracts = next->opcode() == HloOpcode::kSubtract;
  if (!subtracts && next->opcode() != HloOpcode::kAdd) return std::nullopt;
  for (int side = 0; side < (subtracts ? 1 : 2); ++side) {
    int64_t from;
    if (!IsElementOfParameter(next->operand(side), &from) || from != index) {
      continue;
    }
    const auto step = FixedValue(loop, next->operand(1 - side));
    if (!step.has_value()) return std::nullopt;
    return subtracts ? -*step : *step;
  }
  return std::nullopt;
}

// Returns the number of values init, init + step, ... before the first one for
// which `direction limit` does not hold; nullopt if there is none.
std::optional<Wide> CountSteps(ComparisonDirection direction, Wide init,
                               Wide step, Wide limit) {
  switch (direction) {
    case ComparisonDirection::kLe:
      return CountSteps(ComparisonDirection::kLt, init, step, limit + 1);
    case ComparisonDirection::kGe:
      return CountSteps(ComparisonDirection::kGt, init, step, limit - 1);
    case ComparisonDirection::kGt:
      return CountSteps(ComparisonDirection::kLt, -init, -step, -limit);
    case ComparisonDirection::kLt:
      if (init >= limit) return Wide(0);
      if (step <= 0) return std::nullopt;
      return (limit - init + step - 1) / step;
    case ComparisonDirection::kNe:
      if (init == limit) return Wide(0);
      if (step == 0 || (limit - init) % step != 0) return std::nullopt;
      if ((limit - init) / step < 0) return std::nullopt;
      return (limit - init) / step;
    case ComparisonDirection::kEq:
      if (init != limit) return Wide(0);
      if (step == 0) return std::nullopt;
      return Wide(1);
  }
  return std::nullopt;
}

// Returns the least and greatest value of an integer type.
std::pair<Wide, Wide> RangeOf(PrimitiveType type) {
  const int width = primitive_util::BitWidth(type);
  if (primitive_util::IsUnsignedIntegralType(type)) {
    return {0, (Wide(1) << width) - 1};
  }
  return {-(Wide(1) << (width - 1)), (Wide(1) << (width - 1)) - 1};
}

std::optional<int64_t> SmallConstant(const HloInstruction* hlo) {
  if (!hlo->IsConstant() || !ShapeUtil::IsScalar(hlo->shape())) {
    return std::nullopt;
  }
  const auto value = hlo->literal().GetIntegralAsS64({});
  if (!value.has_value() || *value > kMaxNumber || *value < -kMaxNumber) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

const HloInstruction* InitialElement(const HloInstruction& loop, int64_t i) {
  const HloInstruction* init = loop.operand(0);
  return init->opcode() == HloOpcode::kTuple ? init->operand(i) : nullptr;
}

bool IsInvariant(const HloInstruction& loop, int64_t i) {
  const HloInstruction* root = loop.while_body()->root_instruction();
  int64_t index;
  return root->opcode() == HloOpcode::kTuple &&
         IsElementOfParameter(root->operand(i), &index) && index == i;
}

std::optional<LoopCounter> FindCounter(const HloInstruction& loop, int64_t i) {
  const auto init = ConstantOf(InitialElement(loop, i));
  const auto step = StepOf(loop, i);
  const auto [least, greatest] = RangeOf(S64);
  if (!init.has_value() || !step.has_value() || *init < least ||
      *init > greatest || *step < least || *step > greatest) {
    return std::nullopt;
  }
  return LoopCounter{static_cast<int64_t>(*init), static_cast<int64_t>(*step)};
}

std::optional<CountedLoop> FindCountedLoop(const HloInstruction& loop) {
  const HloInstruction* test = loop.while_condition()->root_instruction();
  if (test->opcode() != HloOpcode::kCompare) return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    int64_t index;
    if (!IsElementOfParameter(test->operand(side), &index)) continue;
    const PrimitiveType type = test->operand(side)->shape().element_type();
    if (!primitive_util::IsIntegralType(type)) return std::nullopt;
    const auto limit = FixedValue(loop, test->operand(1 - side));
    const auto init = ConstantOf(InitialElement(loop, index));
    const auto step = StepOf(loop, index);
    if (!limit.has_value() || !init.has_value() || !step.has_value()) continue;
    ComparisonDirection direction = test->attrs<CompareAttrs>().direction;
    if (side == 1) {
      direction =
          Comparison(direction, test->operand(0)->shape().element_type())
              .Converse()
              .GetDirection();
    }
    const auto count = CountSteps(direction, *init, *step, *limit);
    if (!count.has_value()) continue;
    const Wide last = *init + *count * *step;
    const auto [least, greatest] = RangeOf(type);
    if (last < least || last > greatest ||
        *count > std::numeric_limits<int64_t>::max() ||
        *init > std::numeric_limits<int64_t>::max()) {
      continue;
    }
    return CountedLoop{index, static_cast<int64_t>(*init),
                       static_cast<int64_t>(*step),
                       static_cast<int64_t>(*count)};
  }
  return std::nullopt;
}

std::optional<IndexSequence> SequenceOf(const CountedLoop& counted,
                                        const HloInstruction* hlo) {
  auto is_counter = [&](const HloInstruction* x) {
    return x->opcode() == HloOpcode::kGetTupleElement &&
           x->operand(0)->opcode() == HloOpcode::kParameter &&
           x->tuple_index() == counted.tuple_index;
  };
  for (const int64_t number : {counted.init, counted.step}) {
    if (number > kMaxNumber || number < -kMaxNumber) return std::nullopt;
  }
  if (is_counter(hlo)) return IndexSequence{counted.init, counted.step};
  const bool subtracts = hlo->opcode() == HloOpcode::kSubtract;
  if (!subtracts && hlo->opcode() != HloOpcode::kAdd) return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    if (!is_counter(hlo->operand(side))) continue;
    const auto c = SmallConstant(hlo->operand(1 - side));
    if (!c.has_value()) continue;
    const IndexSequence sequence =
        !subtracts  ? IndexSequence{counted.init + *c, counted.step}
        : side == 0 ? IndexSequence{counted.init - *c, counted.step}
                    : IndexSequence{*c - counted.init, -counted.step};
    // The counter does not wrap around, but the sum may.
    const auto [least, greatest] = RangeOf(hlo->shape().element_type());
    const Wide first = sequence.first;
    const Wide last = first + Wide(sequence.step) * (counted.trip_count - 1);
    if (std::min(first, last) < least || std::max(first, last) > greatest) {
      return std::nullopt;
    }
    return sequence;
  }
  return std::nullopt;
}

}  // namespace xla
