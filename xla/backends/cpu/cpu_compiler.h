// CpuCompiler: compiles HLO to native code for this process's CPU.
#ifndef XLA_BACKENDS_CPU_CPU_COMPILER_H_
#define XLA_BACKENDS_CPU_CPU_COMPILER_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "xla/backends/cache/compilation_cache.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/tuning/timed_thunk.h"
#include "xla/backends/cpu/tuning/tuning_table.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {

struct CpuCompilerOptions {
  // The target of code and of library kernels; the host must support it to
  // execute the code. A module's debug option xla_cpu_max_isa limits it
  // further.
  TargetInfo target = HostTarget();
  // These run tasks of loops, and devices; both must outlive all executables.
  // If they are null, the calling thread runs loops, and each executable has
  // threads of its own for devices.
  ParallelRunner* runner = nullptr;
  ThreadPool* pool = nullptr;
  // Where compilations look for code first, and keep theirs; null: nowhere.
  // Those that write dumps, whose passes have to run, and those of programs for
  // which MayBeCached (compilation_key.h) is false do not use it.
  std::shared_ptr<CompilationCache> cache = nullptr;
  // Measured choices for plans of kernels; null: none. Compilations that debug
  // options limit to another target than the table's do not use them.
  std::shared_ptr<const TuningTable> tuning = nullptr;
  // If not null, products add their times to it.
  std::shared_ptr<KernelTimes> kernel_times = nullptr;
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
  const CompilationCache* compilation_cache() const override {
    return options_.cache.get();
  }

 private:
  static inline InlineRunner inline_runner_;
  CpuCompilerOptions options_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CPU_COMPILER_H_
