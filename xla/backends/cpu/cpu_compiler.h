// CpuCompiler: HLO to native code for this process's CPU.
#ifndef XLA_BACKENDS_CPU_CPU_COMPILER_H_
#define XLA_BACKENDS_CPU_CPU_COMPILER_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {

struct CpuCompilerOptions {
  // What code is made for, and kernels of libraries are chosen for; must run on
  // the host to be executed. The debug option xla_cpu_max_isa of a module
  // limits it further.
  TargetInfo target = HostTarget();
  // Who runs parts of loops, and devices; both outlive all executables. Null:
  // the calling thread, and threads of each executable's own.
  ParallelRunner* runner = nullptr;
  ThreadPool* pool = nullptr;
};

class CpuCompiler : public Compiler {
 public:
  explicit CpuCompiler(CpuCompilerOptions options = {})
      : options_(std::move(options)) {
    if (options_.runner == nullptr) options_.runner = &inline_runner_;
  }

  absl::string_view name() const override { return "cpu"; }
  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<HloModule> module) override;
  absl::StatusOr<std::unique_ptr<Executable>> Load(
      absl::string_view code, const DebugOptions& debug_options) override;

 private:
  static inline InlineRunner inline_runner_;
  CpuCompilerOptions options_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CPU_COMPILER_H_
