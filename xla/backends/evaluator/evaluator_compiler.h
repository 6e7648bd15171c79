// EvaluatorCompiler: the reference backend, which verifies, then interprets.
#ifndef XLA_BACKENDS_EVALUATOR_EVALUATOR_COMPILER_H_
#define XLA_BACKENDS_EVALUATOR_EVALUATOR_COMPILER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/compiler.h"

namespace xla {

class EvaluatorCompiler : public Compiler {
 public:
  absl::string_view name() const override { return "evaluator"; }
  absl::StatusOr<std::unique_ptr<Executable>> Compile(
      std::unique_ptr<HloModule> module) override;
};

}  // namespace xla

#endif  // XLA_BACKENDS_EVALUATOR_EVALUATOR_COMPILER_H_
