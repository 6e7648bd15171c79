// What a backend computes, compared with the evaluator, in processes of their
// own.
#ifndef XLA_TOOLS_DEBUGGING_BACKEND_COMPARISON_H_
#define XLA_TOOLS_DEBUGGING_BACKEND_COMPARISON_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::tools {

struct ComparisonOptions {
  std::string backend = "cpu";
  // Of floating-point results; DefaultError (arrays.h) of the type if not
  // given.
  std::optional<ErrorSpec> error;
  uint64_t seed = 0;          // of rng ops
  double time_limit_s = 0;    // of wall time for one process; 0: none
  bool check_thunks = false;  // as `tessera run --check`; of backend cpu
};

struct Outcome {
  enum class Kind { kAgree, kDiffer, kError, kCrash, kTimeLimit };
  Kind kind = Kind::kAgree;
  std::string message;
};
// "differ", "error" and so on.
absl::string_view KindName(Outcome::Kind kind);

// Calls `work` in a child process; a crash, or more than `time_limit_s`, is an
// outcome too.
Outcome Guarded(absl::FunctionRef<Outcome()> work, double time_limit_s);

// A program for one device that was compiled in this process, to be run many
// times on the calling thread. Errors: those of the backend.
class BackendProgram {
 public:
  // `seed` is that of rng ops.
  static absl::StatusOr<BackendProgram> Compile(
      absl::string_view backend, std::unique_ptr<HloModule> module,
      uint64_t seed);
  absl::StatusOr<Literal> Run(absl::Span<const Literal> arguments) const;

 private:
  BackendProgram(std::unique_ptr<Executable> executable, uint64_t seed)
      : executable_(std::move(executable)), seed_(seed) {}

  std::unique_ptr<Executable> executable_;
  uint64_t seed_;
};

// Compiles and runs the program on one device in this process, on this thread.
// Errors: those of the backend.
absl::StatusOr<Literal> RunOn(absl::string_view backend,
                              const HloModule& module,
                              absl::Span<const Literal> arguments,
                              const ComparisonOptions& options);

// Compares all arrays. The error has the worst elements of the first one that
// differs.
absl::Status Agree(const Literal& expected, const Literal& actual,
                   const ComparisonOptions& options);

// Runs the program on the evaluator and on options.backend in a child process.
// An error of the evaluator is kAgree if the backend has one too, with any
// message, and kError otherwise.
Outcome CompareBackends(const HloModule& module,
                        absl::Span<const Literal> arguments,
                        const ComparisonOptions& options);

// Compiles the program with options.backend in a child process, without running
// it.
Outcome CompileGuarded(const HloModule& module,
                       const ComparisonOptions& options);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_BACKEND_COMPARISON_H_
