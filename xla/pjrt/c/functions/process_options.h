// What the options and callbacks of PJRT_Client_Create say of the processes of
// a job.
#ifndef XLA_PJRT_C_FUNCTIONS_PROCESS_OPTIONS_H_
#define XLA_PJRT_C_FUNCTIONS_PROCESS_OPTIONS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "xla/distributed/communicator.h"
#include "xla/distributed/rendezvous/key_value_store.h"
#include "xla/pjrt/c/pjrt_c_api.h"
#include "xla/pjrt/pjrt_common.h"

namespace xla::pjrt {

// Sets an option, and returns whether it is one of these. Errors:
// InvalidArgument for a value out of range.
absl::StatusOr<bool> SetProcessOption(
    const std::string& name, const PjRtValueType& value,
    distributed::CommunicatorOptions* options);

// The store of the caller's callbacks, which are read only here: without
// several processes callers leave them uninitialized. Errors: InvalidArgument
// if they are missing.
absl::StatusOr<std::shared_ptr<distributed::KeyValueStore>> StoreOf(
    const PJRT_Client_Create_Args& args);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_FUNCTIONS_PROCESS_OPTIONS_H_
