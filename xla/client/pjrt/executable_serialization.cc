// Writing and checking the frame around serialized executables.
#include "xla/client/pjrt/executable_serialization.h"

#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/base/version.h"
#include "xla/proto/message_bytes.h"
#include "xla/proto/parse_message.h"

namespace xla {
namespace {

constexpr absl::string_view kMagic = "TSRAEXEC";
constexpr uint32_t kFormatVersion = 2;

template <typename T>
void Append(T value, std::string& out) {
  char bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  out.append(bytes, sizeof(value));
}

template <typename T>
bool Take(absl::string_view& bytes, T* value) {
  if (bytes.size() < sizeof(*value)) return false;
  std::memcpy(value, bytes.data(), sizeof(*value));
  bytes.remove_prefix(sizeof(*value));
  return true;
}

absl::Status CutOff() {
  return absl::InvalidArgumentError(
      "serialized executable: the bytes are cut off before their end");
}

absl::Status Damaged() {
  return absl::InvalidArgumentError(
      "serialized executable: the bytes are damaged (the checksum differs)");
}

void AppendSection(absl::string_view section, std::string& out) {
  Append(static_cast<uint64_t>(section.size()), out);
  Append(StableBlockHash(section), out);
  out.append(section.data(), section.size());
}

absl::StatusOr<absl::string_view> TakeSection(absl::string_view& bytes) {
  uint64_t size, checksum;
  if (!Take(bytes, &size) || !Take(bytes, &checksum)) return CutOff();
  if (bytes.size() < size) return CutOff();
  const absl::string_view section = bytes.substr(0, size);
  bytes.remove_prefix(size);
  if (StableBlockHash(section) != checksum) return Damaged();
  return section;
}

// Takes what comes before the sections.
absl::Status TakeHeader(absl::string_view& bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError(
        "serialized executable: these bytes were not written by Tessera");
  }
  bytes.remove_prefix(kMagic.size());
  uint32_t format, version_size;
  if (!Take(bytes, &format)) return CutOff();
  if (format != kFormatVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("serialized executable: it has format ", format,
                     ", but this version reads format ", kFormatVersion));
  }
  if (!Take(bytes, &version_size) || bytes.size() < version_size) {
    return CutOff();
  }
  const absl::string_view version = bytes.substr(0, version_size);
  bytes.remove_prefix(version_size);
  if (version == TesseraVersion()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "serialized executable: it was made by another version of Tessera, ",
      version.substr(0, 64), ", and this is ", TesseraVersion(),
      ": compile the program again"));
}

}  // namespace

std::string PackExecutable(const ExecutableAndOptionsProto& payload,
                           absl::string_view code) {
  const std::string body = DeterministicBytes(payload);
  std::string bytes;
  bytes.reserve(body.size() + code.size() + 128);
  bytes.append(kMagic.data(), kMagic.size());
  Append(kFormatVersion, bytes);
  Append(static_cast<uint32_t>(TesseraVersion().size()), bytes);
  absl::StrAppend(&bytes, TesseraVersion());
  AppendSection(body, bytes);
  AppendSection(code, bytes);
  return bytes;
}

absl::StatusOr<PackedExecutable> UnpackExecutable(absl::string_view bytes) {
  TF_RETURN_IF_ERROR(TakeHeader(bytes));
  PackedExecutable packed;
  TF_ASSIGN_OR_RETURN(const absl::string_view body, TakeSection(bytes));
  TF_ASSIGN_OR_RETURN(packed.code, TakeSection(bytes));
  if (!bytes.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "serialized executable: ", bytes.size(), " bytes too many"));
  }
  if (!ParseMessage(body, &packed.payload)) return Damaged();
  return packed;
}

}  // namespace xla
