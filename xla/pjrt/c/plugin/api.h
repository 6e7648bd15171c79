// The PJRT C API of this library: the table that the plugin's `GetPjrtApi`
// returns.
#ifndef XLA_PJRT_C_PLUGIN_API_H_
#define XLA_PJRT_C_PLUGIN_API_H_

#include "xla/pjrt/c/pjrt_c_api.h"

namespace xla::pjrt {

// The function table, valid for the life of the process. Never null.
const PJRT_Api* Api();

}  // namespace xla::pjrt

extern "C" __attribute__((visibility("default"))) const PJRT_Api* GetPjrtApi();

#endif  // XLA_PJRT_C_PLUGIN_API_H_
