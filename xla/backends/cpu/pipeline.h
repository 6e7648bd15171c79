// The passes of the CPU compiler, in order.
#ifndef XLA_BACKENDS_CPU_PIPELINE_H_
#define XLA_BACKENDS_CPU_PIPELINE_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla::cpu {

// Brings a verified module into the form from which code is generated:
// row-major layouts, no calls, scheduled, with the copies that buffers need.
// `observer`, if set, is called with the module after each pass. The module's
// debug options may disable passes that only make programs faster:
// xla_disable_hlo_passes names some, xla_disable_all_hlo_passes disables all.
// Errors: those of passes; InvalidArgument for names of passes that do not
// exist or are required.
absl::Status RunPasses(HloModule* module,
                       const HloPassPipeline::Observer& observer = nullptr);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PIPELINE_H_
