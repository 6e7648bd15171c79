// FfiCalls: the typed custom calls of a compiled module, looked up and
// instantiated once, and their execution on the evaluator's values.
#ifndef XLA_BACKENDS_EVALUATOR_FFI_CALLS_H_
#define XLA_BACKENDS_EVALUATOR_FFI_CALLS_H_

#include <memory>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "xla/backends/compiler.h"
#include "xla/backends/evaluator/ffi_buffers.h"
#include "xla/backends/evaluator/ffi_call_site.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Thread safe once created; must not outlive the module.
class FfiCalls {
 public:
  // Makes a call site for each custom call of API_VERSION_TYPED_FFI. Errors:
  // those of FfiLayout and FfiCallSite.
  static absl::StatusOr<std::unique_ptr<FfiCalls>> Create(
      const HloModule& module);

  bool empty() const { return calls_.empty(); }

  // Returns the handler that makes the calls of one run: it runs the prepare
  // and initialize stages before a device's first execution of a call, then the
  // execute stage. `options` must outlive it.
  FfiCallHandler HandlerFor(const Executable::RunOptions& options) const;

 private:
  struct Call {
    FfiLayout layout;
    std::unique_ptr<FfiCallSite> site;
  };
  class Run;

  FfiCalls() = default;

  absl::flat_hash_map<const HloInstruction*, Call> calls_;
};

}  // namespace xla

#endif  // XLA_BACKENDS_EVALUATOR_FFI_CALLS_H_
