// Configs of backends: messages as the JSON that instructions hold, and back.
#ifndef XLA_HLO_ATTRS_BACKEND_CONFIG_TEXT_H_
#define XLA_HLO_ATTRS_BACKEND_CONFIG_TEXT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/message.h"

namespace xla {

// "{}" for an empty message. Errors: Internal for a message without JSON.
absl::StatusOr<std::string> BackendConfigToRawString(
    const google::protobuf::Message& proto);
// Errors: InvalidArgument for text that is not JSON of such a message.
absl::Status BackendConfigFromRawString(const std::string& text,
                                        google::protobuf::Message* proto);

}  // namespace xla

#endif  // XLA_HLO_ATTRS_BACKEND_CONFIG_TEXT_H_
