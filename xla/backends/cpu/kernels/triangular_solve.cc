// Solves triangular systems by recursion (triangular_blocks.h), a stripe of
// right-hand sides per task.
#include "xla/backends/cpu/kernels/triangular_solve.h"

#include <algorithm>

#include "xla/backends/cpu/kernels/triangular_blocks.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// The least right-hand sides that repay preparing the helper matrix.
constexpr int64_t kMinRightHandSides = 16;
// The most and the least columns, or rows, of a right-hand side that are solved
// at a time: a copy of 16 rows of the most is 16 KB of F32, and fewer than the
// least would reuse a panel of P too rarely.
constexpr int64_t kStripe = 256;
constexpr int64_t kMinStripe = 64;
// The elements of the helper matrix written per nanosecond.
constexpr double kPrepareRate = 4;

// Solves P x = b for rows [begin, end) of `count` columns of x, at most
// kStripe, in place of b.
template <typename T>
void SolveLeft(const BlockKernels& kernels, Matrix<const T> p, bool upper,
               Matrix<T> x, int64_t count, int64_t begin, int64_t end) {
  if (end - begin <= kTriangleBlock) {
    T rows[kTriangleBlock][kStripe];
    const int64_t size = end - begin;
    for (int64_t r = 0; r < size; ++r) {
      std::copy_n(x.At(begin + r, 0), count, rows[r]);
    }
    MultiplyMatrices<T>(kernels, {p.At(begin, begin), p.stride},
                        {&rows[0][0], kStripe}, {x.At(begin, 0), x.stride},
                        size, size, count, false);
    return;
  }
  const int64_t middle = begin + HalfOfTriangle(end - begin);
  const auto update = [&](int64_t to, int64_t to_end, int64_t from,
                          int64_t from_end) {
    MultiplyMatrices<T>(kernels, {p.At(to, from), p.stride},
                        {x.At(from, 0), x.stride}, {x.At(to, 0), x.stride},
                        to_end - to, from_end - from, count, true);
  };
  if (upper) {
    SolveLeft(kernels, p, upper, x, count, middle, end);
    update(begin, middle, middle, end);
    SolveLeft(kernels, p, upper, x, count, begin, middle);
  } else {
    SolveLeft(kernels, p, upper, x, count, begin, middle);
    update(middle, end, begin, middle);
    SolveLeft(kernels, p, upper, x, count, middle, end);
  }
}

// Writes rows [begin, begin + kTriangleBlock) of P for the triangle T of a.
template <typename T>
void PrepareRows(const TriangularDesc& desc, const T* a, int64_t begin,
                 Matrix<T> p) {
  const int64_t n = desc.order();
  const int64_t end = std::min(begin + kTriangleBlock, n);
  const bool lower = desc.lower != desc.transposed;
  const int64_t row = desc.transposed ? 1 : n;
  const int64_t column = desc.transposed ? n : 1;
  const int64_t first = lower ? 0 : end, last = lower ? begin : n;
  if (desc.transposed) {
    for (int64_t j = first; j < last; ++j) {
      for (int64_t i = begin; i < end; ++i) *p.At(i, j) = -a[i + j * n];
    }
  } else {
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t j = first; j < last; ++j) *p.At(i, j) = -a[i * n + j];
    }
  }
  SmallTriangle block = {};
  for (int64_t i = 0; i < end - begin; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      // An upper block is inverted as its transpose.
      const int64_t r = begin + (lower ? i : j), c = begin + (lower ? j : i);
      block.at[i][j] = i == j && desc.unit_diagonal
                           ? 1
                           : static_cast<double>(a[r * row + c * column]);
    }
  }
  block.Invert(end - begin);
  for (int64_t i = 0; i < end - begin; ++i) {
    for (int64_t j = 0; j < end - begin; ++j) {
      *p.At(begin + i, begin + j) =
          static_cast<T>(lower ? block.at[i][j] : block.at[j][i]);
    }
  }
}

}  // namespace

bool HasTriangularSolveKernel(const TriangularDesc& desc) {
  return HasTriangleBlocks(desc.type, desc.order()) &&
         (desc.left ? desc.columns : desc.rows) >= kMinRightHandSides;
}

TriangularSolvePlan::TriangularSolvePlan(const TriangularDesc& desc,
                                         const KernelTarget& target)
    : desc_(desc) {
  const VectorLevelScope scope(target.vector_level);
  kernels_ = TriangleKernelsFor(desc.type, target.caches);
  const int64_t n = desc.order();
  prepare_tasks_ = std::clamp<int64_t>(n * n / target.TaskUnits(kPrepareRate),
                                       1, CeilOfRatio(n, kTriangleBlock));
  // A task takes a few stripes if one would be too short.
  const double line_flops = 1.0 * n * n;
  const int64_t least = std::clamp<int64_t>(
      static_cast<int64_t>(target.TaskUnits(kTriangleFlopRate) / line_flops),
      kMinStripe, kStripe);
  const int64_t count = desc.left ? desc.columns : desc.rows;
  stripe_ = std::clamp(RoundUpTo(CeilOfRatio(count, 4), 32), least, kStripe);
}

size_t TriangularSolvePlan::ScratchBytes() const {
  const size_t rows = RoundUpTo(desc_.order(), kTriangleBlock);
  return rows * HelperStride(desc_.order()) * (desc_.type == F32 ? 4 : 8);
}

void TriangularSolvePlan::Run(const void* a, void* x, void* scratch,
                              ParallelRunner& runner) const {
  if (desc_.type == F32) {
    RunAs<float>(a, x, scratch, runner);
  } else {
    RunAs<double>(a, x, scratch, runner);
  }
}

template <typename T>
void TriangularSolvePlan::RunAs(const void* a, void* x_data, void* scratch,
                                ParallelRunner& runner) const {
  const int64_t n = desc_.order();
  const Matrix<T> p = {static_cast<T*>(scratch), HelperStride(n)};
  const int64_t blocks = CeilOfRatio(n, kTriangleBlock);
  runner.ParallelFor(prepare_tasks_, [&](int64_t t) {
    const int64_t end = blocks * (t + 1) / prepare_tasks_;
    for (int64_t i = blocks * t / prepare_tasks_; i < end; ++i) {
      PrepareRows(desc_, static_cast<const T*>(a), i * kTriangleBlock, p);
    }
  });
  const Matrix<const T> helper = {p.data, p.stride};
  const bool upper = desc_.lower == desc_.transposed;
  const int64_t count = desc_.left ? desc_.columns : desc_.rows;
  runner.ParallelFor(CeilOfRatio(count, stripe_), [&](int64_t t) {
    const int64_t first = t * stripe_;
    const int64_t some = std::min(stripe_, count - first);
    Matrix<T> x = {static_cast<T*>(x_data), desc_.columns};
    if (desc_.left) {
      x.data += first;
      SolveLeft(kernels_, helper, upper, x, some, 0, n);
    } else {
      x.data += first * desc_.columns;
      SolveRight(kernels_, helper, upper, x, some, 0, n);
    }
  });
}

}  // namespace xla::cpu
