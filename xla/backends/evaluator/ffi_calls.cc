// Call sites of typed custom calls: handler, signature and state, and the run
// of their stages.
#include "xla/backends/evaluator/ffi_calls.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/evaluator/ffi_buffers.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/runtime/ffi/call.h"
#include "xla/runtime/ffi/execution_context.h"
#include "xla/runtime/ffi/native_handler.h"
#include "xla/runtime/ffi/registry.h"
#include "xla/runtime/linalg/targets.h"
#include "xla/runtime/thread_pool.h"

namespace xla {

// States that the prepare and initialize stages made for one device of a run.
struct FfiRunState {
  ffi::HandlerState prepare;
  ffi::HandlerState initialize;
};

// One custom-call instruction. Thread safe once instantiated.
class FfiCallSite {
 public:
  static absl::StatusOr<std::unique_ptr<FfiCallSite>> Create(
      const HloInstruction& hlo);

  bool has_run_stages() const {
    return native_ == nullptr &&
           (bundle_.prepare != nullptr || bundle_.initialize != nullptr);
  }
  // The stages before the first execution of a run.
  absl::Status StartRun(const ffi::CallOptions& options,
                        FfiRunState& state) const;
  // `state` may be null without such stages.
  absl::StatusOr<Value> Execute(const ffi::CallOptions& options,
                                FfiRunState* state,
                                std::vector<Value> operands) const;

 private:
  FfiCallSite(const HloInstruction& hlo, FfiLayout layout,
              ffi::AttributesMap attributes)
      : hlo_(hlo),
        layout_(std::move(layout)),
        signature_(FfiLayout::BufferTypes(layout_.operands),
                   FfiLayout::BufferTypes(layout_.results),
                   std::move(attributes)) {}

  const std::string& target() const {
    return hlo_.attrs<CustomCallAttrs>().custom_call_target;
  }
  absl::Status FindHandler();
  absl::Status RunStage(XLA_FFI_Handler* handler, XLA_FFI_ExecutionStage stage,
                        absl::Span<void* const> arguments,
                        absl::Span<void* const> results,
                        const ffi::CallOptions& options,
                        const ffi::CallStates& states) const;
  absl::Status RunNative(const FfiBuffers& buffers) const;

  const HloInstruction& hlo_;
  const FfiLayout layout_;
  const ffi::CallSignature signature_;
  ffi::NativeHandler native_ = nullptr;  // or else
  XLA_FFI_Handler_Bundle bundle_ = {};
  mutable ffi::HandlerState instantiated_;  // changed while it is created
};

namespace {

// Says which instruction failed, and keeps code and payloads.
absl::Status InContext(const absl::Status& status, const HloInstruction& hlo) {
  if (status.ok()) return status;
  absl::Status result(
      status.code(),
      absl::StrCat("custom-call ", hlo.name(), " to ",
                   hlo.attrs<CustomCallAttrs>().custom_call_target, ": ",
                   status.message()));
  status.ForEachPayload(
      [&result](absl::string_view type, const absl::Cord& payload) {
        result.SetPayload(type, payload);
      });
  return result;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FfiCallSite>> FfiCallSite::Create(
    const HloInstruction& hlo) {
  TF_ASSIGN_OR_RETURN(FfiLayout layout, FfiLayout::Create(hlo));
  auto attributes = ffi::ParseAttributes(hlo.raw_backend_config_string());
  if (!attributes.ok()) return InContext(attributes.status(), hlo);
  std::unique_ptr<FfiCallSite> site(
      new FfiCallSite(hlo, std::move(layout), *std::move(attributes)));
  TF_RETURN_IF_ERROR(site->FindHandler());
  if (site->native_ == nullptr && site->bundle_.instantiate != nullptr) {
    ffi::CallStates states;
    states.instantiate = &site->instantiated_;
    TF_RETURN_IF_ERROR(site->RunStage(site->bundle_.instantiate,
                                      XLA_FFI_ExecutionStage_INSTANTIATE, {},
                                      {}, ffi::CallOptions(), states));
  }
  return site;
}

absl::Status FfiCallSite::FindHandler() {
  auto registered = ffi::FindHandler(target());
  if (registered.ok()) {
    bundle_ = registered->bundle;
    return absl::OkStatus();
  }
  native_ = linalg::FindTarget(target());
  if (native_ != nullptr) return absl::OkStatus();
  return InContext(registered.status(), hlo_);
}

absl::Status FfiCallSite::RunStage(XLA_FFI_Handler* handler,
                                   XLA_FFI_ExecutionStage stage,
                                   absl::Span<void* const> arguments,
                                   absl::Span<void* const> results,
                                   const ffi::CallOptions& options,
                                   const ffi::CallStates& states) const {
  if (handler == nullptr) return absl::OkStatus();
  BlockingSection blocking;  // it may wait for what other workers do
  return InContext(ffi::Call(handler, signature_, arguments, results, stage,
                             options, states),
                   hlo_);
}

absl::Status FfiCallSite::StartRun(const ffi::CallOptions& options,
                                   FfiRunState& state) const {
  ffi::CallStates states{&instantiated_, &state.prepare, &state.initialize};
  TF_RETURN_IF_ERROR(RunStage(bundle_.prepare, XLA_FFI_ExecutionStage_PREPARE,
                              {}, {}, options, states));
  return RunStage(bundle_.initialize, XLA_FFI_ExecutionStage_INITIALIZE, {}, {},
                  options, states);
}

absl::Status FfiCallSite::RunNative(const FfiBuffers& buffers) const {
  auto views = [](absl::Span<const ffi::BufferType> types,
                  absl::Span<void* const> data) {
    std::vector<ffi::BufferView> result;
    result.reserve(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      result.push_back({types[i].type, types[i].dimensions, data[i]});
    }
    return result;
  };
  const auto arguments = views(signature_.arguments(), buffers.arguments());
  const auto results = views(signature_.results(), buffers.results());
  return InContext(
      native_({target(), arguments, results, signature_.attributes()}), hlo_);
}

absl::StatusOr<Value> FfiCallSite::Execute(const ffi::CallOptions& options,
                                           FfiRunState* state,
                                           std::vector<Value> operands) const {
  TF_ASSIGN_OR_RETURN(FfiBuffers buffers,
                      FfiBuffers::Create(layout_, operands));
  if (native_ != nullptr) {
    TF_RETURN_IF_ERROR(RunNative(buffers));
  } else {
    ffi::CallStates states;
    states.instantiate = &instantiated_;
    if (state != nullptr) {
      states.prepare = &state->prepare;
      states.initialize = &state->initialize;
    }
    TF_RETURN_IF_ERROR(RunStage(bundle_.execute, XLA_FFI_ExecutionStage_EXECUTE,
                                buffers.arguments(), buffers.results(), options,
                                states));
  }
  return std::move(buffers).TakeResult();
}

absl::StatusOr<std::unique_ptr<FfiCalls>> FfiCalls::Create(
    const HloModule& module) {
  std::unique_ptr<FfiCalls> calls(new FfiCalls);
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() != HloOpcode::kCustomCall ||
          hlo->attrs<CustomCallAttrs>().api_version != API_VERSION_TYPED_FFI) {
        continue;
      }
      TF_ASSIGN_OR_RETURN(calls->sites_[hlo.get()], FfiCallSite::Create(*hlo));
    }
  }
  return calls;
}

