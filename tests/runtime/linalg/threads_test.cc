// LAPACK's routines on several threads at once.
#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::linalg {
namespace {

// The serial OpenBLAS gave threads each other's working memory: about one solve
// in a thousand was wrong.
TEST(LinalgThreadsTest, SolvesDoNotDisturbEachOther) {
  constexpr int kOrder = 6;
  std::vector<float> a(kOrder * kOrder);
  for (int i = 0; i < kOrder; ++i) {
    for (int j = 0; j < kOrder; ++j) {
      a[i * kOrder + j] = (i == j ? 8.f : 0.f) + 0.1f * (i * j % 5);
    }
  }
  const auto solve = [&] {
    std::vector<float> x = a;
    const char side = 'R', uplo = 'L', op = 'T', diag = 'N';
    const float one = 1;
    Lapack<float>::trsm(&side, &uplo, &op, &diag, &kOrder, &kOrder, &one,
                        a.data(), &kOrder, x.data(), &kOrder, 1, 1, 1, 1);
    return x;
  };
  const std::vector<float> expected = solve();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50000; ++i) wrong += solve() != expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace xla::linalg
