// Analyses comparators.
#include "xla/backends/cpu/thunk_emitter/sort_order.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "xla/core/comparison.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"

namespace xla::cpu {
namespace {

// A parameter of the comparator, and whether all its zeros and all its NaNs
// were made equal.
struct Side {
  int64_t parameter;
  bool canonical;
  friend bool operator==(const Side&, const Side&) = default;
};

bool IsFloatConstant(const HloInstruction& hlo, bool is_nan) {
  if (hlo.opcode() != HloOpcode::kConstant || !hlo.shape().IsArray() ||
      hlo.shape().rank() != 0) {
    return false;
  }
  const absl::StatusOr<Literal> value = hlo.literal().Convert(F64);
  if (!value.ok()) return false;
  const double number = value->GetFirstElement<double>();
  return is_nan ? std::isnan(number) : number == 0 && !std::signbit(number);
}

// select(x != x, nan, y), or with zero select(x = 0, 0, y): y; else null.
const HloInstruction* WithoutCase(const HloInstruction& hlo, bool is_nan,
                                  const HloInstruction*& subject) {
  if (hlo.opcode() != HloOpcode::kSelect ||
      hlo.operand(0)->opcode() != HloOpcode::kCompare ||
      !IsFloatConstant(*hlo.operand(1), is_nan)) {
    return nullptr;
  }
  const HloInstruction& test = *hlo.operand(0);
  const auto& attrs = test.attrs<CompareAttrs>();
  if (attrs.type.has_value() && *attrs.type != Comparison::Type::kFloat) {
    return nullptr;
  }
  if (is_nan ? attrs.direction != ComparisonDirection::kNe ||
                   test.operand(0) != test.operand(1)
             : attrs.direction != ComparisonDirection::kEq ||
                   !IsFloatConstant(*test.operand(1), /*is_nan=*/false)) {
    return nullptr;
  }
  subject = test.operand(0);
  return hlo.operand(2);
}

std::optional<Side> SideOf(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kParameter) {
    return Side{hlo.parameter_number(), false};
  }
  for (const bool nan_outside : {true, false}) {
    const HloInstruction* outer = nullptr;
    const HloInstruction* inner = nullptr;
    const HloInstruction* middle = WithoutCase(hlo, nan_outside, outer);
    if (middle == nullptr) continue;
    const HloInstruction* innermost = WithoutCase(*middle, !nan_outside, inner);
    // The outer test may look at the number before or after the inner case.
    if (innermost == nullptr || inner != innermost ||
        (outer != innermost && outer != middle) ||
        innermost->opcode() != HloOpcode::kParameter) {
      continue;
    }
    return Side{innermost->parameter_number(), true};
  }
  return std::nullopt;
}

struct KeyComparison {
  SortKey key;
  ComparisonDirection direction;
  friend bool SameKey(const KeyComparison& a, const KeyComparison& b) {
    return a.key.operand == b.key.operand && a.key.order == b.key.order;
  }
};

// A comparison of the two parameters of one operand.
std::optional<KeyComparison> ComparisonOf(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kCompare) return std::nullopt;
  const auto& attrs = hlo.attrs<CompareAttrs>();
  const std::optional<Side> left = SideOf(*hlo.operand(0));
  const std::optional<Side> right = SideOf(*hlo.operand(1));
  if (!left.has_value() || !right.has_value() ||
      left->canonical != right->canonical ||
      left->parameter / 2 != right->parameter / 2 ||
      left->parameter == right->parameter) {
    return std::nullopt;
  }
  const PrimitiveType type = hlo.operand(0)->shape().element_type();
  const bool total = attrs.type == Comparison::Type::kFloatTotalOrder;
  KeyComparison comparison;
  comparison.key.operand = static_cast<int>(left->parameter / 2);
  comparison.direction = attrs.direction;
  if (primitive_util::IsFloatingPointType(type)) {
    comparison.key.order = total && !left->canonical ? SortOrder::kFloatTotal
                                                     : SortOrder::kFloatNanLast;
  } else if (primitive_util::IsIntegralType(type) || type == PRED) {
    comparison.key.order = SortOrder::kInteger;
  } else {
    return std::nullopt;
  }
  if (left->parameter > right->parameter) {
    switch (comparison.direction) {
      case ComparisonDirection::kLt:
        comparison.direction = ComparisonDirection::kGt;
        break;
      case ComparisonDirection::kGt:
        comparison.direction = ComparisonDirection::kLt;
        break;
      case ComparisonDirection::kEq:
      case ComparisonDirection::kNe:
      case ComparisonDirection::kLe:
      case ComparisonDirection::kGe:
        break;
    }
  }
  return comparison;
}

