// Programs and compile options as frameworks send them.
#include "xla/pjrt/convert/program.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/pjrt/arguments.h"
#include "xla/stablehlo/stablehlo.h"

namespace xla::pjrt {
namespace {

using ::google::protobuf::internal::WireFormatLite;
using ::google::protobuf::io::CodedInputStream;
using ::google::protobuf::io::CodedOutputStream;

// Protobuf's own limit.
constexpr size_t kMaxProtoBytes = (size_t{1} << 31) - 1;

template <typename Proto>
bool Parse(absl::string_view bytes, Proto* proto) {
  return bytes.size() <= kMaxProtoBytes &&
         proto->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// The first field of an HloModuleProtoWithConfig, if the bytes are one that
// holds a module: a message whose own first field is a string would not parse.
bool ParseWithConfig(absl::string_view bytes, HloModuleProto* proto) {
  if (bytes.size() > kMaxProtoBytes) return false;
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

absl::StatusOr<std::unique_ptr<HloModule>> ReadHloProto(
    absl::string_view code) {
  HloModuleProto proto;
  if (!Parse(code, &proto) || proto.computations_size() == 0) {
    HloModuleProto inner;
    if (!ParseWithConfig(code, &inner)) {
      return InvalidArgument(
          "the program is neither an HloModuleProto nor HLO text");
    }
    proto = std::move(inner);
  }
  return HloModule::CreateFromProto(proto);
}

bool IsHloText(absl::string_view code) {
  code = absl::StripLeadingAsciiWhitespace(code);
  while (absl::StartsWith(code, "//")) {
    const size_t end = code.find('\n');
    if (end == absl::string_view::npos) return false;
    code = absl::StripLeadingAsciiWhitespace(code.substr(end));
  }
  return absl::StartsWith(code, "HloModule");
}

void AppendBytes(int field, absl::string_view bytes, CodedOutputStream* out) {
  out->WriteTag(WireFormatLite::MakeTag(
      field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED));
  out->WriteVarint32(static_cast<uint32_t>(bytes.size()));
  out->WriteRaw(bytes.data(), static_cast<int>(bytes.size()));
}

void AppendInt(int field, int64_t value, CodedOutputStream* out) {
  out->WriteTag(
      WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_VARINT));
  out->WriteVarint64(static_cast<uint64_t>(value));
}

}  // namespace

absl::StatusOr<std::unique_ptr<HloModule>> ReadProgram(
    const PJRT_Program* program) {
  TF_RETURN_IF_ERROR(CheckPointer(program, "program"));
  if (program->struct_size < PJRT_Program_STRUCT_SIZE) {
    return ArgumentError("program.struct_size is too small");
  }
  TF_ASSIGN_OR_RETURN(
      absl::string_view format,
      StringArgument(program->format, program->format_size, "program.format"));
  TF_ASSIGN_OR_RETURN(
      absl::string_view code,
      StringArgument(program->code, program->code_size, "program.code"));
  if (stablehlo::IsArtifact(code)) return stablehlo::ReadModule(code);
  if (IsHloText(code)) return ParseAndReturnUnverifiedModule(code);
  if (format == kMlirFormat) return stablehlo::ReadModule(code);
  if (format == kHloFormat || format == kHloWithConfigFormat) {
    return ReadHloProto(code);
  }
  return InvalidArgument(
      "program format '%s' is not known; there are 'mlir' (StableHLO artifact "
      "or text), 'hlo' and 'hlo_with_config'",
      std::string(format.substr(0, 64)));
}

absl::StatusOr<CompileOptions> ReadCompileOptions(const char* serialized,
                                                  size_t size) {
  TF_ASSIGN_OR_RETURN(absl::string_view bytes,
                      StringArgument(serialized, size, "compile_options"));
  CompileOptionsProto proto;
  if (!Parse(bytes, &proto)) {
    return InvalidArgument(
        "compile_options are not a serialized CompileOptionsProto");
  }
  return CompileOptions::FromProto(proto);
}

std::string OptimizedProgramOf(const PjRtExecutable& executable) {
  const HloModuleProto module = executable.GetHloModuleProto();
  std::string config;
  {
    // What a HloModuleConfigProto must say to go with the module.
    ::google::protobuf::io::StringOutputStream stream(&config);
    CodedOutputStream out(&stream);
    AppendBytes(1, module.host_program_shape().SerializeAsString(), &out);
    AppendInt(4, executable.num_replicas(), &out);
    AppendInt(5, executable.num_partitions(), &out);
  }
  std::string bytes;
  {
    ::google::protobuf::io::StringOutputStream stream(&bytes);
    CodedOutputStream out(&stream);
    AppendBytes(1, module.SerializeAsString(), &out);
    AppendBytes(2, config, &out);
  }
  return bytes;
}

}  // namespace xla::pjrt
