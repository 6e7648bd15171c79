// The rule of scan: its computation takes parts of slices.
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"
#include "xla/hlo/transforms/resharding/resharding.h"

namespace xla {
namespace {

// Gives the arrays of a computation's value the sizes of parts; scalars stay.
void SetPartSizes(absl::Span<const int64_t> sizes, Shape& shape) {
  if (shape.IsTuple()) {
    for (Shape& element : *shape.mutable_tuple_shapes()) {
      SetPartSizes(sizes, element);
    }
  } else if (shape.rank() > 0) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      shape.set_dimensions(static_cast<int>(d), sizes[d]);
    }
  }
}

// The computation is element-wise, as the factors say.
HloComputation* StepOfParts(PartitionedOp& op) {
  const PartitionedArray& input = op.operands[0];
  const Shape part = PartShape(input.shape, input.sharding);
  std::vector<int64_t> sizes(part.dimensions().begin(),
                             part.dimensions().end());
  sizes.erase(sizes.begin() + op.hlo.attrs<ScanAttrs>().dimensions[0]);
  const HloComputation& step = *op.hlo.to_apply();
  HloModule& module = *op.emit.computation()->parent();
  HloComputation* result =
      module.AddEmbeddedComputation(std::make_unique<HloComputation>(
          module.UniqueComputationName(step.name())));
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> copies;
  for (const HloInstruction* hlo : step.MakeInstructionPostOrder()) {
    Shape shape = hlo->shape();
    SetPartSizes(sizes, shape);
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : hlo->operands()) {
      operands.push_back(copies.at(operand));
    }
    copies[hlo] = result->AddInstruction(
        hlo->CloneWithNewOperands(std::move(shape), operands));
  }
  result->set_root_instruction(copies.at(step.root_instruction()));
  return result;
}

absl::StatusOr<HloInstruction*> EmitScan(PartitionedOp& op) {
  HloInstruction* scan = EmitOnParts(op, op.OperandParts());
  scan->ReplaceCalledComputations({StepOfParts(op)});
  return scan;
}

constexpr OpRule kScanRule = {.emit = EmitScan};

}  // namespace

const OpRule& ScanRule() { return kScanRule; }

}  // namespace xla
