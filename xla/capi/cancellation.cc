// Cancellations: how a host ends compilations and runs.
#include <memory>

#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/handles.h"

namespace xla::capi {
extern "C" {

tessera_status* tessera_cancellation_create(tessera_cancellation** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_cancellation_create", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    auto handle = std::make_unique<tessera_cancellation>();
    handle->cancellation = std::make_shared<Cancellation>();
    *out = handle.release();
    return absl::OkStatus();
  });
}

// Signal handlers may call it: it allocates and locks nothing.
void tessera_cancellation_cancel(tessera_cancellation* cancellation) {
  if (cancellation == nullptr || !cancellation->tag.ok()) return;
  cancellation->cancellation->source.Cancel();
}

void tessera_cancellation_destroy(tessera_cancellation* cancellation) {
  if (cancellation != nullptr && cancellation->tag.ok()) delete cancellation;
}

}  // extern "C"
}  // namespace xla::capi
