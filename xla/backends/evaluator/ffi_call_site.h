// FfiCallSite: one typed custom call of a compiled module: its handler, found
// and instantiated once, its signature, and the run of its stages. Where the
// memory of a call comes from is the backend's business.
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
  // States that the prepare and initialize stages made for one device of a run.
  struct RunState {
    ffi::HandlerState prepare;
    ffi::HandlerState initialize;
  };

  // Finds the handler, among the registered ones or else the LAPACK targets,
  // and runs its instantiate stage. `layout` is that of the instruction.
  // Errors: NotFound for an unknown target, InvalidArgument for attributes that
  // cannot be read; those of the handler.
  static absl::StatusOr<std::unique_ptr<FfiCallSite>> Create(
      const HloInstruction& hlo, const FfiLayout& layout);

  // True for targets of this library, which never wait.
  bool is_native() const { return native_ != nullptr; }
  bool has_run_stages() const {
    return !is_native() &&
           (bundle_.prepare != nullptr || bundle_.initialize != nullptr);
  }
  // The stages before the first execution of a run.
  absl::Status StartRun(const ffi::CallOptions& options, RunState& state) const;
  // Needs no options where the target is native, no state where it has no run
  // stages.
  absl::Status Execute(const ffi::CallOptions& options, RunState* state,
                       absl::Span<void* const> arguments,
                       absl::Span<void* const> results) const;
  // Execute where the target is native, with kernels that the backend has in
  // place of LAPACK's, if any.
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
  ffi::NativeHandler native_ = nullptr;  // or else
  XLA_FFI_Handler_Bundle bundle_ = {};
  mutable ffi::HandlerState instantiated_;  // changed while it is created
};

}  // namespace xla

#endif  // XLA_BACKENDS_EVALUATOR_FFI_CALL_SITE_H_
