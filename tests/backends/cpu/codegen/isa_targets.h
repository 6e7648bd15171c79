// The processors for which tests of code generation compile: this one, and one
// for each level that --xla_cpu_max_isa can name.
#ifndef TESTS_BACKENDS_CPU_CODEGEN_ISA_TARGETS_H_
#define TESTS_BACKENDS_CPU_CODEGEN_ISA_TARGETS_H_

#include <string>
#include <vector>

#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

struct IsaTarget {
  std::string name;  // "Host", "AVX2"
  TargetInfo target;
  // What this processor lacks; its code can be run if that is empty.
  std::string missing;
};

// The host first, limited by XLA_FLAGS as always; then the levels of its
// architecture, lowest first: this processor's version of each or, if it lacks
// the level, the first processor that has it. Targets equal to earlier ones are
// left out.
const std::vector<IsaTarget>& IsaTargets();

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_CODEGEN_ISA_TARGETS_H_
