// LoadBytes: bounds the memory that loading a program takes.
#ifndef XLA_BACKENDS_CPU_AOT_LOAD_BYTES_H_
#define XLA_BACKENDS_CPU_AOT_LOAD_BYTES_H_

#include <cstdint>

#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu::aot {

// Returns bytes that suffice for tessera_aot_options.memory: for the instance,
// `archive_bytes` of thunks with their plans, `packed_bytes` of constants in
// the forms of kernels, and the tables that plans of `module` have, as it is
// after the passes. The memory may begin anywhere.
int64_t LoadBytes(const HloModule& module, int64_t archive_bytes,
                  int64_t packed_bytes);

}  // namespace xla::cpu::aot

#endif  // XLA_BACKENDS_CPU_AOT_LOAD_BYTES_H_
