// Steps that leave the instructions and drop what is written beside them.
#include <string>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/tools/reduction/moves.h"

namespace xla::tools {
namespace {

constexpr absl::string_view kMetadata = "metadata";
constexpr absl::string_view kFrontend = "frontend attributes";
constexpr absl::string_view kBackend = "backend configs";
constexpr absl::string_view kSharding = "shardings";
constexpr absl::string_view kControl = "control dependencies";
constexpr absl::string_view kAliases = "aliases";
constexpr absl::string_view kSchedule = "schedule";

void StripModule(absl::string_view what, HloModule& module) {
  if (what == kAliases) {
    module.mutable_input_output_alias().Clear();
    module.mutable_buffer_donor().Clear();
  } else if (what == kSchedule) {
    module.clear_schedule();
  } else if (what == kFrontend) {
    module.mutable_frontend_attributes().Clear();
  }
}

absl::Status StripInstruction(absl::string_view what, HloInstruction& hlo) {
  if (what == kMetadata) {
    hlo.set_metadata({});
  } else if (what == kFrontend) {
    hlo.set_frontend_attributes({});
  } else if (what == kBackend) {
    hlo.clear_backend_config();
  } else if (what == kSharding) {
    hlo.clear_sharding();
  } else if (what == kControl) {
    return hlo.DropAllControlDeps();
  }
  return absl::OkStatus();
}

}  // namespace

bool StripAnnotations(Trials& trials) {
  const std::vector<std::string> all = {
      std::string(kMetadata), std::string(kFrontend), std::string(kBackend),
      std::string(kSharding), std::string(kControl),  std::string(kAliases),
      std::string(kSchedule)};
  return trials.TryChunks(
      all,
      [](ReducibleProgram& program,
         absl::Span<const std::string> chunk) -> absl::StatusOr<bool> {
        for (const std::string& what : chunk) {
          StripModule(what, *program.module);
          for (const HloComputation* computation :
               program.module->computations()) {
            for (HloInstruction* hlo : computation->instructions()) {
              TF_RETURN_IF_ERROR(StripInstruction(what, *hlo));
            }
          }
        }
        return true;
      });
}

}  // namespace xla::tools
