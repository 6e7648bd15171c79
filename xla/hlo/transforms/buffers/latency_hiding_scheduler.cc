// Makes pairs of all collectives first, since only then the analyses say what
// memory an order takes, and collectives of those that gained nothing again.
#include "xla/hlo/transforms/buffers/latency_hiding_scheduler.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/cost/cost_analysis.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/side_effects.h"
#include "xla/hlo/transforms/buffers/collective_pairs.h"
#include "xla/hlo/transforms/buffers/memory_order.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using InstructionSet = absl::flat_hash_set<const HloInstruction*>;

// Rough times of one thread and of a fast network between machines.
constexpr double kNanosecondsPerFlop = 0.02;
constexpr double kNanosecondsPerTranscendental = 0.5;
constexpr double kNanosecondsPerByte = 0.1;
constexpr double kNanosecondsPerSentByte = 1;
constexpr double kLatencyNanoseconds = 50'000;
// An order may take this share of the memory more, or that many bytes.
constexpr int64_t kMemoryShare = 16;
constexpr int64_t kSmallMemory = int64_t{16} << 20;
// How often pairs are given up where an order takes too much memory.
constexpr int kMostOrders = 32;

double TransferNanoseconds(const HloInstruction& start) {
  int64_t bytes = 0;
  for (const int element : {0, 1}) {
    int64_t of_part = 0;
    for (const Shape* leaf : Leaves(start.shape().tuple_shapes(element))) {
      of_part = SaturatingAdd(of_part, ShapeUtil::ByteSizeOf(*leaf));
    }
    bytes = std::max(bytes, of_part);
  }
  return kLatencyNanoseconds +
         kNanosecondsPerSentByte * static_cast<double>(bytes);
}

// The instructions of a computation, numbered by their present position.
class LatencyGraph {
 public:
  LatencyGraph(const std::vector<Hlo>& present, const InstructionSet& effects,
               const CostAnalysis& costs)
      : present_(present), before_(present.size()), later_(present.size(), 0) {
    absl::flat_hash_map<const HloInstruction*, int> number;
    for (size_t i = 0; i < present.size(); ++i) number[present[i]] = i;
    int last_effect = -1;
    for (size_t i = 0; i < present.size(); ++i) {
      const HloInstruction* hlo = present[i];
      const CostAnalysis::Cost cost = costs.CostOf(*hlo);
      nanoseconds_.push_back(RankOf(*hlo) > 0
                                 ? 0
                                 : kNanosecondsPerFlop * cost.flops +
                                       kNanosecondsPerTranscendental *
                                           cost.transcendentals +
                                       kNanosecondsPerByte * cost.bytes);
      for (const Hlo operand : hlo->operands()) AddEdge(number.at(operand), i);
      for (const Hlo before : hlo->control_predecessors()) {
        AddEdge(number.at(before), i);
      }
      if (!effects.contains(hlo)) continue;
      if (last_effect >= 0) AddEdge(last_effect, i);
      last_effect = i;
    }
  }

