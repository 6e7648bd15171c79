// Reads the CPU affinity and the quotas of cgroups.
#include "xla/runtime/cpu_count.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace xla {
namespace {

// An upper bound for quotas, in processors, far above any machine's count.
constexpr double kMaxCpus = 1 << 24;

// Returns 0 for anything that is no quota: "max", -1, or a missing file.
int CpusFor(const std::string& quota, const std::string& period) {
  double microseconds = 0, of = 0;
  if (!absl::SimpleAtod(quota, &microseconds) ||
      !absl::SimpleAtod(period, &of) || !(microseconds > 0 && of > 0)) {
    return 0;
  }
  return static_cast<int>(std::min(std::ceil(microseconds / of), kMaxCpus));
}

std::string Word(std::istream& file) {
  std::string word;
  file >> word;
  return word;
}

// Returns the quota of the group with that folder.
int QuotaOf(const std::string& folder, bool second_version) {
  if (second_version) {
    std::ifstream file(folder + "/cpu.max");
    const std::string quota = Word(file);
    return CpusFor(quota, Word(file));
  }
  std::ifstream quota(folder + "/cpu.cfs_quota_us");
  std::ifstream period(folder + "/cpu.cfs_period_us");
  return CpusFor(Word(quota), Word(period));
}

// Returns the least quota of the group at `path` and those above it, up to
// `top`, which holds a container's own quota.
int LeastQuota(const std::string& top, std::string path, bool second_version) {
  int least = 0;
  while (true) {
    const int quota = QuotaOf(top + path, second_version);
    if (quota > 0) least = least > 0 ? std::min(least, quota) : quota;
    const size_t slash = path.rfind('/');
    if (path.empty() || slash == std::string::npos) return least;
    path.resize(slash);
  }
}

int AffinityCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

int QuotaCpus(const std::string& root) {
  std::string second, first;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    // The fields are number, controllers, path; version 2 lists no controllers.
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    if (parts[1].empty()) second = parts[2];
    for (absl::string_view controller : absl::StrSplit(parts[1], ',')) {
      if (controller == "cpu") first = parts[2];
    }
  }
  const std::string mount = root + "/sys/fs/cgroup";
  const int quota = LeastQuota(mount, second, /*second_version=*/true);
  return quota > 0 ? quota
                   : LeastQuota(mount + "/cpu", first,
                                /*second_version=*/false);
}

int UsableCpus() {
  const int cpus = AffinityCpus();
  const int quota = QuotaCpus();
  return std::max(quota > 0 ? std::min(cpus, quota) : cpus, 1);
}

}  // namespace xla
