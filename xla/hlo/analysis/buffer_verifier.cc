// Simulates the module in the order of its schedule.
#include "xla/hlo/analysis/buffer_verifier.h"

#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/buffer_simulation.h"

namespace xla {

absl::Status VerifyBufferAssignment(const HloModule& module,
                                    const BufferAssignment& assignment,
                                    const BufferVerifierOptions& options) {
  for (int run = 0; run < options.runs; ++run) {
    for (const bool donated : {false, true}) {
      BufferSimulation simulation(module, assignment,
                                  {.seed = static_cast<uint64_t>(run),
                                   .donated = donated,
                                   .most_steps = options.most_steps,
                                   .all_have_scratch = true});
      TF_RETURN_IF_ERROR(
          simulation.RunComputation(*module.entry_computation()));
      TF_RETURN_IF_ERROR(simulation.CheckResults());
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
