// Looks up handlers in the registry, then among the library's LAPACK targets.
#include "xla/backends/evaluator/ffi_call_site.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/runtime/ffi/registry.h"
#include "xla/runtime/linalg/targets.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

const std::string& TargetOf(const HloInstruction& hlo) {
  return hlo.attrs<CustomCallAttrs>().custom_call_target;
}

// Adds the name of the instruction and the target that failed.
absl::Status CallError(const absl::Status& status, absl::string_view name,
                       absl::string_view target) {
  return AddStatus(status, absl::StrCat("custom-call ", name, " to ", target));
}

std::vector<ffi::BufferView> ViewsOf(absl::Span<const ffi::BufferType> types,
                                     absl::Span<void* const> data) {
  std::vector<ffi::BufferView> views;
  views.reserve(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    views.push_back({types[i].type, types[i].dimensions, data[i]});
  }
  return views;
}

}  // namespace

FfiCallSite::FfiCallSite(const HloInstruction& hlo, const FfiLayout& layout,
                         ffi::AttributesMap attributes)
    : name_(hlo.name()),
      target_(TargetOf(hlo)),
      signature_(FfiLayout::BufferTypes(layout.operands),
                 FfiLayout::BufferTypes(layout.results),
                 std::move(attributes)) {}

absl::StatusOr<std::unique_ptr<FfiCallSite>> FfiCallSite::Create(
    const HloInstruction& hlo, const FfiLayout& layout) {
  auto attributes = ffi::ParseAttributes(hlo.raw_backend_config_string());
  if (!attributes.ok()) {
    return CallError(attributes.status(), hlo.name(), TargetOf(hlo));
  }
  std::unique_ptr<FfiCallSite> site(
      new FfiCallSite(hlo, layout, *std::move(attributes)));
  TF_RETURN_IF_ERROR(site->FindHandler());
  if (site->is_native()) return site;
  BlockingSection blocking;  // the handler may wait for other workers
  ffi::CallStates states;
  states.instantiate = &site->instantiated_;
  TF_RETURN_IF_ERROR(site->RunStage(site->bundle_.instantiate,
                                    XLA_FFI_ExecutionStage_INSTANTIATE, {}, {},
                                    ffi::CallOptions(), states));
  return site;
}

absl::Status FfiCallSite::FindHandler() {
  auto registered = ffi::FindHandler(target_);
  if (registered.ok()) {
    bundle_ = registered->bundle;
    return absl::OkStatus();
  }
  native_ = linalg::FindTarget(target_);
  return native_ != nullptr ? absl::OkStatus() : InContext(registered.status());
}

absl::Status FfiCallSite::InContext(const absl::Status& status) const {
  return CallError(status, name_, target_);
}

absl::Status FfiCallSite::RunStage(XLA_FFI_Handler* handler,
                                   XLA_FFI_ExecutionStage stage,
                                   absl::Span<void* const> arguments,
                                   absl::Span<void* const> results,
                                   const ffi::CallOptions& options,
                                   const ffi::CallStates& states) const {
  if (handler == nullptr) return absl::OkStatus();
  return InContext(ffi::Call(handler, signature_, arguments, results, stage,
                             options, states));
}

absl::Status FfiCallSite::StartRun(const ffi::CallOptions& options,
                                   RunState& state) const {
  const ffi::CallStates states{&instantiated_, &state.prepare,
                               &state.initialize};
  TF_RETURN_IF_ERROR(RunStage(bundle_.prepare, XLA_FFI_ExecutionStage_PREPARE,
                              {}, {}, options, states));
  return RunStage(bundle_.initialize, XLA_FFI_ExecutionStage_INITIALIZE, {}, {},
                  options, states);
}

absl::Status FfiCallSite::ExecuteNative(
    absl::Span<void* const> arguments, absl::Span<void* const> results,
    linalg::LapackKernels* lapack_kernels) const {
  const auto argument_views = ViewsOf(signature_.arguments(), arguments);
  const auto result_views = ViewsOf(signature_.results(), results);
  return InContext(native_({target_, argument_views, result_views,
                            signature_.attributes(), lapack_kernels}));
}

absl::Status FfiCallSite::Execute(const ffi::CallOptions& options,
                                  RunState* state,
                                  absl::Span<void* const> arguments,
                                  absl::Span<void* const> results) const {
  if (is_native()) return ExecuteNative(arguments, results, nullptr);
  ffi::CallStates states;
  states.instantiate = &instantiated_;
  if (state != nullptr) {
    states.prepare = &state->prepare;
    states.initialize = &state->initialize;
  }
  return RunStage(bundle_.execute, XLA_FFI_ExecutionStage_EXECUTE, arguments,
                  results, options, states);
}

}  // namespace xla
