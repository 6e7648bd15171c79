// Asks the alias analysis which copies are needed and adds them.
#include "xla/hlo/transforms/buffers/copy_insertion.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/buffer_sharing.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/buffers/schedule.h"

namespace xla {
namespace {

using Move = HloLiveRange::Move;
using NeededCopy = BufferSharing::NeededCopy;

// Adds the copies that one consumer needs.
class ConsumerCopies {
 public:
  // New instructions are appended to `added` in their order.
  ConsumerCopies(HloInstruction* consumer, std::vector<HloInstruction*>* added)
      : consumer_(consumer), added_(added) {}

  void Add(const Move& move, int number, absl::string_view reason) {
    HloInstruction* source;
    if (move.saved_by >= 0) {
      source = saved_.at(move.saved_by);
    } else {
      source = LeafOf(Holder(move.operand), move.leaf);
    }
    HloInstruction* copy = AddNew(
        HloInstruction::Create(HloOpcode::kCopy, source->shape(), {source}));
    copy->set_metadata(source->metadata());
    FrontendAttributes attributes;
    (*attributes.mutable_map())[std::string(CopyInsertion::kReasonAttribute)] =
        std::string(reason);
    copy->set_frontend_attributes(std::move(attributes));
    if (move.kind == Move::Kind::kSave) {
      saved_[number] = copy;
    } else {
      copies_[move.operand][move.leaf] = copy;
    }
  }

  // Makes the consumer use the copies.
  absl::Status Replace() {
    for (auto& [operand, copies] : copies_) {
      HloInstruction* holder = Holder(operand);
      int leaf = 0;
      HloInstruction* fresh = Rebuild(holder, &leaf, copies);
      if (operand >= 0) {
        TF_RETURN_IF_ERROR(consumer_->ReplaceOperandWith(operand, fresh));
        replaced_.push_back(holder);
        continue;
      }
      if (holder->has_sharding()) fresh->copy_sharding(holder);
      holder->parent()->set_root_instruction(fresh);
      replaced_.push_back(holder);
    }
    return absl::OkStatus();
  }

  // Instructions, mostly tuples, that may no longer be needed.
  const std::vector<HloInstruction*>& replaced() const { return replaced_; }

 private:
  using Copies = std::map<int, HloInstruction*>;

  HloInstruction* Holder(int operand) {
    return operand < 0 ? consumer_ : consumer_->mutable_operand(operand);
  }

  HloInstruction* AddNew(std::unique_ptr<HloInstruction> instruction) {
    HloInstruction* fresh =
        consumer_->parent()->AddInstruction(std::move(instruction));
    added_->push_back(fresh);
    return fresh;
  }

  HloInstruction* ElementOf(HloInstruction* tuple, int64_t i) {
    if (tuple->opcode() == HloOpcode::kTuple) return tuple->mutable_operand(i);
    HloInstruction*& element = elements_[{tuple, i}];
    if (element == nullptr) {
      element = AddNew(HloInstruction::CreateGetTupleElement(tuple, i));
    }
    return element;
  }

  HloInstruction* LeafOf(HloInstruction* holder, int leaf) {
    while (holder->shape().IsTuple()) {
      const std::vector<int>& ends = LeafEnds(holder);
      const int64_t i =
          std::upper_bound(ends.begin(), ends.end(), leaf) - ends.begin();
      if (i > 0) leaf -= ends[i - 1];
      holder = ElementOf(holder, i);
    }
    return holder;
  }

  // Returns, for each element of a tuple, the number of leaves up to its end.
  const std::vector<int>& LeafEnds(const HloInstruction* holder) {
    std::vector<int>& ends = leaf_ends_[holder];
    if (!ends.empty()) return ends;
    int end = 0;
    for (const Shape& part : holder->shape().tuple_shapes()) {
      ends.push_back(end += LeafCount(part));
    }
    return ends;
  }

  // Returns `holder`, whose first leaf is number *leaf, with leaves replaced by
  // their copies. Advances *leaf past its last one.
  HloInstruction* Rebuild(HloInstruction* holder, int* leaf,
                          const Copies& copies) {
    if (!holder->shape().IsTuple()) {
      auto it = copies.find((*leaf)++);
      return it == copies.end() ? holder : it->second;
    }
    const int end = *leaf + LeafCount(holder->shape());
    auto next = copies.lower_bound(*leaf);
    if (next == copies.end() || next->first >= end) {
      *leaf = end;
      return holder;
    }
    std::vector<HloInstruction*> elements;
    for (int64_t i = 0; i < holder->shape().tuple_shapes_size(); ++i) {
      elements.push_back(Rebuild(ElementOf(holder, i), leaf, copies));
    }
    return AddNew(HloInstruction::CreateTuple(elements));
  }

