// Recursion by halves: all but small blocks of the diagonal are products. Both
// kinds of work keep a helper matrix P whose blocks of the diagonal are
// inverted and whose other elements are negated, so that each step is one
// product, or one that adds.
// Source: Elmroth, Gustavson, Jonsson and Kagstrom, "Recursive blocked
// algorithms and hybrid data structures for dense matrix library software",
// 2004; inverted blocks: Du Croz and Higham, "Stability of methods for matrix
// inversion", 1992.
#include "xla/backends/cpu/kernels/cholesky_triangular_solve.h"

#include <algorithm>
#include <cmath>

#include "xla/backends/cpu/kernels/products/block_product.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// Rows of a block of the diagonal.
constexpr int64_t kBlock = 16;
// From which products win over the vectors of LAPACK.
constexpr int64_t kMinOrder = 48;
// Fewer would not pay for what is prepared.
constexpr int64_t kMinRightHandSides = 16;
// Beyond, bytes would no longer be counted safely.
constexpr int64_t kMaxOrder = int64_t{1} << 24;
// Columns, or rows, of a right-hand side that are solved at a time.
constexpr int64_t kStripe = 256;
constexpr double kTaskFlops = 1e6;
// Rows of a Cholesky factor's rest that are updated at a time.
constexpr int64_t kUpdateRows = 2 * kBlock;

// Half of the rows, in whole blocks.
int64_t Half(int64_t size) { return RoundUpTo(size / 2, kBlock); }
// Rows of P are not a power of two apart, which caches dislike.
int64_t HelperStride(int64_t order) {
  return RoundUpTo(order, kBlock) + kBlock;
}

// Rows or columns of a right-hand side that are a task: a few of them, if they
// are worth it.
int64_t StripeSize(int64_t order, int64_t count) {
  const double flops = 1.0 * order * order;
  const int64_t least = std::clamp<int64_t>(
      static_cast<int64_t>(kTaskFlops / flops), 64, kStripe);
  return std::clamp(RoundUpTo(CeilOfRatio(count, 4), 32), least, kStripe);
}

template <typename T>
struct Matrix {
  T* data;
  int64_t stride;
  T* At(int64_t row, int64_t column) const {
    return data + row * stride + column;
  }
};

