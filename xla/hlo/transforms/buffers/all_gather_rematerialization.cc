// Plans on a copy of the schedule's memory profile, then changes the module.
#include "xla/hlo/transforms/buffers/all_gather_rematerialization.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/ir/channels.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/transforms/buffers/gather_tree.h"
#include "xla/hlo/transforms/buffers/memory_order.h"

namespace xla {
namespace {

constexpr int64_t kSmallPeak = int64_t{1} << 20;
constexpr int64_t kLeastShare = 16;
constexpr int64_t kReceivedBytesPerByte = 2;
// As for the partitioner's reshards.
constexpr int64_t kLatencyBytes = 4096;

// A tree whose uses are in groups: the first one has the tree's nodes, each of
// the others is to have nodes of its own just before its first use.
struct GroupedTree {
  GatherTree tree;
  std::vector<int> starts = {0};  // the first use of each group

  int EndOf(size_t group) const {
    return group + 1 < starts.size() ? starts[group + 1]
                                     : static_cast<int>(tree.uses.size());
  }
};

// Uses from `use` on, in a group, may have nodes of their own.
struct Gap {
  int tree = 0;
  int use = 0;
  int64_t saved_bytes = 0;  // at positions in (from, to)
  int from = 0;
  int to = 0;
  int64_t extra_bytes = 0;  // at `to`, while the nodes are made again
};

class ComputationProfile {
 public:
  ComputationProfile(const HloDataflow& flow, const AliasInfo& alias_info,
                     const HloDataflow::Computation& computation)
      : order_(computation.order),
        alive_(MemoryDuring(flow, alias_info, computation)),
        callees_(order_.size()) {
    Positions positions;
    for (size_t i = 0; i < order_.size(); ++i) positions[order_[i]] = i;
    for (size_t i = 0; i < order_.size(); ++i) {
      for (const HloComputation* callee : order_[i]->called_computations()) {
        if (flow.Contains(callee)) callees_[i].push_back(callee);
      }
      if (order_[i]->opcode() != HloOpcode::kAllGather) continue;
      std::optional<GatherTree> tree =
          FindGatherTree(order_[i], flow, computation, positions);
      if (tree.has_value()) trees_.push_back({*std::move(tree)});
    }
  }

  size_t size() const { return order_.size(); }
  int64_t alive(size_t position) const { return alive_[position]; }
  const std::vector<const HloComputation*>& callees(size_t position) const {
    return callees_[position];
  }
  const GatherTree& tree(int number) const { return trees_[number].tree; }

  // Returns the gap around a position that saves most.
  std::optional<Gap> BestGapAt(int position) const {
    std::optional<Gap> best;
    for (size_t t = 0; t < trees_.size(); ++t) {
      std::optional<Gap> gap = GapAt(trees_[t], position);
      if (!gap.has_value()) continue;
      gap->tree = static_cast<int>(t);
      if (!best.has_value() || gap->saved_bytes > best->saved_bytes) best = gap;
    }
    return best;
  }

  // Changes the profile as if the gap were closed.
  void Close(const Gap& gap) {
    GroupedTree& grouped = trees_[gap.tree];
    grouped.starts.insert(absl::c_upper_bound(grouped.starts, gap.use),
                          gap.use);
    for (int i = gap.from + 1; i < gap.to; ++i) alive_[i] -= gap.saved_bytes;
    alive_[gap.to] += gap.extra_bytes;
    GatherTree& tree = grouped.tree;
    for (int i = tree.operand_end + 1; i <= gap.to; ++i) {
      alive_[i] += tree.operand_bytes;
    }
    tree.operand_end = std::max(tree.operand_end, gap.to);
  }

  // Forgets all groups, and then makes these.
  void SetGaps(absl::Span<const Gap> gaps) {
    for (GroupedTree& grouped : trees_) grouped.starts = {0};
    for (const Gap& gap : gaps) {
      std::vector<int>& starts = trees_[gap.tree].starts;
      starts.insert(absl::c_upper_bound(starts, gap.use), gap.use);
    }
  }

  // Gives each group its nodes. `channel` is the largest in use.
  absl::Status Rewrite(int64_t& channel) {
    std::vector<std::vector<HloInstruction*>> before(order_.size());
    for (GroupedTree& grouped : trees_) {
      for (size_t g = 1; g < grouped.starts.size(); ++g) {
        TF_RETURN_IF_ERROR(RepeatNodes(grouped, g, channel, before));
      }
    }
    HloComputation* computation = order_[0]->parent();
    std::vector<HloInstruction*> order;
    for (size_t i = 0; i < order_.size(); ++i) {
      order.insert(order.end(), before[i].begin(), before[i].end());
      order.push_back(order_[i]);
    }
    TF_RETURN_IF_ERROR(computation->SetInstructionOrder(order));
    for (const GroupedTree& grouped : trees_) {
      const auto& nodes = grouped.tree.nodes;
      for (size_t n = nodes.size(); n-- > 0;) {
        if (nodes[n].hlo->user_count() > 0) continue;
        TF_RETURN_IF_ERROR(computation->RemoveInstruction(nodes[n].hlo));
      }
    }
    return absl::OkStatus();
  }

