// ThunkEmitterContext: what the thunk emitter needs to know of the rest of the
// compilation.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/runtime/memory_chunk.h"

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
  // The target for the plan of this product, or fusion around products, which
  // may be tuned (tuning/tuning_table.h).
  virtual KernelTarget TunedTarget(const HloInstruction& product) const {
    return kernel_target();
  }
  // The same for plans that choose an algorithm: the usual target if that would
  // be another one for the tuned target, and so might add up in another order.
  template <typename AlgorithmOf>
  KernelTarget TunedTarget(const HloInstruction& product,
                           const AlgorithmOf& algorithm_of) const {
    const KernelTarget usual = kernel_target();
    const KernelTarget tuned = TunedTarget(product);
    return algorithm_of(tuned) == algorithm_of(usual) ? tuned : usual;
  }

  // Whether thunks are to be written to an archive, which takes facts that need
  // the program then.
  virtual bool writes_thunks() const { return false; }

  // Returns `bytes` bytes that `write` makes of a constant's elements; `form`
  // says how. Each constant is written once in each form. Errors:
  // ResourceExhausted.
  absl::StatusOr<MemoryChunk> ConstantInForm(
      const HloInstruction& constant, absl::string_view form, int64_t bytes,
      absl::FunctionRef<void(const void* elements, void* to)> write) const {
    MemoryChunk& memory = forms_[{&constant, std::string(form)}];
    if (memory.is_null()) {
      TF_ASSIGN_OR_RETURN(memory, MemoryChunk::Allocate(bytes));
      // The reader of an archive writes it, for its own processor.
      if (!writes_thunks()) {
        write(constant.literal().untyped_data(), memory.data());
      }
    }
    return memory;
  }
  // Returns the bytes that ConstantInForm has returned.
  int64_t FormBytes() const {
    int64_t bytes = 0;
    for (const auto& [key, memory] : forms_) bytes += memory.size_bytes();
    return bytes;
  }

  // Returns the thunk that has packed the right operand of `product` when that
  // runs (EmitPackThunk); null if there is none.
  virtual const Thunk* PackThunkOf(const HloInstruction& product) const {
    return nullptr;
  }

  // Returns kernel `number` of those that `hlo` calls (NativeKernelsOf).
  virtual absl::StatusOr<KernelFunction> KernelOf(const HloInstruction& hlo,
                                                  int64_t number) const = 0;
  absl::StatusOr<KernelFunction> KernelOf(const HloInstruction& hlo) const {
    return KernelOf(hlo, 0);
  }

 private:
  mutable absl::flat_hash_map<std::pair<const HloInstruction*, std::string>,
                              MemoryChunk>
      forms_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_THUNK_EMITTER_CONTEXT_H_
