// A client never has more threads than its options say, whatever runs.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <latch>
#include <thread>
#include <vector>

#include "tests/pjrt/pjrt_fixture.h"
#include "tests/pjrt/whole_programs.h"

namespace xla {
namespace {

// The number of threads of this process.
int ThreadsNow() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

class ThreadCountTest : public PjrtTest {
 protected:
  static constexpr int kHosts = 3;

  // Compiles and runs every program on kHosts threads concurrently; returns the
  // largest number of threads of the process meanwhile.
  int MostThreads() {
    std::atomic<bool> done{false};
    std::latch last(kHosts);
    std::vector<std::thread> hosts;
    for (int host = 0; host < kHosts; ++host) {
      hosts.emplace_back([&, host] {
        const size_t count = WholePrograms().size();
        for (size_t i = 0; i < count; ++i) {
          const size_t mine = host % 2 == 0 ? i : count - 1 - i;
          const LoadedProgram program(*client_, WholePrograms()[mine]);
          EXPECT_TRUE(program.Run().ok()) << WholePrograms()[mine].name;
        }
        last.arrive_and_wait();
        done = true;
      });
    }
    int most = 0;
    while (!done) {
      most = std::max(most, ThreadsNow());
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    for (std::thread& host : hosts) host.join();
    return most;
  }
};

TEST_F(ThreadCountTest, IsNotExceeded) {
  client_.reset();
  const int others = ThreadsNow() + kHosts;
  for (const int threads : {1, 2, 3}) {
    client_ = MakeClient(/*num_devices=*/1, threads);
    EXPECT_LE(MostThreads(), others + threads);
    client_.reset();
  }
}

}  // namespace
}  // namespace xla
