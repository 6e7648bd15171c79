// ParseTextProtoOrDie: a message from its text, for tests.
#ifndef COMPAT_XLA_TSL_UTIL_PROTO_PARSE_TEXT_PROTO_H_
#define COMPAT_XLA_TSL_UTIL_PROTO_PARSE_TEXT_PROTO_H_

#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "xla/base/logging.h"

namespace tsl::proto_testing {
namespace internal {

template <typename T>
T ParseOrDie(const std::string& text) {
  T message;
  CHECK(google::protobuf::TextFormat::ParseFromString(text, &message))
      << "Failed to parse text proto:\n"
      << text;
  return message;
}

// Becomes the message that is asked for.
class TextOfMessage {
 public:
  explicit TextOfMessage(std::string text) : text_(std::move(text)) {}

  template <typename T, typename = std::enable_if_t<
                            std::is_base_of_v<google::protobuf::Message, T>>>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return ParseOrDie<T>(text_);
  }

 private:
  std::string text_;
};

}  // namespace internal

// The text must be that of a T (CHECK); without T, of the message that the
// result is assigned to.
template <typename T = internal::TextOfMessage>
T ParseTextProtoOrDie(absl::string_view text_proto) {
  if constexpr (std::is_same_v<T, internal::TextOfMessage>) {
    return T(std::string(text_proto));
  } else {
    return internal::ParseOrDie<T>(std::string(text_proto));
  }
}

}  // namespace tsl::proto_testing

#endif  // COMPAT_XLA_TSL_UTIL_PROTO_PARSE_TEXT_PROTO_H_
