// The table of functions that handlers call back into, and conversion of errors
// to and from absl::Status.
#ifndef XLA_RUNTIME_FFI_FFI_API_H_
#define XLA_RUNTIME_FFI_FFI_API_H_

#include "absl/status/status.h"
#include "xla/runtime/ffi/ffi_c_api.h"

namespace xla::ffi {

// The table lives as long as the process and has every function of version 0.3;
// those for streams return Unimplemented, since the platform has none.
const XLA_FFI_Api* GetXlaFfiApi();

// Converts an error that an FFI function returned, and destroys it.
absl::Status TakeStatus(XLA_FFI_Error* error);
// Returns null for OK. The receiver destroys the error.
XLA_FFI_Error* CreateError(const absl::Status& status);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_FFI_API_H_
