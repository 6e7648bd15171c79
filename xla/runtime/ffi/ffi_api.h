// The table of functions that handlers call back into, and errors between its
// form and absl::Status.
#ifndef XLA_RUNTIME_FFI_FFI_API_H_
#define XLA_RUNTIME_FFI_FFI_API_H_

#include "absl/status/status.h"
#include "xla/runtime/ffi/ffi_c_api.h"

namespace xla::ffi {

// Lives as long as the process. Every function of version 0.3 is there;
// streams answer Unimplemented, since the platform has none.
const XLA_FFI_Api* GetXlaFfiApi();

// The error that an FFI function returned, which this destroys.
absl::Status TakeStatus(XLA_FFI_Error* error);
// Null for OK. The receiver destroys it.
XLA_FFI_Error* CreateError(const absl::Status& status);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_FFI_API_H_
