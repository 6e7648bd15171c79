// Handles one computation after the other, with a search of its graph for each
// write.
#include "xla/hlo/transforms/buffers/write_order.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {
namespace {

using ValueKind = HloDataflow::Kind;

struct Write {
  HloInstruction* writer;
  int value;
};

class WriteOrder {
 public:
  using Set = absl::flat_hash_set<const HloInstruction*>;

  WriteOrder(const HloModule& module, const HloDataflow& flow,
             const AliasInfo& alias_info, const Set& effects)
      : module_(module),
        flow_(flow),
        alias_info_(alias_info),
        effects_(effects),
        budget_(1000000 + 50 * module.instruction_count()) {}

  absl::StatusOr<bool> Run() {
    bool changed = false;
    for (const HloDataflow::Computation& computation : flow_.computations()) {
      readers_.clear();
      writes_.clear();
      next_effect_.clear();
      previous_effect_.clear();
      const HloInstruction* last = nullptr;
      for (HloInstruction* hlo : computation.order) {
        Collect(hlo);
        if (!effects_.contains(hlo)) continue;
        if (last != nullptr) {
          next_effect_[last] = hlo;
          previous_effect_[hlo] = last;
        }
        last = hlo;
      }
      CollectRoots(computation);
      for (const Write& write : writes_) {
        TF_ASSIGN_OR_RETURN(const bool added, OrderBefore(write));
        changed |= added;
      }
    }
    return changed;
  }

 private:
  void Collect(HloInstruction* hlo) {
    if (HloDataflow::IsForwarding(hlo->opcode())) return;
    for (const HloInstruction* operand : hlo->operands()) {
      for (const int value : flow_.values(operand)) {
        if (value < 0) continue;
        std::vector<HloInstruction*>& readers = readers_[value];
        if (readers.empty() || readers.back() != hlo) readers.push_back(hlo);
      }
    }
    if (hlo->opcode() == HloOpcode::kWhile) {
      const absl::Span<const int> init = flow_.values(hlo->operand(0));
      for (size_t leaf = 0; leaf < init.size(); ++leaf) {
        if (flow_.CarryOf(hlo, leaf) >= 0) writes_.push_back({hlo, init[leaf]});
      }
      return;
    }
    if (hlo->opcode() == HloOpcode::kConditional ||
        hlo->opcode() == HloOpcode::kCall) {
      return;
    }
    const int leaves = flow_.values(hlo).size();
    for (int leaf = 0; leaf < leaves; ++leaf) {
      const std::optional<OperandLeaf> from = alias_info_.MustAlias(*hlo, leaf);
      if (!from.has_value()) continue;
      const int value = flow_.values(hlo->operand(from->operand))[from->leaf];
      if (value >= 0) writes_.push_back({hlo, value});
    }
  }

  // Collects the instructions that make the next value of a carry, or an output
  // with a donated parameter.
  void CollectRoots(const HloDataflow::Computation& computation) {
    const HloComputation* parent = computation.computation;
    const absl::Span<const int> roots =
        flow_.values(parent->root_instruction());
    auto add = [&](int leaf, int overwritten) {
      if (overwritten < 0 || roots[leaf] < 0) return;
      const HloDataflow::Value& made = flow_.value(roots[leaf]);
      if (made.home != parent || made.kind == ValueKind::kParameter ||
          made.kind == ValueKind::kConstant || made.kind == ValueKind::kCarry) {
        return;
      }
      writes_.push_back(
          {const_cast<HloInstruction*>(made.instruction), overwritten});
    };
    if (computation.role == CallRole::kBody) {
      for (size_t leaf = 0; leaf < roots.size(); ++leaf) {
        add(leaf, flow_.CarryOf(computation.caller, leaf));
      }
    }
    if (computation.role != CallRole::kEntry) return;
    for (const auto& alias : module_.input_output_alias().entries()) {
      const int64_t number = alias.parameter_number();
      if (number < 0 || number >= parent->num_parameters()) continue;
      const HloInstruction* parameter = parent->parameter_instruction(number);
      const ShapeIndex out(alias.output_shape_index().begin(),
                           alias.output_shape_index().end());
      const ShapeIndex in(alias.parameter_shape_index().begin(),
                          alias.parameter_shape_index().end());
      const int output = LeafNumberAt(parent->root_instruction()->shape(), out);
      const int leaf = LeafNumberAt(parameter->shape(), in);
      if (output < 0 || leaf < 0) continue;
      add(output, flow_.values(parameter)[leaf]);
    }
  }

  // Sets `reached` to the instructions that `from` reaches along (or against)
  // data and control edges and from effect to effect. Returns false if the
  // budget ends before.
  bool Reach(const HloInstruction* from, bool forward, Set* reached) {
    std::vector<const HloInstruction*> pending = {from};
    auto visit = [&](const auto& next) {
      for (const HloInstruction* hlo : next) {
        if (reached->insert(hlo).second) pending.push_back(hlo);
      }
    };
    while (!pending.empty()) {
      const HloInstruction* next = pending.back();
      pending.pop_back();
      if (--budget_ < 0) return false;
      if (forward) {
        visit(next->users());
        visit(next->control_successors());
      } else {
        visit(next->operands());
        visit(next->control_predecessors());
      }
      const auto& effect = forward ? next_effect_ : previous_effect_;
      if (auto it = effect.find(next); it != effect.end()) {
        visit(absl::MakeConstSpan(&it->second, 1));
      }
    }
    return true;
  }

  absl::StatusOr<bool> OrderBefore(const Write& write) {
    std::vector<HloInstruction*> others;
    for (HloInstruction* reader : readers_[write.value]) {
      if (reader != write.writer && !write.writer->IsUserOf(reader)) {
        others.push_back(reader);
      }
    }
    if (others.empty()) return false;
    Set after, before;
    if (!Reach(write.writer, /*forward=*/true, &after) ||
        !Reach(write.writer, /*forward=*/false, &before)) {
      return false;
    }
    bool changed = false;
    for (HloInstruction* reader : others) {
      if (after.contains(reader) || before.contains(reader)) continue;
      TF_RETURN_IF_ERROR(reader->AddControlDependencyTo(write.writer));
      changed = true;
    }
    return changed;
  }

  const HloModule& module_;
  const HloDataflow& flow_;
  const AliasInfo& alias_info_;
  const Set& effects_;
  int64_t budget_;
  absl::flat_hash_map<int, std::vector<HloInstruction*>> readers_;
  std::vector<Write> writes_;
  absl::flat_hash_map<const HloInstruction*, const HloInstruction*>
      next_effect_, previous_effect_;
};

}  // namespace

absl::StatusOr<bool> OrderReadsBeforeWrites(
    const HloModule& module, const HloDataflow& flow,
    const AliasInfo& alias_info,
    const absl::flat_hash_set<const HloInstruction*>& effects) {
  return WriteOrder(module, flow, alias_info, effects).Run();
}

}  // namespace xla
