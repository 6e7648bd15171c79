// The tables of micro kernels, one for each VectorLevel.
#include "xla/backends/cpu/kernels/products/micro_kernels.h"

#include <array>
#include <type_traits>

#include "xla/backends/cpu/kernels/vector/vector_level.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace xla::cpu {
namespace {

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/micro_kernels.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

}  // namespace

const MicroKernelSet& MicroKernelsOf(PanelType type) {
  const auto& tables = TableOf(baseline::kMicroKernels, avx2::kMicroKernels,
                               avx512::kMicroKernels);
  return tables[static_cast<int>(type)];
}

}  // namespace xla::cpu
