// Follows the liveness of values through each computation, callees first.
#include "xla/hlo/analysis/peak_memory.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/base/checked_math.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {
namespace {

// Returns the bytes of an instruction's own value.
int64_t OwnBytes(const HloInstruction& hlo) {
  return hlo.def().cost_class == CostClass::kNone
             ? 0
             : LiteralBytes(hlo.shape()).value_or(0);
}

using Peaks = absl::flat_hash_map<const HloComputation*, int64_t>;

int64_t PeakOfCalls(const HloInstruction& hlo, const Peaks& peaks) {
  int64_t most = 0;
  for (const HloComputation* callee : hlo.called_computations()) {
    auto it = peaks.find(callee);
    if (it != peaks.end()) most = std::max(most, it->second);
  }
  return most;
}

int64_t PeakOf(const HloComputation& computation, const Peaks& peaks,
               bool is_entry) {
  const std::vector<HloInstruction*> order =
      computation.MakeInstructionPostOrder();
  absl::flat_hash_map<const HloInstruction*, size_t> last_use;
  for (size_t i = 0; i < order.size(); ++i) {
    last_use[order[i]] = i;
    for (const HloInstruction* operand : order[i]->operands()) {
      last_use[operand] = i;
    }
  }
  int64_t alive = 0;
  int64_t peak = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const HloInstruction& hlo = *order[i];
    const bool is_result = is_entry && &hlo == computation.root_instruction();
    if (!is_result) alive = SaturatingAdd(alive, OwnBytes(hlo));
    peak = std::max(peak, SaturatingAdd(alive, PeakOfCalls(hlo, peaks)));
    const auto free = [&](const HloInstruction& value) {
      auto it = last_use.find(&value);
      if (it == last_use.end() || it->second != i) return;
      // Frees the value once, however often it is an operand.
      it->second = order.size();
      if (&value != computation.root_instruction()) alive -= OwnBytes(value);
    };
    for (const HloInstruction* operand : hlo.operands()) free(*operand);
    if (hlo.user_count() == 0) free(hlo);
  }
  return peak;
}

}  // namespace

int64_t PeakTempBytes(const HloModule& module) {
  if (!module.has_entry_computation()) return 0;
  Peaks peaks;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    peaks[computation] =
        PeakOf(*computation, peaks, computation == module.entry_computation());
  }
  return peaks[module.entry_computation()];
}

}  // namespace xla
