// Cuts of known graphs, and of random ones beside all their divisions.
#include "xla/base/min_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace xla {
namespace {

struct Edge {
  int from, to;
  int64_t capacity;
};

// Returns what a division costs; bit i of `sink_side` is node i.
int64_t CostOf(const std::vector<Edge>& edges, uint32_t sink_side) {
  int64_t cost = 0;
  for (const Edge& e : edges) {
    const bool cut = !(sink_side >> e.from & 1) && (sink_side >> e.to & 1);
    if (cut) cost += e.capacity;
  }
  return cost;
}

uint32_t Solve(int nodes, const std::vector<Edge>& edges) {
  MinCut cut;
  for (int i = 2; i < nodes; ++i) EXPECT_EQ(cut.AddNode(), i);
  for (const Edge& e : edges) cut.AddEdge(e.from, e.to, e.capacity);
  uint32_t sides = 0;
  const std::vector<bool> sink_side = cut.Solve();
  for (int i = 0; i < nodes; ++i) sides |= uint32_t{sink_side[i]} << i;
  return sides;
}

TEST(MinCutTest, CutsTheCheapestEdge) {
  // source -5> 2 -3> 3 -7> sink
  EXPECT_EQ(Solve(4, {{0, 2, 5}, {2, 3, 3}, {3, 1, 7}}), 0b1010u);
}

TEST(MinCutTest, KeepsNodesOnTheSideOfTheSourceIfThatCostsNoMore) {
  EXPECT_EQ(Solve(4, {{0, 2, 3}, {2, 3, 3}, {3, 1, 3}}), 0b0010u);
  EXPECT_EQ(Solve(3, {}), 0b010u);
}

TEST(MinCutTest, NeverCutsWhatMustNotBe) {
  EXPECT_EQ(Solve(4, {{0, 2, 5}, {2, 3, MinCut::kNever}, {3, 1, 4}}), 0b0010u);
  EXPECT_EQ(Solve(4, {{0, 2, 4}, {2, 3, MinCut::kNever}, {3, 1, 5}}), 0b1110u);
}

TEST(MinCutTest, FindsTheBestOfAllDivisions) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const int nodes = 3 + random() % 6;
    std::vector<Edge> edges(random() % 20);
    for (Edge& e : edges) {
      e.from = random() % nodes;
      e.to = random() % nodes;
      e.capacity = random() % 10;
    }
    int64_t best = CostOf(edges, 0b10);
    int fewest = nodes;
    for (uint32_t sides = 0; sides < 1u << nodes; ++sides) {
      if ((sides & 0b11) != 0b10) continue;
      const int64_t cost = CostOf(edges, sides);
      const int size = __builtin_popcount(sides);
      if (cost < best || (cost == best && size < fewest)) fewest = size;
      best = std::min(best, cost);
    }
    const uint32_t found = Solve(nodes, edges);
    EXPECT_EQ(found & 0b11, 0b10u);
    EXPECT_EQ(CostOf(edges, found), best);
    EXPECT_EQ(__builtin_popcount(found), fewest);
  }
}

}  // namespace
}  // namespace xla
