// Collects the shapes of operands and the signatures of called computations.
#include "xla/hlo/ir/infer_instruction.h"

#include <vector>

#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"

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

std::optional<DimensionFactors> DimensionFactorsOf(
    const HloInstruction& instruction) {
  return GetDimensionFactors(
      instruction.def(),
      {OperandShapes(instruction.operands()), instruction.shape()},
      instruction.raw_attrs().get());
}

}  // namespace xla
