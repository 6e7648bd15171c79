// Computes Cholesky factors by panels of columns, each by recursion
// (triangular_blocks.h).
#include "xla/backends/cpu/kernels/cholesky.h"

#include <algorithm>
#include <cmath>

#include "absl/functional/function_ref.h"
#include "xla/backends/cpu/kernels/triangular_blocks.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// The rows of the remaining matrix that are updated at a time. Their square on
// the diagonal is computed as a whole, which costs little compared with the
// rest.
constexpr int64_t kUpdateRows = 2 * kTriangleBlock;
// The least columns of a panel, so that products are deep enough. The number of
// columns sets the order of sums, so it depends only on the matrix's order.
constexpr int64_t kMinPanelColumns = 96;

// Factors the first columns of a. P has as many rows as there are such columns,
// and is the helper matrix of L^T.
template <typename T>
class CholeskyPanel {
 public:
  CholeskyPanel(Matrix<T> a, Matrix<T> p, const BlockKernels& kernels,
                int64_t task_flops, ParallelRunner& runner)
      : a_(a),
        p_(p),
        kernels_(kernels),
        task_flops_(task_flops),
        runner_(runner) {}

  // Computes `columns` columns of L in all `rows` rows, and subtracts their
  // product from the rest of a.
  void Run(int64_t columns, int64_t rows) {
    Factor(0, columns);
    if (columns < rows) Eliminate(0, columns, rows);
  }

 private:
  void Factor(int64_t begin, int64_t end) {
    if (end - begin <= kTriangleBlock) return FactorBlock(begin, end);
    const int64_t middle = begin + HalfOfTriangle(end - begin);
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

  // Computes rows [middle, end) and columns [begin, middle) of L, and of P.
  void SolveBelow(int64_t begin, int64_t middle, int64_t end) {
    const double flops =
        1.0 * (end - middle) * (middle - begin) * (middle - begin);
    ForStripes(flops, end - middle, [&](int64_t first, int64_t count) {
      const int64_t row = middle + first;
      SolveRight<T>(kernels_, {p_.data, p_.stride}, /*upper=*/true,
                    {a_.At(row, 0), a_.stride}, count, begin, middle);
      for (int64_t i = 0; i < count; i += kTriangleBlock) {
        const int64_t some = std::min(kTriangleBlock, count - i);
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

  // Updates rows [middle + first, middle + first + count), up to the diagonal.
  void UpdateRows(int64_t begin, int64_t middle, int64_t first, int64_t count) {
    const int64_t row = middle + first;
    const int64_t depth = middle - begin;
    const Matrix<const T> left = {a_.At(row, begin), a_.stride};
    if (first > 0) {
      MultiplyMatrices<T>(kernels_, left, {p_.At(begin, middle), p_.stride},
                          {a_.At(row, middle), a_.stride}, count, depth, first,
                          true);
    }
    T square[kUpdateRows][kUpdateRows];
    MultiplyMatrices<T>(kernels_, left, {p_.At(begin, row), p_.stride},
                        {&square[0][0], kUpdateRows}, count, depth, count,
                        false);
    for (int64_t i = 0; i < count; ++i) {
      T* to = a_.At(row + i, row);
      for (int64_t j = 0; j <= i; ++j) to[j] += square[i][j];
    }
  }

  void ForStripes(double flops, int64_t count,
                  absl::FunctionRef<void(int64_t, int64_t)> fn) {
    const int64_t tasks =
        std::clamp<int64_t>(static_cast<int64_t>(flops / task_flops_), 1,
                            CeilOfRatio(count, 2 * kTriangleBlock));
    if (tasks == 1) return fn(0, count);
    const int64_t each = RoundUpTo(CeilOfRatio(count, tasks), kTriangleBlock);
    runner_.ParallelFor(CeilOfRatio(count, each), [&](int64_t t) {
      fn(t * each, std::min(each, count - t * each));
    });
  }

  const Matrix<T> a_, p_;
  const BlockKernels& kernels_;
  const double task_flops_;
  ParallelRunner& runner_;
};

}  // namespace

bool HasCholeskyKernel(PrimitiveType type, int64_t order) {
  return HasTriangleBlocks(type, order);
}

CholeskyPlan::CholeskyPlan(PrimitiveType type, int64_t order,
                           const KernelTarget& target)
    : type_(type), order_(order) {
  const VectorLevelScope scope(target.vector_level);
  kernels_ = TriangleKernelsFor(type, target.caches);
  task_flops_ = target.TaskUnits(kTriangleFlopRate);
  // A panel has an eighth of the columns, which is the depth of products and
  // the number of rows of P.
  const int64_t eighth =
      CeilOfRatio(order, 8 * kTriangleBlock) * kTriangleBlock;
  panel_columns_ =
      std::min(std::clamp(eighth, kMinPanelColumns, kMaxBlockDepth),
               RoundUpTo(order, kTriangleBlock));
}

size_t CholeskyPlan::ScratchBytes() const {
  return panel_columns_ * HelperStride(order_) * (type_ == F32 ? 4 : 8);
}

void CholeskyPlan::Run(void* a, void* scratch, ParallelRunner& runner) const {
  if (type_ == F32) {
    RunAs<float>(a, scratch, runner);
  } else {
    RunAs<double>(a, scratch, runner);
  }
}

template <typename T>
void CholeskyPlan::RunAs(void* a_data, void* scratch,
                         ParallelRunner& runner) const {
  const Matrix<T> a = {static_cast<T*>(a_data), order_};
  const Matrix<T> p = {static_cast<T*>(scratch), HelperStride(order_)};
  for (int64_t i = 0; i < order_; i += panel_columns_) {
    CholeskyPanel<T>({a.At(i, i), a.stride}, p, kernels_, task_flops_, runner)
        .Run(std::min(panel_columns_, order_ - i), order_ - i);
  }
}

}  // namespace xla::cpu
