// Looks into fusions for updates, and for paths that keep elements where they
// are.
#include "xla/backends/cpu/analysis/cpu_alias_info.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/row_indexing.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla::cpu {
namespace {

int TimesRead(const HloInstruction* value, const HloInstruction* user) {
  return std::count(user->operands().begin(), user->operands().end(), value);
}

// True if the computation reads `value` in one place, the root counting as one.
bool IsReadOnce(const HloInstruction* value) {
  if (value->IsRoot()) return value->user_count() == 0;
  return value->user_count() == 1 && TimesRead(value, value->users()[0]) == 1;
}

// True if each element of `user` depends, of `value`, on the element with the
// same linear index alone, wherever it reads it.
bool KeepsPlaces(const HloInstruction* user, const HloInstruction* value) {
  for (int64_t i = 0; i < user->operand_count(); ++i) {
    if (user->operand(i) == value && !KeepsLinearIndex(*user, i)) return false;
  }
  return true;
}

// True if everything computed from `value` keeps the places of its elements and
// ends as the update of `update`.
bool FeedsOnlyUpdate(const HloInstruction* value,
                     const HloInstruction* update) {
  absl::flat_hash_set<const HloInstruction*> seen = {value};
  std::vector<const HloInstruction*> pending = {value};
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    pending.pop_back();
    if (next->IsRoot() || next->user_count() == 0) return false;
    for (const HloInstruction* user : next->users()) {
      if (user == update) {
        if (update->operand(1) != next || TimesRead(next, update) != 1) {
          return false;
        }
        continue;
      }
      if (!KeepsPlaces(user, next)) return false;
      if (seen.insert(user).second) pending.push_back(user);
    }
  }
  return true;
}

// A read of what `update` overwrites, and of nothing else.
bool ReadsWhatIsOverwritten(const HloInstruction* read,
                            const HloInstruction* update) {
  if (read->opcode() != HloOpcode::kDynamicSlice ||
      update->opcode() != HloOpcode::kDynamicUpdateSlice ||
      read->operand(0) != update->operand(0) ||
      read->shape().dimensions() != update->operand(1)->shape().dimensions() ||
      read->operand_count() + 1 != update->operand_count()) {
    return false;
  }
  for (int i = 1; i < read->operand_count(); ++i) {
    if (read->operand(i) != update->operand(i + 1)) return false;
  }
  return FeedsOnlyUpdate(read, update);
}

// True if all reads of `parameter`, through bitcasts, are safe when `update`
// writes over it.
bool OnlySafeReads(const HloInstruction* parameter,
                   const HloInstruction* update, int updated) {
  std::vector<const HloInstruction*> pending = {parameter};
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    pending.pop_back();
    if (next->IsRoot()) return false;
    for (const HloInstruction* user : next->users()) {
      if (user == update) {
        if (update->operand(updated) != next || TimesRead(next, update) != 1) {
          return false;
        }
      } else if (user->opcode() == HloOpcode::kBitcast) {
        pending.push_back(user);
      } else if (!ReadsWhatIsOverwritten(user, update)) {
        return false;
      }
    }
  }
  return true;
}

std::optional<OperandLeaf> FusionInPlace(const HloInstruction* fusion,
                                         int leaf) {
  const HloInstruction* producer =
      fusion->fused_instructions_computation()->root_instruction();
  int result = leaf;
  if (producer->opcode() == HloOpcode::kTuple) {
    if (leaf >= producer->operand_count()) return std::nullopt;
    for (const HloInstruction* output : producer->operands()) {
      if (output->shape().IsTuple()) return std::nullopt;
    }
    producer = producer->operand(leaf);
    result = 0;
  }
  while (producer->opcode() == HloOpcode::kBitcast) {
    if (!IsReadOnce(producer)) return std::nullopt;
    producer = producer->operand(0);
  }
  if (!IsReadOnce(producer)) return std::nullopt;
  if (producer->opcode() != HloOpcode::kDynamicUpdateSlice &&
      producer->opcode() != HloOpcode::kScatter) {
    return std::nullopt;
  }
  const std::optional<OperandLeaf> updated =
      AliasInfo().MustAlias(*producer, result);
  if (!updated.has_value()) return std::nullopt;
  const HloInstruction* target = producer->operand(updated->operand);
  while (target->opcode() == HloOpcode::kBitcast) target = target->operand(0);
  if (target->opcode() != HloOpcode::kParameter || !target->shape().IsArray() ||
      !OnlySafeReads(target, producer, updated->operand)) {
    return std::nullopt;
  }
  return OperandLeaf{static_cast<int>(target->parameter_number()), 0};
}

using ValueSet = absl::flat_hash_set<const HloInstruction*>;

