// How many processors this process may keep busy.
#ifndef XLA_RUNTIME_CPU_COUNT_H_
#define XLA_RUNTIME_CPU_COUNT_H_

#include <string>

namespace xla {

// Its affinity and the quota of its cgroup, rounded up; at least 1.
int UsableCpus();

// The least quota of this process's cgroup and of those above it, versions 2
// and 1, in processors and rounded up; 0 without one. `root` stands before all
// paths, for tests.
int QuotaCpus(const std::string& root = "");

}  // namespace xla

#endif  // XLA_RUNTIME_CPU_COUNT_H_
