// Products of a few thousand multiplications and less, in large batches.
#include <algorithm>

#include "xla/backends/cpu/kernels/products/dot_routes.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// Of one product; a right operand of so many elements fits on the stack.
constexpr int64_t kMaxTinyWork = 4096;
constexpr int64_t kMaxTinyRight = 1024;
// Multiplications that are worth a task of their own.
constexpr int64_t kTaskWork = 1 << 18;

// c[m,n] = a[m,k] b[k,n].
template <typename T>
using TinyKernel = void (*)(int64_t m, int64_t n, int64_t k, const T* a,
                            int64_t a_row, int64_t a_column, const T* b,
                            int64_t b_stride, T* c, int64_t c_stride);

struct TinyTable {
  TinyKernel<float> f32;
  TinyKernel<double> f64;
};

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/dot_tiny.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

template <typename T>
void Multiply(const DotDesc& desc, TinyKernel<T> kernel, const T* lhs,
              const T* rhs, T* out) {
  const int64_t a_row = desc.lhs_transposed ? 1 : desc.lhs_stride;
  const int64_t a_column = desc.lhs_transposed ? desc.lhs_stride : 1;
  if (!desc.rhs_transposed) {
    return kernel(desc.m, desc.n, desc.k, lhs, a_row, a_column, rhs,
                  desc.rhs_stride, out, desc.out_stride);
  }
  T transposed[kMaxTinyRight];
  for (int64_t j = 0; j < desc.n; ++j) {
    for (int64_t l = 0; l < desc.k; ++l) {
      transposed[l * desc.n + j] = rhs[j * desc.rhs_stride + l];
    }
  }
  kernel(desc.m, desc.n, desc.k, lhs, a_row, a_column, transposed, desc.n, out,
         desc.out_stride);
}

template <typename T>
void MultiplyAll(const DotDesc& desc, TinyKernel<T> kernel, const void* lhs,
                 const void* rhs, void* out, ParallelRunner& runner) {
  const int64_t work = std::max<int64_t>(desc.m * desc.n * desc.k, 1);
  const int64_t per_task = std::max<int64_t>(kTaskWork / work, 1);
  const auto run = [&](int64_t task) {
    const int64_t end = std::min((task + 1) * per_task, desc.batch);
    for (int64_t i = task * per_task; i < end; ++i) {
      Multiply(desc, kernel,
               static_cast<const T*>(lhs) + i * desc.lhs_batch_stride,
               static_cast<const T*>(rhs) + i * desc.rhs_batch_stride,
               static_cast<T*>(out) + i * desc.out_batch_stride);
    }
  };
  const int64_t tasks = CeilOfRatio(desc.batch, per_task);
  if (tasks == 1) return run(0);
  runner.ParallelFor(tasks, run);
}

}  // namespace

bool IsTinyDot(const DotDesc& desc) {
  if (desc.lhs != desc.rhs || desc.lhs != desc.out) return false;
  if (desc.lhs != F32 && desc.lhs != F64) return false;
  if (desc.m > kMaxTinyWork || desc.n > kMaxTinyWork || desc.k > kMaxTinyWork) {
    return false;
  }
  return desc.m * desc.n * desc.k <= kMaxTinyWork &&
         (!desc.rhs_transposed || desc.n * desc.k <= kMaxTinyRight);
}

void TinyDot(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
             ParallelRunner& runner) {
  const TinyTable& table =
      TableOf(baseline::kTinyTable, avx2::kTinyTable, avx512::kTinyTable);
  if (desc.out == F32) {
    MultiplyAll(desc, table.f32, lhs, rhs, out, runner);
  } else {
    MultiplyAll(desc, table.f64, lhs, rhs, out, runner);
  }
}

}  // namespace xla::cpu
