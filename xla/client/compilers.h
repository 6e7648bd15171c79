// The backends with which clients compile, by name.
#ifndef XLA_CLIENT_COMPILERS_H_
#define XLA_CLIENT_COMPILERS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cache/compilation_cache.h"
#include "xla/backends/compiler.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/thread_pool.h"

namespace xla {

// The threads that executables run on; borrowed, must outlive them. Null: loops
// run on the calling thread, devices on threads of each executable's own.
struct CompilerThreads {
  ParallelRunner* runner = nullptr;
  ThreadPool* pool = nullptr;
};

// "cpu": native code; "evaluator": the reference evaluator.
std::vector<std::string> CompilerNames();

// The environment variable TESSERA_BACKEND, or "cpu" if it is not set.
std::string DefaultCompilerName();

// Backend "evaluator" compiles nothing and so uses no cache. Errors:
// InvalidArgument for a name that is not one of CompilerNames(); those of
// CompilationCache::Open.
absl::StatusOr<std::unique_ptr<Compiler>> MakeCompiler(
    absl::string_view name, const CompilerThreads& threads = {},
    const CompilationCacheOptions& cache = {});

}  // namespace xla

#endif  // XLA_CLIENT_COMPILERS_H_
