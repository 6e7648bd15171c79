// Affinity, and the quota of cgroups of versions 2 and 1.
#include "xla/runtime/cpu_count.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "absl/strings/numbers.h"

namespace xla {
namespace {

// CPUs that the quota of the cgroup pays for; 0 without one.
int QuotaCpus() {
  double quota = 0, period = 0;
  std::string word;
  if (std::ifstream file("/sys/fs/cgroup/cpu.max");
      file >> word && absl::SimpleAtod(word, &quota) && file >> period) {
    return period > 0 ? static_cast<int>((quota + period - 1) / period) : 0;
  }
  std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  if (quota_file >> quota && period_file >> period && quota > 0 && period > 0) {
    return static_cast<int>((quota + period - 1) / period);
  }
  return 0;
}

int AffinityCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

int UsableCpus() {
  const int cpus = AffinityCpus();
  const int quota = QuotaCpus();
  return std::max(quota > 0 ? std::min(cpus, quota) : cpus, 1);
}

}  // namespace xla
