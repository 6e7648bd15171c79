// Serializes messages to bytes that are equal for equal messages.
#ifndef XLA_PROTO_MESSAGE_BYTES_H_
#define XLA_PROTO_MESSAGE_BYTES_H_

#include <string>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message_lite.h"

namespace xla {

// Serializes with map entries in order.
inline std::string DeterministicBytes(
    const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializePartialToCodedStream(&coded);
  }
  return bytes;
}

}  // namespace xla

#endif  // XLA_PROTO_MESSAGE_BYTES_H_
