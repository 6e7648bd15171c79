// Converts runs of elements between the types of arrays and those in which
// kernels compute.
#ifndef XLA_BACKENDS_CPU_KERNELS_VECTOR_ELEMENT_RUNS_H_
#define XLA_BACKENDS_CPU_KERNELS_VECTOR_ELEMENT_RUNS_H_

#include <cstdint>

#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// Converts `count` elements, one after the other in memory.
using RunConverter = void (*)(const void* from, void* to, int64_t count);

// Returns a converter with the semantics of HLO's convert: it rounds once, to
// nearest even; floats saturate in integers, integers wrap around. Both are
// array types; for equal types it copies.
RunConverter RunConverterOf(PrimitiveType from, PrimitiveType to);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_VECTOR_ELEMENT_RUNS_H_
