// Eight threads compile and run different programs on one client, for a fixed
// number of iterations or for TESSERA_STRESS_SECONDS seconds.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/pjrt/pjrt_fixture.h"

namespace xla {
namespace {

class StressTest : public PjrtTest {
 protected:
  // x + thread, inline or on the pool, with or without donation.
  static std::string Program(int thread, int round) {
    return absl::StrReplaceAll(
        round % 2 == 0 ? kNegateProgram : kLoopProgram,
        {{"HloModule negate", round % 3 == 0
                                  ? "HloModule n, input_output_alias={ {}: "
                                    "(0, {}) }"
                                  : "HloModule n"},
         {"constant(100)", absl::StrCat("constant(", thread, ")")}});
  }

  void Round(int thread, int round) {
    auto executable = Compile(Program(thread, round));
    auto x = Vector({1, 2, 3, 4});
    std::unique_ptr<PjRtBuffer> value = std::move(x);
    float expected = 1;
    for (int i = 0; i < 4; ++i) {
      auto results = Run(*executable, {value.get()});
      ASSERT_TRUE(results.ok()) << results.status();
      auto shared = Run(*shared_, {(*results)[0].get()});
      ASSERT_TRUE(shared.ok()) << shared.status();
      value = std::move((*results)[0]);
      expected = round % 2 == 0 ? -expected : expected + thread;
      const float negated = Floats(*(*shared)[0])[0];
      EXPECT_EQ(negated, -expected);
    }
    EXPECT_EQ(Floats(*value)[0], expected);
    if (round % 5 == 0) value->Delete();
  }

  std::unique_ptr<PjRtLoadedExecutable> shared_ = Compile(kNegateProgram);
};

TEST_F(StressTest, ThreadsCompileAndRun) {
  const char* seconds = std::getenv("TESSERA_STRESS_SECONDS");
  const auto end =
      std::chrono::steady_clock::now() +
      std::chrono::seconds(seconds == nullptr ? 0 : std::atoi(seconds));
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([this, t, end] {
      for (int round = 0; round < 20 || std::chrono::steady_clock::now() < end;
           ++round) {
        Round(t, round);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::shared_ptr<MemoryAccount> account = Space()->account();
  shared_.reset();
  client_.reset();
  EXPECT_EQ(account->bytes_in_use(), 0);
}

// One buffer that all threads read while one of them donates it.
TEST_F(StressTest, ReadersAgainstDonation) {
  std::string text = kNegateProgram;
  text.replace(text.find("negate"), 6,
               "negate, input_output_alias={ {}: (0, {}) }");
  auto donating = Compile(text);
  for (int round = 0; round < 50; ++round) {
    auto x = Vector({1, 2, 3, 4});
    std::vector<std::thread> threads;
    std::atomic<int> reads{0};
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        if (t == 0) {
          auto results = Run(*donating, {x.get()});
          ASSERT_TRUE(results.ok()) << results.status();
          EXPECT_EQ(Floats(*(*results)[0])[3], -4);
          return;
        }
        auto results = Run(*shared_, {x.get()});
        if (!results.ok()) return;  // donated earlier
        EXPECT_EQ(Floats(*(*results)[0])[3], -4);
        ++reads;
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace xla
