// The functions that LLVM calls from generated code on its own account.
#ifndef XLA_BACKENDS_CPU_JIT_RUNTIME_SYMBOLS_H_
#define XLA_BACKENDS_CPU_JIT_RUNTIME_SYMBOLS_H_

#include <string>

#include "absl/container/flat_hash_map.h"

namespace xla::cpu {

// Addresses of functions and data outside generated code, by the name that it
// refers to them by.
using SymbolTable = absl::flat_hash_map<std::string, const void*>;

// memcpy and its kin, remainders, integers of 128 bits, small floats: what
// instruction selection may emit a call of when there is no instruction.
const SymbolTable& RuntimeSymbols();

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_RUNTIME_SYMBOLS_H_
