// Which programs call functions of the host's program on the thread that starts
// them, as those with host callbacks do.
#ifndef XLA_BACKENDS_RUNS_ON_CALLER_H_
#define XLA_BACKENDS_RUNS_ON_CALLER_H_

#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// True if the FFI handler of custom calls of this target asks for runs on the
// calling thread (ffi::kRunsOnCaller).
bool RunsOnCaller(absl::string_view custom_call_target);

// True if the module has such a call.
bool RunsOnCaller(const HloModule& module);

}  // namespace xla

#endif  // XLA_BACKENDS_RUNS_ON_CALLER_H_
