// Messages from memory of any size.
#ifndef XLA_PROTO_PARSE_MESSAGE_H_
#define XLA_PROTO_PARSE_MESSAGE_H_

#include <limits>

#include "absl/strings/string_view.h"
#include "google/protobuf/message_lite.h"

namespace xla {

// False when the bytes are not those of such a message, or more than protobuf
// reads, which counts them in an int.
inline bool ParseMessage(absl::string_view bytes,
                         google::protobuf::MessageLite* message) {
  return bytes.size() <= std::numeric_limits<int>::max() &&
         message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace xla

#endif  // XLA_PROTO_PARSE_MESSAGE_H_
