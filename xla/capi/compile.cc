// Compiles programs, and writes and reads executables.
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/handles.h"
#include "xla/capi/structs.h"
#include "xla/client/debug/debug_options_flags.h"
#include "xla/program/program_bytes.h"

namespace xla::capi {
namespace {

absl::StatusOr<std::unique_ptr<HloModule>> ReadText(absl::string_view program,
                                                    tessera_format format) {
  switch (format) {
    case TESSERA_FORMAT_DETECT:
      return ParseProgramBytes(program);
    case TESSERA_FORMAT_HLO_TEXT:
      return ParseProgramBytes(program, ProgramFormat::kHloText);
    case TESSERA_FORMAT_HLO_PROTO:
      return ParseProgramBytes(program, ProgramFormat::kHloProto);
    case TESSERA_FORMAT_STABLEHLO_TEXT:
      return ParseProgramBytes(program, ProgramFormat::kStablehloText);
    case TESSERA_FORMAT_STABLEHLO_ARTIFACT:
      return ParseProgramBytes(program, ProgramFormat::kStablehloArtifact);
    default:
      return ArgumentError(
          absl::StrCat("options.format ", format, " is not known"));
  }
}

absl::StatusOr<std::unique_ptr<HloModule>> ReadProgram(
    absl::string_view program, tessera_format format) {
  absl::StatusOr<std::unique_ptr<HloModule>> module = ReadText(program, format);
  if (module.ok()) return module;
  absl::Status status = module.status();
  status.SetPayload(kTextPayload, absl::Cord());
  return status;
}

// 0 stands for 1.
absl::StatusOr<int> Count(int32_t count, absl::string_view name) {
  if (count >= 0) return count == 0 ? 1 : count;
  return ArgumentError(absl::StrCat(name, " is ", count));
}

absl::Status SetDevices(const tessera_compile_options& from,
                        ExecutableBuildOptions* build) {
  TF_ASSIGN_OR_RETURN(const int replicas,
                      Count(from.num_replicas, "options.num_replicas"));
  TF_ASSIGN_OR_RETURN(const int partitions,
                      Count(from.num_partitions, "options.num_partitions"));
  build->set_num_replicas(replicas)
      .set_num_partitions(partitions)
      .set_use_spmd_partitioning(from.use_spmd_partitioning);
  TF_ASSIGN_OR_RETURN(
      const absl::Span<const int32_t> devices,
      ArrayArgument(from.devices, from.num_devices, "options.devices"));
  if (from.devices == nullptr) return absl::OkStatus();
  if (static_cast<int64_t>(devices.size()) != int64_t{replicas} * partitions) {
    return ArgumentError(absl::StrCat("options.num_devices is ", devices.size(),
                                      " for ", replicas, " replicas of ",
                                      partitions, " partitions"));
  }
  DeviceAssignment assignment(replicas, partitions);
  for (size_t i = 0; i < devices.size(); ++i) {
    assignment(static_cast<int64_t>(i) / partitions,
               static_cast<int64_t>(i) % partitions) = devices[i];
  }
  build->set_device_assignment(assignment);
  return absl::OkStatus();
}

absl::StatusOr<CompileOptions> ReadOptions(
    const tessera_compile_options& from) {
  CompileOptions options;
  ExecutableBuildOptions& build = options.executable_build_options;
  TF_RETURN_IF_ERROR(SetDevices(from, &build));
  if (from.optimization_level < 0 || from.optimization_level > 4) {
    return ArgumentError(absl::StrCat("options.optimization_level is ",
                                      from.optimization_level,
                                      ", but must be 0 to 4"));
  }
  if (from.optimization_level > 0) {
    build.mutable_debug_options()->set_xla_backend_optimization_level(
        from.optimization_level - 1);
  }
  TF_ASSIGN_OR_RETURN(
      const absl::string_view flags,
      TextArgument(from.flags, from.flags_size, "options.flags"));
  const absl::Status set =
      ApplyDebugFlags(flags, *build.mutable_debug_options());
  if (!set.ok()) {
    return ArgumentError(absl::StrCat("options.flags: ", set.message()));
  }
  return options;
}

// Makes the handle of an executable.
absl::StatusOr<tessera_executable*> MakeExecutable(
    const tessera_client& client,
    std::unique_ptr<PjRtLoadedExecutable> executable) {
  auto handle = std::make_unique<tessera_executable>();
  handle->core = client.core;
  handle->executable = std::move(executable);
  const PjRtExecutable& program = *handle->executable->GetExecutable();
  handle->name = std::string(program.name());
  TF_ASSIGN_OR_RETURN(handle->fingerprint, program.FingerprintExecutable());
  for (const PjRtDevice* device : handle->executable->addressable_devices()) {
    handle->devices.push_back(device->id());
  }
  handle->parameters = DescribeParameters(program);
  handle->results = DescribeResults(program);
  return handle.release();
}

}  // namespace

extern "C" {

tessera_status* tessera_compile(tessera_client* client, const char* program,
                                size_t program_size,
                                const tessera_compile_options* options,
                                tessera_executable** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_compile", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    TF_RETURN_IF_ERROR(CheckHandle(client, "client"));
    TF_ASSIGN_OR_RETURN(const absl::string_view bytes,
                        TextArgument(program, program_size, "program"));
    TF_ASSIGN_OR_RETURN(const tessera_compile_options read,
                        ReadStruct(options, "options"));
    TF_RETURN_IF_ERROR(
        CheckOptionalHandle(read.cancellation, "options.cancellation"));
    TF_ASSIGN_OR_RETURN(CompileOptions compile_options, ReadOptions(read));
    std::shared_ptr<const Cancellation> cancellation;
    std::optional<CancellationScope> scope;
    if (read.cancellation != nullptr) {
      cancellation = read.cancellation->cancellation;
      scope.emplace(cancellation->token);
    }
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                        ReadProgram(bytes, read.format));
    TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtLoadedExecutable> executable,
                        client->core->client->CompileAndLoad(
                            std::move(module), std::move(compile_options)));
    TF_ASSIGN_OR_RETURN(*out, MakeExecutable(*client, std::move(executable)));
    return absl::OkStatus();
  });
}

tessera_status* tessera_executable_serialize(
    const tessera_executable* executable, tessera_bytes** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_executable_serialize", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    TF_RETURN_IF_ERROR(CheckHandle(executable, "executable"));
    auto handle = std::make_unique<tessera_bytes>();
    TF_ASSIGN_OR_RETURN(handle->bytes,
                        executable->executable->SerializeExecutable());
    *out = handle.release();
    return absl::OkStatus();
  });
}

tessera_status* tessera_deserialize(tessera_client* client, const char* bytes,
                                    size_t size,
                                    const tessera_deserialize_options* options,
                                    tessera_executable** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_deserialize", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    TF_RETURN_IF_ERROR(CheckHandle(client, "client"));
    TF_ASSIGN_OR_RETURN(const absl::string_view serialized,
                        TextArgument(bytes, size, "bytes"));
    TF_ASSIGN_OR_RETURN(const tessera_deserialize_options read,
                        ReadStruct(options, "options"));
    LoadOptions load_options;
    load_options.may_compile = !read.never_compile;
    TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtLoadedExecutable> executable,
                        client->core->client->LoadSerializedExecutable(
                            serialized, std::nullopt, load_options));
    TF_ASSIGN_OR_RETURN(*out, MakeExecutable(*client, std::move(executable)));
    return absl::OkStatus();
  });
}

}  // extern "C"
}  // namespace xla::capi
