// Phis that are another value, and how long it takes to find them.
#include "xla/hlo/analysis/values/phi_graph.h"

#include "gtest/gtest.h"

namespace xla {
namespace {

// Enough for what takes quadratic time to take minutes.
constexpr PhiGraph::Id kManyPhis = 50000;

TEST(PhiGraphTest, PhisOfOneValueAreThatValue) {
  PhiGraph graph;
  EXPECT_TRUE(graph.SetInputs(10, {1, 11}));
  EXPECT_FALSE(graph.SetInputs(10, {11, 1}));
  graph.SetInputs(11, {10, 11});
  graph.SetInputs(12, {1, 2});
  graph.SetInputs(13, {12, 14});
  graph.SetInputs(14, {13, 14});
  graph.SetInputs(15, {10, 2});
  graph.Simplify();
  EXPECT_EQ(graph.Find(1), 1);
  EXPECT_EQ(graph.Find(10), 1);
  EXPECT_EQ(graph.Find(11), 1);
  EXPECT_EQ(graph.Find(12), 12);
  EXPECT_EQ(graph.Find(13), 12);
  EXPECT_EQ(graph.Find(14), 12);
  EXPECT_EQ(graph.Find(15), 15);
}

// Each phi is the next one, and the last is none.
TEST(PhiGraphTest, LongChainsAreShortened) {
  PhiGraph graph;
  for (PhiGraph::Id phi = 2; phi < kManyPhis; ++phi) {
    graph.SetInputs(phi, {phi + 1});
  }
  graph.SetInputs(kManyPhis, {0, 1});
  graph.Simplify();
  for (PhiGraph::Id phi = 2; phi <= kManyPhis; ++phi) {
    ASSERT_EQ(graph.Find(phi), kManyPhis);
  }
}

// Each phi is known to be `meeting` only when the next one is.
TEST(PhiGraphTest, LateInputsAreWaitedFor) {
  PhiGraph graph;
  constexpr PhiGraph::Id kMeeting = kManyPhis + 1;
  for (PhiGraph::Id phi = 2; phi < kManyPhis; ++phi) {
    graph.SetInputs(phi, {phi + 1, kMeeting});
  }
  graph.SetInputs(kManyPhis, {kMeeting, kManyPhis});
  graph.SetInputs(kMeeting, {0, 1, 2});
  graph.Simplify();
  for (PhiGraph::Id phi = 2; phi <= kMeeting; ++phi) {
    ASSERT_EQ(graph.Find(phi), kMeeting);
  }
}

}  // namespace
}  // namespace xla
