// Comparisons and hashes of messages by their bytes.
#ifndef COMPAT_XLA_PROTOBUF_UTIL_H_
#define COMPAT_XLA_PROTOBUF_UTIL_H_

#include <cstddef>
#include <string>

#include "absl/hash/hash.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message.h"
#include "xla/tsl/platform/protobuf.h"

namespace xla {
namespace protobuf_util {

namespace internal {

// The same for equal messages of one process.
inline std::string BytesOf(const tsl::protobuf::Message& message) {
  std::string bytes;
  {
    tsl::protobuf::io::StringOutputStream stream(&bytes);
    tsl::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializePartialToCodedStream(&coded);
  }
  return bytes;
}

}  // namespace internal

// Protobuf promises no bytes across its versions: use these within a process.
[[nodiscard]] inline bool HaveSameSerialization(
    const tsl::protobuf::Message& m1, const tsl::protobuf::Message& m2) {
  return internal::BytesOf(m1) == internal::BytesOf(m2);
}
[[nodiscard]] inline size_t ProtobufHashBySerialization(
    const tsl::protobuf::Message& m) {
  return absl::HashOf(internal::BytesOf(m));
}

// For containers.
class HaveSameSerializationFunctor {
 public:
  [[nodiscard]] bool operator()(const tsl::protobuf::Message& m1,
                                const tsl::protobuf::Message& m2) const {
    return HaveSameSerialization(m1, m2);
  }
};
class ProtobufHashBySerializationFunctor {
 public:
  [[nodiscard]] size_t operator()(const tsl::protobuf::Message& m) const {
    return ProtobufHashBySerialization(m);
  }
};

// The older names of the four above.
[[nodiscard]] inline bool ProtobufEquals(const tsl::protobuf::Message& m1,
                                         const tsl::protobuf::Message& m2) {
  return HaveSameSerialization(m1, m2);
}
[[nodiscard]] inline size_t ProtobufHash(const tsl::protobuf::Message& m) {
  return ProtobufHashBySerialization(m);
}
using ProtobufEqualsWrapper = HaveSameSerializationFunctor;
using ProtobufHashWrapper = ProtobufHashBySerializationFunctor;

}  // namespace protobuf_util
}  // namespace xla

#endif  // COMPAT_XLA_PROTOBUF_UTIL_H_
