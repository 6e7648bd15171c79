// Executables: the properties of a compiled program, and its serialized form.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/convert/program.h"
#include "xla/pjrt/c/functions/executable_details.h"
#include "xla/pjrt/c/functions/functions.h"

// These own the results of Serialize and GetCompileOptions.
struct PJRT_SerializedExecutable {
  std::string bytes;
};
struct PJRT_SerializedCompileOptions {
  std::string bytes;
};

namespace xla::pjrt {

absl::Status ExecutableDestroy(PJRT_Executable_Destroy_Args& args) {
  if (args.executable == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  delete args.executable;
  return absl::OkStatus();
}

absl::Status ExecutableName(PJRT_Executable_Name_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  const absl::string_view name = args.executable->executable->name();
  args.executable_name = name.data();
  args.executable_name_size = name.size();
  return absl::OkStatus();
}

absl::Status ExecutableNumReplicas(PJRT_Executable_NumReplicas_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  args.num_replicas = args.executable->executable->num_replicas();
  return absl::OkStatus();
}

absl::Status ExecutableNumPartitions(PJRT_Executable_NumPartitions_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  args.num_partitions = args.executable->executable->num_partitions();
  return absl::OkStatus();
}

absl::Status ExecutableNumOutputs(PJRT_Executable_NumOutputs_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  args.num_outputs = args.executable->executable->num_outputs();
  return absl::OkStatus();
}

absl::Status ExecutableSizeOfGeneratedCodeInBytes(
    PJRT_Executable_SizeOfGeneratedCodeInBytes_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  args.size_in_bytes =
      args.executable->executable->SizeOfGeneratedCodeInBytes();
  return absl::OkStatus();
}

absl::Status ExecutableGetCostAnalysis(
    PJRT_Executable_GetCostAnalysis_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsWithCosts(args.executable));
  args.properties = details->costs->data();
  args.num_properties = details->costs->size();
  return absl::OkStatus();
}

absl::Status ExecutableGetCompiledMemoryStats(
    PJRT_Executable_GetCompiledMemoryStats_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const CompiledMemoryStats stats,
                      args.executable->executable->GetCompiledMemoryStats());
  args.generated_code_size_in_bytes = stats.generated_code_size_in_bytes;
  args.argument_size_in_bytes = stats.argument_size_in_bytes;
  args.output_size_in_bytes = stats.output_size_in_bytes;
  args.alias_size_in_bytes = stats.alias_size_in_bytes;
  args.temp_size_in_bytes = stats.temp_size_in_bytes;
  // Later versions of the struct have more members, in this order.
  using Args = PJRT_Executable_GetCompiledMemoryStats_Args;
  if (HasMember(args, PJRT_STRUCT_SIZE(Args, host_temp_size_in_bytes))) {
    args.host_generated_code_size_in_bytes =
        stats.host_generated_code_size_in_bytes;
    args.host_argument_size_in_bytes = stats.host_argument_size_in_bytes;
    args.host_output_size_in_bytes = stats.host_output_size_in_bytes;
    args.host_alias_size_in_bytes = stats.host_alias_size_in_bytes;
    args.host_temp_size_in_bytes = stats.host_temp_size_in_bytes;
  }
  if (HasMember(args, PJRT_STRUCT_SIZE(Args, peak_memory_in_bytes))) {
    args.peak_memory_in_bytes = stats.peak_memory_in_bytes;
  }
  if (HasMember(args, PJRT_STRUCT_SIZE(Args, total_size_in_bytes))) {
    args.total_size_in_bytes = stats.total_size_in_bytes;
  }
  if (HasMember(args, PJRT_STRUCT_SIZE(Args, peak_unpadded_heap_bytes))) {
    args.total_allocation_bytes = stats.total_size_in_bytes;
    args.indefinite_allocations = 0;
    args.peak_unpadded_heap_bytes = stats.peak_memory_in_bytes;
  }
  return absl::OkStatus();
}

absl::Status ExecutableOutputElementTypes(
    PJRT_Executable_OutputElementTypes_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  // The member lacks a const, but callers do not write to it.
  args.output_types =
      const_cast<PJRT_Buffer_Type*>(details->output_types.data());
  args.num_output_types = details->output_types.size();
  return absl::OkStatus();
}

