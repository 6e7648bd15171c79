// Asks masks of attention what they leave out and what the kernel makes of it.
#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_format.h"
#include "xla/backends/cpu/explain/missed_optimizations.h"
#include "xla/backends/cpu/fusion/attention.h"
#include "xla/backends/cpu/fusion/attention_mask.h"
#include "xla/hlo/analysis/source_line.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla::cpu {
namespace {

// Rows of which the ranges are looked at.
constexpr int64_t kMostSamples = 64;

// The part of the scores that indices alone say are masked out.
double MaskedShare(const AttentionMask& mask, int64_t rows, int64_t columns) {
  const int64_t samples = std::min(rows, kMostSamples);
  double read = 0;
  for (int64_t i = 0; i < samples; ++i) {
    const auto [begin, end] = mask.ColumnsRead(i * rows / samples, 1);
    read += static_cast<double>(end - begin);
  }
  return 1 - read / static_cast<double>(samples * columns);
}

// Whether a value is made of comparisons of indices, whatever the data: causal
// and sliding masks are. Looks at `budget` instructions.
bool IsMadeOfIndices(const HloInstruction& hlo,
                     std::vector<const HloInstruction*> calls, int& budget,
                     bool& compares) {
  if (--budget < 0) return false;
  compares |= hlo.opcode() == HloOpcode::kCompare;
  if (hlo.opcode() == HloOpcode::kParameter) {
    if (calls.empty()) return false;
    const HloInstruction* outside =
        calls.back()->operand(hlo.parameter_number());
    calls.pop_back();
    return IsMadeOfIndices(*outside, calls, budget, compares);
  }
  if (hlo.opcode() == HloOpcode::kFusion) {
    calls.push_back(&hlo);
    return IsMadeOfIndices(
        *hlo.fused_instructions_computation()->root_instruction(), calls,
        budget, compares);
  }
  if (hlo.HasSideEffect()) return false;
  return std::all_of(hlo.operands().begin(), hlo.operands().end(),
                     [&](const HloInstruction* operand) {
                       return IsMadeOfIndices(*operand, calls, budget,
                                              compares);
                     });
}

// Whether a mask of indices is added to the scores.
bool AddsMask(const AttentionGroup& group, const HloInstruction& caller) {
  constexpr int kMostLookedAt = 200;
  const HloComputation& rows = *group.middle->fused_instructions_computation();
  for (const auto& hlo : rows.instructions()) {
    if (hlo->opcode() != HloOpcode::kAdd) continue;
    for (const HloInstruction* operand : hlo->operands()) {
      int budget = kMostLookedAt;
      bool compares = false;
      if (IsMadeOfIndices(*operand, {&caller, group.middle}, budget,
                          compares) &&
          compares) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::vector<MissedOptimization> FindMissedSkips(const HloModule& module,
                                                const CpuCostModel& model,
                                                const RunCounts& runs) {
  std::vector<MissedOptimization> all;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    const auto count = runs.find(computation);
    if (count == runs.end()) continue;
    for (const HloInstruction* hlo : computation->instructions()) {
      const std::optional<AttentionGroup> group = FusedAttention(*hlo);
      if (!group.has_value()) continue;
      const auto sizes = group->first->shape().dimensions();
      const int64_t rows = sizes[sizes.size() - 2], columns = sizes.back();
      const AttentionMask mask(*group->middle, group->operand, rows, hlo);
      const absl::string_view why = mask.WhyNoZeros();
      if (why.empty()) continue;
      const bool adds_mask = !mask.has_selects() && AddsMask(*group, *hlo);
      const double share = MaskedShare(mask, rows, columns);
      if (share <= 0 && !adds_mask) continue;
      MissedOptimization& missed = all.emplace_back();
      missed.kind = "not skipped";
      missed.instruction = hlo->name();
      missed.source_line = SourceLine(*group->second);
      missed.op_name = SourceOpName(*group->second);
      const double compute_ns = model.CodeCost(*group->middle).compute_ns;
      if (adds_mask) {
        // What an added mask leaves out is not known; a causal one, half.
        missed.nanoseconds = count->second * compute_ns / 2;
        missed.reason =
            "a mask made of indices is added to the scores, so all of them are "
            "computed; jnp.where(mask, scores, -1e10) skips those that it "
            "leaves out";
        continue;
      }
      missed.nanoseconds = count->second * share * compute_ns;
      missed.reason = absl::StrFormat(
          "the mask leaves out %.0f%% of the scores, which go through the "
          "softmax and the product with the values all the same: %s",
          100 * share, why);
    }
  }
  return all;
}

}  // namespace xla::cpu
