// The call between the executor and native code.
#ifndef XLA_BACKENDS_CPU_THUNKS_KERNEL_ABI_H_
#define XLA_BACKENDS_CPU_THUNKS_KERNEL_ABI_H_

#include <cstdint>

namespace xla::cpu {

// A kernel works on workgroups [begin, end) of those that it is split into.
// arrays[i] is the address of its array number i. Its KernelFrame
// (codegen/kernel_frame.h) determines at compile time which arrays it has,
// their order and alignment, and which may share memory. Kernels cannot fail,
// wait or allocate. Once the run of their thread is cancelled
// (xla/base/control/cancellation.h), they may end with other results.
using KernelFunction = void (*)(char* const* arrays, int64_t begin,
                                int64_t end);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_KERNEL_ABI_H_