// out[rows, columns] += left[rows, depth] right[depth, columns], or =.
template <typename T>
void Multiply(Matrix<const T> left, Matrix<const T> right, Matrix<T> out,
              int64_t rows, int64_t depth, int64_t columns, bool accumulate) {
  BlockProduct product = {};
  product.panel = sizeof(T) == 4 ? PanelType::kF32 : PanelType::kF64;
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

// The inverse of a lower triangle of `size` rows, zeros above.
struct SmallTriangle {
  double at[kBlock][kBlock];

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

// x P = b for the columns [begin, end) of `count` rows of x, in place of b; P's
// blocks of the diagonal are inverted, all else is negated.
template <typename T>
void SolveRight(Matrix<const T> p, bool upper, Matrix<T> x, int64_t count,
                int64_t begin, int64_t end) {
  if (end - begin <= kBlock) {
    T rows[64][kBlock];
    const int64_t size = end - begin;
    for (int64_t i = 0; i < count; i += 64) {
      const int64_t some = std::min<int64_t>(64, count - i);
      for (int64_t r = 0; r < some; ++r) {
        std::copy_n(x.At(i + r, begin), size, rows[r]);
      }
      Multiply<T>({&rows[0][0], kBlock}, {p.At(begin, begin), p.stride},
                  {x.At(i, begin), x.stride}, some, size, size, false);
    }
    return;
  }
  const int64_t middle = begin + Half(end - begin);
  if (upper) {
    SolveRight(p, upper, x, count, begin, middle);
    Multiply<T>({x.At(0, begin), x.stride}, {p.At(begin, middle), p.stride},
                {x.At(0, middle), x.stride}, count, middle - begin,
                end - middle, true);
    SolveRight(p, upper, x, count, middle, end);
  } else {
    SolveRight(p, upper, x, count, middle, end);
    Multiply<T>({x.At(0, middle), x.stride}, {p.At(middle, begin), p.stride},
                {x.At(0, begin), x.stride}, count, end - middle, middle - begin,
                true);
    SolveRight(p, upper, x, count, begin, middle);
  }
}

// P x = b for the rows [begin, end) of `count` columns of x, at most kStripe.
template <typename T>
void SolveLeft(Matrix<const T> p, bool upper, Matrix<T> x, int64_t count,
               int64_t begin, int64_t end) {
  if (end - begin <= kBlock) {
    T rows[kBlock][kStripe];
    const int64_t size = end - begin;
    for (int64_t r = 0; r < size; ++r) {
      std::copy_n(x.At(begin + r, 0), count, rows[r]);
    }
    Multiply<T>({p.At(begin, begin), p.stride}, {&rows[0][0], kStripe},
                {x.At(begin, 0), x.stride}, size, size, count, false);
    return;
  }
  const int64_t middle = begin + Half(end - begin);
  const auto update = [&](int64_t to, int64_t to_end, int64_t from,
                          int64_t from_end) {
    Multiply<T>({p.At(to, from), p.stride}, {x.At(from, 0), x.stride},
                {x.At(to, 0), x.stride}, to_end - to, from_end - from, count,
                true);
  };
  if (upper) {
    SolveLeft(p, upper, x, count, middle, end);
    update(begin, middle, middle, end);
    SolveLeft(p, upper, x, count, begin, middle);
  } else {
    SolveLeft(p, upper, x, count, begin, middle);
    update(middle, end, begin, middle);
    SolveLeft(p, upper, x, count, middle, end);
  }
}

// Rows [begin, begin + kBlock) of P for the triangle T of a.
template <typename T>
void PrepareRows(const TriangularDesc& desc, const T* a, int64_t begin,
                 Matrix<T> p) {
  const int64_t n = desc.order();
  const int64_t end = std::min(begin + kBlock, n);
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

template <typename T>
void SolveAs(const TriangularDesc& desc, const void* a, void* x_data,
             void* scratch, ParallelRunner& runner) {
  const int64_t n = desc.order();
  const Matrix<T> p = {static_cast<T*>(scratch), HelperStride(n)};
  const int64_t blocks = CeilOfRatio(n, kBlock);
  const int64_t pieces = std::clamp<int64_t>(n * n / (64 << 10), 1, blocks);
  runner.ParallelFor(pieces, [&](int64_t t) {
    for (int64_t i = blocks * t / pieces; i < blocks * (t + 1) / pieces; ++i) {
      PrepareRows(desc, static_cast<const T*>(a), i * kBlock, p);
    }
  });
  const Matrix<const T> helper = {p.data, p.stride};
  const bool upper = desc.lower == desc.transposed;
  const int64_t count = desc.left ? desc.columns : desc.rows;
  const int64_t stripe = StripeSize(n, count);
  runner.ParallelFor(CeilOfRatio(count, stripe), [&](int64_t t) {
    const int64_t first = t * stripe;
    const int64_t some = std::min(stripe, count - first);
    Matrix<T> x = {static_cast<T*>(x_data), desc.columns};
    if (desc.left) {
      x.data += first;
      SolveLeft(helper, upper, x, some, 0, n);
    } else {
      x.data += first * desc.columns;
      SolveRight(helper, upper, x, some, 0, n);
    }
  });
}

// Columns of a Cholesky factor that are brought to an end before what is behind
// them: products are as deep, and P has as many rows.
int64_t PanelColumns(int64_t order) {
  constexpr int64_t kLeast = 96;
  const int64_t some = std::clamp(CeilOfRatio(order, 8 * kBlock) * kBlock,
                                  kLeast, kMaxBlockDepth);
  return std::min(some, RoundUpTo(order, kBlock));
}

// The first columns of the factor of a, whose P, as many rows of it, is that of
// L^T.
template <typename T>
class CholeskyPanel {
 public:
  CholeskyPanel(Matrix<T> a, Matrix<T> p, ParallelRunner& runner)
      : a_(a), p_(p), runner_(runner) {}

  // L of `columns` columns of all `rows` rows; takes what that makes of it off
  // the rest of a.
  void Run(int64_t columns, int64_t rows) {
    Factor(0, columns);
    if (columns < rows) Eliminate(0, columns, rows);
  }

 private:
  void Factor(int64_t begin, int64_t end) {
    if (end - begin <= kBlock) return FactorBlock(begin, end);
    const int64_t middle = begin + Half(end - begin);
    Factor(begin, middle);
    Eliminate(begin, middle, end);
    Factor(middle, end);
  }

  void Eliminate(int64_t begin, int64_t middle, int64_t end) {
    SolveBelow(begin, middle, end);
    UpdateRest(begin, middle, end);
  }

  void FactorBlock(int64_t begin, int64_t end) {
    SmallTriangle block = {};
    const int64_t size = end - begin;
    for (int64_t j = 0; j < size; ++j) {
      for (int64_t i = j; i < size; ++i) {
        double sum = *a_.At(begin + i, begin + j);
        for (int64_t l = 0; l < j; ++l) sum -= block.at[i][l] * block.at[j][l];
        block.at[i][j] = i == j ? std::sqrt(sum) : sum / block.at[j][j];
        *a_.At(begin + i, begin + j) = static_cast<T>(block.at[i][j]);
      }
    }
    block.Invert(size);
    for (int64_t i = 0; i < size; ++i) {
      for (int64_t j = 0; j < size; ++j) {
        *p_.At(begin + i, begin + j) = static_cast<T>(block.at[j][i]);
      }
    }
  }

  // L of rows [middle, end) and columns [begin, middle), and its part of P.
  void SolveBelow(int64_t begin, int64_t middle, int64_t end) {
    const double flops =
        1.0 * (end - middle) * (middle - begin) * (middle - begin);
    ForStripes(flops, end - middle, [&](int64_t first, int64_t count) {
      const int64_t row = middle + first;
      SolveRight<T>({p_.data, p_.stride}, /*upper=*/true,
                    {a_.At(row, 0), a_.stride}, count, begin, middle);
      for (int64_t i = 0; i < count; i += kBlock) {
        const int64_t some = std::min(kBlock, count - i);
        for (int64_t j = begin; j < middle; ++j) {
          T* to = p_.At(j, row + i);
          for (int64_t r = 0; r < some; ++r) to[r] = -*a_.At(row + i + r, j);
        }
      }
    });
  }

  void UpdateRest(int64_t begin, int64_t middle, int64_t end) {
    const double flops =
        1.0 * (end - middle) * (end - middle) * (middle - begin);
    ForStripes(flops, end - middle, [&](int64_t first, int64_t count) {
      for (int64_t i = first; i < first + count; i += kUpdateRows) {
        UpdateRows(begin, middle, i, std::min(kUpdateRows, first + count - i));
      }
    });
  }

  // Rows [middle + first, middle + first + count), up to the diagonal.
  void UpdateRows(int64_t begin, int64_t middle, int64_t first, int64_t count) {
    const int64_t row = middle + first;
    const int64_t depth = middle - begin;
    const Matrix<const T> left = {a_.At(row, begin), a_.stride};
    if (first > 0) {
      Multiply<T>(left, {p_.At(begin, middle), p_.stride},
                  {a_.At(row, middle), a_.stride}, count, depth, first, true);
    }
    T square[kUpdateRows][kUpdateRows];
    Multiply<T>(left, {p_.At(begin, row), p_.stride},
                {&square[0][0], kUpdateRows}, count, depth, count, false);
    for (int64_t i = 0; i < count; ++i) {
      T* to = a_.At(row + i, row);
      for (int64_t j = 0; j <= i; ++j) to[j] += square[i][j];
    }
  }

  void ForStripes(double flops, int64_t count,
                  absl::FunctionRef<void(int64_t, int64_t)> fn) {
    const int64_t pieces =
        std::clamp<int64_t>(static_cast<int64_t>(flops / kTaskFlops), 1,
                            CeilOfRatio(count, 2 * kBlock));
    if (pieces == 1) return fn(0, count);
    const int64_t each = RoundUpTo(CeilOfRatio(count, pieces), kBlock);
    runner_.ParallelFor(CeilOfRatio(count, each), [&](int64_t t) {
      fn(t * each, std::min(each, count - t * each));
    });
  }

  const Matrix<T> a_, p_;
  ParallelRunner& runner_;
};

template <typename T>
void CholeskyAs(int64_t order, void* a_data, void* scratch,
                ParallelRunner& runner) {
  const Matrix<T> a = {static_cast<T*>(a_data), order};
  const Matrix<T> p = {static_cast<T*>(scratch), HelperStride(order)};
  const int64_t columns = PanelColumns(order);
  for (int64_t i = 0; i < order; i += columns) {
    CholeskyPanel<T>({a.At(i, i), a.stride}, p, runner)
        .Run(std::min(columns, order - i), order - i);
  }
}

size_t HelperBytes(PrimitiveType type, int64_t order) {
  const size_t rows = RoundUpTo(order, kBlock);
  return rows * HelperStride(order) * (type == F32 ? 4 : 8);
}

}  // namespace

bool HasCholeskyKernel(PrimitiveType type, int64_t order) {
  return (type == F32 || type == F64) && order >= kMinOrder &&
         order <= kMaxOrder;
}

bool HasSolveKernel(const TriangularDesc& desc) {
  return HasCholeskyKernel(desc.type, desc.order()) &&
         (desc.left ? desc.columns : desc.rows) >= kMinRightHandSides;
}

size_t TriangularSolveScratchBytes(const TriangularDesc& desc) {
  return HelperBytes(desc.type, desc.order());
}

void TriangularSolve(const TriangularDesc& desc, const void* a, void* x,
                     void* scratch, ParallelRunner& runner) {
  if (desc.type == F32) {
    SolveAs<float>(desc, a, x, scratch, runner);
  } else {
    SolveAs<double>(desc, a, x, scratch, runner);
  }
}

size_t CholeskyScratchBytes(PrimitiveType type, int64_t order) {
  return PanelColumns(order) * HelperStride(order) * (type == F32 ? 4 : 8);
}

void Cholesky(PrimitiveType type, int64_t order, void* a, void* scratch,
              ParallelRunner& runner) {
  if (type == F32) {
    CholeskyAs<float>(order, a, scratch, runner);
  } else {
    CholeskyAs<double>(order, a, scratch, runner);
  }
}

}  // namespace xla::cpu
