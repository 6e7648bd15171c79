// BisectPasses: finds the pass that changes what a program computes.
#ifndef XLA_TOOLS_DEBUGGING_PASS_BISECTION_H_
#define XLA_TOOLS_DEBUGGING_PASS_BISECTION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/tools/debugging/backend_comparison.h"

namespace xla::tools {

// Makes new passes for a program, always the same ones.
using PipelineMaker =
    std::function<absl::StatusOr<std::unique_ptr<HloPassPipeline>>(
        const HloModule& program)>;

// A pass after which the evaluator's result is another one, or which fails,
// crashes or does not end. Before it all was well.
struct WrongPass {
  std::string name;
  int number = 0;  // among the passes, counted from 0
  int passes = 0;
  Outcome outcome;
  std::unique_ptr<HloModule> before;  // as the pass gets it
};

// Runs the passes on a copy of `program` in child processes, evaluates what
// they leave, and looks by bisection for a pass before which the result agrees
// with that of `program`, and after which it does not. A pass that repairs what
// one before it broke can hide both. Nullopt if the result agrees after all
// passes. Errors: InvalidArgument or Unimplemented if the evaluator cannot run
// `program`; those of `make`.
absl::StatusOr<std::optional<WrongPass>> BisectPasses(
    const HloModule& program, absl::Span<const Literal> arguments,
    const PipelineMaker& make, const ComparisonOptions& options);

// Runs passes [begin, end) of the pipeline. Errors carry the name of the pass.
absl::Status RunSomePasses(HloPassPipeline& pipeline, int begin, int end,
                           HloModule* module);

// Evaluates `module` before and after pass number `number` of those that `make`
// makes for `program`, in a child process, and compares the results.
Outcome CheckPass(const HloModule& module, absl::Span<const Literal> arguments,
                  const HloModule& program, const PipelineMaker& make,
                  int number, const ComparisonOptions& options);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_PASS_BISECTION_H_
