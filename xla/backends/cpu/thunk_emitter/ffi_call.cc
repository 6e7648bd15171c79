// Emits typed custom calls on the program's memory. FfiCallSite finds and calls
// handlers.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "xla/backends/compiler.h"
#include "xla/backends/cpu/thunk_emitter/call_buffers.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/lapack_kernels.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/evaluator/ffi_buffers.h"
#include "xla/backends/evaluator/ffi_call_site.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/runtime/ffi/call.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

// The state of one device in one run.
struct RunState : DeviceRun::ThunkState {
  bool started = false;
  FfiCallSite::RunState states;
};

class TypedCallThunk : public Thunk {
 public:
  TypedCallThunk(const HloInstruction& hlo, std::unique_ptr<FfiCallSite> site,
                 std::vector<CallLeaf> operands, std::vector<CallLeaf> results,
                 const KernelTarget& target)
      : Thunk(hlo.name()),
        site_(std::move(site)),
        operands_(std::move(operands)),
        results_(std::move(results)),
        target_(target) {}

  absl::string_view kind() const override { return "ffi-call"; }
  BufferUses buffer_uses() const override {
    return UsesOf(operands_, results_);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  absl::Status RunHandler(DeviceRun& run, const CallBuffers& buffers) const;

  const std::unique_ptr<FfiCallSite> site_;
  const std::vector<CallLeaf> operands_;
  const std::vector<CallLeaf> results_;
  const KernelTarget target_;
};

absl::Status TypedCallThunk::RunHandler(DeviceRun& run,
                                        const CallBuffers& buffers) const {
  ffi::CallOptions options;
  options.run_id = run.options().run_id;
  options.device_ordinal = static_cast<int32_t>(run.device_id());
  options.execution_context = run.options().ffi_context;
  options.pool = ThreadPool::Current();
  HostWait wait(run.group().scheduler());  // it may wait for other devices
  FfiCallSite::RunState* states = nullptr;
  if (site_->has_run_stages()) {
    auto& state = run.StateOf<RunState>(this);
    states = &state.states;
    if (!state.started) {
      state.started = true;
      TF_RETURN_IF_ERROR(site_->StartRun(options, *states));
    }
  }
  return site_->Execute(options, states, buffers.operands(), buffers.results());
}

absl::StatusOr<ThunkResult> TypedCallThunk::Run(DeviceRun& run,
                                                int64_t here) const {
  CallBuffers buffers(run, operands_, results_, /*pack=*/true);
  if (site_->is_native()) {
    CpuLapackKernels kernels(run.runner(), target_);
    TF_RETURN_IF_ERROR(
        site_->ExecuteNative(buffers.operands(), buffers.results(), &kernels));
  } else {
    TF_RETURN_IF_ERROR(RunHandler(run, buffers));
  }
  buffers.Finish();
  return ThunkResult{here + 1};
}

// Appends the leaves of `hlo`, which the target takes with layouts `wanted`.
absl::Status AddLeaves(const HloInstruction& hlo,
                       const std::vector<Shape>& wanted,
                       const ThunkEmitterContext& context,
                       std::vector<CallLeaf>& leaves) {
  const Shape shape = LayoutUtil::HasLayout(hlo.shape())
                          ? hlo.shape()
                          : LayoutUtil::GetWithDefaultLayout(hlo.shape());
  int64_t number = 0;
  for (const Shape* actual : Leaves(shape)) {
    TF_RET_CHECK(leaves.size() < wanted.size()) << hlo.name();
    CallLeaf leaf{*actual, wanted[leaves.size()], {}, -1};
    TF_ASSIGN_OR_RETURN(leaf.slice, context.SliceOf(hlo, number++));
    leaves.push_back(std::move(leaf));
  }
  return absl::OkStatus();
}

}  // namespace

ThunkOr EmitTypedCallThunk(const HloInstruction& hlo,
                           const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(const FfiLayout layout, FfiLayout::Create(hlo));
  std::vector<CallLeaf> operands, results;
  for (const HloInstruction* operand : hlo.operands()) {
    TF_RETURN_IF_ERROR(AddLeaves(*operand, layout.operands, context, operands));
  }
  TF_RETURN_IF_ERROR(AddLeaves(hlo, layout.results, context, results));
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].alias = layout.alias_of_result[i];
  }
  TF_ASSIGN_OR_RETURN(auto site, FfiCallSite::Create(hlo, layout));
  return std::make_unique<TypedCallThunk>(
      hlo, std::move(site), std::move(operands), std::move(results),
      context.kernel_target());
}

}  // namespace xla::cpu