  // Returns an order in which there is work between starts and dones for the
  // times of their transfers. A done comes right after its start if that is
  // one of `tied`.
  std::vector<Hlo> OrderFor(const InstructionSet& tied) const {
    std::vector<int> later = later_;
    // Those that may come next, from the end: first dones, then starts, then
    // the last in the present order; and starts that are held back, by the
    // time, from the end, when they may.
    std::set<std::pair<int, int>, std::greater<>> ready;
    std::set<std::pair<double, int>> held;
    std::vector<double> placed(present_.size(), 0);
    double now = 0;
    const auto add = [&](int i) {
      double time = 0;
      if (present_[i]->opcode() == HloOpcode::kAsyncStart &&
          !tied.contains(present_[i])) {
        time = placed[i + 1] + TransferNanoseconds(*present_[i]);
      }
      if (time > now) {
        held.emplace(time, i);
      } else {
        ready.emplace(RankOf(*present_[i]), i);
      }
    };
    for (size_t i = 0; i < present_.size(); ++i) {
      if (later[i] == 0) add(i);
    }
    std::vector<Hlo> order;
    while (!ready.empty() || !held.empty()) {
      if (ready.empty()) now = std::max(now, held.begin()->first);
      while (!held.empty() && held.begin()->first <= now) {
        const int i = held.begin()->second;
        ready.emplace(RankOf(*present_[i]), i);
        held.erase(held.begin());
      }
      const int i = ready.begin()->second;
      ready.erase(ready.begin());
      order.push_back(present_[i]);
      placed[i] = now;
      now += nanoseconds_[i];
      for (const int before : before_[i]) {
        if (--later[before] == 0) add(before);
      }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  // Returns the starts between which and their dones there is no more work than
  // `nanoseconds`.
  std::vector<Hlo> StartsInVain(const std::vector<Hlo>& order,
                                double nanoseconds) const {
    absl::flat_hash_map<const HloInstruction*, double> costs, begun;
    for (size_t i = 0; i < present_.size(); ++i) {
      costs[present_[i]] = nanoseconds_[i];
    }
    std::vector<Hlo> in_vain;
    double now = 0;
    for (const Hlo hlo : order) {
      if (hlo->opcode() == HloOpcode::kAsyncStart) begun[hlo] = now;
      if (hlo->opcode() == HloOpcode::kAsyncDone &&
          now - begun.at(hlo->operand(0)) <= nanoseconds) {
        in_vain.push_back(hlo->mutable_operand(0));
      }
      now += costs.at(hlo);
    }
    return in_vain;
  }

 private:
  static int RankOf(const HloInstruction& hlo) {
    if (hlo.opcode() == HloOpcode::kAsyncDone) return 2;
    return hlo.opcode() == HloOpcode::kAsyncStart ? 1 : 0;
  }
  void AddEdge(int from, int to) {
    before_[to].push_back(from);
    ++later_[from];
  }

  const std::vector<Hlo>& present_;  // a done comes right after its start
  std::vector<std::vector<int>> before_;
  std::vector<int> later_;  // how many come later since they must
  std::vector<double> nanoseconds_;
};

struct Peak {
  size_t position = 0;
  int64_t bytes = 0;
};

Peak PeakOf(const HloDataflow& flow, const AliasInfo& alias_info,
            const HloDataflow::Computation& computation) {
  const std::vector<int64_t> during =
      MemoryDuring(flow, alias_info, computation);
  Peak peak;
  for (size_t i = 0; i < during.size(); ++i) {
    if (during[i] > peak.bytes) peak = {i, during[i]};
  }
  return peak;
}

// Adds half of the starts that are under way at a position to `tied`: those
// whose results are needed last. Returns whether there were any.
bool TieAt(size_t position, const std::vector<Hlo>& order,
           InstructionSet& tied) {
  const size_t before = tied.size();
  InstructionSet begun;
  for (size_t i = 0; i < position; ++i) {
    if (order[i]->opcode() == HloOpcode::kAsyncStart) begun.insert(order[i]);
    if (order[i]->opcode() == HloOpcode::kAsyncDone) {
      begun.erase(order[i]->operand(0));
    }
  }
  size_t left = (begun.size() + 1) / 2;
  for (size_t i = order.size(); left > 0 && i-- > position;) {
    if (order[i]->opcode() != HloOpcode::kAsyncDone ||
        !begun.contains(order[i]->operand(0))) {
      continue;
    }
    tied.insert(order[i]->operand(0));
    --left;
  }
  return tied.size() > before;
}

// Returns the order that hides most and takes at most `limit` bytes, or the
// present one.
std::vector<Hlo> OrderWithin(int64_t limit, const LatencyGraph& graph,
                             const HloDataflow& flow,
                             const AliasInfo& alias_info,
                             const HloDataflow::Computation& present) {
  HloDataflow::Computation next = present;
  InstructionSet tied;
  for (int i = 0; i < kMostOrders; ++i) {
    next.order = graph.OrderFor(tied);
    const Peak peak = PeakOf(flow, alias_info, next);
    if (peak.bytes <= limit) return next.order;
    if (!TieAt(peak.position, next.order, tied)) break;
  }
  return present.order;
}

// Returns the computations in which all devices run the same instructions in
// the same order. In the branches of conditionals they may not: there several
// instructions of one channel may be one collective.
std::vector<HloDataflow::Computation> ComputationsOfAll(
    const HloDataflow& flow) {
  std::vector<HloDataflow::Computation> all;
  absl::flat_hash_set<const HloComputation*> branches;
  for (const HloDataflow::Computation& info : flow.computations()) {
    if (info.role == CallRole::kBranch ||
        (info.caller != nullptr && branches.contains(info.caller->parent()))) {
      branches.insert(info.computation);
    } else {
      all.push_back(info);
    }
  }
  return all;
}

// Makes pairs of the collectives of a computation. Returns whether there are
// any.
absl::StatusOr<bool> MakePairs(HloComputation* computation,
                               const std::vector<Hlo>& present) {
  std::vector<Hlo> order;
  bool any = false;
  for (const Hlo hlo : present) {
    if (!SpansProcesses(*hlo)) {
      order.push_back(hlo);
      continue;
    }
    any = true;
    TF_ASSIGN_OR_RETURN(const Hlo start, MakeCollectivePair(hlo));
    order.push_back(start);
    order.push_back(start->users()[0]);
  }
  if (any) TF_RETURN_IF_ERROR(computation->SetInstructionOrder(order));
  return any;
}

// Returns what begins in the order that the program has: what has side effects,
// what meets other devices, and what calls a computation that does.
InstructionSet FindOrdered(const HloModule& module) {
  InstructionSet ordered = InstructionsWithSideEffects(module);
  ComputationSet meeting;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    for (const auto& hlo : computation->instructions()) {
      bool meets = hlo->opcode() == HloOpcode::kAsyncStart ||
                   hlo->def().cost_class == CostClass::kDevice;
      for (const HloComputation* called : hlo->called_computations()) {
        meets = meets || meeting.contains(called);
      }
      if (!meets) continue;
      ordered.insert(hlo);
      meeting.insert(computation);
    }
  }
  return ordered;
}

// Orders a computation whose collectives are pairs; `peak` are the bytes that
// it took before. Returns whether pairs are left.
absl::StatusOr<bool> HideLatency(HloComputation* computation,
                                 const HloDataflow& flow,
                                 const AliasInfo& alias_info,
                                 const InstructionSet& effects,
                                 const CostAnalysis& costs, int64_t peak,
                                 double least_overlap) {
  const int64_t limit =
      std::max(SaturatingAdd(peak, peak / kMemoryShare), kSmallMemory);
  const HloDataflow::Computation& present = flow.computation(computation);
  const LatencyGraph graph(present.order, effects, costs);
  std::vector<Hlo> order = OrderWithin(limit, graph, flow, alias_info, present);
  const auto pairs = absl::c_count_if(order, [](const HloInstruction* hlo) {
    return hlo->opcode() == HloOpcode::kAsyncStart;
  });
  const std::vector<Hlo> in_vain = graph.StartsInVain(order, least_overlap);
  const bool keeps_pairs = static_cast<int64_t>(in_vain.size()) < pairs;
  if (!keeps_pairs) order = present.order;
  for (const Hlo start : in_vain) {
    order.erase(absl::c_find(order, start->users()[0]));
    const auto place = absl::c_find(order, start);
    TF_ASSIGN_OR_RETURN(*place, UndoCollectivePair(start));
  }
  TF_RETURN_IF_ERROR(computation->SetInstructionOrder(order));
  return keeps_pairs;
}

}  // namespace

