// InstructionComparison: the part of HloInstruction that compares two
// instructions, under XLA's names and rules.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_COMPARISON_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_COMPARISON_H_

#include <functional>

#include "absl/functional/function_ref.h"

namespace xla {

class HloComputation;
class HloInstruction;

// Whether both compute the same value from the same operands: opcode, shape,
// operands, attributes, backend config, called computations. Names, metadata
// and frontend attributes do not matter. As in XLA, two after-alls,
// add-dependencies, infeeds, sends or recvs are never the same.
class InstructionComparison {
 public:
  using SameInstructions =
      absl::FunctionRef<bool(const HloInstruction*, const HloInstruction*)>;
  using SameComputations =
      absl::FunctionRef<bool(const HloComputation*, const HloComputation*)>;

  // Operands and computations are compared by the functions, and are by default
  // the same only if they are the same objects.
  bool Identical(
      const HloInstruction& other,
      SameInstructions eq_operands = std::equal_to<const HloInstruction*>(),
      SameComputations eq_computations = std::equal_to<const HloComputation*>(),
      bool layout_sensitive = true, bool sharding_sensitive = false) const {
    return SameAs(other, eq_operands, eq_computations,
                  {layout_sensitive, sharding_sensitive});
  }
  // The same for binary ops that commute whose operands are swapped.
  bool IdenticalIgnoringCommutativeOperandOrder(
      const HloInstruction& other,
      SameInstructions eq_operands = std::equal_to<const HloInstruction*>(),
      SameComputations eq_computations = std::equal_to<const HloComputation*>(),
      bool layout_sensitive = true, bool sharding_sensitive = false) const {
    return SameAs(other, eq_operands, eq_computations,
                  {layout_sensitive, sharding_sensitive, false, true});
  }
  // The same, if besides both have a channel or none has.
  bool IdenticalIgnoringChannelIdValues(
      const HloInstruction& other,
      SameInstructions eq_operands = std::equal_to<const HloInstruction*>(),
      SameComputations eq_computations = std::equal_to<const HloComputation*>(),
      bool layout_sensitive = true, bool sharding_sensitive = false) const {
    return SameAs(other, eq_operands, eq_computations,
                  {layout_sensitive, sharding_sensitive, true, true});
  }
  // Compares only opcodes, attributes and computations.
  bool SameOp(const HloInstruction& other) const;
  bool equal_result_accuracy(const HloInstruction* other) const;

 protected:
  ~InstructionComparison() = default;

 private:
  struct Rules {
    bool layout_sensitive = true;
    bool sharding_sensitive = false;
    bool ignore_channel_ids = false;
    bool ignore_commutation = false;
  };

  bool SameAs(const HloInstruction& other, SameInstructions eq_operands,
              SameComputations eq_computations, const Rules& rules) const;
  const HloInstruction& self() const;
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_COMPARISON_H_
