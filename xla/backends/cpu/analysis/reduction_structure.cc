// Finds rows, columns and levels.
#include "xla/backends/cpu/analysis/reduction_structure.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla::cpu {
namespace {

// Up to so many elements are reduced in place.
constexpr int64_t kShortElements = 4;

// How a value depends on the reductions.
enum class Dependence {
  kNone,     // not at all
  kResult,   // it has one element for each of a result
  kOperand,  // it has the dimensions of the operands
  kBroken,   // in another way
};

class Finder {
 public:
  std::optional<ReductionStructure> Find(
      absl::Span<const HloInstruction* const> values,
      absl::Span<const HloInstruction* const> roots) {
    for (const HloInstruction* value : values) {
      if (value->def().reduces && !IsShortReduction(*value) && !Fits(*value)) {
        return std::nullopt;
      }
    }
    if (first_ == nullptr) return std::nullopt;
    for (const HloInstruction* value : values) {
      if (!Classify(*value)) return std::nullopt;
    }
    for (const HloInstruction* root : roots) {
      if (!RootFits(*root)) return std::nullopt;
    }
    if (!found_.by_rows() && found_.levels.size() > 1) return std::nullopt;
    return std::move(found_);
  }

 private:
  // Sets sizes from the first reduction; true if this one has them.
  bool Fits(const HloInstruction& reduce) {
    const Shape& operand = reduce.operand(0)->shape();
    const auto& dimensions = reduce.attrs<ReduceAttrs>().dimensions;
    // The others keep the order of elements, in a loop inside each result.
    if (!MayRegroup(*reduce.to_apply())) return false;
    if (first_ != nullptr) {
      return ShapeUtil::SameDimensions(operand, first_->operand(0)->shape()) &&
             dimensions == first_->attrs<ReduceAttrs>().dimensions;
    }
    first_ = &reduce;
    const int64_t rank = operand.dimensions().size();
    std::vector<bool> is_reduced(rank, false);
    for (int64_t d : dimensions) is_reduced[d] = true;
    int part = 0;
    std::vector<int64_t>* parts[] = {&found_.outer_sizes, &found_.reduced_sizes,
                                     &found_.inner_sizes};
    for (int64_t d = 0; d < rank; ++d) {
      if (is_reduced[d] && part == 0) part = 1;
      if (!is_reduced[d] && part == 1) part = 2;
      if (is_reduced[d] && part == 2) return false;  // not contiguous
      parts[part]->push_back(operand.dimensions(d));
    }
    found_.outer = Product(found_.outer_sizes);
    found_.reduced = Product(found_.reduced_sizes);
    found_.inner = Product(found_.inner_sizes);
    // Columns of size 1 are rows.
    if (found_.inner == 1 && !found_.inner_sizes.empty()) return false;
    return found_.outer * found_.inner > 0 && found_.reduced > 0;
  }

  int LevelOf(const HloInstruction* value) const {
    auto it = level_.find(value);
    return it == level_.end() ? 0 : it->second;
  }

  bool Classify(const HloInstruction& value) {
    Dependence dependence = Dependence::kNone;
    int level = 0;
    for (const HloInstruction* operand : value.operands()) {
      level = std::max(level, LevelOf(operand));
      auto it = dependence_.find(operand);
      if (it == dependence_.end()) continue;
      if (it->second == Dependence::kNone) continue;
      if (dependence == Dependence::kNone) dependence = it->second;
      if (dependence != it->second) dependence = Dependence::kBroken;
    }
    if (value.opcode() == HloOpcode::kTuple) {
      // Roots of several shapes meet here; nobody else may use it then.
      dependence_[&value] = dependence;
      return true;
    }
    dependence = Apply(value, dependence);
    if (dependence == Dependence::kBroken) return false;
    dependence_[&value] = dependence;
    if (value.def().reduces && !IsShortReduction(value)) {
      if (found_.levels.size() <= static_cast<size_t>(level)) {
        found_.levels.resize(level + 1);
      }
      found_.levels[level].push_back(&value);
      ++level;
    }
    level_[&value] = level;
    return true;
  }