absl::StatusOr<bool> LatencyHidingScheduler::RunImpl(HloModule* module) {
  const bool any =
      absl::c_any_of(module->computations(), [](const auto& computation) {
        return absl::c_any_of(computation->instructions(), [](const auto& hlo) {
          return SpansProcesses(*hlo);
        });
      });
  if (!any) return false;
  bool changed = false;
  absl::flat_hash_map<HloComputation*, int64_t> peaks;
  {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloDataflow> flow,
                        HloDataflow::Run(*module));
    const std::vector<HloDataflow::Computation> all = ComputationsOfAll(*flow);
    std::vector<HloComputation*> computations;
    for (const HloDataflow::Computation& info : all) {
      computations.push_back(const_cast<HloComputation*>(info.computation));
    }
    changed = SeparateChannels(computations);
    for (const HloDataflow::Computation& info : all) {
      auto* computation = const_cast<HloComputation*>(info.computation);
      const int64_t peak = PeakOf(*flow, *alias_info_, info).bytes;
      TF_ASSIGN_OR_RETURN(const bool has_pairs,
                          MakePairs(computation, info.order));
      if (has_pairs) peaks[computation] = peak;
    }
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloDataflow> flow,
                      HloDataflow::Run(*module));
  const InstructionSet effects = FindOrdered(*module);
  CostAnalysis costs;
  TF_RETURN_IF_ERROR(costs.Run(*module->entry_computation()));
  for (const HloDataflow::Computation& info : flow->computations()) {
    auto* computation = const_cast<HloComputation*>(info.computation);
    const auto peak = peaks.find(computation);
    if (peak == peaks.end()) continue;
    TF_ASSIGN_OR_RETURN(const bool has_pairs,
                        HideLatency(computation, *flow, *alias_info_, effects,
                                    costs, peak->second, least_overlap_));
    changed |= has_pairs;
  }
  return changed;
}

}  // namespace xla
