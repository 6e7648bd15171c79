// Matches loops that compare a variable with a bound and add a step to it.
#include "xla/hlo/evaluator/parsed_while_loop.h"

#include <limits>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"
#include "xla/core/comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/constant_finder.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"

namespace xla {
namespace {

// An integer; nullopt if it depends on arguments of the program.
using Integer = std::optional<int64_t>;

// A scalar in a loop: an element of the carry, an integer, or both.
struct Scalar {
  std::optional<int64_t> carry_index;
  std::optional<Integer> value;  // nullopt: it cannot be evaluated

  bool IsDynamic() const { return value.has_value() && !value->has_value(); }
};

std::optional<int64_t> CarryIndexOf(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kGetTupleElement ||
      hlo.operand(0)->opcode() != HloOpcode::kParameter ||
      hlo.operand(0)->parameter_number() != 0) {
    return std::nullopt;
  }
  return hlo.tuple_index();
}

// Numbers that are no integers count as dynamic.
std::optional<Integer> IntegerOf(const HloInstruction& hlo,
                                 ConstantFinder& finder) {
  const absl::StatusOr<std::optional<Value>> value = finder.Find(&hlo);
  if (!value.ok()) return std::nullopt;
  if (!value->has_value() || (*value)->is_tuple()) return Integer();
  const Literal& array = (*value)->array();
  if (array.shape().element_type() != PRED) return array.GetFirstInteger();
  if (array.element_count() == 0) return Integer();
  return Integer(array.GetFirstElement<bool>() ? 1 : 0);
}

const HloInstruction& SkipCopies(const HloInstruction* hlo) {
  while (hlo->opcode() == HloOpcode::kCopy ||
         hlo->opcode() == HloOpcode::kCopyStart ||
         hlo->opcode() == HloOpcode::kCopyDone) {
    hlo = hlo->operand(0);
  }
  return *hlo;
}

Scalar ScalarOf(const HloInstruction* hlo, ConstantFinder& finder) {
  const HloInstruction& source = SkipCopies(hlo);
  return {CarryIndexOf(source), IntegerOf(source, finder)};
}

// Returns the instruction that decides whether the loop goes on: a compare, or
// an element of the carry; null if there is none. Goes on to an operand or to
// the root of a callee, where it has not been, so that it ends.
const HloInstruction* FindTest(const HloInstruction* root) {
  absl::flat_hash_set<const HloComputation*> seen = {root->parent()};
  while (true) {
    root = &SkipCopies(root);
    if (root->opcode() == HloOpcode::kCompare ||
        CarryIndexOf(*root).has_value()) {
      return root;
    }
    if (root->opcode() != HloOpcode::kGetTupleElement) return nullptr;
    const HloInstruction* tuple = root->operand(0);
    if (tuple->opcode() == HloOpcode::kCall && tuple->operand_count() == 1 &&
        tuple->operand(0)->opcode() == HloOpcode::kParameter &&
        tuple->operand(0)->parameter_number() == 0) {
      if (!seen.insert(tuple->to_apply()).second) return nullptr;
      tuple = tuple->to_apply()->root_instruction();
    }
    if (tuple->opcode() != HloOpcode::kTuple) return nullptr;
    root = tuple->operand(root->tuple_index());
  }
}

const HloInstruction* ElementOf(const HloInstruction& tuple, int64_t i) {
  return tuple.opcode() == HloOpcode::kTuple && i < tuple.operand_count()
             ? tuple.operand(i)
             : nullptr;
}

// Returns how much the body adds to element `i` of the carry.
std::optional<Integer> StepOf(const HloComputation& body, int64_t i,
                              ConstantFinder& finder) {
  const HloInstruction* next = ElementOf(*body.root_instruction(), i);
  if (next == nullptr) return std::nullopt;
  next = &SkipCopies(next);
  if (const auto index = CarryIndexOf(*next); index.has_value()) {
    return index == i ? std::optional<Integer>(0) : std::nullopt;
  }
  const bool subtracts = next->opcode() == HloOpcode::kSubtract;
  if (!subtracts && next->opcode() != HloOpcode::kAdd) return std::nullopt;
  if (const auto all = IntegerOf(*next, finder); all && all->has_value()) {
    return std::nullopt;  // the same in each iteration
  }
  const Scalar lhs = ScalarOf(next->operand(0), finder);
  const Scalar rhs = ScalarOf(next->operand(1), finder);
  if (!lhs.value.has_value() || !rhs.value.has_value()) return std::nullopt;
  if (lhs.carry_index == i && lhs.IsDynamic()) {
    const Integer step = *rhs.value;
    if (!subtracts || !step.has_value()) return step;
    if (*step == std::numeric_limits<int64_t>::min()) return std::nullopt;
    return Integer(-*step);
  }
  if (rhs.carry_index == i && rhs.IsDynamic() && !subtracts) return lhs.value;
  return std::nullopt;
}

// Handles a condition that is element `i` of the carry.
std::optional<ParsedWhileLoop> ParseFlagLoop(const HloInstruction& loop,
                                             int64_t i,
                                             ConstantFinder& finder) {
  const HloInstruction* init = ElementOf(*loop.operand(0), i);
  if (init == nullptr) return std::nullopt;
  const std::optional<Integer> first = IntegerOf(*init, finder);
  if (!first.has_value()) return std::nullopt;
  if (!first->has_value()) return kParsedDynamicWhileLoop;
  if (**first == 0) return ParsedWhileLoop{{{0, i, 0, 0, 0}}};
  const HloInstruction* next =
      ElementOf(*loop.while_body()->root_instruction(), i);
  if (next == nullptr) return std::nullopt;
  const std::optional<Integer> second = IntegerOf(*next, finder);
  if (!second.has_value() || !second->has_value()) return std::nullopt;
  if (**second == 0) return ParsedWhileLoop{{{1, i, 0, 1, 1}}};
  return ParsedWhileLoop{{{-1, i, 0, 0, 1}}};
}

bool Holds(ComparisonDirection direction, int64_t lhs, int64_t rhs) {
  switch (direction) {
    case ComparisonDirection::kEq:
      return lhs == rhs;
    case ComparisonDirection::kNe:
      return lhs != rhs;
    case ComparisonDirection::kLt:
      return lhs < rhs;
    case ComparisonDirection::kLe:
      return lhs <= rhs;
    case ComparisonDirection::kGt:
      return lhs > rhs;
    case ComparisonDirection::kGe:
      return lhs >= rhs;
  }
  return false;
}

// Returns how often `step`, which is positive, can be added to `first` while
// it is below `bound`, or at most that.
std::optional<int64_t> CountSteps(absl::int128 first, absl::int128 bound,
                                  absl::int128 step, bool up_to_bound) {
  const absl::int128 distance = bound - first + (up_to_bound ? 1 : 0);
  if (distance <= 0) return 0;
  const absl::int128 count = (distance + step - 1) / step;
  if (count > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(count);
}

// Handles `variable direction bound`, where `loop` lacks the trip count only.
std::optional<ParsedWhileLoop> CountLoop(ComparisonDirection direction,
                                         ParsedStaticWhileLoop loop) {
  const bool or_equal = direction == ComparisonDirection::kLe ||
                        direction == ComparisonDirection::kGe;
  const bool grows = direction == ComparisonDirection::kLt ||
                     direction == ComparisonDirection::kLe;
  if (direction == ComparisonDirection::kEq ||
      direction == ComparisonDirection::kNe || loop.step_size == 0 ||
      (loop.step_size > 0) != grows) {
    return std::nullopt;
  }
  const absl::int128 sign = grows ? 1 : -1;
  const std::optional<int64_t> count =
      CountSteps(sign * loop.induction_var_init_value, sign * loop.loop_bound,
                 sign * loop.step_size, or_equal);
  if (!count.has_value()) return std::nullopt;
  loop.trip_count = *count;
  return ParsedWhileLoop{loop};
}

}  // namespace

std::optional<ParsedWhileLoop> ParseWhileLoop(const HloInstruction& loop,
                                              ConstantFinder& finder) {
  const HloInstruction* test =
      FindTest(loop.while_condition()->root_instruction());
  if (test == nullptr) return std::nullopt;
  if (const auto index = CarryIndexOf(*test); index.has_value()) {
    return ParseFlagLoop(loop, *index, finder);
  }
  Scalar variable = ScalarOf(test->operand(0), finder);
  Scalar bound = ScalarOf(test->operand(1), finder);
  ComparisonDirection direction = test->attrs<CompareAttrs>().direction;
  if (loop.operand(0)->opcode() != HloOpcode::kTuple ||
      !variable.value.has_value() || !bound.value.has_value()) {
    return std::nullopt;
  }
  if (!variable.IsDynamic()) {
    std::swap(variable, bound);
    direction = Comparison(direction, test->operand(0)->shape().element_type())
                    .Converse()
                    .GetDirection();
  }
  if (bound.IsDynamic()) return std::nullopt;  // both are, and may change
  if (!variable.IsDynamic()) {
    return Holds(direction, **variable.value, **bound.value)
               ? ParsedWhileLoop{{{-1, -1, 0, 0, 1}}}
               : ParsedWhileLoop{{{0, -1, 0, 0, 0}}};
  }
  if (!variable.carry_index.has_value()) return std::nullopt;
  const int64_t i = *variable.carry_index;
  const HloInstruction* first = ElementOf(*loop.operand(0), i);
  if (first == nullptr) return std::nullopt;
  const std::optional<Integer> init = IntegerOf(*first, finder);
  const std::optional<Integer> step = StepOf(*loop.while_body(), i, finder);
  if (!init.has_value() || !step.has_value()) return std::nullopt;
  if (!init->has_value() || !step->has_value()) return kParsedDynamicWhileLoop;
  return CountLoop(direction, {-1, i, **init, **step, **bound.value});
}

}  // namespace xla
