// The call between the executor and native code.
#ifndef XLA_BACKENDS_CPU_THUNKS_KERNEL_ABI_H_
#define XLA_BACKENDS_CPU_THUNKS_KERNEL_ABI_H_

#include <cstdint>

namespace xla::cpu {

// A kernel: works on workgroups [begin, end) of those that it is split into.
// allocations[i] is the address of allocation i of the program's
// BufferAssignment on this device. Kernels cannot fail, wait or allocate.
//
// The scalar computations that thunks call, reducers of collectives and
// comparators of sorts, have the same form with allocations that are not the
// program's: allocations[p] is an array of values of parameter p, dense, and
// the last one of results; for each element i of [begin, end), result[i]
// becomes the computation of all parameter[p][i]. Addresses are multiples of
// the size of an element, and no more; that of the results may be that of a
// parameter.
using KernelFunction = void (*)(char* const* allocations, int64_t begin,
                                int64_t end);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_KERNEL_ABI_H_
