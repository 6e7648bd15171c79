// The FFI handlers that custom calls may name, by name and platform. Calling
// them is call.h's; the LAPACK targets, which need no registration, are
// runtime/linalg's.
#ifndef XLA_RUNTIME_FFI_REGISTRY_H_
#define XLA_RUNTIME_FFI_REGISTRY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/runtime/ffi/ffi_c_api.h"

namespace xla::ffi {

// A trait of our own, beside XLA's: programs that call the handler run on the
// thread that starts them, and have run when that call returns. Handlers that
// run Python's functions have it, so that those happen in the order of the
// statements that start programs. Runs that wait for what the host may give
// after the call, infeeds or buffers that it fills, are on other threads.
inline constexpr XLA_FFI_Handler_Traits kRunsOnCaller = 1u << 31;

struct HandlerRegistration {
  XLA_FFI_Handler_Bundle bundle = {};
  XLA_FFI_Handler_Traits traits = 0;  // as registered and as the handler says
  // Of the headers that the handler was compiled with.
  int api_major_version = 0;
  int api_minor_version = 0;
};

// "Host", "CPU" and "Tessera", in any case, are all the same platform: "host";
// other names are put into lower case.
std::string CanonicalPlatform(absl::string_view platform);

// Adds a handler after asking it for its version. Thread safe; what was
// registered stays for the life of the process. Errors: InvalidArgument for an
// empty name, no `execute`, or a handler of another major version;
// AlreadyExists when other functions have the name; what the handler answers.
absl::Status RegisterHandler(absl::string_view name, absl::string_view platform,
                             const XLA_FFI_Handler_Bundle& bundle,
                             XLA_FFI_Handler_Traits traits = 0);
// The same through a table of functions that differs from GetXlaFfiApi()'s.
absl::Status RegisterHandler(const XLA_FFI_Api* api, absl::string_view name,
                             absl::string_view platform,
                             const XLA_FFI_Handler_Bundle& bundle,
                             XLA_FFI_Handler_Traits traits);

// Errors: NotFound, saying how to register one and on which other platforms
// the name is known.
absl::StatusOr<HandlerRegistration> FindHandler(
    absl::string_view name, absl::string_view platform = "Host");

// Sorted names of a platform.
std::vector<std::string> RegisteredHandlerNames(absl::string_view platform);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_REGISTRY_H_
