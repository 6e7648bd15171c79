// The FFI handlers that custom calls may name, by name and platform. call.h
// calls them; runtime/linalg has the LAPACK targets, which need no
// registration.
#ifndef XLA_RUNTIME_FFI_REGISTRY_H_
#define XLA_RUNTIME_FFI_REGISTRY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/runtime/ffi/ffi_c_api.h"

namespace xla::ffi {

// A trait that Tessera adds to XLA's: programs that call the handler run on the
// thread that starts them and have finished when that call returns. Handlers
// that run Python functions have it, so that these run in the order of the
// statements that start programs. Runs that wait for what the host may provide
// after the call, such as infeeds or buffers that it fills, use other threads.
inline constexpr XLA_FFI_Handler_Traits kRunsOnCaller = 1u << 31;

struct HandlerRegistration {
  XLA_FFI_Handler_Bundle bundle = {};
  XLA_FFI_Handler_Traits traits = 0;  // registered traits and the handler's own
  // The version of the headers that the handler was compiled with.
  int api_major_version = 0;
  int api_minor_version = 0;
};

// Maps "Host", "CPU" and "Tessera", in any case, to the same platform "host",
// and other names to lower case.
std::string CanonicalPlatform(absl::string_view platform);

// Registers a handler, for the life of the process, after asking it for its
// version. Thread safe. Errors: InvalidArgument for an empty name, no
// `execute`, or a handler of another major version; AlreadyExists when other
// functions have the name; the handler's own error.
absl::Status RegisterHandler(absl::string_view name, absl::string_view platform,
                             const XLA_FFI_Handler_Bundle& bundle,
                             XLA_FFI_Handler_Traits traits = 0);
// Like the above, but the handler calls back into `api` instead of
// GetXlaFfiApi().
absl::Status RegisterHandler(const XLA_FFI_Api* api, absl::string_view name,
                             absl::string_view platform,
                             const XLA_FFI_Handler_Bundle& bundle,
                             XLA_FFI_Handler_Traits traits);

// Errors: NotFound, which says how to register a handler and on which other
// platforms the name is known.
absl::StatusOr<HandlerRegistration> FindHandler(
    absl::string_view name, absl::string_view platform = "Host");

// Returns the names registered on a platform, sorted.
std::vector<std::string> RegisteredHandlerNames(absl::string_view platform);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_REGISTRY_H_
