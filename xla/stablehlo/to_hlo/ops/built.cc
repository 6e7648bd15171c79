// Copies the ops of an XlaBuilder into the current computation.
#include "xla/stablehlo/to_hlo/ops/built.h"

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ops/values.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"

namespace xla::stablehlo {
namespace {

// Copies the instructions up to `root`, with `operands` for the parameters.
HloInstruction* CopyInto(OpConversion& conversion, const HloInstruction& root,
                         absl::Span<HloInstruction* const> operands) {
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> copies;
  absl::flat_hash_map<const HloComputation*, HloComputation*> callees;
  Instructions new_operands;
  for (const HloInstruction* next : root.parent()->MakeInstructionPostOrder()) {
    if (next->opcode() == HloOpcode::kParameter) {
      copies[next] = operands[next->parameter_number()];
      continue;
    }
    new_operands.clear();
    for (const HloInstruction* operand : next->operands()) {
      new_operands.push_back(copies.at(operand));
    }
    HloInstruction* copy = conversion.computation().AddInstruction(
        next->CloneWithNewOperands(next->shape(), new_operands));
    for (size_t i = 0; i < next->called_computations().size(); ++i) {
      const HloComputation* callee = next->called_computations()[i];
      HloComputation*& clone = callees[callee];
      if (clone == nullptr) {
        clone = conversion.module().target().DeepCloneComputation(*callee);
      }
      copy->set_called_computation(i, clone);
    }
    copies[next] = copy;
  }
  return copies.at(&root);
}

}  // namespace

absl::StatusOr<HloInstruction*> Build(
    OpConversion& conversion, absl::Span<HloInstruction* const> operands,
    BuiltFunction function) {
  XlaBuilder builder("built");
  std::vector<XlaOp> parameters;
  for (size_t i = 0; i < operands.size(); ++i) {
    parameters.push_back(Parameter(&builder, static_cast<int64_t>(i),
                                   operands[i]->shape(), absl::StrCat("p", i)));
  }
  const XlaOp root = function(parameters);
  if (!builder.first_error().ok()) {
    return conversion.Annotate(builder.first_error());
  }
  absl::StatusOr<HloInstruction*> instruction = builder.LookUp(root);
  if (!instruction.ok()) return conversion.Annotate(instruction.status());
  return CopyInto(conversion, **instruction, operands);
}

absl::Status EmitBuilt(OpConversion& conversion, BuiltFunction function) {
  TF_ASSIGN_OR_RETURN(HloInstruction * root,
                      Build(conversion, conversion.operands(), function));
  conversion.SetResults(root);
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
