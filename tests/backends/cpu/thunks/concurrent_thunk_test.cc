// Chains of thunks side by side: order within a chain, separate scratch,
// errors. The thread sanitizer finds what the thunks of two chains share.
#include "xla/backends/cpu/thunks/concurrent_thunk.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunks/thunk_test_base.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

constexpr int64_t kScratchBytes = 100;

// Runs a function of C++, with 100 bytes of scratch for each thread.
class StepThunk : public Thunk {
 public:
  using Function = std::function<absl::Status(DeviceRun&)>;
  StepThunk(std::string name, Function function)
      : Thunk(std::move(name)), function_(std::move(function)) {}
  absl::string_view kind() const override { return "function"; }
  BufferUses buffer_uses() const override { return {}; }
  bool may_run_concurrently() const override { return true; }
  int64_t scratch_bytes(int num_threads) const override {
    return kScratchBytes * num_threads;
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    const absl::Status status = function_(run);
    if (!status.ok()) return status;
    return ThunkResult{here + 1};
  }

 private:
  const Function function_;
};

// A run on `runner` with `words` zeros as its only allocation.
class OneRun {
 public:
  OneRun(int64_t words, int64_t scratch_bytes, ParallelRunner& runner)
      : group_(DeviceCounts{1, 1}), run_(&group_, 0), words_(words, 0) {
    memory_.resize(scratch_bytes);
    table_[0] = reinterpret_cast<char*>(words_.data());
    run_.Begin(table_, memory_.data(), &options_, &runner);
  }
  absl::Status Run(const ThunkSequence& thunks) {
    DeviceRun* const devices[] = {&run_};
    return RunDevices(thunks, devices, nullptr);
  }
  const std::vector<int64_t>& words() const { return words_; }

 private:
  RunGroup group_;
  DeviceRun run_;
  std::vector<int64_t> words_;
  std::vector<char> memory_;
  char* table_[1];
  const Executable::RunOptions options_;
};

// Thunk `step` of a chain computes word `chain` from the value that the thunk
// before it left there, through its scratch, in a loop that is divided.
std::unique_ptr<Thunk> Step(int chain, int step) {
  return std::make_unique<StepThunk>(
      absl::StrCat("step.", chain, ".", step), [=](DeviceRun& run) {
        const auto mark = static_cast<char>(16 * chain + step + 1);
        const int threads = run.runner().num_threads();
        run.runner().ParallelFor(threads, [&](int64_t i) {
          std::fill_n(run.scratch() + i * kScratchBytes, kScratchBytes, mark);
        });
        auto& word = reinterpret_cast<int64_t*>(run.allocations()[0])[chain];
        for (int64_t i = 0; i < kScratchBytes * threads; ++i) {
          if (run.scratch()[i] != mark) {
            return absl::InternalError("scratch was written over");
          }
        }
        word = word * 3 + step + 1;
        return absl::OkStatus();
      });
}

// `chains` chains of `steps` thunks each, one of each chain in turn.
ThunkSequence Chains(int chains, int steps) {
  ThunkSequence members;
  std::vector<int> chain_of;
  for (int step = 0; step < steps; ++step) {
    for (int chain = 0; chain < chains; ++chain) {
      members.push_back(Step(chain, step));
      chain_of.push_back(chain);
    }
  }
  ThunkSequence thunks;
  thunks.push_back(
      std::make_unique<ConcurrentThunk>(std::move(members), chain_of));
  return thunks;
}

TEST(ConcurrentThunkTest, ChainsRunInTheirOrder) {
  for (const int threads : {1, 2, 3, 8}) {
    const ThunkSequence thunks = Chains(5, 4);
    ThreadPool pool(threads);
    const int64_t bytes = PlaceScratch(thunks, threads, 0);
    OneRun run(5, bytes, pool);
    ASSERT_TRUE(run.Run(thunks).ok());
    const int64_t expected = ((1 * 3 + 2) * 3 + 3) * 3 + 4;
    EXPECT_THAT(run.words(), ::testing::Each(expected)) << threads;
  }
}

