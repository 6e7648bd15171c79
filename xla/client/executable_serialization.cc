// Writing and checking the frame around serialized executables.
#include "xla/client/executable_serialization.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/byte_fields.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/base/version.h"
#include "xla/proto/message_bytes.h"
#include "xla/proto/parse_message.h"

namespace xla {
namespace {

constexpr absl::string_view kMagic = "TSRAEXEC";
constexpr uint32_t kFormatVersion = 3;

absl::Status CutOff() {
  return absl::InvalidArgumentError(
      "serialized executable: the bytes are cut off before their end");
}

absl::Status Damaged() {
  return absl::InvalidArgumentError(
      "serialized executable: the bytes are damaged (the checksum differs)");
}

void WriteSection(absl::string_view section, ByteWriter& writer) {
  writer.Number(uint64_t{section.size()});
  writer.Number(StableBlockHash(section));
  writer.Bytes(section);
}

absl::StatusOr<absl::string_view> TakeSection(ByteReader& reader) {
  const uint64_t size = reader.Number<uint64_t>();
  const uint64_t checksum = reader.Number<uint64_t>();
  const absl::string_view section = reader.Bytes(size);
  if (reader.failed()) return CutOff();
  if (StableBlockHash(section) != checksum) return Damaged();
  return section;
}

// Consumes what precedes the sections.
absl::Status TakeHeader(ByteReader& reader) {
  if (reader.Bytes(kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError(
        "serialized executable: these bytes were not written by Tessera");
  }
  const uint32_t format = reader.Number<uint32_t>();
  if (reader.failed()) return CutOff();
  if (format != kFormatVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("serialized executable: it has format ", format,
                     ", but this version reads format ", kFormatVersion));
  }
  const absl::string_view version = reader.Bytes(reader.Number<uint32_t>());
  if (reader.failed()) return CutOff();
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
  ByteWriter writer(body.size() + code.size() + 128);
  writer.Bytes(kMagic);
  writer.Number(kFormatVersion);
  writer.Number(static_cast<uint32_t>(TesseraVersion().size()));
  writer.Bytes(TesseraVersion());
  WriteSection(body, writer);
  WriteSection(code, writer);
  return std::move(writer).Take();
}

absl::StatusOr<PackedExecutable> UnpackExecutable(absl::string_view bytes) {
  ByteReader reader(bytes);
  TF_RETURN_IF_ERROR(TakeHeader(reader));
  PackedExecutable packed;
  TF_ASSIGN_OR_RETURN(const absl::string_view body, TakeSection(reader));
  TF_ASSIGN_OR_RETURN(packed.code, TakeSection(reader));
  if (!reader.at_end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "serialized executable: ", reader.rest().size(), " bytes too many"));
  }
  if (!ParseMessage(body, &packed.payload)) return Damaged();
  return packed;
}

}  // namespace xla
