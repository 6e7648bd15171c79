// Collects the data of a program: graph, memory, thunks, report.
#include "xla/tools/show/program_page.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/cpu_executable.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/thunks/concurrent_thunk.h"
#include "xla/backends/program_cost.h"
#include "xla/base/cpu_isa.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/tools/json_writer.h"
#include "xla/tools/show/memory_data.h"
#include "xla/tools/show/module_data.h"
#include "xla/tools/show/page.h"

namespace xla::tools {
namespace {

using ThunkCosts =
    absl::flat_hash_map<absl::string_view, const CompileReport::ThunkCost*>;

void WriteCost(const ProgramCost& cost, JsonWriter& json) {
  json.Key("cost");
  json.BeginObject();
  json.Field("flops", cost.flops);
  json.Field("transcendentals", cost.transcendentals);
  json.Field("bytes", cost.bytes);
  json.Field("has_unknown_loops", cost.has_unknown_loops);
  json.EndObject();
}

void WriteMemoryStats(const Executable::MemoryStats& stats, JsonWriter& json) {
  json.Key("memory_stats");
  json.BeginObject();
  json.Field("arguments", stats.argument_bytes);
  json.Field("outputs", stats.output_bytes);
  json.Field("outputs in arguments", stats.alias_bytes);
  json.Field("temporaries", stats.temp_bytes);
  json.Field("code", stats.code_bytes);
  json.Field("peak", stats.peak_bytes);
  json.EndObject();
}

void WriteReport(const CompileReport& report, JsonWriter& json) {
  json.Key("compile");
  json.BeginObject();
  json.Field("seconds", report.seconds);
  json.Field("run_ns", report.run_nanoseconds);
  json.Key("phases");
  json.BeginArray();
  for (const CompileReport::Phase& phase : report.phases) {
    json.BeginObject();
    json.Field("name", phase.name);
    json.Field("seconds", phase.seconds);
    json.EndObject();
  }
  json.EndArray();
  json.Key("counts");
  json.BeginArray();
  for (const CompileReport::Count& count : report.counts) {
    json.BeginObject();
    json.Field("name", count.name);
    json.Field("number", count.number);
    json.EndObject();
  }
  json.EndArray();
  json.Key("passes");
  json.BeginArray();
  for (const CompileReport::Pass& pass : report.passes) {
    json.BeginObject();
    json.Field("name", pass.name);
    json.Field("seconds", pass.seconds);
    json.Field("changed", pass.changed);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

// Writes thunks, and those inside of concurrent ones as "3.0", "3.1", ...
void WriteThunks(const cpu::ThunkSequence& thunks, absl::string_view prefix,
                 const ThunkCosts& costs, JsonWriter& json) {
  for (size_t i = 0; i < thunks.size(); ++i) {
    const cpu::Thunk& thunk = *thunks[i];
    const std::string number = absl::StrCat(prefix, i);
    json.BeginObject();
    json.Field("number", number);
    json.Field("kind", thunk.kind());
    json.Field("name", thunk.name());
    const std::string algorithm = thunk.algorithm();
    if (!algorithm.empty()) json.Field("algorithm", algorithm);
    const auto* concurrent = dynamic_cast<const cpu::ConcurrentThunk*>(&thunk);
    const auto cost = costs.find(thunk.name());
    // A jump is called after the instruction that it depends on.
    const bool is_jump =
        absl::StartsWith(thunk.kind(), "jump") || thunk.kind() == "switch";
    if (concurrent == nullptr && !is_jump && cost != costs.end()) {
      json.Field("predicted_ns", cost->second->nanoseconds);
      json.Field("bytes", cost->second->bytes);
    }
    json.EndObject();
    if (concurrent != nullptr) {
      WriteThunks(concurrent->thunks(), absl::StrCat(number, "."), costs, json);
    }
  }
}

// What only executables of the CPU compiler have.
absl::Status WriteCpuExecutable(const cpu::CpuExecutable& executable,
                                const ModuleNumbers& numbers,
                                JsonWriter& json) {
  // The compiler does not keep its assignment; this one is the same.
  TF_ASSIGN_OR_RETURN(
      const std::unique_ptr<BufferAssignment> assignment,
      BufferAssignment::Run(executable.module(), cpu::CpuAliasInfo()));
  json.Key("memory");
  WriteMemoryData(*assignment, numbers, json);
  ThunkCosts costs;
  for (const CompileReport::ThunkCost& cost :
       executable.compile_report()->thunk_costs) {
    costs.try_emplace(cost.name, &cost);
  }
  json.Key("thunks");
  json.BeginArray();
  WriteThunks(executable.thunks(), "", costs, json);
  json.EndArray();
  return absl::OkStatus();
}

// Times of the CPU backend's cost model; of other backends' programs none are
// known.
absl::StatusOr<PredictedTime> PredictionFor(const ProgramPage& page) {
  if (dynamic_cast<const cpu::CpuExecutable*>(page.executable) == nullptr) {
    return PredictedTime([](const HloInstruction&) { return 0.0; });
  }
  TF_ASSIGN_OR_RETURN(const cpu::TargetInfo target, TargetOf(*page.module));
  return PredictedTime([costs = cpu::FindRunCosts(*page.module, target)](
                           const HloInstruction& instruction) {
    return costs.Of(&instruction);
  });
}

}  // namespace

absl::StatusOr<cpu::TargetInfo> TargetOf(const HloModule& module) {
  TF_ASSIGN_OR_RETURN(
      const std::optional<CpuIsa> isa,
      ParseCpuIsa(module.config().debug_options().xla_cpu_max_isa()));
  if (!isa.has_value()) return cpu::HostTarget();
  return cpu::LimitIsa(cpu::HostTarget(), *isa);
}

absl::StatusOr<std::string> MakeProgramPage(const ProgramPage& page) {
  const ModuleNumbers numbers(*page.module);
  TF_ASSIGN_OR_RETURN(const PredictedTime predicted, PredictionFor(page));
  TF_ASSIGN_OR_RETURN(const ProgramCost cost, CostOfProgram(*page.module));
  JsonWriter json;
  json.BeginObject();
  json.Field("program", page.program);
  json.Field("backend", page.backend);
  json.Field("threads", page.threads);
  WriteCost(cost, json);
  json.Key("module");
  TF_RETURN_IF_ERROR(WriteModuleData(*page.module, numbers, predicted, json));
  if (page.executable != nullptr) {
    WriteMemoryStats(page.executable->memory_stats(), json);
    if (page.executable->compile_report() != nullptr) {
      WriteReport(*page.executable->compile_report(), json);
    }
    if (const auto* cpu =
            dynamic_cast<const cpu::CpuExecutable*>(page.executable)) {
      TF_RETURN_IF_ERROR(WriteCpuExecutable(*cpu, numbers, json));
    }
  }
  json.Key("events");
  WriteMeasuredEvents(page.events, json);
  if (page.stages != nullptr) {
    json.Key("stages");
    page.stages->Write(json);
  }
  json.EndObject();
  return MakePage(PageKind::kProgram, page.module->name(),
                  std::move(json).Take());
}

}  // namespace xla::tools