 private:
  std::optional<Gap> GapAt(const GroupedTree& grouped, int position) const {
    const GatherTree& tree = grouped.tree;
    for (size_t g = 0; g < grouped.starts.size(); ++g) {
      const int end = grouped.EndOf(g);
      int last = 0;
      for (int u = grouped.starts[g]; u + 1 < end; ++u) {
        last = std::max(last, tree.uses[u].end);
        const int next = tree.uses[u + 1].begin;
        if (last >= position || position >= next) continue;
        return Measure(grouped, g, u + 1, last, position);
      }
    }
    return std::nullopt;
  }

  // The gap in front of a use of a group: what of its nodes is alive at
  // `position`, and from where on.
  std::optional<Gap> Measure(const GroupedTree& grouped, size_t group, int use,
                             int last, int position) const {
    const GatherTree& tree = grouped.tree;
    const int first = tree.uses[grouped.starts[group]].begin;
    const auto place = [&](int node) {
      return group == 0 ? tree.nodes[node].position : first;
    };
    Gap gap;
    gap.use = use;
    gap.from = last;
    gap.to = tree.uses[use].begin;
    std::vector<bool> is_alive(tree.nodes.size(), false);
    for (int u = use; u < grouped.EndOf(group); ++u) {
      int node = tree.uses[u].node;
      while (node >= 0 && place(node) >= position) {
        node = tree.nodes[node].parent;
      }
      if (node >= 0) is_alive[tree.OwnerOf(node)] = true;
    }
    for (size_t n = 0; n < tree.nodes.size(); ++n) {
      if (!is_alive[n]) continue;
      gap.saved_bytes += tree.nodes[n].bytes;
      gap.from = std::max(gap.from, place(static_cast<int>(n)));
    }
    for (const int n : tree.NodesOf(use, grouped.EndOf(group))) {
      if (!is_alive[n]) gap.extra_bytes += tree.nodes[n].bytes;
    }
    const int64_t kept = tree.operand_end < gap.to ? tree.operand_bytes : 0;
    if (gap.saved_bytes <= kept || tree.received_bytes() <= 0) {
      return std::nullopt;
    }
    return gap;
  }

  absl::Status RepeatNodes(
      const GroupedTree& grouped, size_t group, int64_t& channel,
      std::vector<std::vector<HloInstruction*>>& before) const {
    const GatherTree& tree = grouped.tree;
    const int begin = grouped.starts[group];
    const int end = grouped.EndOf(group);
    HloComputation* computation = tree.nodes[0].hlo->parent();
    std::vector<HloInstruction*> copies(tree.nodes.size(), nullptr);
    for (const int n : tree.NodesOf(begin, end)) {
      const GatherTree::Node& node = tree.nodes[n];
      HloInstruction* operand =
          node.parent < 0 ? node.hlo->mutable_operand(0) : copies[node.parent];
      copies[n] = computation->AddInstruction(
          node.hlo->CloneWithNewOperands(node.hlo->shape(), {operand}),
          node.hlo->name());
      before[tree.uses[begin].begin].push_back(copies[n]);
    }
    auto& attrs = copies[0]->mutable_attrs<AllGatherAttrs>();
    if (attrs.channel_id.has_value()) attrs.channel_id = ++channel;
    for (int u = begin; u < end; ++u) {
      const GatherTree::Use& use = tree.uses[u];
      TF_RETURN_IF_ERROR(
          tree.nodes[use.node].hlo->ReplaceUseWith(use.user, copies[use.node]));
    }
    return absl::OkStatus();
  }

  std::vector<HloInstruction*> order_;
  std::vector<int64_t> alive_;
  std::vector<std::vector<const HloComputation*>> callees_;
  std::vector<GroupedTree> trees_;
};

// The profiles of a module's computations, callers before callees.
class Planner {
 public:
  Planner(const HloDataflow& flow, const AliasInfo& alias_info) {
    for (const HloDataflow::Computation& computation : flow.computations()) {
      numbers_[computation.computation] = static_cast<int>(profiles_.size());
      profiles_.emplace_back(flow, alias_info, computation);
    }
    FindPeaks();
  }

  int64_t peak() const { return peaks_[0].bytes; }

  // Chooses gaps. Returns false if nothing is to be gained over a peak of
  // `before` bytes.
  bool Plan(int64_t before) {
    int64_t best = 0;
    int64_t cost = 0;
    size_t stage = 0;
    while (CloseOne()) {
      const auto& [profile, gap] = closed_.back();
      cost +=
          kLatencyBytes + profiles_[profile].tree(gap.tree).received_bytes();
      FindPeaks();
      const int64_t saved = before - peak();
      const int64_t balance = kReceivedBytesPerByte * saved - cost;
      if (balance <= best || saved < before / kLeastShare) continue;
      best = balance;
      stage = closed_.size();
    }
    closed_.resize(stage);
    return stage > 0;
  }

