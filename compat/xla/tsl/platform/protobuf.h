// tsl::protobuf is google::protobuf.
#ifndef COMPAT_XLA_TSL_PLATFORM_PROTOBUF_H_
#define COMPAT_XLA_TSL_PLATFORM_PROTOBUF_H_

#include "google/protobuf/message.h"      // IWYU pragma: export
#include "google/protobuf/text_format.h"  // IWYU pragma: export

namespace tsl {
namespace protobuf = ::google::protobuf;
}  // namespace tsl

#endif  // COMPAT_XLA_TSL_PLATFORM_PROTOBUF_H_
