// Keeps the state of each call of a run, and makes the memory of each call.
#include "xla/backends/evaluator/ffi_calls.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/table/known_calls.h"
#include "xla/runtime/ffi/call.h"
#include "xla/runtime/thread_pool.h"

namespace xla {

absl::StatusOr<std::unique_ptr<FfiCalls>> FfiCalls::Create(
    const HloModule& module) {
  std::unique_ptr<FfiCalls> calls(new FfiCalls);
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() != HloOpcode::kCustomCall ||
          hlo->attrs<CustomCallAttrs>().api_version != API_VERSION_TYPED_FFI ||
          KnownCallOf(hlo->attrs<CustomCallAttrs>()) != KnownCall::kNone) {
        continue;
      }
      TF_ASSIGN_OR_RETURN(FfiLayout layout, FfiLayout::Create(*hlo));
      TF_ASSIGN_OR_RETURN(auto site, FfiCallSite::Create(*hlo, layout));
      calls->calls_.try_emplace(hlo,
                                Call{std::move(layout), std::move(site)});
    }
  }
  return calls;
}

// The calls of one run of an executable.
class FfiCalls::Run {
 public:
  explicit Run(const Executable::RunOptions& options) : options_(options) {}

  absl::StatusOr<Value> Execute(const Call& call, int64_t device,
                                std::vector<Value> operands) {
    ffi::CallOptions options;
    options.run_id = options_.run_id;
    options.device_ordinal = static_cast<int32_t>(
        options_.device_ids.empty() ? device : options_.device_ids[device]);
    options.execution_context = options_.ffi_context;
    options.pool = ThreadPool::Current();
    FfiCallSite::RunState* state = nullptr;
    if (call.site->has_run_stages()) {
      TF_ASSIGN_OR_RETURN(state, StateOf(*call.site, device, options));
    }
    TF_ASSIGN_OR_RETURN(FfiBuffers buffers,
                        FfiBuffers::Create(call.layout, operands));
    {
      std::optional<BlockingSection> blocking;  // handlers may wait
      if (!call.site->is_native()) blocking.emplace();
      TF_RETURN_IF_ERROR(call.site->Execute(options, state, buffers.arguments(),
                                            buffers.results()));
    }
    return std::move(buffers).TakeResult();
  }

 private:
  absl::StatusOr<FfiCallSite::RunState*> StateOf(
      const FfiCallSite& site, int64_t device,
      const ffi::CallOptions& options) {
    std::unique_lock<std::mutex> lock(mutex_);
    std::unique_ptr<FfiCallSite::RunState>& state = states_[{&site, device}];
    if (state != nullptr) return state.get();
    state = std::make_unique<FfiCallSite::RunState>();
    FfiCallSite::RunState* made = state.get();  // for this thread only
    lock.unlock();
    BlockingSection blocking;
    TF_RETURN_IF_ERROR(site.StartRun(options, *made));
    return made;
  }

  const Executable::RunOptions& options_;
  std::mutex mutex_;
  std::map<std::pair<const FfiCallSite*, int64_t>,
           std::unique_ptr<FfiCallSite::RunState>>
      states_;
};

FfiCallHandler FfiCalls::HandlerFor(
    const Executable::RunOptions& options) const {
  if (empty()) return nullptr;
  // Shared because std::function must be copyable.
  return [this, run = std::make_shared<Run>(options)](
             const HloInstruction& hlo, int64_t device,
             std::vector<Value> operands) -> absl::StatusOr<Value> {
    auto call = calls_.find(&hlo);
    if (call == calls_.end()) {
      return absl::InternalError(absl::StrCat(
          "custom-call ", hlo.name(), " is not of the compiled module"));
    }
    return run->Execute(call->second, device, std::move(operands));
  };
}

}  // namespace xla
