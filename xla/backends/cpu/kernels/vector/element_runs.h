// Conversion of runs of elements between the types of arrays and those that
// kernels compute in.
#ifndef XLA_BACKENDS_CPU_KERNELS_VECTOR_ELEMENT_RUNS_H_
#define XLA_BACKENDS_CPU_KERNELS_VECTOR_ELEMENT_RUNS_H_

#include <cstdint>

#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// Converts `count` elements, one after the other in memory.
using RunConverter = void (*)(const void* from, void* to, int64_t count);

// As HLO's convert: rounds once, to nearest even; floats saturate in integers,
// integers wrap around. Both are array types. Of the same type: a copy.
RunConverter RunConverterOf(PrimitiveType from, PrimitiveType to);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_VECTOR_ELEMENT_RUNS_H_
