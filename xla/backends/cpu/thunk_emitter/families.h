// The functions that make thunks of each family of library ops. Private to
// library_ops.cc.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_FAMILIES_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_FAMILIES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/backends/cpu/thunk_emitter/product_in_fusion.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

using ThunkOr = absl::StatusOr<std::unique_ptr<Thunk>>;

// collectives.cc: the ops, and async-start and async-done of computations that
// are one such op.
ThunkOr EmitCollectiveThunk(const HloInstruction& hlo,
                            const ThunkEmitterContext& context);
ThunkOr EmitCollectiveStartThunk(const HloInstruction& hlo,
                                 const ThunkEmitterContext& context);
ThunkOr EmitCollectiveDoneThunk(const HloInstruction& hlo,
                                const ThunkEmitterContext& context);
// transfers.cc
ThunkOr EmitInfeedThunk(const HloInstruction& hlo,
                        const ThunkEmitterContext& context);
ThunkOr EmitOutfeedThunk(const HloInstruction& hlo,
                         const ThunkEmitterContext& context);
ThunkOr EmitSendThunk(const HloInstruction& hlo,
                      const ThunkEmitterContext& context);
ThunkOr EmitRecvThunk(const HloInstruction& hlo,
                      const ThunkEmitterContext& context);
ThunkOr EmitRecvDoneThunk(const HloInstruction& hlo,
                          const ThunkEmitterContext& context);
// custom_call.cc: API versions before the typed one.
ThunkOr EmitUntypedCallThunk(const HloInstruction& hlo,
                             const ThunkEmitterContext& context);
// ffi_call.cc
ThunkOr EmitTypedCallThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context);
// cholesky.cc
ThunkOr EmitCholeskyThunk(const HloInstruction& hlo,
                          const ThunkEmitterContext& context);
// triangular_solve.cc
ThunkOr EmitTriangularSolveThunk(const HloInstruction& hlo,
                                 const ThunkEmitterContext& context);
// dot.cc
ThunkOr EmitDotThunk(const ProductInFusion& product,
                     const ThunkEmitterContext& context);
// attention.cc
ThunkOr EmitAttentionThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context);
ThunkOr EmitDotInPlaceThunk(const HloInstruction& hlo,
                            const ThunkEmitterContext& context);
// Returns the kernel that the fusion needs.
NativeKernel NativeRowsOf(const HloInstruction& fusion);
// convolution.cc
ThunkOr EmitConvolutionThunk(const ProductInFusion& product,
                             const ThunkEmitterContext& context);
// fft.cc
ThunkOr EmitFftThunk(const HloInstruction& hlo,
                     const ThunkEmitterContext& context);
// sorting.cc
ThunkOr EmitSortThunk(const HloInstruction& hlo,
                      const ThunkEmitterContext& context);
ThunkOr EmitTopKThunk(const HloInstruction& hlo,
                      const ThunkEmitterContext& context);
// Whether a sort needs no native comparator.
bool SortsByKeys(const HloInstruction& hlo);
// concatenate.cc
ThunkOr EmitConcatenateThunk(const HloInstruction& hlo,
                             const ThunkEmitterContext& context);
// sizes.cc
ThunkOr EmitGetDimensionSizeThunk(const HloInstruction& hlo,
                                  const ThunkEmitterContext& context);
ThunkOr EmitSetDimensionSizeThunk(const HloInstruction& hlo,
                                  const ThunkEmitterContext& context);

// Returns the slices of `count` leaves of a value, from number `first` on.
absl::StatusOr<std::vector<Slice>> SlicesOf(const HloInstruction& hlo,
                                            int64_t first, int64_t count,
                                            const ThunkEmitterContext& context);
// Returns the slices of all leaves.
absl::StatusOr<std::vector<Slice>> SlicesOf(const HloInstruction& hlo,
                                            const ThunkEmitterContext& context);
// Errors: Unimplemented, naming the instruction, unless its arrays and those
// of its operands are row-major and static.
absl::Status CheckCanonical(const HloInstruction& hlo);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_FAMILIES_H_
