// BackendConfigWrapper: the config of a backend for one op, as a message and as
// text.
#ifndef COMPAT_XLA_HLO_IR_BACKEND_CONFIG_H_
#define COMPAT_XLA_HLO_IR_BACKEND_CONFIG_H_

#include <google/protobuf/message.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/hlo/attrs/backend_config_text.h"

namespace xla {

// Null for null.
inline std::unique_ptr<google::protobuf::Message> CloneBackendConfigProto(
    const google::protobuf::Message* proto) {
  if (proto == nullptr) return nullptr;
  std::unique_ptr<google::protobuf::Message> copy(proto->New());
  copy->CopyFrom(*proto);
  return copy;
}

// Made of a message or of JSON; makes the other one when it is first asked for.
// Thread safe, but a reference to the text is valid only until the config
// changes.
class BackendConfigWrapper {
 public:
  BackendConfigWrapper() = default;
  explicit BackendConfigWrapper(std::string raw_string)
      : raw_string_(std::move(raw_string)) {}
  explicit BackendConfigWrapper(const google::protobuf::Message& proto)
      : proto_(CloneBackendConfigProto(&proto)) {}
  BackendConfigWrapper(const BackendConfigWrapper& other) {
    std::lock_guard<std::mutex> lock(other.mutex_);
    proto_ = CloneBackendConfigProto(other.proto_.get());
    raw_string_ = other.raw_string_;
  }
  // Leaves `other` empty.
  BackendConfigWrapper& operator=(BackendConfigWrapper&& other) {
    if (this == &other) return *this;
    std::scoped_lock lock(mutex_, other.mutex_);
    proto_ = std::move(other.proto_);
    raw_string_ = std::move(other.raw_string_);
    other.raw_string_.clear();
    return *this;
  }

  // Compares the texts.
  bool operator==(const BackendConfigWrapper& other) const {
    return GetRawString() == std::string(other.GetRawString());
  }
  bool operator!=(const BackendConfigWrapper& other) const {
    return !(*this == other);
  }

  // Empty for an empty config, and for a message that has no JSON.
  const std::string& GetRawString() const {
    std::lock_guard<std::mutex> lock(mutex_);
    if (proto_ != nullptr && raw_string_.empty()) {
      raw_string_ = BackendConfigToRawString(*proto_).value_or("");
    }
    return raw_string_;
  }

  // Errors: InvalidArgument for text that is not JSON of such a message;
  // Internal if the config is a message of another type.
  absl::Status GetProto(google::protobuf::Message* output_proto) const {
    std::lock_guard<std::mutex> lock(mutex_);
    output_proto->Clear();
    if (proto_ == nullptr) {
      if (raw_string_.empty()) return absl::OkStatus();
      absl::Status status =
          BackendConfigFromRawString(raw_string_, output_proto);
      if (status.ok()) proto_ = CloneBackendConfigProto(output_proto);
      return status;
    }
    if (proto_->GetDescriptor() != output_proto->GetDescriptor()) {
      return absl::InternalError(absl::StrCat("the backend config is a ",
                                              proto_->GetTypeName(), ", not a ",
                                              output_proto->GetTypeName()));
    }
    output_proto->CopyFrom(*proto_);
    return absl::OkStatus();
  }

  // Whether metadata of a custom call has a place in T.
  template <typename T, typename = void>
  struct has_mutable_custom_call_metadata : std::false_type {};
  template <typename T>
  struct has_mutable_custom_call_metadata<
      T,
      std::void_t<decltype(std::declval<T>().mutable_custom_call_metadata())>>
      : std::true_type {};

  // Lets `fn` change the message, and returns its status. Text that is not JSON
  // becomes the metadata of a custom call, where ConfigProto has a place for
  // it. Errors: InvalidArgument for an empty config, or for such text.
  template <typename ConfigProto, typename = std::enable_if_t<std::is_base_of_v<
                                      google::protobuf::Message, ConfigProto>>>
  absl::Status ApplyFnOnProto(
      const std::function<absl::Status(ConfigProto*)>& fn) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (proto_ == nullptr) {
      if (raw_string_.empty()) {
        return absl::InvalidArgumentError("there is no backend config");
      }
      auto proto = std::make_unique<ConfigProto>();
      absl::Status status =
          BackendConfigFromRawString(raw_string_, proto.get());
      if (!status.ok()) {
        if constexpr (has_mutable_custom_call_metadata<ConfigProto>::value) {
          proto->mutable_custom_call_metadata()->set_metadata(raw_string_);
        } else {
          return status;
        }
      }
      proto_ = std::move(proto);
    }
    auto* config = dynamic_cast<ConfigProto*>(proto_.get());
    if (config == nullptr) {
      return absl::InternalError(
          absl::StrCat("the backend config is a ", proto_->GetTypeName()));
    }
    raw_string_.clear();
    return fn(config);
  }

  bool empty() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return proto_ == nullptr && raw_string_.empty();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<google::protobuf::Message> proto_;
  mutable std::string raw_string_;
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_IR_BACKEND_CONFIG_H_
