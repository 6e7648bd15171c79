// Uses the names of xla/pjrt/pjrt_future.h.
#include "xla/pjrt/pjrt_future.h"

#include <string>

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(PjrtFutureNamesTest, WithoutValue) {
  Future<> ready = absl::OkStatus();
  EXPECT_TRUE(ready.IsValid() && ready.IsReady() && ready.IsKnownReady());
  EXPECT_TRUE(static_cast<bool>(ready));
  EXPECT_TRUE(ready.Await().ok());
  const Future<> failed = absl::InternalError("lost");
  EXPECT_EQ(failed.Await().message(), "lost");
  auto [promise, future] = MakePromise<>();
  EXPECT_FALSE(future.IsReady());
  int calls = 0;
  future.OnReady([&](const absl::Status& status) { calls += status.ok(); });
  const Future<int> answer = future.Map([] { return 42; });
  const Future<std::string> text = future.MapTo(std::string("there"));
  const Future<> both = JoinFutures({future, ready});
  EXPECT_FALSE(both.IsReady() || answer.IsReady() || text.IsReady());
  promise.Set();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(answer.Await().value(), 42);
  EXPECT_EQ(text.Await().value(), "there");
  EXPECT_TRUE(both.Await().ok());
  EXPECT_TRUE(future.GetReadyFuture().IsReady());
  EXPECT_EQ(JoinFutures({future, failed}).Await().message(), "lost");
  EXPECT_EQ(failed.Map([] { return 1; }).Await().status().message(), "lost");
  EXPECT_EQ(
      ready.Map([] { return absl::DataLossError("map"); }).Await().message(),
      "map");
}

TEST(PjrtFutureNamesTest, WithValue) {
  const Future<int> three = 3;
  EXPECT_EQ(three.Await().value(), 3);
  auto [promise, future] = MakePromise<int>();
  EXPECT_TRUE(future.IsValid());
  EXPECT_FALSE(future.IsReady() || future.IsKnownReady());
  const Future<double> half = future.Map([](int x) { return x / 2.0; });
  const Future<int> checked = future.Map([](int x) -> absl::StatusOr<int> {
    if (x > 4) return absl::OutOfRangeError("big");
    return x;
  });
  const Future<> done = future.Map([](int) {});
  const Future<> same = future.GetReadyFuture();
  int seen = 0;
  future.OnReady([&](const absl::StatusOr<int>& x) { seen = *x; });
  promise.Set(5);
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(half.Await().value(), 2.5);
  EXPECT_EQ(checked.Await().status().message(), "big");
  EXPECT_TRUE(done.Await().ok());
  EXPECT_TRUE(same.Await().ok());
  const PjRtFuture<int> failed = absl::StatusOr<int>(absl::InternalError("x"));
  EXPECT_EQ(failed.GetReadyFuture().Await().message(), "x");
  EXPECT_EQ(failed.Map([](int x) { return x; }).Await().status().message(),
            "x");
}

}  // namespace
}  // namespace xla
