// Computes ranges of integers in one walk over each body, in 128-bit numbers,
// so that nothing overflows.
#include "xla/hlo/transforms/loops/induction_variable_simplifier.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/numeric/int128.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/transforms/loops/loop_carry.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Wide = absl::int128;

// The numbers from `min` to `max`.
struct Range {
  Wide min;
  Wide max;
};

Range RangeOfType(PrimitiveType type) {
  const int width = primitive_util::BitWidth(type);
  if (primitive_util::IsUnsignedIntegralType(type)) {
    return {0, (Wide(1) << width) - 1};
  }
  return {-(Wide(1) << (width - 1)), (Wide(1) << (width - 1)) - 1};
}

bool IsInteger(const HloInstruction* hlo) {
  return hlo->shape().IsArray() && ShapeUtil::IsEffectiveScalar(hlo->shape()) &&
         primitive_util::IsIntegralType(hlo->shape().element_type());
}

// Returns the value of `x direction y` if it is always the same.
std::optional<bool> Decide(ComparisonDirection direction, Range x, Range y) {
  switch (direction) {
    case ComparisonDirection::kLt:
      if (x.max < y.min) return true;
      if (x.min >= y.max) return false;
      return std::nullopt;
    case ComparisonDirection::kLe:
      if (x.max <= y.min) return true;
      if (x.min > y.max) return false;
      return std::nullopt;
    case ComparisonDirection::kGt:
      return Decide(ComparisonDirection::kLt, y, x);
    case ComparisonDirection::kGe:
      return Decide(ComparisonDirection::kLe, y, x);
    case ComparisonDirection::kEq:
      if (x.max < y.min || y.max < x.min) return false;
      if (x.min == x.max && y.min == y.max) return true;
      return std::nullopt;
    case ComparisonDirection::kNe: {
      const std::optional<bool> equal = Decide(ComparisonDirection::kEq, x, y);
      if (!equal.has_value()) return std::nullopt;
      return !*equal;
    }
  }
  return std::nullopt;
}

Range Product(Range x, Range y) {
  const Wide corners[] = {x.min * y.min, x.min * y.max, x.max * y.min,
                          x.max * y.max};
  return {*std::min_element(corners, corners + 4),
          *std::max_element(corners, corners + 4)};
}

// Simplifies the body of one loop.
class Body {
 public:
  explicit Body(Hlo loop) : loop_(loop), body_(loop->while_body()) {}

  absl::StatusOr<bool> Run() {
    const std::optional<CountedLoop> counted = FindCountedLoop(*loop_);
    if (!counted.has_value() || counted->trip_count < 1) return false;
    TF_RETURN_IF_ERROR(MergeCounters());
    FindRanges(*counted);
    for (Hlo hlo : body_->MakeInstructionPostOrder()) {
      TF_RETURN_IF_ERROR(Visit(hlo));
    }
    return changed_;
  }

 private:
  // Replaces counters with the same init, step and type by the first.
  absl::Status MergeCounters() {
    std::vector<std::pair<int64_t, LoopCounter>> seen;
    for (int64_t i = 0; i < loop_->shape().tuple_shapes_size(); ++i) {
      const std::optional<LoopCounter> counter = FindCounter(*loop_, i);
      if (!counter.has_value()) continue;
      auto same = std::find_if(seen.begin(), seen.end(), [&](auto& other) {
        return other.second.init == counter->init &&
               other.second.step == counter->step &&
               ShapeUtil::Equal(loop_->shape().tuple_shapes(other.first),
                                loop_->shape().tuple_shapes(i));
      });
      if (same == seen.end()) {
        seen.push_back({i, *counter});
        continue;
      }
      TF_RETURN_IF_ERROR(
          UseElement(body_->parameter_instruction(0), i, same->first));
      TF_RETURN_IF_ERROR(UseElement(
          loop_->while_condition()->parameter_instruction(0), i, same->first));
      TF_RETURN_IF_ERROR(UseElement(loop_, i, same->first));
    }
    return absl::OkStatus();
  }

