// JAX's side of this interface is in jaxlib, which no header declares.
#include "xla/pjrt/c/extensions/inspect_sharding.h"

#include <cstddef>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"

namespace xla::pjrt {
namespace {

struct JaxInspectShardingArgs {
  const char* sharding;  // a serialized OpSharding
  size_t sharding_size;
  const char* error;  // out: 0-terminated; null if there is none
  void* scratch;      // out
  void (*free_error)(JaxInspectShardingArgs* args);  // out
};

// What the configuration of a call holds.
struct JaxInspectShardingCallback {
  void (*call)(void* data, JaxInspectShardingArgs* args);
  void* data;
};

}  // namespace

absl::Status CallInspector(absl::string_view config,
                           const OpSharding& sharding) {
  JaxInspectShardingCallback callback;
  if (config.size() != sizeof(callback)) {
    return absl::InvalidArgumentError(
        absl::StrCat("its configuration has ", config.size(), " bytes, not ",
                     sizeof(callback)));
  }
  std::memcpy(&callback, config.data(), sizeof(callback));
  if (callback.call == nullptr) {
    return absl::InvalidArgumentError("its configuration has no function");
  }
  const std::string bytes = sharding.SerializeAsString();
  JaxInspectShardingArgs args = {bytes.data(), bytes.size(), nullptr, nullptr,
                                 nullptr};
  callback.call(callback.data, &args);
  if (args.error == nullptr) return absl::OkStatus();
  const absl::Status status = absl::InternalError(
      absl::StrCat("Error calling inspect_sharding: ", args.error));
  if (args.free_error != nullptr) args.free_error(&args);
  return status;
}

}  // namespace xla::pjrt
