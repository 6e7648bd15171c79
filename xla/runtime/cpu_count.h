// How many processors this process may keep busy.
#ifndef XLA_RUNTIME_CPU_COUNT_H_
#define XLA_RUNTIME_CPU_COUNT_H_

namespace xla {

// Its affinity and the quota of its cgroup, rounded up; at least 1.
int UsableCpus();

}  // namespace xla

#endif  // XLA_RUNTIME_CPU_COUNT_H_
