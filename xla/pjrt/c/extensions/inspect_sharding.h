// Tells JAX the sharding of an array: the call "InspectSharding".
#ifndef XLA_PJRT_C_EXTENSIONS_INSPECT_SHARDING_H_
#define XLA_PJRT_C_EXTENSIONS_INSPECT_SHARDING_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::pjrt {

// Calls the function whose address the framework put into `config`, as a custom
// call's. Errors: InvalidArgument for a configuration of another size; Internal
// with the function's message.
absl::Status CallInspector(absl::string_view config,
                           const OpSharding& sharding);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_EXTENSIONS_INSPECT_SHARDING_H_
