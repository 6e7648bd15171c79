// HloValue: a value, where in the module it is and what uses it. Sets of values
// for the parts of a result.
#ifndef XLA_HLO_ANALYSIS_VALUES_HLO_VALUE_H_
#define XLA_HLO_ANALYSIS_VALUES_HLO_VALUE_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_tree.h"
#include "xla/hlo/analysis/values/buffer_value.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// A part of an instruction's result.
struct HloPosition {
  HloInstruction* instruction;
  ShapeIndex index;

  const Shape& shape() const;
  // "add.1", or "tuple {1}" for a result that is a tuple.
  std::string ToString() const;

  bool operator==(const HloPosition& other) const {
    return instruction == other.instruction && index == other.index;
  }
  bool operator!=(const HloPosition& other) const { return !(*this == other); }
  // By the instruction's id, then by index.
  bool operator<(const HloPosition& other) const {
    return std::make_tuple(instruction->unique_id(), ShapeIndexView(index)) <
           std::make_tuple(other.instruction->unique_id(),
                           ShapeIndexView(other.index));
  }
  template <typename H>
  friend H AbslHashValue(H h, const HloPosition& position) {
    return H::combine(std::move(h), position.instruction, position.index);
  }
};
std::ostream& operator<<(std::ostream& out, const HloPosition& position);

// An instruction that takes a value, in the part at `operand_index` of one of
// its operands.
struct HloUse {
  HloInstruction* instruction;
  int64_t operand_number;
  ShapeIndex operand_index;

  HloUse() = default;
  HloUse(HloInstruction* instruction, int64_t operand_number,
         ShapeIndex operand_index = {})
      : instruction(instruction),
        operand_number(operand_number),
        operand_index(std::move(operand_index)) {}

  // "add.1, operand 0", with " {1}" behind it if the operand is a tuple.
  std::string ToString() const;

  bool operator==(const HloUse& other) const {
    return instruction == other.instruction &&
           operand_number == other.operand_number &&
           operand_index == other.operand_index;
  }
  bool operator!=(const HloUse& other) const { return !(*this == other); }
  template <typename H>
  friend H AbslHashValue(H h, const HloUse& use) {
    return H::combine(std::move(h), use.instruction, use.operand_index,
                      use.operand_number);
  }
};
std::ostream& operator<<(std::ostream& out, const HloUse& use);

// Not thread safe: the first call of GetUses computes the uses.
class HloValue : public BufferValue {
 public:
  using Positions = absl::InlinedVector<HloPosition, 2>;

  static bool IdLessThan(const HloValue* a, const HloValue* b) {
    return a->id() < b->id();
  }

  // A phi stands where several values meet: at a loop, a conditional, or a
  // parameter of what they call.
  HloValue(Id id, HloInstruction* instruction, const ShapeIndex& index,
           bool is_phi = false);

  // Adds the positions besides the defining one; to be called once (CHECK).
  void SetPositions(absl::Span<const HloPosition> positions);

  bool is_phi() const { return is_phi_; }
  // The position where the value is made, which comes first in positions().
  const HloPosition& defining_position() const { return positions_[0]; }
  HloInstruction* defining_instruction() const {
    return positions_[0].instruction;
  }
  const ShapeIndex& defining_index() const { return positions_[0].index; }
  HloInstruction* instruction() const override {
    return defining_instruction();
  }
  const ShapeIndex& index() const override { return defining_index(); }
  const Shape& shape() const override { return defining_position().shape(); }

  const Positions& positions() const { return positions_; }
  // Instructions that only pass the value on are no uses, except calls, loops
  // and roots.
  absl::Span<const HloUse> GetUses() const;
  // Whether the root of the computation is among the positions; that of the
  // module's entry.
  bool IsRootOf(const HloComputation* computation) const;
  bool live_out_of_module() const { return live_out_of_module_; }

  bool operator==(const HloValue& other) const { return this == &other; }
  bool operator!=(const HloValue& other) const { return this != &other; }

  // "<7 while{1} (phi) @2>".
  std::string ToShortString() const;
  // With positions and uses, one a line.
  std::string ToString(int indent) const;
  std::string ToString() const override { return ToString(0); }

 private:
  std::vector<HloUse> ComputeUses() const;

  Positions positions_;
  mutable std::optional<std::vector<HloUse>> uses_;
  bool is_phi_;
  bool live_out_of_module_ = false;
};
std::ostream& operator<<(std::ostream& out, const HloValue& value);

// Values that may be in one part of a result, by id.
class HloValueSet {
 public:
  HloValueSet() = default;
  explicit HloValueSet(absl::Span<const HloValue* const> values);
  explicit HloValueSet(const absl::flat_hash_set<const HloValue*>& values)
      : HloValueSet(
            std::vector<const HloValue*>(values.begin(), values.end())) {}

  // Return whether the set has changed.
  bool AssignUnionOf(absl::Span<const HloValueSet* const> inputs);
  bool AddValue(const HloValue* value);
  void Clear() { values_.clear(); }

  const std::vector<const HloValue*>& values() const { return values_; }
  std::vector<const HloValue*> TakeValues() { return std::move(values_); }
  // Requires that there is exactly one (CHECK).
  const HloValue& GetUniqueValue() const {
    CHECK_EQ(values_.size(), 1u) << ToString();
    return *values_[0];
  }

  bool operator==(const HloValueSet& other) const;
  bool operator!=(const HloValueSet& other) const { return !(*this == other); }
  std::string ToString() const;

 private:
  std::vector<const HloValue*> values_;
};
std::ostream& operator<<(std::ostream& out, const HloValueSet& value_set);

// The sets of all parts of an instruction's result.
class InstructionValueSet : public ShapeTree<HloValueSet> {
 public:
  explicit InstructionValueSet(const Shape* shape)
      : ShapeTree<HloValueSet>(shape) {}

  // Assign to each part the union of the inputs', which have the same
  // structure, or the set of one part of `input`. Return whether any set has
  // changed.
  bool AssignUnionOf(absl::Span<const InstructionValueSet* const> inputs);
  bool AssignUnionOf(const InstructionValueSet& input,
                     ShapeIndexView input_index);

  // Whether a part may have several values.
  bool IsAmbiguous() const;
  std::string ToString() const;
};
std::ostream& operator<<(std::ostream& out, const InstructionValueSet& set);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_HLO_VALUE_H_
