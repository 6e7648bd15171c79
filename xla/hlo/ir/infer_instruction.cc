// Collects the shapes of operands and the signatures of called computations.
#include "xla/hlo/ir/infer_instruction.h"

#include <vector>

#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {

absl::InlinedVector<const Shape*, 4> OperandShapes(
    absl::Span<HloInstruction* const> operands) {
  absl::InlinedVector<const Shape*, 4> shapes;
  for (const HloInstruction* operand : operands) {
    shapes.push_back(&operand->shape());
  }
  return shapes;
}

absl::StatusOr<Shape> InferInstruction(
    const OpDef& def, absl::Span<HloInstruction* const> operands,
    absl::Span<HloComputation* const> computations, const Shape* declared,
    const Attrs& attrs) {
  const auto shapes = OperandShapes(operands);
  std::vector<ProgramShape> signatures;
  signatures.reserve(computations.size());
  for (const HloComputation* computation : computations) {
    signatures.push_back(computation->ComputeProgramShape());
  }
  absl::InlinedVector<const ProgramShape*, 2> signature_pointers;
  for (const ProgramShape& s : signatures) signature_pointers.push_back(&s);
  return InferShape(def, InferArgs{shapes, signature_pointers, declared},
                    attrs.get());
}

std::optional<OpIndexing> IndexingOf(const HloInstruction& instruction) {
  const Shape* result = &instruction.shape();
  while (result->IsTuple() && !result->tuple_shapes().empty()) {
    result = &result->tuple_shapes(0);
  }
  if (!result->IsArray()) return std::nullopt;
  return GetOpIndexing(instruction.def(),
                       {OperandShapes(instruction.operands()), *result},
                       instruction.raw_attrs().get());
}

namespace {

// Whether the computation of a scan works on each element of its slices alone,
// with the same computation.
bool StepsByElements(const HloInstruction& scan) {
  if (!scan.operand(0)->shape().IsArray()) return false;
  const Shape slice = ShapeUtil::DeleteDimension(
      scan.attrs<ScanAttrs>().dimensions[0], scan.operand(0)->shape());
  for (const auto& hlo : scan.to_apply()->instructions()) {
    if (hlo->shape().IsTuple()) {
      if (hlo->opcode() != HloOpcode::kTuple || !hlo->IsRoot()) return false;
      continue;
    }
    if (!hlo->shape().IsArray()) return false;
    if (hlo->shape().rank() == 0) continue;
    const bool is_splat = hlo->opcode() == HloOpcode::kBroadcast &&
                          hlo->operand(0)->shape().rank() == 0;
    if (!ShapeUtil::SameDimensions(hlo->shape(), slice) ||
        !(hlo->opcode() == HloOpcode::kParameter || is_splat ||
          hlo->IsElementwiseOp())) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<DimensionFactors> DimensionFactorsOf(
    const HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kScan &&
      !StepsByElements(instruction)) {
    return std::nullopt;
  }
  return GetDimensionFactors(
      instruction.def(),
      {OperandShapes(instruction.operands()), instruction.shape()},
      instruction.raw_attrs().get());
}

}  // namespace xla
