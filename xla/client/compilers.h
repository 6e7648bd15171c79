// The backends that clients compile with, by name.
#ifndef XLA_CLIENT_COMPILERS_H_
#define XLA_CLIENT_COMPILERS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/compiler.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/thread_pool.h"

namespace xla {

// What executables run on; borrowed, and outlives them. Null: the calling
// thread for loops, threads of each executable's own for devices.
struct CompilerThreads {
  ParallelRunner* runner = nullptr;
  ThreadPool* pool = nullptr;
};

// "cpu": native code; "evaluator": the reference, plain loops.
std::vector<std::string> CompilerNames();

// The environment variable TESSERA_BACKEND, else "cpu".
std::string DefaultCompilerName();

// Errors: InvalidArgument for a name that is none of those.
absl::StatusOr<std::unique_ptr<Compiler>> MakeCompiler(
    absl::string_view name, const CompilerThreads& threads = {});

}  // namespace xla

#endif  // XLA_CLIENT_COMPILERS_H_