absl::Status ExecutableOutputDimensions(
    PJRT_Executable_OutputDimensions_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  args.num_outputs = details->output_ranks.size();
  args.dims = details->output_dims.data();
  args.dim_sizes = details->output_ranks.data();
  return absl::OkStatus();
}

absl::Status ExecutableOutputMemoryKinds(
    PJRT_Executable_OutputMemoryKinds_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  const StringList& kinds = details->output_memory_kinds;
  args.num_outputs = kinds.pointers.size();
  args.memory_kinds = kinds.pointers.data();
  args.memory_kind_sizes = kinds.sizes.data();
  return absl::OkStatus();
}

absl::Status ExecutableParameterMemoryKinds(
    PJRT_Executable_ParameterMemoryKinds_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  const StringList& kinds = details->parameter_memory_kinds;
  args.num_parameters = kinds.pointers.size();
  args.memory_kinds = kinds.pointers.data();
  args.memory_kind_sizes = kinds.sizes.data();
  return absl::OkStatus();
}

absl::Status ExecutableOptimizedProgram(
    PJRT_Executable_OptimizedProgram_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_RETURN_IF_ERROR(CheckPointer(args.program, "program"));
  PJRT_Program& program = *args.program;
  if (program.struct_size < PJRT_Program_STRUCT_SIZE) {
    return ArgumentError("program.struct_size is too small");
  }
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsWithProgram(args.executable));
  const std::string& bytes = details->optimized_program;
  program.format = kHloWithConfigFormat.data();
  program.format_size = kHloWithConfigFormat.size();
  if (program.code == nullptr) {
    program.code_size = bytes.size();
    return absl::OkStatus();
  }
  if (program.code_size < bytes.size()) {
    return ArgumentError(absl::StrCat("program.code_size is ",
                                      program.code_size, ", the program takes ",
                                      bytes.size(), " bytes"));
  }
  bytes.copy(program.code, bytes.size());
  program.code_size = bytes.size();
  return absl::OkStatus();
}

absl::Status ExecutableFingerprint(PJRT_Executable_Fingerprint_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const ExecutableDetails* details,
                      DetailsOf(args.executable));
  args.executable_fingerprint = details->fingerprint.data();
  args.executable_fingerprint_size = details->fingerprint.size();
  return absl::OkStatus();
}

absl::Status ExecutableSerialize(PJRT_Executable_Serialize_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(std::string bytes,
                      args.executable->executable->SerializeExecutable());
  auto* holder = new PJRT_SerializedExecutable{std::move(bytes)};
  args.serialized_bytes = holder->bytes.data();
  args.serialized_bytes_size = holder->bytes.size();
  args.serialized_executable = holder;
  args.serialized_executable_deleter = [](PJRT_SerializedExecutable* h) {
    delete h;
  };
  return absl::OkStatus();
}

absl::Status ExecutableGetCompileOptions(
    PJRT_Executable_GetCompileOptions_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  TF_ASSIGN_OR_RETURN(const CompileOptionsProto proto,
                      args.executable->executable->compile_options().ToProto());
  auto* holder = new PJRT_SerializedCompileOptions{proto.SerializeAsString()};
  args.serialized_bytes = holder->bytes.data();
  args.serialized_bytes_size = holder->bytes.size();
  args.serialized_compile_options = holder;
  args.serialized_compile_options_deleter =
      [](PJRT_SerializedCompileOptions* h) { delete h; };
  return absl::OkStatus();
}

absl::Status ExecutableDeserializeAndLoad(
    PJRT_Executable_DeserializeAndLoad_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_ASSIGN_OR_RETURN(
      absl::string_view bytes,
      StringArgument(args.serialized_executable,
                     args.serialized_executable_size, "serialized_executable"));
  using Args = PJRT_Executable_DeserializeAndLoad_Args;
  std::optional<CompileOptions> options;
  if (HasMember(args, PJRT_STRUCT_SIZE(
                          Args, overridden_serialized_compile_options_size)) &&
      args.overridden_serialized_compile_options != nullptr) {
    TF_ASSIGN_OR_RETURN(
        options,
        ReadCompileOptions(args.overridden_serialized_compile_options,
                           args.overridden_serialized_compile_options_size));
  }
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<PjRtLoadedExecutable> executable,
      args.client->client->LoadSerializedExecutable(bytes, std::move(options)));
  args.loaded_executable =
      new PJRT_LoadedExecutable(args.client, std::move(executable));
  return absl::OkStatus();
}

}  // namespace xla::pjrt
