// The shape rules, index relations and dimension factors of ops, asked about
// instructions.
#ifndef XLA_HLO_IR_INFER_INSTRUCTION_H_
#define XLA_HLO_IR_INFER_INSTRUCTION_H_

#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {

// Returns pointers to the shapes of the instructions.
absl::InlinedVector<const Shape*, 4> OperandShapes(
    absl::Span<HloInstruction* const> operands);

// Calls InferShape for an instruction with those operands and called
// computations. `declared` is its declared shape, for ops whose rules take part
// of it.
absl::StatusOr<Shape> InferInstruction(
    const OpDef& def, absl::Span<HloInstruction* const> operands,
    absl::Span<HloComputation* const> computations, const Shape* declared,
    const Attrs& attrs);

// Calls GetOpIndexing for a valid instruction. If it has several results, these
// are arrays that share their indices.
std::optional<OpIndexing> IndexingOf(const HloInstruction& instruction);

// GetDimensionFactors of a valid instruction.
std::optional<DimensionFactors> DimensionFactorsOf(
    const HloInstruction& instruction);

}  // namespace xla

#endif  // XLA_HLO_IR_INFER_INSTRUCTION_H_
