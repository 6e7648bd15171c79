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

// Those of the instructions, which they point into.
absl::InlinedVector<const Shape*, 4> OperandShapes(
    absl::Span<HloInstruction* const> operands);

// InferShape of an instruction with those operands and called computations.
// `declared` is its shape, for ops that take part of it from there.
absl::StatusOr<Shape> InferInstruction(
    const OpDef& def, absl::Span<HloInstruction* const> operands,
    absl::Span<HloComputation* const> computations, const Shape* declared,
    const Attrs& attrs);

// GetOpIndexing of a valid instruction. Where it has several results they are
// arrays that share their indices.
std::optional<OpIndexing> IndexingOf(const HloInstruction& instruction);

// GetDimensionFactors of a valid instruction.
std::optional<DimensionFactors> DimensionFactorsOf(
    const HloInstruction& instruction);

}  // namespace xla

#endif  // XLA_HLO_IR_INFER_INSTRUCTION_H_
