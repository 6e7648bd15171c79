// Reduce: makes a program on which something fails as small as it can while the
// failure stays, by delta debugging.
#ifndef XLA_TOOLS_REDUCTION_REDUCER_H_
#define XLA_TOOLS_REDUCTION_REDUCER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::tools {

struct ReducibleProgram {
  std::unique_ptr<HloModule> module;
  // One for each parameter of the entry; empty if the failure does not depend
  // on arguments.
  std::vector<Literal> arguments;

  ReducibleProgram Copy() const;
};

// Whether the failure is still there. Must give the same answer for the same
// program; it may take as long as it likes and may not change the program.
using FailureTest = std::function<bool(const ReducibleProgram& program)>;

struct ReductionOptions {
  // The most programs to test; then the smallest one so far is the result.
  int64_t max_tests = 20000;
  // The seconds for which the evaluator may look for the values of instructions
  // that become parameters; those that it has not found by then do not become
  // any. 0: no limit. With a limit, this process may have no other threads.
  double evaluation_limit_s = 0;
  // Called after each test, with the step that made the program, the number of
  // tests, and the instructions of the smallest program so far. May be null.
  std::function<void(absl::string_view step, int64_t tests,
                     int64_t instructions)>
      progress;
};

struct Reduction {
  ReducibleProgram program;
  int64_t tests = 0;
  // False if max_tests ended the reduction.
  bool complete = true;
};

// Returns a program that fails in the same way and that no step (moves.h) makes
// smaller. Each program that is tested is valid HLO whose arguments, if there
// are any, fit. The result depends only on the program and on the answers of
// `fails`. Where an instruction becomes a parameter, its argument is the value
// that the evaluator computes for it. Errors: InvalidArgument for a module that
// the verifier refuses or arguments that do not fit it; FailedPrecondition if
// `program` does not fail.
absl::StatusOr<Reduction> Reduce(ReducibleProgram program,
                                 const FailureTest& fails,
                                 const ReductionOptions& options = {});

}  // namespace xla::tools

#endif  // XLA_TOOLS_REDUCTION_REDUCER_H_
