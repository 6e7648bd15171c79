// Follows users from the all-gather on; the dataflow says whether others read
// the same value.
#include "xla/hlo/transforms/buffers/gather_tree.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"

namespace xla {
namespace {

// Whether the instruction only moves or converts the elements of one operand.
bool IsCopyOfOperand(const HloInstruction& hlo) {
  if (hlo.operand_count() != 1 || !hlo.shape().IsArray() ||
      hlo.HasControlDependencies() || hlo.IsRoot()) {
    return false;
  }
  switch (hlo.opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kConvert:
    case HloOpcode::kCopy:
    case HloOpcode::kReshape:
    case HloOpcode::kTranspose:
      return true;
    default:
      return false;
  }
}

class TreeFinder {
 public:
  TreeFinder(const HloDataflow& flow,
             const HloDataflow::Computation& computation,
             const Positions& positions)
      : flow_(flow), computation_(computation), positions_(positions) {}

  std::optional<GatherTree> Find(HloInstruction* all_gather) {
    if (!all_gather->shape().IsArray() || all_gather->operand_count() != 1 ||
        all_gather->HasControlDependencies() || !AddNode(all_gather, -1)) {
      return std::nullopt;
    }
    for (size_t n = 0; n < tree_.nodes.size(); ++n) {
      if (!AddUsersOf(static_cast<int>(n))) return std::nullopt;
    }
    if (!KnowsAllReaders() || !FindOperand(*all_gather)) return std::nullopt;
    absl::c_stable_sort(tree_.uses, [](const auto& a, const auto& b) {
      return a.begin < b.begin;
    });
    return std::move(tree_);
  }

 private:
  // Returns false for a value without memory, and for the computation's result.
  bool AddNode(HloInstruction* hlo, int parent) {
    const absl::Span<const int> values = flow_.values(hlo);
    if (hlo->IsRoot() || values.size() != 1 || values[0] < 0) return false;
    const HloDataflow::Value& value = flow_.value(values[0]);
    const bool is_own = value.instruction == hlo;
    if (parent < 0 && !is_own) return false;
    tree_.nodes.push_back(
        {hlo, parent, positions_.at(hlo), is_own ? value.bytes : 0});
    values_.insert(values[0]);
    readers_.insert(hlo);
    return true;
  }

  bool AddUsersOf(int node) {
    absl::flat_hash_set<const HloInstruction*> seen;
    for (HloInstruction* user : tree_.nodes[node].hlo->users()) {
      if (!seen.insert(user).second) continue;
      if (IsCopyOfOperand(*user)) {
        if (!AddNode(user, node)) return false;
        continue;
      }
      const int begin = positions_.at(user);
      int end = begin;
      if (!Follow(user, end)) return false;
      tree_.uses.push_back({user, node, begin, end});
    }
    return true;
  }

  // Moves `end` to the last reader of what `user` hands on. Returns false if
  // that is the computation's result.
  bool Follow(const HloInstruction* user, int& end) {
    std::vector<const HloInstruction*> pending = {user};
    absl::flat_hash_set<const HloInstruction*> seen = {user};
    while (!pending.empty()) {
      const HloInstruction* next = pending.back();
      pending.pop_back();
      end = std::max(end, positions_.at(next));
      readers_.insert(next);
      if (!HloDataflow::IsForwarding(next->opcode())) continue;
      if (next->IsRoot()) return false;
      for (const HloInstruction* further : next->users()) {
        if (seen.insert(further).second) pending.push_back(further);
      }
    }
    return true;
  }

  bool KnowsAllReaders() const {
    for (const HloInstruction* hlo : computation_.order) {
      if (readers_.contains(hlo)) continue;
      for (const HloInstruction* operand : hlo->operands()) {
        for (const int value : flow_.values(operand)) {
          if (values_.contains(value)) return false;
        }
      }
    }
    return true;
  }

  bool FindOperand(const HloInstruction& all_gather) {
    const absl::Span<const int> values = flow_.values(all_gather.operand(0));
    if (values.size() != 1 || values[0] < 0) return false;
    const HloDataflow::Value& value = flow_.value(values[0]);
    tree_.operand_bytes = value.bytes;
    switch (value.kind) {
      case HloDataflow::Kind::kParameter:
      case HloDataflow::Kind::kConstant:
        return true;
      case HloDataflow::Kind::kOp:
        break;
      default:
        return false;  // A loop may write over it.
    }
    if (value.home != computation_.computation) return true;
    tree_.operand_end = 0;
    for (const HloInstruction* hlo : computation_.order) {
      for (const HloInstruction* operand : hlo->operands()) {
        if (absl::c_linear_search(flow_.values(operand), values[0])) {
          tree_.operand_end = std::max(tree_.operand_end, positions_.at(hlo));
        }
      }
    }
    return true;
  }

  const HloDataflow& flow_;
  const HloDataflow::Computation& computation_;
  const Positions& positions_;
  GatherTree tree_;
  absl::flat_hash_set<int> values_;
  absl::flat_hash_set<const HloInstruction*> readers_;
};

}  // namespace

int GatherTree::OwnerOf(int node) const {
  while (nodes[node].bytes == 0 && nodes[node].parent >= 0) {
    node = nodes[node].parent;
  }
  return node;
}

std::vector<int> GatherTree::NodesOf(int begin, int end) const {
  std::vector<bool> is_needed(nodes.size(), false);
  for (int u = begin; u < end; ++u) {
    for (int n = uses[u].node; n >= 0; n = nodes[n].parent) is_needed[n] = true;
  }
  std::vector<int> result;
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (is_needed[n]) result.push_back(static_cast<int>(n));
  }
  return result;
}

std::optional<GatherTree> FindGatherTree(
    HloInstruction* all_gather, const HloDataflow& flow,
    const HloDataflow::Computation& computation, const Positions& positions) {
  return TreeFinder(flow, computation, positions).Find(all_gather);
}

}  // namespace xla