  // Reads element `to` of `tuple` wherever element `from` is read.
  absl::Status UseElement(Hlo tuple, int64_t from, int64_t to) {
    const std::vector<Hlo> users(tuple->users().begin(), tuple->users().end());
    for (Hlo user : users) {
      if (user->opcode() != HloOpcode::kGetTupleElement ||
          user->tuple_index() != from || user->HasControlDependencies() ||
          user == user->parent()->root_instruction()) {
        continue;
      }
      if (user->users().empty()) continue;
      TF_RETURN_IF_ERROR(
          user->ReplaceAllUsesWith(user->parent()->AddInstruction(
              HloInstruction::CreateGetTupleElement(tuple, to))));
      changed_ = true;
    }
    return absl::OkStatus();
  }

  void FindRanges(const CountedLoop& counted) {
    const Wide iterations = Wide(counted.trip_count) - 1;
    for (int64_t i = 0; i < loop_->shape().tuple_shapes_size(); ++i) {
      const std::optional<LoopCounter> counter = FindCounter(*loop_, i);
      if (!counter.has_value()) continue;
      const Wide last = Wide(counter->init) + iterations * Wide(counter->step);
      const Range range = {std::min<Wide>(counter->init, last),
                           std::max<Wide>(counter->init, last)};
      const Range type =
          RangeOfType(loop_->shape().tuple_shapes(i).element_type());
      if (range.min < type.min || range.max > type.max) continue;
      counters_.insert({i, range});
    }
  }

  absl::Status Visit(Hlo hlo) {
    if (hlo->opcode() == HloOpcode::kCompare) return VisitCompare(hlo);
    if (!IsInteger(hlo)) return absl::OkStatus();
    const std::optional<Range> range = RangeOf(hlo);
    if (!range.has_value()) return absl::OkStatus();
    const Range type = RangeOfType(hlo->shape().element_type());
    if (range->min < type.min || range->max > type.max) {
      return absl::OkStatus();  // it may wrap around
    }
    ranges_[hlo] = *range;
    Hlo same = SameAs(hlo);
    if (same == nullptr || !ShapeUtil::Equal(same->shape(), hlo->shape())) {
      return absl::OkStatus();
    }
    return Replace(hlo, same);
  }

  absl::Status VisitCompare(Hlo hlo) {
    if (!ShapeUtil::IsScalar(hlo->shape())) return absl::OkStatus();
    const std::optional<Range> x = Known(hlo->operand(0));
    const std::optional<Range> y = Known(hlo->operand(1));
    if (!x.has_value() || !y.has_value()) return absl::OkStatus();
    const std::optional<bool> always =
        Decide(hlo->attrs<CompareAttrs>().direction, *x, *y);
    if (!always.has_value()) return absl::OkStatus();
    return Replace(hlo, body_->AddInstruction(HloInstruction::CreateConstant(
                            LiteralUtil::CreateR0<bool>(*always))));
  }

  absl::Status Replace(Hlo hlo, Hlo by) {
    if (hlo->HasControlDependencies()) return absl::OkStatus();
    changed_ = true;
    return hlo->ReplaceAllUsesWith(by);
  }

  std::optional<Range> Known(const HloInstruction* hlo) const {
    auto it = ranges_.find(hlo);
    if (it != ranges_.end()) return it->second;
    return std::nullopt;
  }

  // Returns the range of an integer, in numbers that do not wrap around.
  std::optional<Range> RangeOf(const HloInstruction* hlo) const {
    if (hlo->opcode() == HloOpcode::kConstant) return OfConstant(hlo);
    if (hlo->opcode() == HloOpcode::kGetTupleElement) {
      auto it = counters_.find(hlo->tuple_index());
      if (hlo->operand(0) != body_->parameter_instruction(0) ||
          it == counters_.end()) {
        return std::nullopt;
      }
      return it->second;
    }
    if (hlo->opcode() == HloOpcode::kSelect) {
      if (const HloInstruction* choice = Chosen(hlo)) return Known(choice);
      const std::optional<Range> x = Known(hlo->operand(1));
      const std::optional<Range> y = Known(hlo->operand(2));
      if (!x.has_value() || !y.has_value()) return std::nullopt;
      return Range{std::min(x->min, y->min), std::max(x->max, y->max)};
    }
    std::vector<Range> of;
    for (const HloInstruction* operand : hlo->operands()) {
      const std::optional<Range> range = Known(operand);
      if (!range.has_value()) return std::nullopt;
      of.push_back(*range);
    }
    return OfOperands(hlo->opcode(), of);
  }

