// Typed custom calls: handler, signature and state, found and made once, and
// the run of their stages on the program's memory.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/compiler.h"
#include "xla/backends/cpu/lowering/call_buffers.h"
#include "xla/backends/cpu/lowering/families.h"
#include "xla/backends/cpu/steps/device_run.h"
#include "xla/backends/evaluator/ffi_buffers.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/runtime/ffi/call.h"
#include "xla/runtime/ffi/native_handler.h"
#include "xla/runtime/ffi/registry.h"
#include "xla/runtime/linalg/targets.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

// States that the prepare and initialize stages made for one device of a run.
struct RunState : DeviceRun::StepState {
  bool started = false;
  ffi::HandlerState prepare;
  ffi::HandlerState initialize;
};

class TypedCallStep : public Step {
 public:
  TypedCallStep(const HloInstruction& hlo, const FfiLayout& layout,
                std::vector<CallLeaf> operands, std::vector<CallLeaf> results,
                ffi::AttributesMap attributes)
      : Step(hlo.name()),
        target_(hlo.attrs<CustomCallAttrs>().custom_call_target),
        operands_(std::move(operands)),
        results_(std::move(results)),
        signature_(FfiLayout::BufferTypes(layout.operands),
                   FfiLayout::BufferTypes(layout.results),
                   std::move(attributes)) {}

  // Finds the handler and runs its instantiate stage. Errors: NotFound; those
  // of the handler.
  absl::Status Instantiate();

  absl::string_view kind() const override { return "ffi-call"; }
  absl::StatusOr<StepResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  // Says which instruction failed, and keeps code and payloads.
  absl::Status InContext(const absl::Status& status) const;
  absl::Status RunStage(XLA_FFI_Handler* handler, XLA_FFI_ExecutionStage stage,
                        const CallBuffers* buffers,
                        const ffi::CallOptions& options,
                        const ffi::CallStates& states) const;
  absl::Status RunNative(const CallBuffers& buffers) const;
  absl::Status RunHandler(DeviceRun& run, const CallBuffers& buffers) const;

  const std::string target_;
  const std::vector<CallLeaf> operands_;
  const std::vector<CallLeaf> results_;
  const ffi::CallSignature signature_;
  ffi::NativeHandler native_ = nullptr;  // or else
  XLA_FFI_Handler_Bundle bundle_ = {};
  mutable ffi::HandlerState instantiated_;  // changed while it is made
};

absl::Status TypedCallStep::InContext(const absl::Status& status) const {
  if (status.ok()) return status;
  absl::Status result(
      status.code(), absl::StrCat("custom-call ", name(), " to ", target_, ": ",
                                  status.message()));
  status.ForEachPayload(
      [&result](absl::string_view type, const absl::Cord& payload) {
        result.SetPayload(type, payload);
      });
  return result;
}

absl::Status TypedCallStep::RunStage(XLA_FFI_Handler* handler,
                                     XLA_FFI_ExecutionStage stage,
                                     const CallBuffers* buffers,
                                     const ffi::CallOptions& options,
                                     const ffi::CallStates& states) const {
  if (handler == nullptr) return absl::OkStatus();
  absl::Span<void* const> arguments, results;
  if (buffers != nullptr) {
    arguments = buffers->operands();
    results = buffers->results();
  }
  return InContext(ffi::Call(handler, signature_, arguments, results, stage,
                             options, states));
}

absl::Status TypedCallStep::Instantiate() {
  auto registered = ffi::FindHandler(target_);
  if (!registered.ok()) {
    native_ = linalg::FindTarget(target_);
    return native_ != nullptr ? absl::OkStatus()
                              : InContext(registered.status());
  }
  bundle_ = registered->bundle;
  BlockingSection blocking;
  ffi::CallStates states;
  states.instantiate = &instantiated_;
  return RunStage(bundle_.instantiate, XLA_FFI_ExecutionStage_INSTANTIATE,
                  nullptr, ffi::CallOptions(), states);
}

