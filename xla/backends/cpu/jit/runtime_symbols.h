// The functions outside generated code that it calls: those to which LLVM
// itself emits calls, and one of our own.
#ifndef XLA_BACKENDS_CPU_JIT_RUNTIME_SYMBOLS_H_
#define XLA_BACKENDS_CPU_JIT_RUNTIME_SYMBOLS_H_

#include <string>

#include "absl/container/flat_hash_map.h"

namespace xla::cpu {

// Addresses of functions and data outside generated code, by the names under
// which it refers to them.
using SymbolTable = absl::flat_hash_map<std::string, const void*>;

// memcpy and its relatives, remainders, 128-bit integers, small floats: what
// instruction selection may call if there is no instruction. Further
// TesseraCancellationToken (xla/base/control/cancellation.h), for loops that
// may take long.
const SymbolTable& RuntimeSymbols();

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_RUNTIME_SYMBOLS_H_
