// The process's table of FFI handlers.
#include "xla/runtime/ffi/registry.h"

#include <map>
#include <mutex>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/ffi/ffi_api.h"

namespace xla::ffi {
namespace {

struct Handlers {
  std::mutex mutex;
  // Registrations by name, then platform.
  std::map<std::string, std::map<std::string, HandlerRegistration>, std::less<>>
      by_name;
};

Handlers& GlobalHandlers() {
  static auto* const handlers = new Handlers;
  return *handlers;
}

absl::StatusOr<XLA_FFI_Metadata> GetMetadata(const XLA_FFI_Api* api,
                                             XLA_FFI_Handler* handler) {
  XLA_FFI_Metadata metadata = {};
  // XLA_FFI_Metadata_STRUCT_SIZE, which ends with the traits, would be too
  // small: handlers of version 0.3 write past them.
  metadata.struct_size = sizeof(XLA_FFI_Metadata);
  metadata.api_version.struct_size = XLA_FFI_Api_Version_STRUCT_SIZE;
  XLA_FFI_Metadata_Extension extension = {};
  extension.extension_base.struct_size = XLA_FFI_Metadata_Extension_STRUCT_SIZE;
  extension.extension_base.type = XLA_FFI_Extension_Metadata;
  extension.metadata = &metadata;
  XLA_FFI_CallFrame frame = {};
  frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
  frame.extension_start = &extension.extension_base;
  frame.api = api;
  TF_RETURN_IF_ERROR(TakeStatus(handler(&frame)));
  return metadata;
}

bool SameFunctions(const XLA_FFI_Handler_Bundle& a,
                   const XLA_FFI_Handler_Bundle& b) {
  return a.instantiate == b.instantiate && a.prepare == b.prepare &&
         a.initialize == b.initialize && a.execute == b.execute;
}

// Asks every stage for its version, and checks it.
absl::Status ReadMetadata(const XLA_FFI_Api* api, absl::string_view name,
                          HandlerRegistration& registration) {
  const XLA_FFI_Handler_Bundle& bundle = registration.bundle;
  for (XLA_FFI_Handler* handler : {bundle.instantiate, bundle.prepare,
                                   bundle.initialize, bundle.execute}) {
    if (handler == nullptr) continue;
    auto metadata = GetMetadata(api, handler);
    if (!metadata.ok()) {
      return AddStatus(
          metadata.status(),
          absl::StrCat("FFI handler \"", name, "\" does not tell its version"));
    }
    const XLA_FFI_Api_Version& version = metadata->api_version;
    if (version.major_version != XLA_FFI_API_MAJOR) {
      return absl::InvalidArgumentError(
          absl::StrCat("FFI handler \"", name, "\" was compiled for XLA FFI ",
                       version.major_version, ".", version.minor_version,
                       "; this library speaks ", XLA_FFI_API_MAJOR, ".",
                       XLA_FFI_API_MINOR, ", so it has to be compiled again"));
    }
    registration.api_major_version = version.major_version;
    registration.api_minor_version = version.minor_version;
    registration.traits |= metadata->traits;
  }
  return absl::OkStatus();
}

}  // namespace

std::string CanonicalPlatform(absl::string_view platform) {
  std::string lower = absl::AsciiStrToLower(platform);
  if (lower == "cpu" || lower == "tessera") return "host";
  return lower;
}

absl::Status RegisterHandler(absl::string_view name, absl::string_view platform,
                             const XLA_FFI_Handler_Bundle& bundle,
                             XLA_FFI_Handler_Traits traits) {
  return RegisterHandler(GetXlaFfiApi(), name, platform, bundle, traits);
}

absl::Status RegisterHandler(const XLA_FFI_Api* api, absl::string_view name,
                             absl::string_view platform,
                             const XLA_FFI_Handler_Bundle& bundle,
                             XLA_FFI_Handler_Traits traits) {
  if (name.empty()) {
    return absl::InvalidArgumentError("FFI handler: the name is empty");
  }
  if (bundle.execute == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "FFI handler \"", name, "\" has no function for the execute stage"));
  }
  HandlerRegistration registration{bundle, traits};
  TF_RETURN_IF_ERROR(ReadMetadata(api, name, registration));
  Handlers& handlers = GlobalHandlers();
  std::lock_guard<std::mutex> lock(handlers.mutex);
  auto& by_platform = handlers.by_name[std::string(name)];
  auto [it, is_new] =
      by_platform.emplace(CanonicalPlatform(platform), registration);
  if (is_new || SameFunctions(it->second.bundle, bundle)) {
    return absl::OkStatus();
  }
  return absl::AlreadyExistsError(
      absl::StrCat("FFI handler \"", name, "\" for platform ", it->first,
                   " is registered already, with other functions"));
}

absl::StatusOr<HandlerRegistration> FindHandler(absl::string_view name,
                                                absl::string_view platform) {
  const std::string wanted = CanonicalPlatform(platform);
  Handlers& handlers = GlobalHandlers();
  std::lock_guard<std::mutex> lock(handlers.mutex);
  auto by_platform = handlers.by_name.find(name);
  if (by_platform == handlers.by_name.end()) {
    return absl::NotFoundError(absl::StrCat(
        "no FFI handler \"", name, "\" is registered for platform ", wanted,
        "; register one with XLA_FFI_REGISTER_HANDLER, or from Python with "
        "jax.ffi.register_ffi_target(\"",
        name, "\", capsule, platform=...)"));
  }
  auto it = by_platform->second.find(wanted);
  if (it != by_platform->second.end()) return it->second;
  std::vector<std::string> others;
  for (const auto& entry : by_platform->second) others.push_back(entry.first);
  return absl::NotFoundError(absl::StrCat(
      "FFI handler \"", name, "\" is registered for ",
      absl::StrJoin(others, ", "), " but not for platform ", wanted));
}

std::vector<std::string> RegisteredHandlerNames(absl::string_view platform) {
  const std::string wanted = CanonicalPlatform(platform);
  Handlers& handlers = GlobalHandlers();
  std::lock_guard<std::mutex> lock(handlers.mutex);
  std::vector<std::string> names;
  for (const auto& [name, by_platform] : handlers.by_name) {
    if (by_platform.count(wanted) != 0) names.push_back(name);
  }
  return names;
}

}  // namespace xla::ffi