absl::Status TypedCallStep::RunNative(const CallBuffers& buffers) const {
  const auto views = [](absl::Span<const ffi::BufferType> types,
                        absl::Span<void* const> data) {
    std::vector<ffi::BufferView> result;
    result.reserve(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      result.push_back({types[i].type, types[i].dimensions, data[i]});
    }
    return result;
  };
  const auto arguments = views(signature_.arguments(), buffers.operands());
  const auto results = views(signature_.results(), buffers.results());
  return InContext(
      native_({target_, arguments, results, signature_.attributes()}));
}

absl::Status TypedCallStep::RunHandler(DeviceRun& run,
                                       const CallBuffers& buffers) const {
  ffi::CallOptions options;
  options.run_id = run.options().run_id;
  options.device_ordinal = static_cast<int32_t>(run.device_id());
  options.execution_context = run.options().ffi_context;
  options.pool = ThreadPool::Current();
  ffi::CallStates states;
  states.instantiate = &instantiated_;
  HostWait wait(run.group().scheduler());  // it may wait for other devices
  if (bundle_.prepare != nullptr || bundle_.initialize != nullptr) {
    auto& state = run.StateOf<RunState>(this);
    states.prepare = &state.prepare;
    states.initialize = &state.initialize;
    if (!state.started) {
      state.started = true;
      TF_RETURN_IF_ERROR(RunStage(bundle_.prepare,
                                  XLA_FFI_ExecutionStage_PREPARE, nullptr,
                                  options, states));
      TF_RETURN_IF_ERROR(RunStage(bundle_.initialize,
                                  XLA_FFI_ExecutionStage_INITIALIZE, nullptr,
                                  options, states));
    }
  }
  return RunStage(bundle_.execute, XLA_FFI_ExecutionStage_EXECUTE, &buffers,
                  options, states);
}

absl::StatusOr<StepResult> TypedCallStep::Run(DeviceRun& run,
                                              int64_t here) const {
  CallBuffers buffers(run, operands_, results_, /*pack=*/true);
  if (native_ != nullptr) {
    TF_RETURN_IF_ERROR(RunNative(buffers));
  } else {
    TF_RETURN_IF_ERROR(RunHandler(run, buffers));
  }
  buffers.Finish();
  return StepResult{here + 1};
}

// The leaves of `hlo`, from number `next` of `wanted` on.
absl::Status AddLeaves(const HloInstruction& hlo,
                       const std::vector<Shape>& wanted,
                       const LoweringContext& context,
                       std::vector<CallLeaf>& leaves) {
  const Shape shape = LayoutUtil::HasLayout(hlo.shape())
                          ? hlo.shape()
                          : LayoutUtil::GetWithDefaultLayout(hlo.shape());
  int64_t number = 0;
  for (const Shape* actual : LeafShapes(shape)) {
    TF_RET_CHECK(leaves.size() < wanted.size()) << hlo.name();
    CallLeaf leaf{*actual, wanted[leaves.size()], {}, -1};
    TF_ASSIGN_OR_RETURN(leaf.slice, context.SliceOf(hlo, number++));
    leaves.push_back(std::move(leaf));
  }
  return absl::OkStatus();
}

}  // namespace

StepOr LowerTypedCall(const HloInstruction& hlo,
                      const LoweringContext& context) {
  TF_ASSIGN_OR_RETURN(const FfiLayout layout, FfiLayout::Create(hlo));
  std::vector<CallLeaf> operands, results;
  for (const HloInstruction* operand : hlo.operands()) {
    TF_RETURN_IF_ERROR(AddLeaves(*operand, layout.operands, context, operands));
  }
  TF_RETURN_IF_ERROR(AddLeaves(hlo, layout.results, context, results));
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].alias = layout.alias_of_result[i];
  }
  auto attributes = ffi::ParseAttributes(hlo.raw_backend_config_string());
  if (!attributes.ok()) {
    return absl::Status(
        attributes.status().code(),
        absl::StrCat("custom-call ", hlo.name(), " to ",
                     hlo.attrs<CustomCallAttrs>().custom_call_target, ": ",
                     attributes.status().message()));
  }
  auto step = std::make_unique<TypedCallStep>(hlo, layout, std::move(operands),
                                              std::move(results),
                                              *std::move(attributes));
  TF_RETURN_IF_ERROR(step->Instantiate());
  return step;
}

}  // namespace xla::cpu
