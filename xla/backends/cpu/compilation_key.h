// Which programs the compilation cache keeps, and under which key.
#ifndef XLA_BACKENDS_CPU_COMPILATION_KEY_H_
#define XLA_BACKENDS_CPU_COMPILATION_KEY_H_

#include "xla/backends/cache/cache_key.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// False for programs that depend on functions of this process: those with host
// callbacks, which they name by numbers that mean something else in another
// process, and those that ask the framework's partitioner or tell its inspector
// while they are compiled. Also false if the linker wrote no build id into this
// program or library, since code fits one build only.
bool MayBeCached(const HloModule& module);

// The key of the code that this build makes of `module`, as it is before the
// passes, for `target`. Metadata counts like all else in the module: names and
// lines of the source appear in errors, traces and the program after
// compilation, and those of another version of the source would be wrong. The
// number of threads does not count, as it changes no result.
CacheKey CompilationKey(const HloModule& module, const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_COMPILATION_KEY_H_
