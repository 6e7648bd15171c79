// FfiCallSite: one typed custom call of a compiled module: its handler, found
// and instantiated once, its signature, and the execution of its stages. The
// backend provides the memory of a call.
#ifndef XLA_BACKENDS_EVALUATOR_FFI_CALL_SITE_H_
#define XLA_BACKENDS_EVALUATOR_FFI_CALL_SITE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/evaluator/ffi_buffers.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/runtime/ffi/call.h"
#include "xla/runtime/ffi/ffi_api.h"
#include "xla/runtime/ffi/native_handler.h"

namespace xla {

// Thread safe once created. All errors name the instruction and the target.
class FfiCallSite {
 public:
  // The states that the prepare and initialize stages made for one device of a
  // run.
  struct RunState {
    ffi::HandlerState prepare;
    ffi::HandlerState initialize;
  };

  // Finds the handler among the registered ones, then among the LAPACK targets,
  // and runs its instantiate stage. `layout` is that of the instruction.
  // Errors: NotFound for an unknown target, InvalidArgument for attributes that
  // cannot be read; those of the handler.
  static absl::StatusOr<std::unique_ptr<FfiCallSite>> Create(
      const HloInstruction& hlo, const FfiLayout& layout);

  // True for targets of this library, which never block.
  bool is_native() const { return native_ != nullptr; }
  bool has_run_stages() const {
    return !is_native() &&
           (bundle_.prepare != nullptr || bundle_.initialize != nullptr);
  }
  // Runs the stages that precede the first execution in a run.
  absl::Status StartRun(const ffi::CallOptions& options, RunState& state) const;
  // Native targets need no options; targets without run stages need no state.
  absl::Status Execute(const ffi::CallOptions& options, RunState* state,
                       absl::Span<void* const> arguments,
                       absl::Span<void* const> results) const;
  // Executes a native target; `lapack_kernels` are the backend's replacements
  // for LAPACK's kernels, or null.
  absl::Status ExecuteNative(absl::Span<void* const> arguments,
                             absl::Span<void* const> results,
                             linalg::LapackKernels* lapack_kernels) const;

 private:
  FfiCallSite(const HloInstruction& hlo, const FfiLayout& layout,
              ffi::AttributesMap attributes);

  absl::Status FindHandler();
  absl::Status InContext(const absl::Status& status) const;
  absl::Status RunStage(XLA_FFI_Handler* handler, XLA_FFI_ExecutionStage stage,
                        absl::Span<void* const> arguments,
                        absl::Span<void* const> results,
                        const ffi::CallOptions& options,
                        const ffi::CallStates& states) const;

  const std::string name_;
  const std::string target_;
  const ffi::CallSignature signature_;
  ffi::NativeHandler native_ = nullptr;  // if set, bundle_ is unused
  XLA_FFI_Handler_Bundle bundle_ = {};
  mutable ffi::HandlerState instantiated_;  // modified only by Create
};

}  // namespace xla

#endif  // XLA_BACKENDS_EVALUATOR_FFI_CALL_SITE_H_
