// Finds rows, columns and levels.
#include "xla/backends/cpu/analysis/reduction_structure.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/row_indexing.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla::cpu {
namespace {

// Up to so many elements are reduced in place.
constexpr int64_t kShortElements = 4;

bool HasLevel(const HloInstruction& value) {
  return value.def().reduces && !IsShortReduction(value);
}

class Finder {
 public:
  std::optional<ReductionStructure> Find(
      absl::Span<const HloInstruction* const> values,
      absl::Span<const HloInstruction* const> roots) {
    for (const HloInstruction* value : values) {
      if (HasLevel(*value) && !Fits(*value)) return std::nullopt;
    }
    if (first_ == nullptr) return std::nullopt;
    for (const HloInstruction* root : roots) {
      if (!RootFits(*root)) return std::nullopt;
    }
    for (const HloInstruction* value : values) {
      if (!AddToLevels(*value)) return std::nullopt;
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

  // The number of elements of each reduction's result. Values that depend on
  // reductions are seen as so many rows, row r of all of them as what depends
  // on result r alone.
  int64_t results() const { return found_.outer * found_.inner; }

  // Finds the level of the value; false if it depends on reductions in another
  // way than row by row. By columns, a reduction of what depends on others gets
  // a second level, which Find refuses.
  bool AddToLevels(const HloInstruction& value) {
    const bool has_level = HasLevel(value);
    // Reductions with a level have operands of the sizes that say what a row
    // is. Elements of a tuple are looked at where they are used.
    const bool keeps_rows = has_level || value.opcode() == HloOpcode::kTuple ||
                            value.opcode() == HloOpcode::kGetTupleElement;
    size_t level = 0;
    for (int64_t i = 0; i < value.operand_count(); ++i) {
      auto it = levels_before_.find(value.operand(i));
      if (it == levels_before_.end()) continue;
      if (!keeps_rows) {
        if (!KeepsRows(value, i, results())) return false;
        found_.moves_in_rows |=
            ShapeUtil::ElementsIn(value.operand(i)->shape()) > results() &&
            !KeepsLinearIndex(value, i);
      }
      level = std::max(level, it->second);
    }
    if (has_level) {
      if (found_.levels.size() <= level) found_.levels.resize(level + 1);
      found_.levels[level++].push_back(&value);
    }
    if (level > 0) levels_before_[&value] = level;
    return true;
  }

  bool RootFits(const HloInstruction& root) const {
    for (const Shape* leaf : Leaves(root.shape())) {
      if (!leaf->IsArray()) return false;
      const int64_t elements = ShapeUtil::ElementsIn(*leaf);
      const bool of_result = elements == results();
      const bool of_operand =
          found_.by_rows() &&
          ShapeUtil::SameDimensions(*leaf, first_->operand(0)->shape());
      if (!of_result && !of_operand) return false;
    }
    return true;
  }

  const HloInstruction* first_ = nullptr;
  ReductionStructure found_;
  // How many levels must be known before a value that depends on reductions.
  absl::flat_hash_map<const HloInstruction*, size_t> levels_before_;
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
