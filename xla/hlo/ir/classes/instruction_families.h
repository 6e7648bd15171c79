// The classes of families of instructions, from which those of single ops in
// hlo_instructions.h derive.
#ifndef XLA_HLO_IR_CLASSES_INSTRUCTION_FAMILIES_H_
#define XLA_HLO_IR_CLASSES_INSTRUCTION_FAMILIES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

// What the class of the ops kOpcodes derives from: an instruction of Base.
template <typename Base, HloOpcode... kOpcodes>
class OpClass : public Base {
 public:
  using Base::Base;
  static constexpr bool HasOpcode(HloOpcode opcode) {
    return ((opcode == kOpcodes) || ...);
  }
  // Cast and DynCast ask this.
  static bool ClassOf(const HloInstruction* hlo) {
    return HasOpcode(hlo->opcode());
  }
};

using HloDimensionsInstruction =
    OpClass<HloInstruction, HloOpcode::kBroadcast, HloOpcode::kConcatenate,
            HloOpcode::kIota, HloOpcode::kReduce, HloOpcode::kReverse,
            HloOpcode::kSort, HloOpcode::kTranspose>;
using HloBatchNormInstruction =
    OpClass<HloInstruction, HloOpcode::kBatchNormTraining,
            HloOpcode::kBatchNormInference, HloOpcode::kBatchNormGrad>;
class HloCallableInstruction
    : public OpClass<HloInstruction, HloOpcode::kFusion, HloOpcode::kCall,
                     HloOpcode::kCustomCall> {
 public:
  using OpClass::OpClass;
  // The only one, which there is (CHECK).
  HloComputation* called_computation() const;
  HloInstruction* called_computation_root() const;
};
class HloDynamicIndexInstruction
    : public OpClass<HloInstruction, HloOpcode::kDynamicSlice,
                     HloOpcode::kDynamicUpdateSlice> {
 public:
  using OpClass::OpClass;
  int64_t first_index_operand_number() const {
    return opcode() == HloOpcode::kDynamicSlice ? 1 : 2;
  }
  absl::Span<HloInstruction* const> index_operands() const {
    return absl::MakeConstSpan(operands())
        .subspan(first_index_operand_number());
  }
  std::vector<Shape> index_shapes() const;
};

}  // namespace xla

#endif  // XLA_HLO_IR_CLASSES_INSTRUCTION_FAMILIES_H_
