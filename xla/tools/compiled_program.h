// The parts that `run` and `bench` share: a program compiled as the flags say,
// and arguments for it.
#ifndef XLA_TOOLS_COMPILED_PROGRAM_H_
#define XLA_TOOLS_COMPILED_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "xla/backends/compiler.h"
#include "xla/client/compilers.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/runtime/thread_pool.h"

namespace xla::tools {

struct ProgramFlags {
  std::string program;
  std::string inputs;
  std::string backend = DefaultCompilerName();
  std::string dump_to;
  int64_t replicas = 0;  // 0: as many as the module says
  int64_t devices = 0;   // partitions; 0: as many as the module says
  int threads = 0;       // 0: as many as there are CPUs
  // Of the compilation cache; unset: as the environment says.
  std::optional<std::string> cache_dir;
  uint64_t seed = 0;
  std::string progress;  // of --progress
};

// Adds the flags of ProgramFlags.
void AddProgramFlags(CLI::App& command, ProgramFlags* flags);

// Reads and verifies the program; sets the debug options of XLA_FLAGS and
// --dump-to.
absl::StatusOr<std::unique_ptr<HloModule>> ReadProgram(
    const ProgramFlags& flags);

// The arguments of each device, for the entry computation of `module`; of each
// replica, whole, if the module has shardings.
absl::StatusOr<std::vector<std::vector<Literal>>> MakeArguments(
    const ProgramFlags& flags, const HloModule& module);

// The executable runs on the pool, so it is destroyed first.
struct CompiledProgram {
  std::unique_ptr<ThreadPool> pool;
  std::unique_ptr<Compiler> compiler;
  std::unique_ptr<Executable> executable;
};

// Makes the compiler; the result has no executable yet. Errors: InvalidArgument
// for --cache-dir with a backend that compiles nothing; those of MakeCompiler.
absl::StatusOr<CompiledProgram> MakeProgramCompiler(const ProgramFlags& flags);

}  // namespace xla::tools

#endif  // XLA_TOOLS_COMPILED_PROGRAM_H_
