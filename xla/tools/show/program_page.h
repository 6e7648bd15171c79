// The page of `tessera show`: a program, what the compiler makes of it, and the
// times of its parts.
#ifndef XLA_TOOLS_SHOW_PROGRAM_PAGE_H_
#define XLA_TOOLS_SHOW_PROGRAM_PAGE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/compiler.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/tools/show/measured_events.h"
#include "xla/tools/show/stages.h"

namespace xla::tools {

struct ProgramPage {
  std::string program;  // the file
  std::string backend;  // empty if it was not compiled
  int threads = 0;
  // Borrowed. The module of the executable, if there is one.
  const HloModule* module = nullptr;
  const Executable* executable = nullptr;
  const ProgramStages* stages = nullptr;
  std::vector<MeasuredEvent> events;
};

// Returns HTML. Errors: those of CostAnalysis and BufferAssignment.
absl::StatusOr<std::string> MakeProgramPage(const ProgramPage& page);

// The processor that the CPU backend compiles `module` for. Errors:
// InvalidArgument for an unknown xla_cpu_max_isa.
absl::StatusOr<cpu::TargetInfo> TargetOf(const HloModule& module);

}  // namespace xla::tools

#endif  // XLA_TOOLS_SHOW_PROGRAM_PAGE_H_
