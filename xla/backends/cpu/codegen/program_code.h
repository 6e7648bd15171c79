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
#include "xla/backends/cpu/jit/compiled_code.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/primitive_types.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// A buffer (BufferAssignment::buffer_id) that is on the stack of a sequence,
// and so in registers where accesses allow that.
struct LocalBuffer {
  BufferSlice slice;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  // Whether the slice holds its value before the sequence, and after it.
  bool loaded = false;
  bool stored = false;
};
using LocalBuffers = absl::btree_map<int64_t, LocalBuffer>;

// A function of the form of KernelFunction (thunks/kernel_abi.h).
struct KernelSpec {
  // For dumps.
  std::string name;
  // In order. One alone is split into the workgroups of its Work; several, or
  // control flow, are a sequence that runs whole.
  std::vector<const HloInstruction*> instructions;
  // Of a sequence, by buffer.
  LocalBuffers local_buffers;
  // If not negative, the function gets, in place of the program's allocations,
  // the arrays of its one instruction, which has one array as result: operand i
  // is allocations[i], and the result is written over operand `overwritten`.
  int64_t overwritten = -1;
  // The function gets, in place of the program's allocations, the arrays of
  // its one instruction: the leaves of its operands in their order, and then
  // those of its result.
  bool own_arrays = false;
  // Number of the kernel, one before this, whose function this one runs; -1 if
  // it has one of its own.
  int64_t function_of = -1;
  // Its time to compile matters more than its time to run.
  bool is_cold = false;

  bool is_sequence() const;
};

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
  std::vector<void*> computations;     // in their order
};

// `computations`, of scalars, become functions of the map form
// (thunks/kernel_abi.h). `module` is that of `assignment`, in row-major
// layouts. Kernels are compiled side by side on `threads`.
// `keep_dumps`: as in JitOptions. Errors: Unimplemented for ops without native
// code; those of JitCompiler.
absl::StatusOr<ProgramCode> CompileProgram(
    const HloModule& module, const BufferAssignment& assignment,
    const TargetInfo& target, absl::Span<const KernelSpec> kernels,
    absl::Span<const HloComputation* const> computations,
    const CompileThreads& threads = {}, bool keep_dumps = false);

// The same of code that CompileProgram made once of these kernels and so many
// computations. Errors: those of CompiledCode::Load; NotFound when functions
// are missing.
absl::StatusOr<ProgramCode> LoadProgram(CompiledObjects objects,
                                        const TargetInfo& target,
                                        absl::Span<const KernelSpec> kernels,
                                        size_t computations);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PROGRAM_CODE_H_
