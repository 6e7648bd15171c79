// EvaluatorExecutable: runs a verified module on the evaluator, from buffers to
// buffers.
#ifndef XLA_BACKENDS_EVALUATOR_EVALUATOR_EXECUTABLE_H_
#define XLA_BACKENDS_EVALUATOR_EVALUATOR_EXECUTABLE_H_

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/backends/evaluator/ffi_calls.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"

namespace xla {

class EvaluatorExecutable : public Executable {
 public:
  // `ffi_calls` are the custom calls of `module`.
  EvaluatorExecutable(std::unique_ptr<HloModule> module,
                      std::unique_ptr<FfiCalls> ffi_calls)
      : Executable(std::move(module)), ffi_calls_(std::move(ffi_calls)) {}

  absl::Status ExecuteBuffers(absl::Span<const DeviceBuffers> devices,
                              const RunOptions& options) const override;

 private:
  const std::unique_ptr<FfiCalls> ffi_calls_;
  const std::shared_ptr<Interpreter::Plans> plans_ = Interpreter::MakePlans();
};

}  // namespace xla

#endif  // XLA_BACKENDS_EVALUATOR_EVALUATOR_EXECUTABLE_H_