// Scratch has one slot for each chain that runs at a time, rounded up to 64
// bytes.
TEST(ConcurrentThunkTest, ScratchGrowsWithThreadsUpToTheChains) {
  const ThunkSequence thunks = Chains(3, 2);
  EXPECT_EQ(PlaceScratch(thunks, 1, 0), 128);
  EXPECT_EQ(PlaceScratch(thunks, 2, 0), 2 * 256);
  EXPECT_EQ(PlaceScratch(thunks, 8, 64), 64 + 3 * 832);
}

TEST(ConcurrentThunkTest, NamesItsChains) {
  EXPECT_EQ(Chains(2, 2)[0]->name(),
            "step.0.0 > step.0.1 | step.1.0 > step.1.1");
}

TEST(ConcurrentThunkTest, UsesAreThoseOfItsThunks) {
  ThunkSequence members;
  members.push_back(std::make_unique<CopyThunk>(
      "a", std::vector<CopyThunk::Move>{{Whole(0, 4), Whole(1, 4)}}));
  members.push_back(std::make_unique<CopyThunk>(
      "b", std::vector<CopyThunk::Move>{{Whole(0, 4), Whole(2, 4)}}));
  const ConcurrentThunk thunk(std::move(members), {0, 1});
  const BufferUses uses = thunk.buffer_uses();
  EXPECT_EQ(std::count(uses.begin(), uses.end(),
                       BufferUse{Whole(0, 4), BufferUse::Kind::kRead}),
            2);
  EXPECT_EQ(std::count(uses.begin(), uses.end(),
                       BufferUse{Whole(2, 4), BufferUse::Kind::kWrite}),
            1);
}

// A run returns the error that comes first in the order of the program,
// whichever chain ends first. The thunks after an error in its chain do not
// run.
TEST(ConcurrentThunkTest, FirstErrorInTheOrderOfTheProgram) {
  const auto fails = [](int number) {
    return std::make_unique<StepThunk>("fails", [=](DeviceRun&) {
      return absl::InvalidArgumentError(absl::StrCat("thunk ", number));
    });
  };
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    for (int i = 0; i < 50; ++i) {
      ThunkSequence members;
      members.push_back(Step(0, 0));
      members.push_back(Step(1, 0));
      members.push_back(fails(2));  // of chain 1
      members.push_back(fails(3));  // of chain 0
      members.push_back(Step(0, 1));
      members.push_back(fails(5));  // of chain 2
      ThunkSequence thunks;
      thunks.push_back(std::make_unique<ConcurrentThunk>(
          std::move(members), std::vector<int>{0, 1, 1, 0, 0, 2}));
      OneRun run(3, PlaceScratch(thunks, threads, 0), pool);
      EXPECT_EQ(run.Run(thunks).message(), "thunk 2");
      EXPECT_EQ(run.words()[0], 1);
    }
  }
}

// Runs one sequence several times concurrently, on fewer threads than there are
// chains and on more.
TEST(ConcurrentThunkTest, ManyRunsAtATime) {
  for (const int threads : {2, 6}) {
    const ThunkSequence thunks = Chains(4, 3);
    ThreadPool pool(threads);
    const int64_t bytes = PlaceScratch(thunks, threads, 0);
    std::vector<std::thread> callers;
    std::vector<absl::Status> statuses(4);
    for (size_t c = 0; c < statuses.size(); ++c) {
      callers.emplace_back([&, c] {
        for (int i = 0; i < 100 && statuses[c].ok(); ++i) {
          OneRun run(4, bytes, pool);
          statuses[c] = run.Run(thunks);
          for (const int64_t word : run.words()) {
            if (word != 18) statuses[c].Update(absl::InternalError("word"));
          }
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
    for (const absl::Status& status : statuses)
      EXPECT_TRUE(status.ok()) << status;
  }
}

}  // namespace
}  // namespace xla::cpu
