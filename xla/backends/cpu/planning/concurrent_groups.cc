// Finds the connected components of a window of thunks, and the time that two
// threads would save by running them.
#include "xla/backends/cpu/planning/concurrent_groups.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

// The most thunks of a group, so that long programs are planned in linear time.
constexpr int kMaxThunks = 32;
// The time of a handover to another thread that spins for work, and of the wait
// for it.
constexpr double kHandoverNanoseconds = 5'000;
// The least time that a group must save: several handovers, since a sleeping
// thread must be woken first, and a share of the time, since costs are
// estimates.
constexpr double kLeastGainNanoseconds = 15'000;
constexpr double kLeastGainShare = 0.1;
// Library kernels that take about this long or longer divide their work: dots
// do so from 3e6 multiplications and additions on.
constexpr double kSplitLibraryNanoseconds = 60'000;

// Returns the time of a thunk outside of a group, on two threads.
double NanosecondsAlone(const ThunkCost& thunk) {
  return thunk.is_split ? thunk.nanoseconds / 2 + kHandoverNanoseconds
                        : thunk.nanoseconds;
}

// A growing range of thunks, divided into chains.
class Window {
 public:
  Window(absl::Span<const ThunkCost> thunks, int begin)
      : thunks_(thunks), begin_(begin) {}

  // Adds the next thunk, which conflicts with `conflicts`.
  void Add(absl::Span<const int> conflicts) {
    const int number = static_cast<int>(parents_.size());
    parents_.push_back(number);
    ++chains_;
    for (const int other : conflicts) {
      const int root = Root(other - begin_);
      if (root != number) --chains_;
      parents_[root] = number;
    }
    alone_ += NanosecondsAlone(thunks_[begin_ + number]);
  }

  // Returns the nanoseconds that two threads save; 0 if they save too little.
  double Gain() {
    if (chains_ < 2 || alone_ < 2 * kLeastGainNanoseconds) return 0;
    std::vector<double> chains(parents_.size());
    for (size_t i = 0; i < parents_.size(); ++i) {
      chains[Root(static_cast<int>(i))] += thunks_[begin_ + i].nanoseconds;
    }
    std::sort(chains.begin(), chains.end(), std::greater<>());
    double ends[2] = {0, 0};
    for (const double chain : chains)
      *std::min_element(ends, ends + 2) += chain;
    const double gain =
        alone_ - (std::max(ends[0], ends[1]) + kHandoverNanoseconds);
    return gain < std::max(kLeastGainNanoseconds, kLeastGainShare * alone_)
               ? 0
               : gain;
  }

  // Returns the group of all thunks that were added.
  ConcurrentGroup Group() {
    const int count = static_cast<int>(parents_.size());
    ConcurrentGroup group{begin_, begin_ + count, {}};
    std::vector<int> number_of(count, -1);
    int chains = 0;
    for (int i = 0; i < count; ++i) {
      int& number = number_of[Root(i)];
      if (number < 0) number = chains++;
      group.chain_of.push_back(number);
    }
    return group;
  }

 private:
  int Root(int i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

  const absl::Span<const ThunkCost> thunks_;
  const int begin_;
  std::vector<int> parents_;
  int chains_ = 0;
  double alone_ = 0;
};

}  // namespace

ThunkCost CostOfThunk(const ThunkPlan& plan, const PlannedThunk& thunk,
                      const RunCosts& costs) {
  ThunkCost cost;
  switch (thunk.kind) {
    case PlannedThunk::Kind::kKernel: {
      const PlannedKernel& kernel = plan.kernels[thunk.index];
      for (const HloInstruction* instruction : kernel.spec.instructions) {
        cost.nanoseconds += costs.Of(instruction);
      }
      cost.is_split = kernel.workgroups > kernel.workgroups_per_task;
      return cost;
    }
    case PlannedThunk::Kind::kCopies:
      for (const HloInstruction* copy : plan.copies[thunk.index]) {
        cost.nanoseconds += costs.Of(copy);
      }
      return cost;
    case PlannedThunk::Kind::kCopy:
      cost.nanoseconds = costs.Of(thunk.instruction);
      cost.is_split = SplitsCopy(
          ShapeUtil::ByteSizeOf(thunk.instruction->shape(), sizeof(void*)));
      return cost;
    case PlannedThunk::Kind::kPack:
      // It is always alone.
      return cost;
    case PlannedThunk::Kind::kLibrary:
    case PlannedThunk::Kind::kLabel:
    case PlannedThunk::Kind::kJump:
    case PlannedThunk::Kind::kJumpIfFalse:
    case PlannedThunk::Kind::kSwitch:
      break;
  }
  cost.nanoseconds = costs.Of(thunk.instruction);
  cost.is_split = cost.nanoseconds >= kSplitLibraryNanoseconds;
  return cost;
}

std::vector<ConcurrentGroup> FindConcurrentGroups(
    absl::Span<const ThunkCost> thunks,
    absl::FunctionRef<bool(int, int)> conflict) {
  const int count = static_cast<int>(thunks.size());
  const auto may_be_in_group = [&](int i) {
    return thunks[i].may_run_concurrently &&
           std::isfinite(thunks[i].nanoseconds);
  };
  // For each thunk the earlier ones, within reach, that it conflicts with.
  std::vector<std::vector<int>> conflicts(count);
  const auto find_conflicts = [&](int i) {
    if (!may_be_in_group(i)) return;
    for (int before = std::max(0, i - kMaxThunks + 1); before < i; ++before) {
      if (may_be_in_group(before) && conflict(before, i)) {
        conflicts[i].push_back(before);
      }
    }
  };
  std::vector<ConcurrentGroup> groups;
  int known = 0;  // whose conflicts were looked for
  for (int begin = 0; begin < count;) {
    Window window(thunks, begin);
    double best_gain = 0;
    ConcurrentGroup best{begin, begin + 1, {}};
    for (int i = begin; i < std::min(count, begin + kMaxThunks); ++i) {
      if (!may_be_in_group(i)) break;
      for (; known <= i; ++known) find_conflicts(known);
      const auto first =
          std::lower_bound(conflicts[i].begin(), conflicts[i].end(), begin);
      window.Add(absl::MakeConstSpan(conflicts[i])
                     .subspan(first - conflicts[i].begin()));
      const double gain = window.Gain();
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = window.Group();
    }
    begin = best.end;
    if (best_gain > 0) groups.push_back(std::move(best));
  }
  return groups;
}

}  // namespace xla::cpu
