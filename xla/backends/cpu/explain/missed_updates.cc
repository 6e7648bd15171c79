// Copies with the reasons that copy insertion left, and updates of arrays that
// are written as a whole.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/explain/missed_optimizations.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/source_line.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/transforms/buffers/copy_insertion.h"
#include "xla/hlo/transforms/fuse/instruction_fusion.h"

namespace xla::cpu {
namespace {

double LeafBytes(const HloInstruction& hlo) {
  double bytes = 0;
  for (const Shape* leaf : Leaves(hlo.shape())) bytes += BytesOf(*leaf);
  return bytes;
}

bool IsArgument(const HloInstruction* hlo) {
  while (hlo->opcode() == HloOpcode::kBitcast ||
         hlo->opcode() == HloOpcode::kGetTupleElement) {
    hlo = hlo->operand(0);
  }
  return hlo->opcode() == HloOpcode::kParameter &&
         hlo->parent()->IsEntryComputation();
}

// The copy itself has no line: its readers and what it copies do.
const HloInstruction& WithSource(const HloInstruction& copy) {
  for (const HloInstruction* user : copy.users()) {
    if (!SourceLine(*user).empty()) return *user;
  }
  return *copy.operand(0);
}

// Time and bytes of reading and writing what `hlo` makes.
void AddCost(const HloInstruction& hlo, double runs, const CpuCostModel& model,
             MissedOptimization& missed) {
  const double bytes = LeafBytes(hlo);
  missed.kind = "not in place";
  missed.instruction = hlo.name();
  missed.bytes = 2 * bytes * runs;
  missed.nanoseconds = runs * (model.ReadNanoseconds(bytes, 2 * bytes) +
                               model.WriteNanoseconds(bytes, 2 * bytes));
}

// Updates in fusions: the computation that runs is that of the fusion.
void FindWholeUpdates(const HloInstruction& hlo, double runs,
                      const CpuCostModel& model,
                      std::vector<MissedOptimization>& all) {
  const auto reason =
      hlo.get_frontend_attribute(InstructionFusion::kUpdateReasonAttribute);
  if (reason.has_value()) {
    MissedOptimization& missed = all.emplace_back();
    AddCost(hlo, runs, model, missed);
    missed.source_line = SourceLine(hlo);
    missed.op_name = SourceOpName(hlo);
    missed.reason = *reason;
  }
  if (hlo.opcode() != HloOpcode::kFusion) return;
  for (const HloInstruction* inner :
       hlo.fused_instructions_computation()->instructions()) {
    FindWholeUpdates(*inner, runs, model, all);
  }
}

}  // namespace

std::vector<MissedOptimization> FindMissedUpdates(const HloModule& module,
                                                  const CpuCostModel& model,
                                                  const RunCounts& runs) {
  std::vector<MissedOptimization> all;
  for (const CopyReport& report : ReportCopies(module)) {
    const auto count = runs.find(report.copy->parent());
    if (count == runs.end()) continue;
    MissedOptimization& missed = all.emplace_back();
    AddCost(*report.copy, count->second, model, missed);
    missed.source_line = SourceLine(WithSource(*report.copy));
    missed.op_name = SourceOpName(WithSource(*report.copy));
    missed.reason = report.reason;
    if (IsArgument(report.copy->operand(0))) {
      missed.advice =
          "donate the argument if it is not needed after the call "
          "(donate_argnums in JAX, input_output_alias in HLO)";
    }
  }
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    const auto count = runs.find(computation);
    if (count == runs.end()) continue;
    for (const HloInstruction* hlo : computation->instructions()) {
      FindWholeUpdates(*hlo, count->second, model, all);
    }
  }
  return all;
}

}  // namespace xla::cpu
