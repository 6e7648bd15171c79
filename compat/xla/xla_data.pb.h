// XLA's messages, with which tsl::protobuf comes.
#ifndef COMPAT_XLA_XLA_DATA_PB_H_
#define COMPAT_XLA_XLA_DATA_PB_H_

#include "xla/proto/xla_data.pb.h"      // IWYU pragma: export
#include "xla/tsl/platform/protobuf.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_XLA_DATA_PB_H_
