// CompileAheadOfTime: compiles a program to an object file that runs without
// the compiler (docs/ahead-of-time.md).
#ifndef XLA_BACKENDS_CPU_AOT_AOT_COMPILER_H_
#define XLA_BACKENDS_CPU_AOT_AOT_COMPILER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu::aot {

struct AotOptions {
  // A C identifier: what the names that the program exports begin with.
  std::string name = "net";
  // The processors to have code for, at least one, all of one architecture
  // (AotTarget). A run takes the best that its processor can run.
  std::vector<TargetInfo> targets;
  // The most threads that run the program.
  int max_threads = 1;
  // Whether constants are left out of the object.
  bool constants_apart = false;
  // Compiles on these threads; null: on the calling one.
  ParallelRunner* runner = nullptr;
};

// An argument or a result.
struct AotArray {
  std::string name;  // of the parameter; empty for results
  Shape shape;
  int64_t bytes = 0;
  int32_t alias = -1;  // of a result: the argument whose memory it may have
};

struct AotProgram {
  std::string object;     // a relocatable ELF file
  std::string constants;  // empty unless they are apart
  std::vector<AotArray> arguments;
  std::vector<AotArray> results;
  int64_t arena_bytes = 0;  // for any number of threads up to the most
  // Bytes that suffice to load the program.
  int64_t load_bytes = 0;
  int64_t constants_bytes = 0;
};

// Compiles a verified module for one device. Errors: InvalidArgument for
// options that make no sense; Unimplemented, naming the instruction, for what a
// program cannot do without the compiler's process (custom calls, infeed and
// outfeed, collectives, random state, dynamic dimensions, LAPACK); those of the
// compiler.
absl::StatusOr<AotProgram> CompileAheadOfTime(const HloModule& module,
                                              const AotOptions& options);

// Returns the C header of a program that CompileAheadOfTime made with these
// options from a program called `source`.
std::string AotHeader(const AotProgram& program, const AotOptions& options,
                      const std::string& source);

}  // namespace xla::cpu::aot

#endif  // XLA_BACKENDS_CPU_AOT_AOT_COMPILER_H_
