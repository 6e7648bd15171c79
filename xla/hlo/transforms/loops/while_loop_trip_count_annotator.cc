// Writes the JSON form of WhileLoopBackendConfig (xla_data.proto).
#include "xla/hlo/transforms/loops/while_loop_trip_count_annotator.h"

#include "absl/strings/str_cat.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla {

absl::StatusOr<bool> WhileLoopTripCountAnnotator::RunImpl(HloModule* module) {
  bool changed = false;
  for (const auto& computation : module->computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() != HloOpcode::kWhile ||
          !hlo->raw_backend_config_string().empty()) {
        continue;
      }
      const auto loop = FindCountedLoop(*hlo);
      if (!loop.has_value()) continue;
      hlo->set_raw_backend_config_string(absl::StrCat(
          "{\"known_trip_count\":{\"n\":\"", loop->trip_count,
          "\"},\"known_init_step\":{\"init\":\"", loop->init, "\",\"step\":\"",
          loop->step, "\"},\"known_induction_variable\":{\"tuple_index\":\"",
          loop->tuple_index, "\"}}"));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