  HloInstruction* consumer_;
  std::vector<HloInstruction*>* added_;
  std::map<int, Copies> copies_;                     // by operand
  absl::flat_hash_map<int, HloInstruction*> saved_;  // by number of the move
  std::map<std::pair<HloInstruction*, int64_t>, HloInstruction*> elements_;
  absl::flat_hash_map<const HloInstruction*, std::vector<int>> leaf_ends_;
  std::vector<HloInstruction*> replaced_;
};

// Adds copies to a computation, whose order is its schedule.
class ComputationCopies {
 public:
  explicit ComputationCopies(HloComputation* computation)
      : computation_(computation) {
    for (const auto& hlo : computation->instructions()) {
      order_.push_back(hlo);
    }
  }

  // The needed copies of one consumer are next to each other.
  absl::Status Run(absl::Span<const NeededCopy> copies,
                   const std::vector<Move>& moves) {
    for (size_t i = 0; i < copies.size();) {
      const Move& first = moves[copies[i].move];
      HloInstruction* consumer = const_cast<HloInstruction*>(first.consumer);
      const bool is_root = first.operand < 0;
      ConsumerCopies adder(consumer, is_root ? &at_end_ : &before_[consumer]);
      for (; i < copies.size(); ++i) {
        const Move& move = moves[copies[i].move];
        if (move.consumer != consumer || (move.operand < 0) != is_root) break;
        adder.Add(move, copies[i].move, copies[i].reason);
      }
      TF_RETURN_IF_ERROR(adder.Replace());
      replaced_.insert(replaced_.end(), adder.replaced().begin(),
                       adder.replaced().end());
    }
    std::vector<HloInstruction*> order;
    for (HloInstruction* hlo : order_) {
      if (auto it = before_.find(hlo); it != before_.end()) {
        order.insert(order.end(), it->second.begin(), it->second.end());
      }
      order.push_back(hlo);
    }
    order.insert(order.end(), at_end_.begin(), at_end_.end());
    TF_RETURN_IF_ERROR(computation_->SetInstructionOrder(order));
    absl::flat_hash_set<HloInstruction*> seen;
    for (HloInstruction* tuple : replaced_) {
      if (!seen.insert(tuple).second) continue;
      if (tuple->opcode() == HloOpcode::kTuple && tuple->user_count() == 0 &&
          !tuple->IsRoot() && !tuple->HasControlDependencies()) {
        TF_RETURN_IF_ERROR(computation_->RemoveInstruction(tuple));
      }
    }
    return absl::OkStatus();
  }

 private:
  HloComputation* computation_;
  std::vector<HloInstruction*> order_;
  absl::flat_hash_map<HloInstruction*, std::vector<HloInstruction*>> before_;
  std::vector<HloInstruction*> at_end_;
  std::vector<HloInstruction*> replaced_;
};

}  // namespace

absl::StatusOr<bool> CopyInsertion::RunImpl(HloModule* module) {
  bool changed = false;
  if (!module->is_scheduled()) {
    TF_ASSIGN_OR_RETURN(changed, Schedule(alias_info_).Run(module));
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<BufferSharing> alias,
                      BufferSharing::Run(*module, *alias_info_));
  // The needed copies by computation, in the order of moves.
  absl::flat_hash_map<const HloComputation*, std::vector<NeededCopy>> needed;
  const std::vector<Move>& moves = alias->live_range().moves();
  for (const NeededCopy& copy : alias->needed_copies()) {
    needed[moves[copy.move].computation].push_back(copy);
  }
  for (const auto& computation : alias->dataflow().computations()) {
    auto it = needed.find(computation.computation);
    if (it == needed.end()) continue;
    auto* parent = const_cast<HloComputation*>(computation.computation);
    TF_RETURN_IF_ERROR(ComputationCopies(parent).Run(it->second, moves));
    changed = true;
  }
  return changed;
}

std::vector<CopyReport> ReportCopies(const HloModule& module) {
  std::vector<CopyReport> reports;
  const std::string key(CopyInsertion::kReasonAttribute);
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() != HloOpcode::kCopy) continue;
      const auto& attributes = hlo->frontend_attributes().map();
      if (auto it = attributes.find(key); it != attributes.end()) {
        reports.push_back({hlo, it->second});
      }
    }
  }
  return reports;
}

}  // namespace xla
