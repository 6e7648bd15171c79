// Parses messages from memory of any size.
#ifndef XLA_PROTO_PARSE_MESSAGE_H_
#define XLA_PROTO_PARSE_MESSAGE_H_

#include <limits>

#include "absl/strings/string_view.h"
#include "google/protobuf/message_lite.h"

namespace xla {

// Returns false when the bytes are no such message, or more than protobuf,
// which counts them in an int, can read.
inline bool ParseMessage(absl::string_view bytes,
                         google::protobuf::MessageLite* message) {
  return bytes.size() <= std::numeric_limits<int>::max() &&
         message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace xla

#endif  // XLA_PROTO_PARSE_MESSAGE_H_