// Whether each parameter of the fused computation has as many elements as
// `whole`, and reaches the outputs only through ops that keep the places of its
// elements, and `reduces`.
std::vector<bool> ParametersInPlace(const HloComputation& fused,
                                    const Shape& whole,
                                    const ValueSet& reduces) {
  const int64_t elements = ShapeUtil::ElementsIn(whole);
  ValueSet good;
  const std::vector<HloInstruction*> order = fused.MakeInstructionPostOrder();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const HloInstruction* hlo = *it;
    if (hlo->opcode() == HloOpcode::kTuple) {
      if (hlo->IsRoot()) good.insert(hlo);
      continue;
    }
    if (!hlo->shape().IsArray() ||
        ShapeUtil::ElementsIn(hlo->shape()) != elements) {
      continue;
    }
    const bool fine = std::all_of(
        hlo->users().begin(), hlo->users().end(),
        [&](const HloInstruction* user) {
          return reduces.contains(user) ||
                 (good.contains(user) && (user->opcode() == HloOpcode::kTuple ||
                                          KeepsPlaces(user, hlo)));
        });
    if (fine) good.insert(hlo);
  }
  std::vector<bool> result;
  for (const HloInstruction* parameter : fused.parameter_instructions()) {
    result.push_back(good.contains(parameter));
  }
  return result;
}

std::vector<AliasPair> ShareableInFusion(const HloInstruction& fusion) {
  std::vector<AliasPair> pairs;
  const FusionKind kind = fusion.attrs<FusionAttrs>().kind;
  const std::vector<const Shape*> outputs = Leaves(fusion.shape());
  if (outputs.empty()) return pairs;
  const Shape* whole = outputs[0];  // that of the loop
  ValueSet reduces;
  if (kind == FusionKind::kInput) {
    const auto structure = FindReductionStructure(fusion);
    if (!structure.has_value() || !structure->by_rows()) return pairs;
    for (const auto& level : structure->levels) {
      reduces.insert(level.begin(), level.end());
    }
    whole = &structure->levels[0][0]->operand(0)->shape();
  } else if (kind != FusionKind::kLoop) {
    return pairs;
  }
  for (size_t leaf = 0; leaf < outputs.size(); ++leaf) {
    if (!outputs[leaf]->IsArray() ||
        (kind == FusionKind::kLoop &&
         outputs[leaf]->dimensions() != whole->dimensions()) ||
        FusionInPlace(&fusion, leaf).has_value()) {
      return pairs;
    }
  }
  const std::vector<bool> in_place = ParametersInPlace(
      *fusion.fused_instructions_computation(), *whole, reduces);
  for (int leaf = 0; leaf < static_cast<int>(outputs.size()); ++leaf) {
    if (outputs[leaf]->dimensions() != whole->dimensions()) continue;
    for (int i = 0; i < fusion.operand_count(); ++i) {
      if (in_place[i] &&
          SamePlaces(fusion.operand(i)->shape(), *outputs[leaf])) {
        pairs.push_back({leaf, i});
      }
    }
  }
  return pairs;
}

}  // namespace

bool ReadsOwnRows(const HloInstruction& fusion, int64_t operand) {
  if (fusion.opcode() != HloOpcode::kFusion || !fusion.shape().IsArray() ||
      fusion.attrs<FusionAttrs>().kind != FusionKind::kInput ||
      FusionInPlace(&fusion, 0).has_value()) {
    return false;
  }
  const auto structure = FindReductionStructure(fusion);
  if (!structure.has_value() || !structure->by_rows()) return false;
  ValueSet reduces;
  for (const auto& level : structure->levels) {
    reduces.insert(level.begin(), level.end());
  }
  const Shape& whole = structure->levels[0][0]->operand(0)->shape();
  return fusion.shape().dimensions() == whole.dimensions() &&
         ParametersInPlace(*fusion.fused_instructions_computation(), whole,
                           reduces)[operand];
}

std::optional<OperandLeaf> CpuAliasInfo::MustAlias(
    const HloInstruction& instruction, int leaf) const {
  return instruction.opcode() == HloOpcode::kFusion
             ? FusionInPlace(&instruction, leaf)
             : AliasInfo::MustAlias(instruction, leaf);
}

std::vector<AliasPair> CpuAliasInfo::MayAliasPairs(
    const HloInstruction& instr) const {
  if (instr.opcode() == HloOpcode::kFusion) return ShareableInFusion(instr);
  std::vector<AliasPair> pairs;
  if (instr.opcode() == HloOpcode::kSort ||
      instr.opcode() == HloOpcode::kAllReduce ||
      instr.opcode() == HloOpcode::kCollectiveBroadcast) {
    for (int i = 0; i < instr.operand_count(); ++i) pairs.push_back({i, i});
    return pairs;
  }
  if (!instr.IsElementwiseOp() || !instr.shape().IsArray()) return pairs;
  for (int i = 0; i < instr.operand_count(); ++i) {
    if (SamePlaces(instr.operand(i)->shape(), instr.shape())) {
      pairs.push_back({0, i});
    }
  }
  return pairs;
}

}  // namespace xla::cpu
