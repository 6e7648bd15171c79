// The processors that tests of code generation compile for: this one, and one
// of each level that --xla_cpu_max_isa can name.
#ifndef TESTS_BACKENDS_CPU_CODEGEN_ISA_TARGETS_H_
#define TESTS_BACKENDS_CPU_CODEGEN_ISA_TARGETS_H_

#include <string>
#include <vector>

#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

struct IsaTarget {
  std::string name;  // "Host", "AVX2"
  TargetInfo target;
  // What this processor lacks of it; code can be run where that is empty.
  std::string missing;
};

// The host first, limited by XLA_FLAGS like all else; then the levels of its
// architecture, lowest first, as this processor has them or, if it lacks one,
// as the first processor that has it. Those equal to ones before are left out.
const std::vector<IsaTarget>& IsaTargets();

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_CODEGEN_ISA_TARGETS_H_
