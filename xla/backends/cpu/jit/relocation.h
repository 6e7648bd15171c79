// Applies the relocations of x86-64 and aarch64. Does not depend on LLVM.
#ifndef XLA_BACKENDS_CPU_JIT_RELOCATION_H_
#define XLA_BACKENDS_CPU_JIT_RELOCATION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/jit/elf_object.h"

namespace xla::cpu {

// What the linker must provide to resolve a relocation.
enum class RelocationNeed {
  kAddress,  // the symbol's address
  kCall,     // the same, or a nearby stub that jumps there
  kSlot,     // a table slot that holds the address
};
RelocationNeed NeedOf(uint16_t machine, uint32_t type);

// The size of a stub and its alignment, in bytes.
inline constexpr int kStubBytes = 16;

// Writes a stub for `machine` (EM_X86_64, EM_AARCH64) that jumps to `target`.
void WriteStub(uint16_t machine, uint64_t target, uint8_t* stub);

// Resolves a relocation of `type` at `place`, which extends to the end of its
// section and will execute at its current address. `value` is the address of
// the symbol, its stub or its slot. Errors: Internal if the value does not fit;
// Unimplemented for a type that LLVM does not use in the small code model;
// InvalidArgument if the place is too short.
absl::Status Relocate(uint16_t machine, uint32_t type, uint64_t value,
                      int64_t addend, absl::Span<uint8_t> place);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_RELOCATION_H_