// Appends the key of a strict comparison.
bool AddKey(const KeyComparison& comparison, std::vector<SortKey>& keys) {
  const ComparisonDirection direction = comparison.direction;
  if (direction != ComparisonDirection::kLt &&
      direction != ComparisonDirection::kGt) {
    return false;
  }
  keys.push_back(comparison.key);
  keys.back().descending = direction == ComparisonDirection::kGt;
  return true;
}

// Returns `rest` of x < y or (x = y and rest), whose first half was `first`.
const HloInstruction* RestAfter(const KeyComparison& first,
                                const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kAnd) return nullptr;
  for (int i = 0; i < 2; ++i) {
    const std::optional<KeyComparison> equal = ComparisonOf(*hlo.operand(i));
    if (equal.has_value() && equal->direction == ComparisonDirection::kEq &&
        SameKey(*equal, first)) {
      return hlo.operand(1 - i);
    }
  }
  return nullptr;
}

// Whether `hlo` is the conjunction of x = y for each of `keys`, and of no more.
bool AreEqual(const HloInstruction& hlo,
              const std::vector<KeyComparison>& keys) {
  std::vector<KeyComparison> found;
  std::vector<const HloInstruction*> parts = {&hlo};
  while (!parts.empty()) {
    const HloInstruction* part = parts.back();
    parts.pop_back();
    if (part->opcode() == HloOpcode::kAnd) {
      parts.push_back(part->operand(0));
      parts.push_back(part->operand(1));
      continue;
    }
    const std::optional<KeyComparison> equal = ComparisonOf(*part);
    if (!equal.has_value() || equal->direction != ComparisonDirection::kEq ||
        found.size() == keys.size()) {
      return false;
    }
    found.push_back(*equal);
  }
  return found.size() == keys.size() &&
         std::all_of(keys.begin(), keys.end(), [&](const KeyComparison& key) {
           return std::any_of(
               found.begin(), found.end(),
               [&](const KeyComparison& equal) { return SameKey(equal, key); });
         });
}

// The keys of select(x = y, the next key, select(...)), the least important
// outermost: what XlaBuilder's library makes.
std::optional<std::vector<SortKey>> KeysOfSelects(const HloInstruction& root) {
  std::vector<const HloInstruction*> selects;
  const HloInstruction* first = &root;
  while (first->opcode() == HloOpcode::kSelect) {
    selects.push_back(first);
    first = first->operand(2);
  }
  std::optional<KeyComparison> comparison = ComparisonOf(*first);
  std::vector<KeyComparison> before;
  std::vector<SortKey> keys;
  if (!comparison.has_value() || !AddKey(*comparison, keys)) {
    return std::nullopt;
  }
  for (auto select = selects.rbegin(); select != selects.rend(); ++select) {
    before.push_back(*comparison);
    comparison = ComparisonOf(*(*select)->operand(1));
    if (!comparison.has_value() || !AddKey(*comparison, keys) ||
        !AreEqual(*(*select)->operand(0), before)) {
      return std::nullopt;
    }
  }
  return keys;
}

}  // namespace

std::optional<std::vector<SortKey>> SortKeysOf(
    const HloComputation& comparator) {
  std::vector<SortKey> keys;
  const HloInstruction* at = comparator.root_instruction();
  if (at->opcode() == HloOpcode::kSelect) return KeysOfSelects(*at);
  while (at != nullptr) {
    if (const auto comparison = ComparisonOf(*at)) {
      if (!AddKey(*comparison, keys)) return std::nullopt;
      return keys;
    }
    if (at->opcode() != HloOpcode::kOr) return std::nullopt;
    const HloInstruction* rest = nullptr;
    for (int i = 0; i < 2 && rest == nullptr; ++i) {
      const auto comparison = ComparisonOf(*at->operand(i));
      if (!comparison.has_value()) continue;
      rest = RestAfter(*comparison, *at->operand(1 - i));
      if (rest != nullptr && !AddKey(*comparison, keys)) return std::nullopt;
    }
    at = rest;
  }
  return std::nullopt;
}

}  // namespace xla::cpu
