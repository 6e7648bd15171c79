// Uses, sets and text of values.
#include "xla/hlo/analysis/values/hlo_value.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

// Whether the op looks at the value at `index` of its operand, instead of only
// passing it on.
bool Looks(const HloInstruction& user, const ShapeIndex& index) {
  switch (user.opcode()) {
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kCopy:
      return index.empty();
    case HloOpcode::kDomain:
    case HloOpcode::kTuple:
      return false;
    default:
      return true;
  }
}

std::string JoinShort(absl::Span<const HloValue* const> values) {
  return absl::StrJoin(values, ", ",
                       [](std::string* out, const HloValue* value) {
                         absl::StrAppend(out, value->ToShortString());
                       });
}

}  // namespace

const Shape& HloPosition::shape() const {
  return ShapeUtil::GetSubshape(instruction->shape(), index);
}

std::string HloPosition::ToString() const {
  if (!instruction->shape().IsTuple()) return instruction->name();
  return absl::StrCat(instruction->name(), " ", index.ToString());
}

std::ostream& operator<<(std::ostream& out, const HloPosition& position) {
  return out << position.ToString();
}

std::string HloUse::ToString() const {
  std::string text =
      absl::StrCat(instruction->name(), ", operand ", operand_number);
  if (instruction->operand(operand_number)->shape().IsTuple()) {
    absl::StrAppend(&text, " ", operand_index.ToString());
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const HloUse& use) {
  return out << use.ToString();
}

HloValue::HloValue(Id id, HloInstruction* instruction, const ShapeIndex& index,
                   bool is_phi)
    : BufferValue(instruction, index, id), is_phi_(is_phi) {
  positions_.push_back({instruction, index});
}

void HloValue::SetPositions(absl::Span<const HloPosition> positions) {
  CHECK_EQ(positions_.size(), 1u) << "the positions were set before";
  positions_.insert(positions_.end(), positions.begin(), positions.end());
  const HloModule* module = defining_instruction()->GetModule();
  live_out_of_module_ =
      module != nullptr && IsRootOf(module->entry_computation());
}

absl::Span<const HloUse> HloValue::GetUses() const {
  if (!uses_.has_value()) uses_ = ComputeUses();
  return *uses_;
}

std::vector<HloUse> HloValue::ComputeUses() const {
  absl::flat_hash_set<const HloInstruction*> roots;
  for (const HloPosition& position : positions_) {
    if (position.instruction->IsRoot()) roots.insert(position.instruction);
  }
  std::vector<HloUse> uses;
  for (const HloPosition& position : positions_) {
    for (HloInstruction* user : position.instruction->users()) {
      if (!Looks(*user, position.index) && !roots.contains(user)) continue;
      for (const int64_t i : user->OperandIndices(position.instruction)) {
        uses.emplace_back(user, i, position.index);
      }
    }
  }
  return uses;
}

bool HloValue::IsRootOf(const HloComputation* computation) const {
  return absl::c_any_of(positions_, [&](const HloPosition& position) {
    return position.instruction->parent() == computation &&
           position.instruction->IsRoot();
  });
}

std::string HloValue::ToShortString() const {
  std::string text = absl::StrCat("<", id(), " ", instruction()->name());
  if (instruction()->shape().IsTuple()) {
    absl::StrAppend(&text, index().ToString());
  }
  if (is_phi()) absl::StrAppend(&text, " (phi)");
  if (has_color()) absl::StrAppend(&text, " @", color());
  return absl::StrCat(text, ">");
}

std::string HloValue::ToString(int indent) const {
  const std::string margin(indent, ' ');
  std::string text =
      absl::StrCat(margin, ToShortString(), "\n", margin, " positions:\n");
  for (const HloPosition& position : positions_) {
    absl::StrAppend(&text, margin, "  ", position.ToString(), "\n");
  }
  absl::StrAppend(&text, margin, " uses:\n");
  for (const HloUse& use : GetUses()) {
    absl::StrAppend(&text, margin, "  ", use.ToString(), "\n");
  }
  return absl::StrCat(text, margin,
                      " from instruction:", instruction()->ToString(), "\n");
}

std::ostream& operator<<(std::ostream& out, const HloValue& value) {
  return out << value.ToShortString();
}

HloValueSet::HloValueSet(absl::Span<const HloValue* const> values)
    : values_(values.begin(), values.end()) {
  absl::c_sort(values_, HloValue::IdLessThan);
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
}

bool HloValueSet::AssignUnionOf(absl::Span<const HloValueSet* const> inputs) {
  std::vector<const HloValue*> all;
  for (const HloValueSet* input : inputs) {
    all.insert(all.end(), input->values_.begin(), input->values_.end());
  }
  HloValueSet united(all);
  if (united == *this) return false;
  *this = std::move(united);
  return true;
}

bool HloValueSet::AddValue(const HloValue* value) {
  const auto it = absl::c_lower_bound(values_, value, HloValue::IdLessThan);
  if (it != values_.end() && *it == value) return false;
  values_.insert(it, value);
  return true;
}

bool HloValueSet::operator==(const HloValueSet& other) const {
  return absl::c_equal(
      values_, other.values_,
      [](const HloValue* a, const HloValue* b) { return a->id() == b->id(); });
}

std::string HloValueSet::ToString() const {
  return absl::StrCat("HloValueSet: ", JoinShort(values_));
}

std::ostream& operator<<(std::ostream& out, const HloValueSet& value_set) {
  return out << value_set.ToString();
}

bool InstructionValueSet::AssignUnionOf(
    absl::Span<const InstructionValueSet* const> inputs) {
  bool changed = false;
  for (auto& [index, set] : *this) {
    std::vector<const HloValueSet*> parts;
    for (const InstructionValueSet* input : inputs) {
      parts.push_back(&input->element(index));
    }
    changed |= set.AssignUnionOf(parts);
  }
  return changed;
}

bool InstructionValueSet::AssignUnionOf(const InstructionValueSet& input,
                                        ShapeIndexView input_index) {
  bool changed = false;
  for (auto& [index, set] : *this) {
    ShapeIndex from(input_index);
    from.insert(from.end(), index.begin(), index.end());
    changed |= set.AssignUnionOf({&input.element(from)});
  }
  return changed;
}

bool InstructionValueSet::IsAmbiguous() const {
  return absl::c_any_of(
      *this, [](const auto& part) { return part.second.values().size() > 1; });
}

std::string InstructionValueSet::ToString() const {
  std::string text = absl::StrCat("InstructionValueSet(",
                                  ShapeUtil::HumanString(shape()), ")\n");
  for (const auto& [index, set] : *this) {
    absl::StrAppend(&text, "  ", index.ToString(), " : ", set.ToString(), "\n");
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const InstructionValueSet& set) {
  return out << set.ToString();
}

}  // namespace xla
