// The number of processors that this process may keep busy.
#ifndef XLA_RUNTIME_CPU_COUNT_H_
#define XLA_RUNTIME_CPU_COUNT_H_

#include <string>

namespace xla {

// Returns the processors of the affinity mask, limited by the quota of the
// cgroup, rounded up; at least 1.
int UsableCpus();

// Returns the least quota of this process's cgroup and those above it, of
// versions 2 and 1, in processors and rounded up; 0 if there is none. `root` is
// prepended to all paths, for tests.
int QuotaCpus(const std::string& root = "");

}  // namespace xla

#endif  // XLA_RUNTIME_CPU_COUNT_H_
