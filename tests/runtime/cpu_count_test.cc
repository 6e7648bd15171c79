// UsableCpus and DefaultThreadCount: affinity, quotas, the environment
// variable.
#include "xla/runtime/cpu_count.h"

#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "gtest/gtest.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

// Uses a folder in place of the root of the file system.
class QuotaTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "/cpu_count_" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(
        std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }

  std::string root_;
};

TEST_F(QuotaTest, NoneSaysZero) {
  EXPECT_EQ(QuotaCpus(root_), 0);
  Write("/proc/self/cgroup", "0::/\n");
  Write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(QuotaCpus(root_), 0);
  Write("/sys/fs/cgroup/cpu.max", "broken");
  EXPECT_EQ(QuotaCpus(root_), 0);
  Write("/sys/fs/cgroup/cpu.max", "100000 0");
  EXPECT_EQ(QuotaCpus(root_), 0);
}

TEST_F(QuotaTest, IsRoundedUp) {
  Write("/sys/fs/cgroup/cpu.max", "250000 100000\n");
  EXPECT_EQ(QuotaCpus(root_), 3);
  Write("/sys/fs/cgroup/cpu.max", "1000 100000\n");
  EXPECT_EQ(QuotaCpus(root_), 1);
  Write("/sys/fs/cgroup/cpu.max", "1e300 1\n");
  EXPECT_GT(QuotaCpus(root_), 1000000);
}

TEST_F(QuotaTest, TheLeastOfAGroupAndThoseAboveIt) {
  Write("/proc/self/cgroup", "0::/user/job\n");
  Write("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
  Write("/sys/fs/cgroup/user/cpu.max", "200000 100000\n");
  EXPECT_EQ(QuotaCpus(root_), 2);
  Write("/sys/fs/cgroup/user/job/cpu.max", "100000 100000\n");
  EXPECT_EQ(QuotaCpus(root_), 1);
}

TEST_F(QuotaTest, OfTheFirstVersion) {
  Write("/proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/job\n");
  Write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "150000\n");
  Write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(QuotaCpus(root_), 3);
  // In a container, the group's own folder is the root.
  Write("/proc/self/cgroup", "4:cpu,cpuacct:/elsewhere\n");
  EXPECT_EQ(QuotaCpus(root_), 0);
  Write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(QuotaCpus(root_), 0);
  Write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(QuotaCpus(root_), 2);
}

// Restricts this thread to one processor while it lives.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof(before_), &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &one);
    }
    sched_setaffinity(0, sizeof(one), &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof(before_), &before_); }

 private:
  cpu_set_t before_;
};

TEST(UsableCpusTest, FollowAffinity) {
  EXPECT_GE(UsableCpus(), 1);
  const OneProcessor one;
  EXPECT_EQ(UsableCpus(), 1);
}

// Restores the variable afterwards.
class DefaultThreadCountTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* value = std::getenv(kName)) before_ = value;
    unsetenv(kName);
  }
  void TearDown() override {
    before_.has_value() ? setenv(kName, before_->c_str(), 1) : unsetenv(kName);
  }

  static constexpr char kName[] = "TESSERA_NUM_THREADS";
  std::optional<std::string> before_;
};

TEST_F(DefaultThreadCountTest, IsThatOfTheProcessors) {
  EXPECT_EQ(DefaultThreadCount(), UsableCpus());
  const OneProcessor one;
  EXPECT_EQ(DefaultThreadCount(), 1);
}

TEST_F(DefaultThreadCountTest, TheVariableReplacesIt) {
  setenv(kName, "5", 1);
  EXPECT_EQ(DefaultThreadCount(), 5);
  const OneProcessor one;
  EXPECT_EQ(DefaultThreadCount(), 5);
  setenv(kName, "1000000", 1);
  EXPECT_EQ(DefaultThreadCount(), ThreadPool::kMaxThreads);
  for (const char* wrong : {"", "0", "-3", "two", "1.5"}) {
    setenv(kName, wrong, 1);
    EXPECT_EQ(DefaultThreadCount(), UsableCpus()) << wrong;
  }
}

}  // namespace
}  // namespace xla
