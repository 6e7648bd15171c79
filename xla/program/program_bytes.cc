// Tells forms of programs by their first bytes, and parses the protos that hold
// a module.
#include "xla/program/program_bytes.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/wire_format_lite.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/parse_message.h"
#include "xla/stablehlo/stablehlo.h"

namespace xla {
namespace {

using ::google::protobuf::internal::WireFormatLite;
using ::google::protobuf::io::CodedInputStream;

// Returns the first field of an HloModuleProtoWithConfig if the bytes are one
// that holds a module: a message whose own first field is a string would not
// parse.
bool ParseWithConfig(absl::string_view bytes, HloModuleProto* proto) {
  if (bytes.size() > std::numeric_limits<int>::max()) return false;
  CodedInputStream input(reinterpret_cast<const uint8_t*>(bytes.data()),
                         static_cast<int>(bytes.size()));
  while (const uint32_t tag = input.ReadTag()) {
    if (tag ==
        WireFormatLite::MakeTag(1, WireFormatLite::WIRETYPE_LENGTH_DELIMITED)) {
      uint32_t length;
      std::string module;
      return input.ReadVarint32(&length) &&
             length <=
                 static_cast<uint32_t>(input.BytesUntilTotalBytesLimit()) &&
             input.ReadString(&module, static_cast<int>(length)) &&
             proto->ParseFromString(module) && proto->computations_size() > 0;
    }
    if (!WireFormatLite::SkipField(&input, tag)) return false;
  }
  return false;
}

// protobuf's own parser limits the depth of messages.
absl::StatusOr<HloModuleProto> ParseModuleProto(absl::string_view bytes) {
  HloModuleProto module;
  if (ParseMessage(bytes, &module) && module.computations_size() > 0)
    return module;
  HloModuleProto with_config;
  if (ParseWithConfig(bytes, &with_config)) return with_config;
  HloProto hlo;
  if (ParseMessage(bytes, &hlo) && hlo.hlo_module().computations_size() > 0) {
    return std::move(*hlo.mutable_hlo_module());
  }
  HloSnapshot snapshot;
  if (ParseMessage(bytes, &snapshot) &&
      snapshot.hlo().hlo_module().computations_size() > 0) {
    return std::move(*snapshot.mutable_hlo()->mutable_hlo_module());
  }
  return absl::InvalidArgumentError(
      "neither HLO or StableHLO text, nor a portable artifact, nor an "
      "HloModuleProto, HloProto or HloSnapshot with computations");
}

}  // namespace

ProgramFormat DetectFormat(absl::string_view bytes) {
  if (stablehlo::IsArtifact(bytes)) return ProgramFormat::kStablehloArtifact;
  for (const char c : bytes) {
    const bool control = absl::ascii_iscntrl(c) && !absl::ascii_isspace(c);
    if (control) return ProgramFormat::kHloProto;
  }
  return stablehlo::IsStablehloText(bytes) ? ProgramFormat::kStablehloText
                                           : ProgramFormat::kHloText;
}

absl::StatusOr<std::unique_ptr<HloModule>> ParseProgramBytes(
    absl::string_view bytes) {
  return ParseProgramBytes(bytes, DetectFormat(bytes));
}

absl::StatusOr<std::unique_ptr<HloModule>> ParseProgramBytes(
    absl::string_view bytes, ProgramFormat format) {
  switch (format) {
    case ProgramFormat::kHloText:
      return ParseAndReturnUnverifiedModule(bytes);
    case ProgramFormat::kStablehloText:
      if (stablehlo::IsArtifact(bytes)) {
        return absl::InvalidArgumentError(
            "a portable artifact instead of StableHLO text");
      }
      return stablehlo::ReadModule(bytes);
    case ProgramFormat::kStablehloArtifact:
      if (!stablehlo::IsArtifact(bytes)) {
        return absl::InvalidArgumentError(
            "not a portable artifact, which begins with \"MLïR\"");
      }
      return stablehlo::ReadModule(bytes);
    case ProgramFormat::kHloProto:
      break;
  }
  TF_ASSIGN_OR_RETURN(HloModuleProto proto, ParseModuleProto(bytes));
  return HloModule::CreateFromProto(proto);
}

}  // namespace xla
