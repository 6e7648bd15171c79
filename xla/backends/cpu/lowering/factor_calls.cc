// Between the forms of LAPACK and those of the kernels. A column-major matrix
// is the transpose of the row-major one in its memory.
#include "xla/backends/cpu/lowering/factor_calls.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "xla/backends/cpu/kernels/factors.h"

namespace xla::cpu {
namespace {

constexpr std::align_val_t kAlignment{64};
struct AlignedDelete {
  void operator()(char* data) const { ::operator delete(data, kAlignment); }
};
using Scratch = std::unique_ptr<char, AlignedDelete>;

// Null if there is no memory.
Scratch Allocate(size_t bytes) {
  return Scratch(
      static_cast<char*>(::operator new(bytes, kAlignment, std::nothrow)));
}

size_t CopyBytes(PrimitiveType type, int64_t order) {
  const size_t bytes = order * order * (type == F32 ? 4 : 8);
  return (bytes + 63) / 64 * 64;
}

// to[i, j] = from[i, j], or from[j, i], for j <= i.
template <typename T>
void CopyTriangle(bool transposed, int64_t order, const T* from, T* to) {
  constexpr int64_t kTile = 32;
  for (int64_t r = 0; r < order; r += kTile) {
    for (int64_t c = 0; c <= r; c += kTile) {
      for (int64_t i = r; i < std::min(r + kTile, order); ++i) {
        const int64_t end = std::min(c + kTile, i + 1);
        for (int64_t j = c; j < end; ++j) {
          to[i * order + j] = from[transposed ? j * order + i : i * order + j];
        }
      }
    }
  }
}

// Back again.
template <typename T>
void CopyTriangleBack(bool transposed, int64_t order, const T* from, T* to) {
  constexpr int64_t kTile = 32;
  for (int64_t r = 0; r < order; r += kTile) {
    for (int64_t c = 0; c <= r; c += kTile) {
      for (int64_t i = r; i < std::min(r + kTile, order); ++i) {
        const int64_t end = std::min(c + kTile, i + 1);
        for (int64_t j = c; j < end; ++j) {
          to[transposed ? j * order + i : i * order + j] = from[i * order + j];
        }
      }
    }
  }
}

template <typename T>
void FactorCopy(PrimitiveType type, bool lower, int64_t order, T* a,
                char* scratch, ParallelRunner& runner) {
  T* const copy = reinterpret_cast<T*>(scratch);
  CopyTriangle(!lower, order, a, copy);
  Cholesky(type, order, copy, scratch + CopyBytes(type, order), runner);
  CopyTriangleBack(!lower, order, copy, a);
}

// LAPACK's info: 0, or the number of the first row, from 1, whose diagonal
// says that there is no factor.
template <typename T>
int InfoOf(int order, const T* a) {
  for (int64_t i = 0; i < order; ++i) {
    const T diagonal = a[i * order + i];
    if (!(diagonal > 0) || !std::isfinite(diagonal)) return i + 1;
  }
  return 0;
}

}  // namespace

size_t FactorTriangleBytes(PrimitiveType type, int64_t order) {
  return CopyBytes(type, order) + CholeskyScratchBytes(type, order);
}

void FactorTriangle(PrimitiveType type, bool lower, int64_t order, void* a,
                    char* scratch, ParallelRunner& runner) {
  if (type == F32) {
    FactorCopy(type, lower, order, static_cast<float*>(a), scratch, runner);
  } else {
    FactorCopy(type, lower, order, static_cast<double*>(a), scratch, runner);
  }
}

bool CpuFactorKernels::Trsm(PrimitiveType type, char side, char uplo, char op,
                            char diag, int m, int n, const void* a, void* b) {
  const TriangularDesc desc = {.type = type,
                               .left = side == 'R',
                               .lower = uplo == 'U',
                               .transposed = op != 'N',
                               .unit_diagonal = diag == 'U',
                               .rows = n,
                               .columns = m};
  if (!HasSolveKernel(desc)) return false;
  const Scratch scratch = Allocate(TriangularSolveScratchBytes(desc));
  if (scratch == nullptr) return false;
  TriangularSolve(desc, a, b, scratch.get(), runner_);
  return true;
}

bool CpuFactorKernels::Potrf(PrimitiveType type, char uplo, int n, void* a,
                             int* info) {
  if (!HasFactorKernel(type, n)) return false;
  const Scratch scratch = Allocate(FactorTriangleBytes(type, n));
  if (scratch == nullptr) return false;
  FactorTriangle(type, uplo == 'U', n, a, scratch.get(), runner_);
  *info = type == F32 ? InfoOf(n, static_cast<const float*>(a))
                      : InfoOf(n, static_cast<const double*>(a));
  return true;
}

}  // namespace xla::cpu
