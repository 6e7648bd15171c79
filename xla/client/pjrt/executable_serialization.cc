// Writing and checking the header of serialized executables.
#include "xla/client/pjrt/executable_serialization.h"

#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "xla/base/stable_hash.h"
#include "xla/base/version.h"
#include "xla/proto/parse_message.h"

namespace xla {
namespace {

constexpr absl::string_view kMagic = "TSRAEXEC";
constexpr uint32_t kFormatVersion = 1;

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

}  // namespace

std::string DeterministicBytes(const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializePartialToCodedStream(&coded);
  }
  return bytes;
}

std::string PackExecutable(const ExecutableAndOptionsProto& payload) {
  const std::string body = DeterministicBytes(payload);
  std::string bytes(kMagic);
  Append(kFormatVersion, bytes);
  Append(static_cast<uint32_t>(TesseraVersion().size()), bytes);
  absl::StrAppend(&bytes, TesseraVersion());
  Append(static_cast<uint64_t>(body.size()), bytes);
  Append(StableHash(body), bytes);
  return bytes + body;
}

absl::StatusOr<ExecutableAndOptionsProto> UnpackExecutable(
    absl::string_view bytes) {
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
  if (version != TesseraVersion()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "serialized executable: it was made by another version of Tessera, ",
        version.substr(0, 64), ", and this is ", TesseraVersion(),
        ": compile the program again"));
  }
  uint64_t size, checksum;
  if (!Take(bytes, &size) || !Take(bytes, &checksum)) return CutOff();
  if (bytes.size() < size) return CutOff();
  if (bytes.size() > size) {
    return absl::InvalidArgumentError(absl::StrCat(
        "serialized executable: ", bytes.size() - size, " bytes too many"));
  }
  ExecutableAndOptionsProto payload;
  if (StableHash(bytes) != checksum || !ParseMessage(bytes, &payload)) {
    return absl::InvalidArgumentError(
        "serialized executable: the bytes are damaged (the checksum differs)");
  }
  return payload;
}

}  // namespace xla
