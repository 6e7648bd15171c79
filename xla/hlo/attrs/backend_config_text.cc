// JSON by the library of Protocol Buffers, with its errors as statuses.
#include "xla/hlo/attrs/backend_config_text.h"

#include "absl/strings/str_cat.h"
#include "google/protobuf/util/json_util.h"

namespace xla {

absl::StatusOr<std::string> BackendConfigToRawString(
    const google::protobuf::Message& proto) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto status =
      google::protobuf::util::MessageToJsonString(proto, &text, options);
  if (status.ok()) return text;
  return absl::InternalError(
      absl::StrCat("a ", proto.GetTypeName(),
                   " has no JSON: ", std::string(status.message())));
}

absl::Status BackendConfigFromRawString(const std::string& text,
                                        google::protobuf::Message* proto) {
  const auto status = google::protobuf::util::JsonStringToMessage(text, proto);
  if (status.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the backend config is no ", proto->GetTypeName(), ": ",
                   std::string(status.message())));
}

}  // namespace xla
