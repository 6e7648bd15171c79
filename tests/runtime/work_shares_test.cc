// Tests which thread takes which chunk of a loop: shares, and threads that keep
// theirs.
#include "xla/runtime/work_shares.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/runtime/loop_board.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

TEST(WorkSharesTest, ItsOwnInOrderThenTheEndsOfOthers) {
  WorkShares::Share memory[3];
  const WorkShares shares(memory, 3, 8);  // [0,2) [2,5) [5,8)
  EXPECT_EQ(shares.Left(100), 8);
  EXPECT_GE(shares.Left(2), 2);
  std::vector<int64_t> taken;
  for (int64_t piece; (piece = shares.Take(1)) >= 0;) taken.push_back(piece);
  EXPECT_THAT(taken, ElementsAre(2, 3, 4, 7, 6, 5, 1, 0));
  EXPECT_EQ(shares.Take(0), -1);
  EXPECT_EQ(shares.Left(100), 0);
}

TEST(WorkSharesTest, FewerPiecesThanShares) {
  WorkShares::Share memory[4];
  const WorkShares shares(memory, 4, 2);
  std::vector<int> runs(2);
  for (int64_t piece; (piece = shares.Take(3)) >= 0;) ++runs[piece];
  EXPECT_THAT(runs, ElementsAre(1, 1));
}

TEST(WorkSharesTest, EachPieceOnce) {
  constexpr int kThreads = 4;
  for (const int64_t pieces : {1, 7, 1000, 50'000}) {
    WorkShares::Share memory[kThreads];
    const WorkShares shares(memory, kThreads, pieces);
    std::vector<std::atomic<int>> runs(pieces);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int64_t i; (i = shares.Take(t)) >= 0;) ++runs[i];
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::atomic<int>& times : runs) EXPECT_EQ(times, 1);
  }
}

TEST(LoopBoardTest, HelpersHaveSeats) {
  LoopBoard board(4);
  std::vector<int64_t> ran;
  const auto body = [&](int64_t i) { ran.push_back(i); };
  const LoopBoard::Body reference = body;
  const auto help_once = [&](int& seat) {
    return board.Help(
        seat, {.entered = [](int64_t) {}, .leave = [] { return true; }});
  };
  int third = 2, any = 0;
  for (int repeat = 0; repeat < 2; ++repeat) {
    ran.clear();
    const int loop = board.Open(4, 1, reference);
    ASSERT_GE(loop, 0);
    EXPECT_TRUE(help_once(third));
    EXPECT_TRUE(help_once(any));
    board.Work(loop);
    board.Finish(loop, true);
    EXPECT_FALSE(board.any_open());
    // Share 0 is the opener's; it then takes the remaining chunks.
    EXPECT_THAT(ran, ElementsAre(2, 1, 0, 3));
    EXPECT_EQ(third, 2);
    EXPECT_EQ(any, 1);
  }
}

TEST(ParallelForTest, HalvesStayOnTheirThreads) {
  ThreadPool pool(2);
  const std::thread::id here = std::this_thread::get_id();
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::atomic<bool> second_half{false};
    std::thread::id ran[8];
    pool.ParallelFor(8, [&](int64_t i) {
      ran[i] = std::this_thread::get_id();
      if (i == 4) second_half = true;
      // This thread starts with 0 and stays in it until the other one has
      // started with 4.
      while (i == 0 && !second_half) std::this_thread::yield();
    });
    EXPECT_NE(ran[4], here);
  }
}

}  // namespace
}  // namespace xla