  // Returns the operand that a select by a constant takes, or null.
  static Hlo Chosen(const HloInstruction* select) {
    const HloInstruction* by = select->operand(0);
    if (!by->IsConstant() || !ShapeUtil::IsScalar(by->shape())) return nullptr;
    return const_cast<Hlo>(
        select->operand(by->literal().GetFirstElement<bool>() ? 1 : 2));
  }

  static std::optional<Range> OfConstant(const HloInstruction* hlo) {
    const bool is_unsigned =
        primitive_util::IsUnsignedIntegralType(hlo->shape().element_type());
    const absl::StatusOr<Literal> value =
        hlo->literal().Convert(is_unsigned ? U64 : S64);
    if (!value.ok()) return std::nullopt;
    const Wide number = is_unsigned ? Wide(value->GetFirstElement<uint64_t>())
                                    : Wide(value->GetFirstElement<int64_t>());
    return Range{number, number};
  }

  static std::optional<Range> OfOperands(HloOpcode opcode,
                                         const std::vector<Range>& of) {
    // Factors have 64 bits, so that products fit.
    switch (opcode) {
      case HloOpcode::kAdd:
        return Range{of[0].min + of[1].min, of[0].max + of[1].max};
      case HloOpcode::kSubtract:
        return Range{of[0].min - of[1].max, of[0].max - of[1].min};
      case HloOpcode::kMultiply:
        if (of[0].max > std::numeric_limits<int64_t>::max() ||
            of[1].max > std::numeric_limits<int64_t>::max()) {
          return std::nullopt;
        }
        return Product(of[0], of[1]);
      case HloOpcode::kMaximum:
        return Range{std::max(of[0].min, of[1].min),
                     std::max(of[0].max, of[1].max)};
      case HloOpcode::kMinimum:
        return Range{std::min(of[0].min, of[1].min),
                     std::min(of[0].max, of[1].max)};
      case HloOpcode::kClamp:
        return Range{std::min(std::max(of[0].min, of[1].min), of[2].min),
                     std::min(std::max(of[0].max, of[1].max), of[2].max)};
      case HloOpcode::kBitcast:
      case HloOpcode::kConvert:
      case HloOpcode::kCopy:
      case HloOpcode::kReshape:
        return of[0];
      default:
        return std::nullopt;
    }
  }

  // Returns the operand that an op always equals, or null.
  Hlo SameAs(Hlo hlo) const {
    auto known = [&](int i) { return ranges_.at(hlo->operand(i)); };
    switch (hlo->opcode()) {
      case HloOpcode::kSelect:
        return Chosen(hlo);
      case HloOpcode::kMaximum:
      case HloOpcode::kMinimum: {
        const bool maximum = hlo->opcode() == HloOpcode::kMaximum;
        if (known(0).min >= known(1).max) {
          return hlo->mutable_operand(maximum ? 0 : 1);
        }
        if (known(1).min >= known(0).max) {
          return hlo->mutable_operand(maximum ? 1 : 0);
        }
        return nullptr;
      }
      case HloOpcode::kClamp:
        return known(1).min >= known(0).max && known(1).max <= known(2).min
                   ? hlo->mutable_operand(1)
                   : nullptr;
      default:
        return nullptr;
    }
  }

  const Hlo loop_;
  HloComputation* const body_;
  bool changed_ = false;
  absl::flat_hash_map<int64_t, Range> counters_;  // by element
  absl::flat_hash_map<const HloInstruction*, Range> ranges_;
};

}  // namespace

absl::StatusOr<bool> InductionVariableSimplifier::RunImpl(HloModule* module) {
  bool changed = false;
  absl::flat_hash_map<const HloComputation*, int> callers;
  for (const auto& computation : module->computations()) {
    for (const auto& hlo : computation->instructions()) {
      for (const HloComputation* called : hlo->called_computations()) {
        ++callers[called];
      }
    }
  }
  // Collect the loops first: bodies may be cloned.
  std::vector<Hlo> loops;
  for (const auto& computation : module->computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() == HloOpcode::kWhile && hlo->shape().IsTuple() &&
          hlo->while_body()->root_instruction()->opcode() ==
              HloOpcode::kTuple &&
          callers[hlo->while_body()] == 1 &&
          callers[hlo->while_condition()] == 1) {
        loops.push_back(hlo);
      }
    }
  }
  for (Hlo loop : loops) {
    TF_ASSIGN_OR_RETURN(const bool one, Body(loop).Run());
    changed |= one;
  }
  return changed;
}

}  // namespace xla