  Dependence Apply(const HloInstruction& value, Dependence operands) const {
    if (value.def().reduces && !IsShortReduction(value)) {
      // The operand may be made of earlier results, by rows.
      return operands == Dependence::kResult ? Dependence::kBroken
                                             : Dependence::kResult;
    }
    if (operands == Dependence::kNone) return operands;
    switch (value.opcode()) {
      case HloOpcode::kGetTupleElement:
        return operands;
      case HloOpcode::kReshape:
      case HloOpcode::kBitcast:
        return operands == Dependence::kResult ? operands : Dependence::kBroken;
      case HloOpcode::kBroadcast:
        return operands == Dependence::kResult && found_.by_rows() &&
                       IsAlongRows(value)
                   ? Dependence::kOperand
                   : Dependence::kBroken;
      default:
        return value.IsElementwise() ? operands : Dependence::kBroken;
    }
  }

  // From one element a row to all of the row: [outer] -> [outer, reduced].
  bool IsAlongRows(const HloInstruction& broadcast) const {
    if (!ShapeUtil::SameDimensions(broadcast.shape(),
                                   first_->operand(0)->shape())) {
      return false;
    }
    const auto& dimensions = broadcast.attrs<BroadcastAttrs>().dimensions;
    if (ShapeUtil::ElementsIn(broadcast.operand(0)->shape()) != found_.outer) {
      return false;
    }
    for (size_t i = 0; i < dimensions.size(); ++i) {
      const int64_t d = dimensions[i];
      if (broadcast.shape().dimensions(d) != 1 &&
          d >= static_cast<int64_t>(found_.outer_sizes.size())) {
        return false;
      }
    }
    return std::is_sorted(dimensions.begin(), dimensions.end());
  }

  bool RootFits(const HloInstruction& root) const {
    for (const Shape* leaf : Leaves(root.shape())) {
      if (!leaf->IsArray()) return false;
      const int64_t elements = ShapeUtil::ElementsIn(*leaf);
      const bool of_result = elements == found_.outer * found_.inner;
      const bool of_operand =
          found_.by_rows() &&
          ShapeUtil::SameDimensions(*leaf, first_->operand(0)->shape());
      if (!of_result && !of_operand) return false;
    }
    return true;
  }

  const HloInstruction* first_ = nullptr;
  ReductionStructure found_;
  absl::flat_hash_map<const HloInstruction*, Dependence> dependence_;
  absl::flat_hash_map<const HloInstruction*, int> level_;
};

}  // namespace

bool IsShortReduction(const HloInstruction& reduce) {
  if (!reduce.def().reduces) return false;
  int64_t elements = 1;
  for (int64_t d : reduce.attrs<ReduceAttrs>().dimensions) {
    const int64_t size = reduce.operand(0)->shape().dimensions(d);
    if (size == 0) return false;
    if (size > kShortElements) return false;
    elements *= size;
  }
  return elements <= kShortElements;
}

std::optional<ReductionStructure> FindReductionStructure(
    absl::Span<const HloInstruction* const> values,
    absl::Span<const HloInstruction* const> roots) {
  return Finder().Find(values, roots);
}

std::optional<ReductionStructure> FindReductionStructure(
    const HloInstruction& instruction) {
  if (instruction.opcode() != HloOpcode::kFusion) {
    return Finder().Find({&instruction}, {&instruction});
  }
  const HloComputation& fused = *instruction.fused_instructions_computation();
  const std::vector<HloInstruction*> order = fused.MakeInstructionPostOrder();
  const std::vector<const HloInstruction*> values(order.begin(), order.end());
  return Finder().Find(values, {fused.root_instruction()});
}

}  // namespace xla::cpu
