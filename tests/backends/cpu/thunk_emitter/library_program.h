// LibraryProgram: compiles modules that consist only of library ops, so that
// their thunks can be compared with the evaluator.
#ifndef TESTS_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_PROGRAM_H_
#define TESTS_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/core/literal/literal.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

struct LibraryOptions {
  int64_t replicas = 1;
  int64_t partitions = 1;
  // The kernel that the program's library op wants (NativeKernelsOf).
  KernelFunction computation = nullptr;
  std::vector<TransferQueues*> queues;
  ParallelRunner* runner = nullptr;  // null: inline
};

// The entry computation of `text` may have library ops, parameters, constants,
// tuples, get-tuple-elements and after-alls. Every value has its own memory.
absl::StatusOr<std::unique_ptr<Executable>> CompileLibraryProgram(
    absl::string_view text, const LibraryOptions& options);

// Runs library thunks and the evaluator on all devices and returns the results
// as text. The test fails unless these are equal, or near for floats. If both
// fail, the error is the only result, and their codes must be equal.
std::vector<std::string> RunBoth(
    absl::string_view text,
    const std::vector<std::vector<Literal>>& arguments = {},
    const LibraryOptions& options = {});

// Runs on one device.
std::string RunBothAlone(absl::string_view text,
                         std::vector<Literal> arguments = {},
                         KernelFunction computation = nullptr);

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_THUNK_EMITTER_LIBRARY_PROGRAM_H_
