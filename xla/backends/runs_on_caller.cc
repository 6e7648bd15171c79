// Looks for handlers of custom calls.
#include "xla/backends/runs_on_caller.h"

#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/runtime/ffi/registry.h"

namespace xla {

bool RunsOnCaller(absl::string_view custom_call_target) {
  const auto handler = ffi::FindHandler(custom_call_target);
  return handler.ok() && (handler->traits & ffi::kRunsOnCaller) != 0;
}

bool RunsOnCaller(const HloModule& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() == HloOpcode::kCustomCall &&
          RunsOnCaller(hlo->attrs<CustomCallAttrs>().custom_call_target)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace xla
