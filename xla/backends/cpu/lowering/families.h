// How each family of library ops becomes a step. For library_ops.cc alone.
#ifndef XLA_BACKENDS_CPU_LOWERING_FAMILIES_H_
#define XLA_BACKENDS_CPU_LOWERING_FAMILIES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/lowering/lowering_context.h"
#include "xla/backends/cpu/steps/step.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

using StepOr = absl::StatusOr<std::unique_ptr<Step>>;

// collectives.cc: the ops and their start forms.
StepOr LowerCollective(const HloInstruction& hlo,
                       const LoweringContext& context);
// transfers.cc
StepOr LowerInfeed(const HloInstruction& hlo, const LoweringContext& context);
StepOr LowerOutfeed(const HloInstruction& hlo, const LoweringContext& context);
StepOr LowerSend(const HloInstruction& hlo, const LoweringContext& context);
StepOr LowerRecv(const HloInstruction& hlo, const LoweringContext& context);
StepOr LowerRecvDone(const HloInstruction& hlo, const LoweringContext& context);
// custom_call.cc: API versions before the typed one.
StepOr LowerUntypedCall(const HloInstruction& hlo,
                        const LoweringContext& context);
// ffi_call.cc
StepOr LowerTypedCall(const HloInstruction& hlo,
                      const LoweringContext& context);
// factors.cc
StepOr LowerCholesky(const HloInstruction& hlo, const LoweringContext& context);
StepOr LowerTriangularSolve(const HloInstruction& hlo,
                            const LoweringContext& context);
// dot.cc
StepOr LowerDot(const HloInstruction& hlo, const LoweringContext& context);
// row_blocks.cc
StepOr LowerRowBlocks(const HloInstruction& hlo,
                      const LoweringContext& context);
// convolution.cc
StepOr LowerConvolution(const HloInstruction& hlo,
                        const LoweringContext& context);
// fft.cc
StepOr LowerFft(const HloInstruction& hlo, const LoweringContext& context);
// sorting.cc
StepOr LowerSort(const HloInstruction& hlo, const LoweringContext& context);
StepOr LowerTopK(const HloInstruction& hlo, const LoweringContext& context);
// Whether a sort needs no native comparator.
bool SortsByKeys(const HloInstruction& hlo);
// concatenate.cc
StepOr LowerConcatenate(const HloInstruction& hlo,
                        const LoweringContext& context);
// sizes.cc
StepOr LowerGetDimensionSize(const HloInstruction& hlo,
                             const LoweringContext& context);
StepOr LowerSetDimensionSize(const HloInstruction& hlo,
                             const LoweringContext& context);

// Slices of `count` leaves of a value, from number `first` on.
absl::StatusOr<std::vector<Slice>> SlicesOf(const HloInstruction& hlo,
                                            int64_t first, int64_t count,
                                            const LoweringContext& context);
// Of all leaves.
absl::StatusOr<std::vector<Slice>> SlicesOf(const HloInstruction& hlo,
                                            const LoweringContext& context);
// Errors: Unimplemented, naming the instruction, unless its arrays and those
// of its operands are row-major and static.
absl::Status CheckCanonical(const HloInstruction& hlo);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_LOWERING_FAMILIES_H_