  absl::Status Rewrite(int64_t& channel) {
    for (size_t p = 0; p < profiles_.size(); ++p) {
      std::vector<Gap> gaps;
      for (const auto& [profile, gap] : closed_) {
        if (profile == p) gaps.push_back(gap);
      }
      if (gaps.empty()) continue;
      profiles_[p].SetGaps(gaps);
      TF_RETURN_IF_ERROR(profiles_[p].Rewrite(channel));
    }
    return absl::OkStatus();
  }

 private:
  // Where a computation needs most memory, and what called computations need
  // there.
  struct Peak {
    int64_t bytes = 0;
    int position = -1;
    int callee = -1;
  };

  void FindPeaks() {
    peaks_.assign(profiles_.size(), Peak());
    for (size_t p = profiles_.size(); p-- > 0;) {
      const ComputationProfile& profile = profiles_[p];
      for (size_t i = 0; i < profile.size(); ++i) {
        Peak here = {profile.alive(i), static_cast<int>(i)};
        int64_t inner = 0;
        for (const HloComputation* called : profile.callees(i)) {
          const int callee = numbers_.at(called);
          if (here.callee >= 0 && peaks_[callee].bytes <= inner) continue;
          inner = peaks_[callee].bytes;
          here.callee = callee;
        }
        here.bytes = SaturatingAdd(here.bytes, inner);
        if (peaks_[p].position < 0 || here.bytes > peaks_[p].bytes) {
          peaks_[p] = here;
        }
      }
    }
  }

  // Closes the gap that saves most of the entry's peak.
  bool CloseOne() {
    std::optional<std::pair<size_t, Gap>> best;
    for (int p = 0; p >= 0; p = peaks_[p].callee) {
      if (peaks_[p].position < 0) break;
      const std::optional<Gap> gap = profiles_[p].BestGapAt(peaks_[p].position);
      if (!gap.has_value()) continue;
      if (!best.has_value() || gap->saved_bytes > best->second.saved_bytes) {
        best.emplace(p, *gap);
      }
    }
    if (!best.has_value()) return false;
    profiles_[best->first].Close(best->second);
    closed_.push_back(*best);
    return true;
  }

  std::vector<ComputationProfile> profiles_;
  absl::flat_hash_map<const HloComputation*, int> numbers_;
  std::vector<Peak> peaks_;
  std::vector<std::pair<size_t, Gap>> closed_;
};

using Order = std::vector<HloInstruction*>;

absl::Status SetOrder(const Order& order) {
  return order[0]->parent()->SetInstructionOrder(order);
}

// Returns the order in which all-gathers come right before their first use.
Order OrderOfLateGathers(const HloDataflow& flow,
                         const HloDataflow::Computation& computation) {
  const Order& present = computation.order;
  Positions positions;
  for (size_t i = 0; i < present.size(); ++i) positions[present[i]] = i;
  std::vector<Order> before(present.size());
  absl::flat_hash_set<const HloInstruction*> moved;
  for (HloInstruction* hlo : present) {
    if (hlo->opcode() != HloOpcode::kAllGather) continue;
    const std::optional<GatherTree> tree =
        FindGatherTree(hlo, flow, computation, positions);
    if (!tree.has_value() || tree->uses.empty()) continue;
    const int first = tree->uses[0].begin;
    for (const int n : tree->NodesOf(0, tree->uses.size())) {
      if (tree->nodes[n].position > first) continue;
      before[first].push_back(tree->nodes[n].hlo);
      moved.insert(tree->nodes[n].hlo);
    }
  }
  Order order;
  for (size_t i = 0; i < present.size(); ++i) {
    order.insert(order.end(), before[i].begin(), before[i].end());
    if (!moved.contains(present[i])) order.push_back(present[i]);
  }
  return order;
}

bool HasAllGather(const HloModule& module) {
  return absl::c_any_of(module.computations(), [](const auto& computation) {
    return absl::c_any_of(computation->instructions(), [](const auto& hlo) {
      return hlo->opcode() == HloOpcode::kAllGather;
    });
  });
}

}  // namespace

absl::StatusOr<bool> AllGatherRematerialization::RunImpl(HloModule* module) {
  if (!HasAllGather(*module)) return false;
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloDataflow> flow,
                      HloDataflow::Run(*module));
  const int64_t before = Planner(*flow, *alias_info_).peak();
  if (before < kSmallPeak) return false;
  std::vector<Order> orders;
  for (const HloDataflow::Computation& computation : flow->computations()) {
    orders.push_back(computation.order);
    TF_RETURN_IF_ERROR(SetOrder(OrderOfLateGathers(*flow, computation)));
  }
  TF_ASSIGN_OR_RETURN(flow, HloDataflow::Run(*module));
  Planner planner(*flow, *alias_info_);
  if (!planner.Plan(before)) {
    for (const Order& order : orders) TF_RETURN_IF_ERROR(SetOrder(order));
    return false;
  }
  int64_t channel = LargestChannelId(*module);
  TF_RETURN_IF_ERROR(planner.Rewrite(channel));
  return true;
}

}  // namespace xla
