// ThunkEmitterContext: what the thunk emitter needs to know of the rest of the
// compilation.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

class ThunkEmitterContext {
 public:
  virtual ~ThunkEmitterContext() = default;

  // Returns the slice of leaf number `leaf` of the instruction's value, where
  // leaves are the arrays and tokens of its shape, in order. Tokens, and arrays
  // that nobody reads, may have none.
  virtual absl::StatusOr<Slice> SliceOf(const HloInstruction& hlo,
                                        int64_t leaf) const = 0;

  // The target for which plans of library kernels are made.
  virtual KernelTarget kernel_target() const { return KernelTarget(); }

  // Returns the kernel that `hlo` calls (NativeKernelOf).
  virtual absl::StatusOr<KernelFunction> KernelOf(
      const HloInstruction& hlo) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_
