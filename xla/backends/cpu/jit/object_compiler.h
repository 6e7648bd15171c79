// Compiles one LLVM module to one object file.
#ifndef XLA_BACKENDS_CPU_JIT_OBJECT_COMPILER_H_
#define XLA_BACKENDS_CPU_JIT_OBJECT_COMPILER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "xla/backends/cpu/jit/compiled_code.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/jit/target_machine.h"

namespace xla::cpu {

// A module in a context of its own, so that modules compile in parallel.
struct ModuleInput {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  OptLevel level = OptLevel::kHot;
};

// Makes an empty module called `name` for code of `target`. Its values have no
// names unless `keep_names`.
ModuleInput NewModule(const std::string& name, const TargetInfo& target,
                      OptLevel level = OptLevel::kHot, bool keep_names = false);

struct ObjectOptions {
  bool verify = false;     // check the IR before anything else
  bool keep_dump = false;  // the IR before and after, and the assembly
  // Keep a frame pointer in each function, so that debuggers and profilers can
  // follow the stack: there are no unwind tables.
  bool frame_pointers = false;
};

struct ObjectCode {
  std::string bytes;  // an ELF file
  ModuleDump dump;
  CompileTimes times;
};

// Optimizes `input` and compiles it for `target`. Thread safe. Errors: Internal
// for malformed IR, if verification is requested, and for what LLVM cannot
// compile.
absl::StatusOr<ObjectCode> CompileToObject(ModuleInput input,
                                           const TargetInfo& target,
                                           const ObjectOptions& options);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_OBJECT_COMPILER_H_
