// ProgramCode: the native code of a program, made from specifications of its
// functions. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PROGRAM_CODE_H_
#define XLA_BACKENDS_CPU_CODEGEN_PROGRAM_CODE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/kernel_frame.h"
#include "xla/backends/cpu/jit/compiled_code.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/primitive_types.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/runtime/buffer_allocation.h"

namespace xla::cpu {

// A buffer (BufferAssignment::buffer_id) on the stack of a sequence, which LLVM
// keeps in registers if its accesses allow that.
struct LocalBuffer {
  BufferAllocation::Slice slice;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  // Whether the value is copied from the slice before the sequence, and to it
  // afterwards.
  bool loaded = false;
  bool stored = false;
};
using LocalBuffers = absl::btree_map<int64_t, LocalBuffer>;

// A kernel: a function of type KernelFunction (thunks/kernel_abi.h).
// MakeKernels (planning/kernel_specs.h) fills in all members.
struct KernelSpec {
  // The name in dumps.
  std::string name;
  // The instructions in order. A single one is split into the workgroups of its
  // Work; several, or control flow, are a sequence that runs as a whole. If
  // there are none, `mapped` says what the kernel does.
  std::vector<const HloInstruction*> instructions;
  // A scalar computation, with one workgroup for each element: element i of the
  // last array becomes its value for the elements i of the other arrays, which
  // are its parameters.
  const HloComputation* mapped = nullptr;
  // If not 0, the workgroups of the one instruction, a loop, are not those of
  // its Work but blocks of so many elements of each row.
  int64_t row_columns = 0;
  // The loops of a sequence that may take long, at any depth: they end early,
  // before an iteration, once the run is cancelled.
  absl::flat_hash_set<const HloInstruction*> cancellable_loops;
  // The arrays that it is called with.
  KernelFrame frame;
  // The local buffers of a sequence, by buffer.
  LocalBuffers local_buffers;
  // The number of the earlier kernel whose function this one runs; -1 if it has
  // a function of its own.
  int64_t function_of = -1;
  // Whether its compile time matters more than its run time.
  bool is_cold = false;
};

// Whether instructions that run in one kernel are a sequence: there are
// several, or there is control flow.
bool IsSequence(absl::Span<const HloInstruction* const> instructions);

// The threads that compile: parallel_for calls the body with 0 to count - 1, as
// ParallelFor of jit_compiler.h. If it is null, the calling thread compiles
// alone.
struct CompileThreads {
  int count = 1;
  std::function<void(int64_t count, absl::FunctionRef<void(int64_t)> body)>
      parallel_for = nullptr;
};

struct ProgramCode {
  std::shared_ptr<CompiledCode> code;  // null for a program without any
  std::vector<void*> kernels;          // by spec
};

// `module` is that of the kernels, in row-major layouts. Kernels are compiled
// in parallel on `threads`. `keep_dumps` is as in JitOptions. Errors:
// Unimplemented for ops without native code; those of JitCompiler.
absl::StatusOr<ProgramCode> CompileProgram(
    const HloModule& module, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels,
    const CompileThreads& threads = {}, bool keep_dumps = false);

// Does so without linking: for another process, or another processor than this
// one. The function of kernel number i, or of the one that it shares, is called
// KernelSymbol(i).
absl::StatusOr<CompiledObjects> CompileObjects(
    const HloModule& module, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels,
    const CompileThreads& threads = {});
std::string KernelSymbol(int64_t kernel);

// Loads code that CompileProgram made of these kernels before. Errors: those of
// CompiledCode::Load; NotFound if functions are missing.
absl::StatusOr<ProgramCode> LoadProgram(
    CompiledObjects objects, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PROGRAM_CODE_H_
