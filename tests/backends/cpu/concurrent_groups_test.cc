// Which neighbours run side by side, given costs and conflicts.
#include "xla/backends/cpu/planning/concurrent_groups.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace xla::cpu {
namespace {

using Conflicts = std::vector<std::pair<int, int>>;

ThunkCost Costs(double nanoseconds) {
  return {.nanoseconds = nanoseconds, .may_run_concurrently = true};
}

// "[1,4) 0,1,0" for each group.
std::string Groups(const std::vector<ThunkCost>& thunks,
                   const Conflicts& conflicts) {
  std::string text;
  const auto conflict = [&](int a, int b) {
    EXPECT_LT(a, b);
    return absl::c_linear_search(conflicts, std::make_pair(a, b));
  };
  for (const ConcurrentGroup& group : FindConcurrentGroups(thunks, conflict)) {
    absl::StrAppend(&text, text.empty() ? "" : " ", "[", group.begin, ",",
                    group.end, ") ", absl::StrJoin(group.chain_of, ","));
  }
  return text;
}

TEST(ConcurrentGroupsTest, IndependentThunksAreChainsOfOne) {
  EXPECT_EQ(Groups({Costs(50e3), Costs(40e3), Costs(60e3)}, {}), "[0,3) 0,1,2");
}

TEST(ConcurrentGroupsTest, BranchesAreChains) {
  // 0 -> 1 -> 2 and 3 -> 4 between a source and a join.
  const std::vector<ThunkCost> thunks(7, Costs(30e3));
  EXPECT_EQ(
      Groups(thunks, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 5}, {3, 6}, {5, 6}}),
      "[1,6) 0,0,0,1,1");
}

TEST(ConcurrentGroupsTest, WhatGainsTooLittleIsLeftAlone) {
  // The thunks take less time than a handover.
  EXPECT_EQ(Groups(std::vector<ThunkCost>(4, Costs(3e3)), {}), "");
  // The second thunk is negligible beside the first.
  EXPECT_EQ(Groups({Costs(1e6), Costs(20e3)}, {}), "");
  // Each thunk depends on the one before.
  EXPECT_EQ(Groups({Costs(50e3), Costs(50e3), Costs(50e3)}, {{0, 1}, {1, 2}}),
            "");
}

// A thunk that divides its work keeps all threads busy by itself.
TEST(ConcurrentGroupsTest, SplitThunksGainLittle) {
  ThunkCost split = Costs(1e6);
  split.is_split = true;
  EXPECT_EQ(Groups({split, split}, {}), "");
}

TEST(ConcurrentGroupsTest, GroupsEndAtWhatMustRunAlone) {
  ThunkCost alone = Costs(50e3);
  alone.may_run_concurrently = false;
  const ThunkCost unknown = Costs(std::numeric_limits<double>::infinity());
  const ThunkCost some = Costs(50e3);
  EXPECT_EQ(Groups({some, some, alone, some, some, unknown, some, some}, {}),
            "[0,2) 0,1 [3,5) 0,1 [6,8) 0,1");
  EXPECT_EQ(Groups({alone, some, alone, some, unknown}, {}), "");
}

// Long stretches become several groups, so that conflicts are only looked for
// near the first thunk of a group.
TEST(ConcurrentGroupsTest, LongStretchesAreDivided) {
  const std::vector<ThunkCost> thunks(100, Costs(50e3));
  int calls = 0;
  const auto groups = FindConcurrentGroups(thunks, [&](int a, int b) {
    ++calls;
    EXPECT_LT(b - a, 32);
    return false;
  });
  EXPECT_EQ(groups.size(), 4);
  EXPECT_LE(calls, 100 * 32);
  int covered = 0;
  for (const ConcurrentGroup& group : groups) {
    EXPECT_EQ(group.begin, covered);
    EXPECT_EQ(group.chain_of.size(), group.end - group.begin);
    covered = group.end;
  }
  EXPECT_EQ(covered, 100);
}

}  // namespace
}  // namespace xla::cpu
