// All-reduces of one key are in levels: one more than the highest level among
// those of the key that it depends on. Those of one level do not depend on each
// other, and levels keep the combined graph without cycles. Keys are combined
// one after another, since what one of them combines is a dependency for the
// next.
#include "xla/hlo/transforms/devices/all_reduce_combiner.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/devices/all_reduce_key.h"

namespace xla {
namespace {

constexpr double kMostBytes = 64 << 20;

bool MayCombine(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kAllReduce && hlo.operand_count() == 1 &&
         hlo.shape().IsArray() && !hlo.HasControlDependencies() &&
         AllReduceKeyOf(hlo).reducer != HloOpcode::kParameter;
}

absl::Status Combine(absl::Span<HloInstruction* const> members) {
  HloComputation* computation = members[0]->parent();
  std::vector<HloInstruction*> operands;
  std::vector<Shape> shapes;
  for (HloInstruction* member : members) {
    operands.push_back(member->mutable_operand(0));
    shapes.push_back(member->shape());
  }
  HloInstruction* combined =
      computation->AddInstruction(members[0]->CloneWithNewOperands(
          ShapeUtil::MakeTupleShape(shapes), operands));
  for (size_t i = 0; i < members.size(); ++i) {
    HloInstruction* element = computation->AddInstruction(
        HloInstruction::CreateGetTupleElement(combined, i));
    TF_RETURN_IF_ERROR(members[i]->ReplaceAllUsesWith(element));
    TF_RETURN_IF_ERROR(computation->RemoveInstruction(members[i]));
  }
  return absl::OkStatus();
}

// Returns the all-reduces of a key by level, in order.
std::map<int64_t, std::vector<HloInstruction*>> LevelsOf(
    const HloComputation& computation, const AllReduceKey& key) {
  std::map<int64_t, std::vector<HloInstruction*>> levels;
  absl::flat_hash_map<const HloInstruction*, int64_t> level_of;
  for (HloInstruction* hlo : computation.MakeInstructionPostOrder()) {
    int64_t level = 0;
    for (const HloInstruction* operand : hlo->operands()) {
      level = std::max(level, level_of[operand]);
    }
    for (const HloInstruction* before : hlo->control_predecessors()) {
      level = std::max(level, level_of[before]);
    }
    if (MayCombine(*hlo) && AllReduceKeyOf(*hlo) == key) {
      levels[level++].push_back(hlo);
    }
    level_of[hlo] = level;
  }
  return levels;
}

absl::StatusOr<bool> CombineKey(HloComputation& computation,
                                const AllReduceKey& key) {
  bool changed = false;
  for (auto& [level, all] : LevelsOf(computation, key)) {
    std::vector<HloInstruction*> members;
    double bytes = 0;
    auto finish = [&]() -> absl::Status {
      if (members.size() > 1) {
        TF_RETURN_IF_ERROR(Combine(members));
        changed = true;
      }
      members.clear();
      bytes = 0;
      return absl::OkStatus();
    };
    for (HloInstruction* hlo : all) {
      const double more = BytesOf(hlo->shape());
      if (bytes + more > kMostBytes) TF_RETURN_IF_ERROR(finish());
      members.push_back(hlo);
      bytes += more;
    }
    TF_RETURN_IF_ERROR(finish());
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> AllReduceCombiner::RunImpl(HloModule* module) {
  bool changed = false;
  for (const auto& computation : module->computations()) {
    std::map<AllReduceKey, int64_t> counts;
    for (const auto& hlo : computation->instructions()) {
      if (MayCombine(*hlo)) ++counts[AllReduceKeyOf(*hlo)];
    }
    for (const auto& [key, count] : counts) {
      if (count < 2) continue;
      TF_ASSIGN_OR_RETURN(const bool combined, CombineKey(*computation, key));
      changed |= combined;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
