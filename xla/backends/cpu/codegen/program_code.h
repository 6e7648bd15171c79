// ProgramCode: the native code of a program, from specifications of its
// functions. No header of LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PROGRAM_CODE_H_
#define XLA_BACKENDS_CPU_CODEGEN_PROGRAM_CODE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
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

// A buffer (BufferAssignment::buffer_id) that is on the stack of a sequence,
// and so in registers where accesses allow that.
struct LocalBuffer {
  BufferAllocation::Slice slice;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  // Whether the slice holds its value before the sequence, and after it.
  bool loaded = false;
  bool stored = false;
};
using LocalBuffers = absl::btree_map<int64_t, LocalBuffer>;

// A kernel: a function of the form of KernelFunction (thunks/kernel_abi.h).
// MakeKernels (planning/kernel_specs.h) makes it complete.
struct KernelSpec {
  // For dumps.
  std::string name;
  // In order. One alone is split into the workgroups of its Work; several, or
  // control flow, are a sequence that runs whole. None: `mapped` says what the
  // kernel does.
  std::vector<const HloInstruction*> instructions;
  // A computation of scalars, one workgroup for each element: element i of the
  // last array becomes its value at element i of the others, which are its
  // parameters.
  const HloComputation* mapped = nullptr;
  // The arrays that it is called with.
  KernelFrame frame;
  // Of a sequence, by buffer.
  LocalBuffers local_buffers;
  // Number of the kernel, one before this, whose function this one runs; -1 if
  // it has one of its own.
  int64_t function_of = -1;
  // Its time to compile matters more than its time to run.
  bool is_cold = false;
};

// Whether instructions that run in one kernel are a sequence: several, or
// control flow.
bool IsSequence(absl::Span<const HloInstruction* const> instructions);

// Who compiles: parallel_for calls the body with 0 to count - 1, as ParallelFor
// of jit_compiler.h; null: the calling thread alone.
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
// side by side on `threads`. `keep_dumps`: as in JitOptions. Errors:
// Unimplemented for ops without native code; those of JitCompiler.
absl::StatusOr<ProgramCode> CompileProgram(
    const HloModule& module, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels,
    const CompileThreads& threads = {}, bool keep_dumps = false);

// The same from code that CompileProgram made of these kernels before. Errors:
// those of CompiledCode::Load; NotFound when functions are missing.
absl::StatusOr<ProgramCode> LoadProgram(
    CompiledObjects objects, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PROGRAM_CODE_H_
