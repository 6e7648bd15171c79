// Sets and gets handler state through the C ABI, in the form of version 0.3 and
// in that of 0.1, which had state in one stage only.
#ifndef XLA_RUNTIME_FFI_STATE_ABI_H_
#define XLA_RUNTIME_FFI_STATE_ABI_H_

#include "absl/status/status.h"
#include "xla/runtime/ffi/ffi_c_api.h"

namespace xla::ffi {

absl::Status SetState(const XLA_FFI_State_Set_Args& args);
absl::Status GetState(XLA_FFI_State_Get_Args& args);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_STATE_ABI_H_
