// ThunkEmitterContext: what making thunks needs to know of the rest of the
// compile.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

class ThunkEmitterContext {
 public:
  virtual ~ThunkEmitterContext() = default;

  // Where leaf number `leaf` of the instruction's value is: arrays and tokens
  // of its shape count, in order. Tokens, and arrays that nobody reads, may
  // have none.
  virtual absl::StatusOr<Slice> SliceOf(const HloInstruction& hlo,
                                        int64_t leaf) const = 0;

  // What the plans of library kernels are made for.
  virtual KernelTarget kernel_target() const { return KernelTarget(); }

  // The native form of a computation that NativeComputationOf names.
  virtual absl::StatusOr<KernelFunction> KernelOf(
      const HloComputation& computation) const = 0;

  // That of the instruction that NativeRowsOf gives.
  virtual absl::StatusOr<KernelFunction> RowKernelOf(
      const HloInstruction& rows) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_
