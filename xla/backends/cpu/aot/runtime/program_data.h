// The data of a program that was compiled ahead of time, as its object file has
// it: the contract between the compiler, which writes it, and the runtime.
#ifndef XLA_BACKENDS_CPU_AOT_RUNTIME_PROGRAM_DATA_H_
#define XLA_BACKENDS_CPU_AOT_RUNTIME_PROGRAM_DATA_H_

#include <cstdint>
#include <type_traits>

#include "xla/backends/cpu/aot/runtime/tessera_aot.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"

namespace xla::cpu::aot {

// Changes with every change of the structs below or of what archives of thunks
// mean (thunk_archive.h).
inline constexpr uint32_t kFormatVersion = 1;

// Memory of a run (BufferAllocation).
struct AllocationData {
  int32_t kind;  // BufferAllocation::Kind
  int32_t leaf;
  int64_t bytes;
  int64_t constant_offset;  // of a constant, in the program's constants
};

// The code and thunks for one instruction set.
struct LevelData {
  const char* features;  // what the processor must have, separated by commas
  int32_t isa;           // the CpuIsa that includes these, or -1
  int32_t vector_level;  // VectorLevel of library kernels
  int32_t num_allocations;
  const AllocationData* allocations;
  const KernelFunction* kernels;
  int64_t num_kernels;
  const char* thunks;  // the archive
  int64_t thunk_bytes;
};

}  // namespace xla::cpu::aot

// All pointers are relocated by the linker or loader.
struct tessera_aot_program {
  char magic[8];  // kMagic
  uint32_t format_version;
  uint32_t api_version;  // TESSERA_AOT_VERSION of the compiler
  const char* name;
  const tessera_aot_array* arguments;
  const tessera_aot_array* results;
  int32_t num_arguments;
  int32_t num_results;
  // Null if they are in a file of their own.
  const char* constants;
  int64_t constants_bytes;
  uint64_t constants_hash;                 // StableBlockHash
  const xla::cpu::aot::LevelData* levels;  // the most demanding first
  int32_t num_levels;
  // The most threads for which the header's number of bytes of the arena
  // suffices, and that number.
  int32_t max_threads;
  int64_t arena_bytes;
};

namespace xla::cpu::aot {

inline constexpr char kMagic[] = "TSRAAOT";  // 8 bytes with its zero
static_assert(sizeof(kMagic) == sizeof(tessera_aot_program::magic));
// The compiler writes them for either architecture.
static_assert(sizeof(void*) == 8 &&
              std::is_standard_layout_v<tessera_aot_program> &&
              std::is_standard_layout_v<LevelData>);

}  // namespace xla::cpu::aot

#endif  // XLA_BACKENDS_CPU_AOT_RUNTIME_PROGRAM_DATA_H_