FfiCalls::~FfiCalls() = default;

namespace {

// The calls of one run of an executable.
class FfiRun {
 public:
  explicit FfiRun(const Executable::RunOptions& options) : options_(options) {}

  absl::StatusOr<Value> Execute(const FfiCallSite& site, int64_t device,
                                std::vector<Value> operands) {
    ffi::CallOptions options;
    options.run_id = options_.run_id;
    options.device_ordinal = static_cast<int32_t>(
        options_.device_ids.empty() ? device : options_.device_ids[device]);
    options.execution_context = options_.ffi_context;
    options.pool = ThreadPool::Current();
    FfiRunState* state = nullptr;
    if (site.has_run_stages()) {
      TF_ASSIGN_OR_RETURN(state, StateOf(site, device, options));
    }
    return site.Execute(options, state, std::move(operands));
  }

 private:
  absl::StatusOr<FfiRunState*> StateOf(const FfiCallSite& site, int64_t device,
                                       const ffi::CallOptions& options) {
    std::unique_lock<std::mutex> lock(mutex_);
    std::unique_ptr<FfiRunState>& state = states_[{&site, device}];
    if (state != nullptr) return state.get();
    state = std::make_unique<FfiRunState>();
    FfiRunState* made = state.get();  // this device's thread alone uses it
    lock.unlock();
    TF_RETURN_IF_ERROR(site.StartRun(options, *made));
    return made;
  }

  const Executable::RunOptions& options_;
  std::mutex mutex_;
  std::map<std::pair<const FfiCallSite*, int64_t>, std::unique_ptr<FfiRunState>>
      states_;
};

}  // namespace

FfiCallHandler FfiCalls::HandlerFor(
    const Executable::RunOptions& options) const {
  if (empty()) return nullptr;
  // Shared because std::function wants to be copied.
  return [this, run = std::make_shared<FfiRun>(options)](
             const HloInstruction& hlo, int64_t device,
             std::vector<Value> operands) -> absl::StatusOr<Value> {
    auto site = sites_.find(&hlo);
    if (site == sites_.end()) {
      return absl::InternalError(absl::StrCat(
          "custom-call ", hlo.name(), " is not of the compiled module"));
    }
    return run->Execute(*site->second, device, std::move(operands));
  };
}

}  // namespace xla
