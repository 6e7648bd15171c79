// Products of at most a few thousand multiplications, alone or in batches.
#include <algorithm>
#include <memory>

#include "xla/backends/cpu/kernels/products/dot_algorithms.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// The most multiplications of one product. Its last bits depend on the
// algorithm, so this limit is the same on all processors.
constexpr int64_t kMaxTinyWork = 4096;
// The most elements of a transposed right operand, whose copy (8 KB in F64) is
// on the stack.
constexpr int64_t kMaxTinyRight = 1024;
// The multiplications per nanosecond.
constexpr double kTinyRate = 16;

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
class TinyDotPlan : public UnfinishedDotPlan {
 public:
  TinyDotPlan(const DotDesc& desc, TinyKernel<T> kernel,
              const KernelTarget& target)
      : UnfinishedDotPlan(desc),
        desc_(desc),
        kernel_(kernel),
        lhs_row_(desc.lhs_transposed ? 1 : desc.lhs_stride),
        lhs_column_(desc.lhs_transposed ? desc.lhs_stride : 1) {
    const int64_t work = std::max<int64_t>(desc.m * desc.n * desc.k, 1);
    items_per_task_ = std::max<int64_t>(target.TaskUnits(kTinyRate) / work, 1);
    tasks_ = CeilOfRatio(desc.batch, items_per_task_);
  }

  size_t ScratchBytes(int num_threads) const override { return 0; }

  void Run(const void* lhs, const void* rhs, void* out, void* scratch,
           ParallelRunner& runner) const override {
    const T* const a = static_cast<const T*>(lhs);
    const T* const b = static_cast<const T*>(rhs);
    T* const c = static_cast<T*>(out);
    if (tasks_ == 1) return MultiplyItems(0, desc_.batch, a, b, c);
    runner.ParallelFor(tasks_, [&](int64_t task) {
      MultiplyItems(task * items_per_task_,
                    std::min((task + 1) * items_per_task_, desc_.batch), a, b,
                    c);
    });
  }

 private:
  void MultiplyItems(int64_t first, int64_t last, const T* lhs, const T* rhs,
                     T* out) const {
    for (int64_t i = first; i < last; ++i) {
      Multiply(lhs + i * desc_.lhs_batch_stride, rhs + RhsItem(desc_, i),
               out + i * desc_.out_batch_stride);
    }
  }

  void Multiply(const T* lhs, const T* rhs, T* out) const {
    if (desc_.rhs_transposed) return MultiplyTransposed(lhs, rhs, out);
    kernel_(desc_.m, desc_.n, desc_.k, lhs, lhs_row_, lhs_column_, rhs,
            desc_.rhs_stride, out, desc_.out_stride);
  }

  void MultiplyTransposed(const T* lhs, const T* rhs, T* out) const {
    T transposed[kMaxTinyRight];
    for (int64_t j = 0; j < desc_.n; ++j) {
      for (int64_t l = 0; l < desc_.k; ++l) {
        transposed[l * desc_.n + j] = rhs[j * desc_.rhs_stride + l];
      }
    }
    kernel_(desc_.m, desc_.n, desc_.k, lhs, lhs_row_, lhs_column_, transposed,
            desc_.n, out, desc_.out_stride);
  }

  const DotDesc desc_;
  const TinyKernel<T> kernel_;
  const int64_t lhs_row_, lhs_column_;
  int64_t items_per_task_, tasks_;
};

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

std::unique_ptr<const DotPlan> PlanTinyDot(const DotDesc& desc,
                                           const KernelTarget& target) {
  const TinyTable& table =
      TableOf(baseline::kTinyTable, avx2::kTinyTable, avx512::kTinyTable);
  if (desc.out == F32) {
    return std::make_unique<TinyDotPlan<float>>(desc, table.f32, target);
  }
  return std::make_unique<TinyDotPlan<double>>(desc, table.f64, target);
}

}  // namespace xla::cpu
