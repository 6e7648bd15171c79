// Native code whose plan has few lanes, or whose operands lie apart.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/codegen/plans/vector_use.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/explain/missed_optimizations.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/operand_access.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/source_line.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {
namespace {

// Why elements that are read in that order are loaded one by one; empty if they
// are not.
absl::string_view WhyApart(AccessOrder order) {
  switch (order) {
    case AccessOrder::kConstant:
    case AccessOrder::kContiguous:
    case AccessOrder::kReversed:
    case AccessOrder::kGatheredRows:
      return "";
    case AccessOrder::kTransposed:
      return "neighbors of the result are in different rows, and the loop has "
             "no tiles";
    case AccessOrder::kStrided:
      return "neighbors of the result lie at a distance";
    case AccessOrder::kGatheredElements:
      return "each element is at an index that is data";
  }
  return "";
}

// The reductions whose code goes along the rows that they reduce: it reads
// neighbors in memory, though neighbors of the result are in different rows.
absl::flat_hash_set<const HloInstruction*> ReducedAlongRows(
    const HloInstruction& hlo) {
  absl::flat_hash_set<const HloInstruction*> reductions;
  const auto structure = FindReductionStructure(hlo);
  if (!structure.has_value() || !structure->by_rows()) return reductions;
  for (const auto& level : structure->levels) {
    reductions.insert(level.begin(), level.end());
  }
  return reductions;
}

class MissedVectorFinder {
 public:
  explicit MissedVectorFinder(const TargetInfo& target)
      : target_(target), model_(target) {}

  void Visit(const HloInstruction& hlo, double runs) {
    if (CodeFamilyOf(hlo) == CodeFamily::kNone) return;
    const VectorUse use = VectorUseOf(hlo, target_);
    if (!use.reason.empty()) {
      const CpuCost cost = model_.CodeCost(hlo);
      // The model's time is that of full registers.
      Add(hlo,
          absl::StrCat(use.lanes, " of ", use.width,
                       " elements at a time: ", use.reason),
          runs * cost.compute_ns *
              (static_cast<double>(use.width) / use.lanes - 1));
    }
    if (use.tiled) return;
    const auto along_rows = ReducedAlongRows(hlo);
    if (hlo.opcode() != HloOpcode::kFusion) {
      if (!along_rows.contains(&hlo)) VisitReads(hlo, runs);
      return;
    }
    for (const HloInstruction* inner :
         hlo.fused_instructions_computation()->instructions()) {
      if (!along_rows.contains(inner)) VisitReads(*inner, runs);
    }
  }

  std::vector<MissedOptimization> Take() { return std::move(missed_); }

 private:
  void VisitReads(const HloInstruction& hlo, double runs) {
    const auto accesses = OperandAccessesOf(hlo);
    if (!accesses.has_value()) return;
    const Shape* result = LoopShape(hlo);
    if (result == nullptr) return;
    for (const OperandAccess& access : *accesses) {
      const absl::string_view why = WhyApart(access.order);
      if (why.empty() || access.is_index) continue;
      const HloInstruction* operand = hlo.operand(access.operand);
      if (ShapeUtil::ElementsIn(operand->shape()) <= 1) continue;
      Add(hlo, absl::StrCat("reads ", operand->name(), " one by one: ", why),
          runs * ElementsOf(*result) * access.elements * access.share *
              model_.machine().strided_ns);
    }
  }

  void Add(const HloInstruction& hlo, std::string reason, double nanoseconds) {
    MissedOptimization& missed = missed_.emplace_back();
    missed.kind = "not vectorized";
    missed.instruction = hlo.name();
    missed.source_line = SourceLine(hlo);
    missed.op_name = SourceOpName(hlo);
    missed.reason = std::move(reason);
    missed.nanoseconds = nanoseconds;
  }

  const TargetInfo& target_;
  const CpuCostModel model_;
  std::vector<MissedOptimization> missed_;
};

}  // namespace

std::vector<MissedOptimization> FindMissedVectors(const ThunkPlan& plan,
                                                  const TargetInfo& target,
                                                  const RunCounts& runs) {
  MissedVectorFinder finder(target);
  absl::flat_hash_set<const HloInstruction*> seen;
  const auto visit = [&](const HloInstruction* hlo) {
    const auto count = runs.find(hlo->parent());
    if (count != runs.end() && seen.insert(hlo).second) {
      finder.Visit(*hlo, count->second);
    }
  };
  // A sequence may have loops, whose bodies it contains.
  std::vector<const HloInstruction*> pending;
  for (const PlannedKernel& kernel : plan.kernels) {
    pending.insert(pending.end(), kernel.spec.instructions.begin(),
                   kernel.spec.instructions.end());
  }
  for (size_t i = 0; i < pending.size(); ++i) {
    visit(pending[i]);
    if (!HasBodies(*pending[i])) continue;
    for (const HloComputation* called : pending[i]->called_computations()) {
      for (const HloInstruction* inner : called->instructions()) {
        if (!seen.contains(inner)) pending.push_back(inner);
      }
    }
  }
  return finder.Take();
}

}  // namespace xla::cpu
