// Finds devices of a client by number.
#ifndef XLA_CAPI_DEVICES_H_
#define XLA_CAPI_DEVICES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "xla/capi/handles.h"
#include "xla/pjrt/pjrt_device.h"

namespace xla::capi {

// Errors: InvalidArgument that says which devices there are.
absl::StatusOr<PjRtDevice*> DeviceOf(const ClientCore& core, int32_t device);

}  // namespace xla::capi

#endif  // XLA_CAPI_DEVICES_H_
