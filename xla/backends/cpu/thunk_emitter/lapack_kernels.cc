// Converts between the forms of LAPACK and those of the kernels. A column-major
// matrix is the transpose of the row-major one in its memory.
#include "xla/backends/cpu/thunk_emitter/lapack_kernels.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <utility>

#include "xla/backends/cpu/kernels/small_matrices.h"
#include "xla/backends/cpu/kernels/triangular_solve.h"
#include "xla/backends/cpu/kernels/vector/transposing.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

constexpr std::align_val_t kAlignment{64};
struct AlignedDelete {
  void operator()(char* data) const { ::operator delete(data, kAlignment); }
};
using Scratch = std::unique_ptr<char, AlignedDelete>;

// Returns null if there is no memory.
Scratch Allocate(size_t bytes) {
  return Scratch(
      static_cast<char*>(::operator new(bytes, kAlignment, std::nothrow)));
}

// Swaps elements [begin, end) of the rows [row, row + kTransposedRows), all
// below the diagonal, with those across it.
template <typename T>
void SwapStrip(int64_t order, T* a, int64_t row, int64_t begin, int64_t end) {
  constexpr int64_t kMost = 64;  // elements: 4 KB of F64 on the stack
  T across[kMost][kTransposedRows];
  for (int64_t j = begin; j < end; j += kMost) {
    const int64_t count = std::min(kMost, end - j);
    void* rows[kTransposedRows];
    for (int64_t r = 0; r < kTransposedRows; ++r) {
      rows[r] = a + (row + r) * order + j;
    }
    RowsToColumns(sizeof(T), rows, count, across, kTransposedRows);
    ColumnsToRows(sizeof(T), a + j * order + row, order, count, rows);
    for (int64_t l = 0; l < count; ++l) {
      std::copy_n(across[l], kTransposedRows, a + (j + l) * order + row);
    }
  }
}

// Transposes a[order, order] in place.
template <typename T>
void TransposeSquare(int64_t order, T* a, ParallelRunner& runner) {
  constexpr int64_t kRows = 8 * kTransposedRows;
  const auto swap_rows = [&](int64_t t) {
    const int64_t end = std::min((t + 1) * kRows, order);
    int64_t row = t * kRows;
    for (; row + kTransposedRows <= end; row += kTransposedRows) {
      SwapStrip(order, a, row, 0, row);
      for (int64_t i = row; i < row + kTransposedRows; ++i) {
        for (int64_t j = row; j < i; ++j) {
          std::swap(a[i * order + j], a[j * order + i]);
        }
      }
    }
    for (; row < end; ++row) {
      for (int64_t j = 0; j < row; ++j) {
        std::swap(a[row * order + j], a[j * order + row]);
      }
    }
  };
  runner.ParallelFor(CeilOfRatio(order, kRows), swap_rows);
}

template <typename T>
void FactorAs(const CholeskyPlan& plan, bool lower, T* a, char* scratch,
              ParallelRunner& runner) {
  if (!lower) TransposeSquare(plan.order(), a, runner);
  plan.Run(a, scratch, runner);
  if (!lower) TransposeSquare(plan.order(), a, runner);
}

// Returns LAPACK's info: 0, or the number of the first row, from 1, whose
// diagonal element shows that there is no factor.
template <typename T>
int InfoOf(int order, const T* a) {
  for (int64_t i = 0; i < order; ++i) {
    const T diagonal = a[i * order + i];
    if (!(diagonal > 0) || !std::isfinite(diagonal)) return i + 1;
  }
  return 0;
}

}  // namespace

void CholeskyOfTriangle(const CholeskyPlan& plan, bool lower, void* a,
                        char* scratch, ParallelRunner& runner) {
  if (plan.type() == F32) {
    FactorAs(plan, lower, static_cast<float*>(a), scratch, runner);
  } else {
    FactorAs(plan, lower, static_cast<double*>(a), scratch, runner);
  }
}

bool CpuLapackKernels::Trsm(PrimitiveType type, char side, char uplo, char op,
                            char diag, int m, int n, int64_t count,
                            const void* a, void* b) {
  const TriangularDesc desc = {.type = type,
                               .left = side == 'R',
                               .lower = uplo == 'U',
                               .transposed = op != 'N',
                               .unit_diagonal = diag == 'U',
                               .rows = n,
                               .columns = m};
  if (HasSmallTriangleKernel(desc, count)) {
    SolveSmallTriangles(desc, count, a, b, target_, runner_);
    return true;
  }
  if (!HasTriangularSolveKernel(desc)) return false;
  const TriangularSolvePlan plan(desc, target_);
  const Scratch scratch = Allocate(plan.ScratchBytes());
  if (scratch == nullptr) return false;
  const int64_t width = type == F32 ? 4 : 8;
  for (int64_t i = 0; i < count; ++i) {
    plan.Run(
        static_cast<const char*>(a) + i * desc.order() * desc.order() * width,
        static_cast<char*>(b) + i * desc.rows * desc.columns * width,
        scratch.get(), runner_);
  }
  return true;
}

bool CpuLapackKernels::Potrf(PrimitiveType type, char uplo, int n,
                             int64_t count, void* a, int* info) {
  const SmallMatrices small = {type, count, n, n};
  if (HasSmallMatrixKernels(small)) {
    FactorSmallCholesky(small, uplo == 'U', a, info, target_, runner_);
    return true;
  }
  if (!HasCholeskyKernel(type, n)) return false;
  const CholeskyPlan plan(type, n, target_);
  const Scratch scratch = Allocate(plan.ScratchBytes());
  if (scratch == nullptr) return false;
  for (int64_t i = 0; i < count; ++i) {
    char* const own = static_cast<char*>(a) + i * n * n * (type == F32 ? 4 : 8);
    CholeskyOfTriangle(plan, uplo == 'U', own, scratch.get(), runner_);
    info[i] = type == F32 ? InfoOf(n, reinterpret_cast<const float*>(own))
                          : InfoOf(n, reinterpret_cast<const double*>(own));
  }
  return true;
}

bool CpuLapackKernels::Getrf(PrimitiveType type, int m, int n, int64_t count,
                             void* a, int* pivots, int* info) {
  const SmallMatrices small = {type, count, m, n};
  if (!HasSmallMatrixKernels(small)) return false;
  FactorSmallLu(small, a, pivots, info, target_, runner_);
  return true;
}

}  // namespace xla::cpu
