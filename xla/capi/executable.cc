// The properties of executables.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/handles.h"
#include "xla/capi/structs.h"

namespace xla::capi {
namespace {

const char* TextOf(const tessera_executable* executable,
                   const std::string tessera_executable::* text, size_t* size) {
  const bool live = executable != nullptr && executable->tag.ok();
  if (size != nullptr) *size = live ? (executable->*text).size() : 0;
  return live ? (executable->*text).c_str() : nullptr;
}

absl::Status DescribeLeaf(const std::vector<ArrayDescription>& leaves,
                          absl::string_view kind, size_t index,
                          tessera_array_info* out) {
  if (index < leaves.size()) return leaves[index].WriteTo(out);
  return absl::OutOfRangeError(absl::StrCat(
      "there is no ", kind, " ", index, ": the program has ", leaves.size()));
}

// A number of the analysis, or -1.
double Number(const absl::flat_hash_map<std::string, PjRtValueType>& values,
              absl::string_view name) {
  const auto found = values.find(name);
  if (found == values.end()) return -1;
  if (const auto* number = std::get_if<float>(&found->second)) return *number;
  if (const auto* number = std::get_if<int64_t>(&found->second)) {
    return static_cast<double>(*number);
  }
  return -1;
}

}  // namespace

extern "C" {

void tessera_executable_destroy(tessera_executable* executable) {
  if (executable != nullptr && executable->tag.ok()) delete executable;
}

const char* tessera_executable_name(const tessera_executable* executable,
                                    size_t* size) {
  return TextOf(executable, &tessera_executable::name, size);
}

const char* tessera_executable_fingerprint(const tessera_executable* executable,
                                           size_t* size) {
  return TextOf(executable, &tessera_executable::fingerprint, size);
}

tessera_status* tessera_executable_get_info(
    const tessera_executable* executable, tessera_executable_info* out) {
  return Call("tessera_executable_get_info", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(executable, "executable"));
    tessera_executable_info info = {};
    info.num_replicas = executable->executable->num_replicas();
    info.num_partitions = executable->executable->num_partitions();
    info.num_devices = static_cast<int32_t>(executable->devices.size());
    info.num_parameters = static_cast<int32_t>(executable->parameters.size());
    info.num_results = static_cast<int32_t>(executable->results.size());
    info.devices = executable->devices.data();
    return WriteStruct(info, out);
  });
}

tessera_status* tessera_executable_parameter(
    const tessera_executable* executable, size_t index,
    tessera_array_info* out) {
  return Call("tessera_executable_parameter", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(executable, "executable"));
    return DescribeLeaf(executable->parameters, "parameter", index, out);
  });
}

tessera_status* tessera_executable_result(const tessera_executable* executable,
                                          size_t index,
                                          tessera_array_info* out) {
  return Call("tessera_executable_result", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(executable, "executable"));
    return DescribeLeaf(executable->results, "result", index, out);
  });
}

tessera_status* tessera_executable_hlo_text(
    const tessera_executable* executable, tessera_bytes** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_executable_hlo_text", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    TF_RETURN_IF_ERROR(CheckHandle(executable, "executable"));
    auto handle = std::make_unique<tessera_bytes>();
    handle->bytes = executable->executable->GetExecutable()->GetHloText();
    *out = handle.release();
    return absl::OkStatus();
  });
}

tessera_status* tessera_executable_get_costs(
    const tessera_executable* executable, tessera_costs* out) {
  return Call("tessera_executable_get_costs", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(executable, "executable"));
    TF_ASSIGN_OR_RETURN(const auto values,
                        executable->executable->GetCostAnalysis());
    tessera_costs costs = {};
    costs.flops = Number(values, "flops");
    costs.transcendentals = Number(values, "transcendentals");
    costs.bytes_accessed = Number(values, "bytes accessed");
    costs.predicted_seconds = Number(values, "optimal_seconds");
    return WriteStruct(costs, out);
  });
}

tessera_status* tessera_executable_get_memory(
    const tessera_executable* executable, tessera_program_memory* out) {
  return Call("tessera_executable_get_memory", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(executable, "executable"));
    TF_ASSIGN_OR_RETURN(const CompiledMemoryStats stats,
                        executable->executable->GetCompiledMemoryStats());
    tessera_program_memory memory = {};
    memory.argument_bytes = stats.argument_size_in_bytes;
    memory.result_bytes = stats.output_size_in_bytes;
    memory.alias_bytes = stats.alias_size_in_bytes;
    memory.temporary_bytes = stats.temp_size_in_bytes;
    memory.code_bytes = stats.generated_code_size_in_bytes;
    memory.peak_bytes = stats.peak_memory_in_bytes;
    return WriteStruct(memory, out);
  });
}

}  // extern "C"
}  // namespace xla::capi
