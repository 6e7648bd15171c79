// The files in which perf finds the names of functions that are in no file.
#ifndef XLA_BACKENDS_CPU_JIT_SYMBOLS_PERF_MAP_H_
#define XLA_BACKENDS_CPU_JIT_SYMBOLS_PERF_MAP_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/jit/symbols/code_symbols.h"

namespace xla::cpu {

// Appends lines "address size name" to /tmp/perf-PID.map, which `perf report`
// reads. Thread safe. Errors: Internal.
absl::Status AppendToPerfMap(absl::Span<const CodeSymbol> symbols);

// Appends the functions with their code to /tmp/jit-PID.dump, in perf's jitdump
// format, version 1, with times of CLOCK_MONOTONIC (`perf record -k mono`). In
// contrast to a map, it keeps apart what lay at one address at different times.
// Thread safe. Errors: Internal.
absl::Status AppendToJitdump(absl::Span<const CodeSymbol> symbols);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_SYMBOLS_PERF_MAP_H_
