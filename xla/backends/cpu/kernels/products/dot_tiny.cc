// Products of a few thousand multiplications and less, in large batches.
#include <algorithm>
#include <array>
#include <utility>

#include "xla/backends/cpu/kernels/products/dot_routes.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"

namespace xla::cpu {
namespace {

constexpr int kMaxTinyColumns = 16;
// Of one product; a right operand of so many elements fits on the stack.
constexpr int64_t kMaxTinyWork = 4096;
constexpr int64_t kMaxTinyRight = 1024;
// Multiplications that are worth a task of their own.
constexpr int64_t kTaskWork = 1 << 18;

// c[m, columns] = a[m,k] b[k, columns].
using TinyKernel = void (*)(int64_t m, int64_t k, const void* a, int64_t a_row,
                            int64_t a_column, const void* b, int64_t b_stride,
                            void* c, int64_t c_stride);

// By the number of columns, less one.
struct TinyTable {
  std::array<TinyKernel, kMaxTinyColumns> f32, f64;
};

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/dot_tiny.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

template <typename T>
void Multiply(const DotDesc& desc,
              const std::array<TinyKernel, kMaxTinyColumns>& kernels,
              const T* lhs, const T* rhs, T* out) {
  const int64_t a_row = desc.lhs_transposed ? 1 : desc.lhs_stride;
  const int64_t a_column = desc.lhs_transposed ? desc.lhs_stride : 1;
  T transposed[kMaxTinyRight];
  const T* b = rhs;
  int64_t b_stride = desc.rhs_stride;
  if (desc.rhs_transposed) {
    for (int64_t l = 0; l < desc.k; ++l) {
      for (int64_t j = 0; j < desc.n; ++j) {
        transposed[l * desc.n + j] = rhs[j * desc.rhs_stride + l];
      }
    }
    b = transposed;
    b_stride = desc.n;
  }
  for (int64_t j = 0; j < desc.n; j += kMaxTinyColumns) {
    const int64_t columns = std::min<int64_t>(kMaxTinyColumns, desc.n - j);
    kernels[columns - 1](desc.m, desc.k, lhs, a_row, a_column, b + j, b_stride,
                         out + j, desc.out_stride);
  }
}

template <typename T>
void MultiplyAll(const DotDesc& desc,
                 const std::array<TinyKernel, kMaxTinyColumns>& kernels,
                 const void* lhs, const void* rhs, void* out,
                 ParallelRunner& runner) {
  const int64_t work = std::max<int64_t>(desc.m * desc.n * desc.k, 1);
  const int64_t per_task = std::max<int64_t>(kTaskWork / work, 1);
  const auto run = [&](int64_t task) {
    const int64_t end = std::min((task + 1) * per_task, desc.batch);
    for (int64_t i = task * per_task; i < end; ++i) {
      Multiply(desc, kernels,
               static_cast<const T*>(lhs) + i * desc.lhs_batch_stride,
               static_cast<const T*>(rhs) + i * desc.rhs_batch_stride,
               static_cast<T*>(out) + i * desc.out_batch_stride);
    }
  };
  const int64_t tasks = (desc.batch + per_task - 1) / per_task;
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
  static const TinyTable& table =
      TableOf(baseline::kTinyTable, avx2::kTinyTable, avx512::kTinyTable);
  if (desc.out == F32) {
    MultiplyAll<float>(desc, table.f32, lhs, rhs, out, runner);
  } else {
    MultiplyAll<double>(desc, table.f64, lhs, rhs, out, runner);
  }
}

}  // namespace xla::cpu
