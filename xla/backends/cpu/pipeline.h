// Runs the passes of the CPU compiler, in order.
#ifndef XLA_BACKENDS_CPU_PIPELINE_H_
#define XLA_BACKENDS_CPU_PIPELINE_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/registry.h"

namespace xla::cpu {

// Brings a verified module into the form that code is made of: row-major
// layouts, no calls, scheduled, with the copies that buffers need. What is
// computed together depends on the costs of `target`. `observer`,
// if set, sees the module after each pass. The module's debug options may leave
// out passes that only make programs faster: xla_disable_hlo_passes names some,
// xla_disable_all_hlo_passes means all. Errors: those of passes;
// InvalidArgument for names of passes that do not exist or are needed.
absl::Status RunPasses(HloModule* module,
                       const HloPassPipeline::Observer& observer = nullptr,
                       const TargetInfo& target = HostTarget());

// Makes the passes that RunPasses runs on `module`, for tools that run them one
// by one. What `backend` points to outlives them. Errors: as for names of
// passes above.
absl::StatusOr<std::unique_ptr<HloPassPipeline>> MakePipeline(
    const HloModule& module, const PassBackend& backend,
    const HloPassPipeline::Observer& observer = nullptr);

// Whether the module's options ask for the reasons of what the compiler does not
// do, CompileReport::missed: `tessera run --explain`, and for other clients
// xla_backend_extra_options=xla_tessera_explain.
bool Explains(const DebugOptions& options);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PIPELINE_H_
