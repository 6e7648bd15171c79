// Divides triangles for triangular solves and Cholesky factorizations:
// recursion by halves, so that everything except small diagonal blocks is
// products of matrices. Both keep a helper matrix P, whose diagonal blocks are
// inverted and whose other elements are negated, so that each step is one
// product, plain or accumulating. Source: Elmroth, Gustavson, Jonsson and
// Kagstrom, "Recursive blocked algorithms and hybrid data structures for dense
// matrix library software", 2004; inverted blocks: Du Croz and Higham,
// "Stability of methods for matrix inversion", 1992.
#ifndef XLA_BACKENDS_CPU_KERNELS_TRIANGULAR_BLOCKS_H_
#define XLA_BACKENDS_CPU_KERNELS_TRIANGULAR_BLOCKS_H_

#include <algorithm>
#include <cstdint>

#include "xla/backends/cpu/kernels/products/block_product.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/base/checked_math.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// The rows of a diagonal block: a vector of 512 bits of F32.
inline constexpr int64_t kTriangleBlock = 16;
// The multiplications and additions per nanosecond of recursive products, which
// are smaller than those of dots.
inline constexpr double kTriangleFlopRate = 61;

// The least rows for which products are faster than LAPACK's loops, and the
// most rows for which byte counts cannot overflow.
inline constexpr int64_t kMinTriangleOrder = 48;
inline constexpr int64_t kMaxTriangleOrder = int64_t{1} << 24;

// Whether matrices of `type` and `order` are divided into blocks.
inline bool HasTriangleBlocks(PrimitiveType type, int64_t order) {
  return (type == F32 || type == F64) && order >= kMinTriangleOrder &&
         order <= kMaxTriangleOrder;
}

// Returns half of the rows, rounded up to whole blocks.
inline int64_t HalfOfTriangle(int64_t size) {
  return RoundUpTo(size / 2, kTriangleBlock);
}

// Returns the row stride of P in elements: no power of two, so that its rows do
// not all map to the same cache sets.
inline int64_t HelperStride(int64_t order) {
  return RoundUpTo(order, kTriangleBlock) + kTriangleBlock;
}

template <typename T>
struct Matrix {
  T* data;
  int64_t stride;
  T* At(int64_t row, int64_t column) const {
    return data + row * stride + column;
  }
};

// Returns the micro kernels for F32 or F64 at the current VectorLevel.
inline BlockKernels TriangleKernelsFor(PrimitiveType type,
                                       const CacheSizes& caches) {
  return BlockKernelsFor(type == F32 ? PanelType::kF32 : PanelType::kF64,
                         caches);
}

// out[rows, columns] += left[rows, depth] right[depth, columns], or =.
template <typename T>
void MultiplyMatrices(const BlockKernels& kernels, Matrix<const T> left,
                      Matrix<const T> right, Matrix<T> out, int64_t rows,
                      int64_t depth, int64_t columns, bool accumulate) {
  BlockProduct product = {};
  product.kernels = kernels;
  product.rows = rows;
  product.columns = columns;
  product.left_stride = left.stride;
  product.right_stride = right.stride;
  product.out = out.data;
  product.out_stride = out.stride;
  for (int64_t l = 0; l < depth; l += kMaxBlockDepth) {
    product.depth = std::min(kMaxBlockDepth, depth - l);
    product.left = left.At(0, l);
    product.right = right.At(l, 0);
    product.accumulate = accumulate || l > 0;
    MultiplyBlock(product);
  }
}

// A diagonal block: a lower triangle, with zeros above.
struct SmallTriangle {
  double at[kTriangleBlock][kTriangleBlock];

  // Replaces the first `size` rows by their inverse.
  void Invert(int64_t size) {
    for (int64_t j = 0; j < size; ++j) {
      at[j][j] = 1 / at[j][j];
      for (int64_t i = j + 1; i < size; ++i) {
        double sum = 0;
        for (int64_t l = j; l < i; ++l) sum += at[i][l] * at[l][j];
        // The diagonal below is not inverted yet.
        at[i][j] = -sum / at[i][i];
      }
    }
  }
};

// Solves x P = b for columns [begin, end) of `count` rows of x, in place of b.
template <typename T>
void SolveRight(const BlockKernels& kernels, Matrix<const T> p, bool upper,
                Matrix<T> x, int64_t count, int64_t begin, int64_t end) {
  if (end - begin <= kTriangleBlock) {
    T rows[64][kTriangleBlock];
    const int64_t size = end - begin;
    for (int64_t i = 0; i < count; i += 64) {
      const int64_t some = std::min<int64_t>(64, count - i);
      for (int64_t r = 0; r < some; ++r) {
        std::copy_n(x.At(i + r, begin), size, rows[r]);
      }
      MultiplyMatrices<T>(kernels, {&rows[0][0], kTriangleBlock},
                          {p.At(begin, begin), p.stride},
                          {x.At(i, begin), x.stride}, some, size, size, false);
    }
    return;
  }
  const int64_t middle = begin + HalfOfTriangle(end - begin);
  if (upper) {
    SolveRight(kernels, p, upper, x, count, begin, middle);
    MultiplyMatrices<T>(
        kernels, {x.At(0, begin), x.stride}, {p.At(begin, middle), p.stride},
        {x.At(0, middle), x.stride}, count, middle - begin, end - middle, true);
    SolveRight(kernels, p, upper, x, count, middle, end);
  } else {
    SolveRight(kernels, p, upper, x, count, middle, end);
    MultiplyMatrices<T>(
        kernels, {x.At(0, middle), x.stride}, {p.At(middle, begin), p.stride},
        {x.At(0, begin), x.stride}, count, end - middle, middle - begin, true);
    SolveRight(kernels, p, upper, x, count, begin, middle);
  }
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_TRIANGULAR_BLOCKS_H_
