// Prints properties of executables and modules.
#include "xla/tools/reports.h"

#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/backends/array_memory.h"
#include "xla/backends/cache/compilation_cache.h"
#include "xla/backends/cpu/cpu_executable.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/backends/program_cost.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/buffers/copy_insertion.h"

namespace xla::tools {

std::string BytesText(double bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 ? absl::StrFormat("%.0f B", bytes)
                   : absl::StrFormat("%.2f %s", bytes, kUnits[unit]);
}

std::string MemoryReport(const Executable::MemoryStats& stats) {
  return absl::StrCat(
      "memory: arguments ", BytesText(stats.argument_bytes), ", outputs ",
      BytesText(stats.output_bytes), " (", BytesText(stats.alias_bytes),
      " in arguments), temporaries ", BytesText(stats.temp_bytes), ", peak ",
      BytesText(stats.peak_bytes), ", code ", BytesText(stats.code_bytes),
      "\n");
}

std::string CopiesReport(const HloModule& module) {
  std::string text;
  for (const CopyReport& report : ReportCopies(module)) {
    double bytes = 0;
    for (const Shape* leaf : Leaves(report.copy->shape())) {
      bytes += ElementsBytes(*leaf);
    }
    absl::StrAppend(&text, "copy ", report.copy->name(), " in ",
                    report.copy->parent()->name(), ": ", BytesText(bytes), ", ",
                    report.reason, "\n");
  }
  return text.empty() ? "no copies: every update is in place\n" : text;
}

namespace {

std::string PredictionReport(const CompileReport& report) {
  if (report.thunk_costs.empty()) return "";
  const auto time = [](double nanoseconds) {
    return std::isfinite(nanoseconds)
               ? absl::StrFormat("%12.3f us", nanoseconds * 1e-3)
               : "     unknown   ";
  };
  std::string text = absl::StrCat(
      "predicted on one thread: ", time(report.run_nanoseconds), "\n");
  for (const CompileReport::ThunkCost& thunk : report.thunk_costs) {
    absl::StrAppend(&text, "  ", time(thunk.nanoseconds), ", ",
                    BytesText(thunk.bytes), ": ", thunk.name, "\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<std::string> ExecutableReport(const Executable& executable) {
  const HloModule& module = executable.module();
  TF_ASSIGN_OR_RETURN(const ProgramCost cost, CostOfProgram(module));
  std::string text = absl::StrFormat(
      "cost: %.6g flops, %.6g transcendentals, %s accessed%s\n", cost.flops,
      cost.transcendentals, BytesText(cost.bytes),
      cost.has_unknown_loops ? ", some loop bodies counted once" : "");
  text += MemoryReport(executable.memory_stats());
  if (executable.compile_report() != nullptr) {
    text += executable.compile_report()->ToString();
    text += PredictionReport(*executable.compile_report());
  }
  if (const auto* cpu = dynamic_cast<const cpu::CpuExecutable*>(&executable)) {
    absl::StrAppend(&text, "thunks:\n",
                    cpu::ThunkSequenceToString(cpu->thunks()));
  }
  return text;
}

std::string CacheReport(const Compiler& compiler) {
  const CompilationCache* const cache = compiler.compilation_cache();
  if (cache == nullptr) return "";
  return absl::StrCat("compilation cache: ", cache->statistics().ToString(),
                      " in ", cache->folder(), "\n");
}

}  // namespace xla::tools
