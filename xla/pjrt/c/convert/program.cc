// Programs and compile options as frameworks send them.
#include "xla/pjrt/c/convert/program.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/program/program_bytes.h"
#include "xla/proto/parse_message.h"
#include "xla/stablehlo/stablehlo.h"

namespace xla::pjrt {
namespace {

using ::google::protobuf::internal::WireFormatLite;
using ::google::protobuf::io::CodedOutputStream;

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

std::string Packed(const std::vector<bool>& values) {
  return std::string(values.begin(), values.end());
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
  if (format == kMlirFormat || format == kHloFormat ||
      format == kHloWithConfigFormat) {
    // Malformed text gets the errors of the reader that the format names.
    const bool text = DetectFormat(code) == ProgramFormat::kHloText;
    if (text && format == kMlirFormat &&
        !absl::StrContains(code, "HloModule")) {
      return stablehlo::ReadModule(code);
    }
    return ParseProgramBytes(code);
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
  if (!ParseMessage(bytes, &proto)) {
    return InvalidArgument(
        "compile_options are not a serialized CompileOptionsProto");
  }
  return CompileOptions::FromProto(proto);
}

std::string OptimizedProgramOf(const PjRtExecutable& executable) {
  const HloModuleProto module = executable.GetHloModuleProto();
  std::string config;
  {
    // The fields of HloModuleConfigProto that readers of the module need.
    ::google::protobuf::io::StringOutputStream stream(&config);
    CodedOutputStream out(&stream);
    AppendBytes(1, module.host_program_shape().SerializeAsString(), &out);
    AppendInt(4, executable.num_replicas(), &out);
    AppendInt(5, executable.num_partitions(), &out);
    const HloModuleConfig& own = executable.executable().module().config();
    // allow_spmd_sharding_propagation_to_output and _to_parameters, packed.
    AppendBytes(27, Packed(own.allow_spmd_sharding_propagation_to_output()),
                &out);
    AppendBytes(33, Packed(own.allow_spmd_sharding_propagation_to_parameters()),
                &out);
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
