// The table of backends.
#include "xla/client/compilers.h"

#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/evaluator/evaluator_compiler.h"
#include "xla/base/status_macros.h"

namespace xla {

std::vector<std::string> CompilerNames() { return {"cpu", "evaluator"}; }

std::string DefaultCompilerName() {
  const char* name = std::getenv("TESSERA_BACKEND");
  return name == nullptr || *name == '\0' ? "cpu" : name;
}

absl::StatusOr<std::unique_ptr<Compiler>> MakeCompiler(
    absl::string_view name, const CompilerThreads& threads,
    const CompilationCacheOptions& cache) {
  if (name == "cpu") {
    cpu::CpuCompilerOptions options;
    TF_ASSIGN_OR_RETURN(options.cache, CompilationCache::Open(cache));
    options.runner = threads.runner;
    options.pool = threads.pool;
    options.tuning =
        cpu::TuningTable::ForProcessor(cpu::TuningTable::ProcessorOf(
            options.target,
            threads.runner == nullptr ? 1 : threads.runner->num_threads()));
    return std::make_unique<cpu::CpuCompiler>(std::move(options));
  }
  if (name == "evaluator") return std::make_unique<EvaluatorCompiler>();
  return absl::InvalidArgumentError(
      absl::StrCat("no backend '", name, "'; there are ",
                   absl::StrJoin(CompilerNames(), ", ")));
}

}  // namespace xla
