// Divides batches of small matrices into groups of one register's lanes.
#include "xla/backends/cpu/kernels/small_matrices.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/checked_math.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace xla::cpu {
namespace {

// A group of F32 at 64 bytes then has 16 KB, half of the smallest L1 caches.
constexpr int kMaxSmallOrder = 16;
constexpr int kMaxSmallElements = kMaxSmallOrder * kMaxSmallOrder;
// The most lanes of a register.
constexpr int kMaxLanes = 16;
// The least matrices that are faster as a group than one by one.
constexpr int64_t kMinSmallCount = 4;
// The orders for which the compiler has the size.
constexpr int kMaxFixedOrder = 4;
// The elements per nanosecond that are loaded and stored, and the
// multiplications, with vectors of 16 bytes.
constexpr double kSmallElementRate = 1;
constexpr double kSmallFlopRate = 4;

// Helpers of the body: index sequences, and integers as wide as T.
template <int... kIndices>
using SmallIndices = std::integer_sequence<int, kIndices...>;
template <int kCount>
using SmallCount = std::make_integer_sequence<int, kCount>;

template <typename T>
using SmallInt = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;

// The indices of PickInParts.
constexpr int PickedIndex(int lanes, int part, const int* pick, int lane) {
  const int from = pick[lane % part];
  return lane / part * part + (from < part ? from : lanes + from - part);
}
template <int kLanes, int... kPick>
struct SmallPick {
  static constexpr int kPicked[] = {kPick...};
  template <int... kLane>
  static SmallIndices<PickedIndex(kLanes, sizeof...(kPick), kPicked, kLane)...>
      Make(SmallIndices<kLane...>);
  using type = decltype(Make(SmallCount<kLanes>()));
};
// The indices [kBegin, kBegin + kCount).
template <int kBegin, int kCount>
struct SmallRange {
  template <int... kLane>
  static SmallIndices<(kBegin + kLane)...> Make(SmallIndices<kLane...>);
  using type = decltype(Make(SmallCount<kCount>()));
};

// The least number whose inverse is finite, as LAPACK's lamch("S").
template <typename T>
constexpr T kSmallestInvertible = std::numeric_limits<T>::min();

// A lower triangle: element (i, l) is t[t_first + i t_row + l t_column] of a
// matrix's elements; an upper one has its rows and columns in reverse order.
struct SmallSystem {
  int order = 0, columns = 0;  // right-hand sides
  int t_first = 0, t_row = 0, t_column = 0;
  int x_first = 0, x_row = 0, x_column = 0;
  bool unit_diagonal = false;
};

// Functions by order; the first one takes all sizes.
template <typename T>
struct SmallTable {
  int lanes;
  void (*lu[kMaxFixedOrder + 1])(int64_t groups, int m, int n, T* a,
                                 int32_t* pivots, int32_t* info);
  void (*cholesky[kMaxFixedOrder + 1])(int64_t groups, int n, bool lower, T* a,
                                       int32_t* info);
  void (*solve[kMaxFixedOrder + 1])(int64_t groups, const SmallSystem& system,
                                    const T* a, T* x);
};

struct SmallTables {
  SmallTable<float> f32;
  SmallTable<double> f64;
};

// GCC 12 does not see that a sum ends at the diagonal.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#endif

#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/small_matrices.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

template <typename T>
const SmallTable<T>& TableFor(const KernelTarget& target) {
  const VectorLevelScope scope(target.vector_level);
  const SmallTables& tables =
      TableOf(baseline::kSmallTables, avx2::kSmallTables, avx512::kSmallTables);
  if constexpr (sizeof(T) == 4) {
    return tables.f32;
  } else {
    return tables.f64;
  }
}

// Returns the index of the function for `order`.
int FixedOrder(int order) { return order <= kMaxFixedOrder ? order : 0; }

// Calls fn(first, count) for all matrices, `count` of which is a multiple of
// `lanes` in all calls but the one with the last matrix. A task takes about
// target.task_ns.
void ForGroups(int64_t count, int lanes, double matrix_ns,
               const KernelTarget& target, ParallelRunner& runner,
               absl::FunctionRef<void(int64_t, int64_t)> fn) {
  const int64_t some = std::clamp<int64_t>(
      static_cast<int64_t>(static_cast<double>(target.task_ns) / matrix_ns), 1,
      count);
  const int64_t each = RoundUpTo(some, lanes);
  const int64_t tasks = CeilOfRatio(count, each);
  if (tasks == 1) return fn(0, count);
  runner.ParallelFor(tasks, [&](int64_t t) {
    fn(t * each, std::min(each, count - t * each));
  });
}

double MatrixTime(double elements, double flops) {
  return elements / kSmallElementRate + flops / kSmallFlopRate;
}

// A group that has fewer matrices than lanes: the last one fills the others.
template <typename T>
struct PaddedGroup {
  PaddedGroup(const T* from, int64_t count, int64_t size, int lanes) {
    for (int64_t i = 0; i < lanes; ++i) {
      std::memcpy(data + i * size, from + std::min(i, count - 1) * size,
                  size * sizeof(T));
    }
  }
  void CopyTo(T* to, int64_t count, int64_t size) const {
    std::memcpy(to, data, count * size * sizeof(T));
  }
  alignas(64) T data[kMaxLanes * kMaxSmallElements];
};

template <typename T>
void LuOf(const SmallMatrices& matrices, void* memory, int32_t* pivots,
          int32_t* info, const KernelTarget& target, ParallelRunner& runner) {
  const int m = matrices.rows, n = matrices.columns, steps = std::min(m, n);
  const SmallTable<T>& table = TableFor<T>(target);
  const int lanes = table.lanes;
  const auto factor = table.lu[m == n ? FixedOrder(n) : 0];
  T* const a = static_cast<T*>(memory);
  const double time = MatrixTime(2.0 * m * n, 2.0 * m * n * steps);
  ForGroups(matrices.count, lanes, time, target, runner,
            [&](int64_t first, int64_t count) {
              const int64_t whole = count / lanes * lanes;
              T* const own = a + first * m * n;
              factor(whole / lanes, m, n, own, pivots + first * steps,
                     info + first);
              if (whole == count) return;
              const int64_t rest = count - whole;
              T* const last = own + whole * m * n;
              PaddedGroup<T> group(last, rest, m * n, lanes);
              int32_t rows[kMaxLanes * kMaxSmallOrder], failed[kMaxLanes];
              factor(1, m, n, group.data, rows, failed);
              group.CopyTo(last, rest, m * n);
              std::copy_n(rows, rest * steps, pivots + (first + whole) * steps);
              std::copy_n(failed, rest, info + first + whole);
            });
}

template <typename T>
void CholeskyOf(const SmallMatrices& matrices, bool lower, void* memory,
                int32_t* info, const KernelTarget& target,
                ParallelRunner& runner) {
  const int n = matrices.rows, size = n * n;
  const SmallTable<T>& table = TableFor<T>(target);
  const int lanes = table.lanes;
  const auto factor = table.cholesky[FixedOrder(n)];
  T* const a = static_cast<T*>(memory);
  ForGroups(matrices.count, lanes, MatrixTime(2 * size, size * n / 6.0), target,
            runner, [&](int64_t first, int64_t count) {
              const int64_t whole = count / lanes * lanes;
              T* const own = a + first * size;
              factor(whole / lanes, n, lower, own, info + first);
              if (whole == count) return;
              const int64_t rest = count - whole;
              T* const last = own + whole * size;
              PaddedGroup<T> group(last, rest, size, lanes);
              int32_t failed[kMaxLanes];
              factor(1, n, lower, group.data, failed);
              group.CopyTo(last, rest, size);
              std::copy_n(failed, rest, info + first + whole);
            });
}

SmallSystem SystemOf(const TriangularDesc& desc) {
  SmallSystem system;
  const int n = static_cast<int>(desc.order());
  system.order = n;
  system.columns = static_cast<int>(desc.left ? desc.columns : desc.rows);
  system.unit_diagonal = desc.unit_diagonal;
  // x T = b is T^T x^T = b^T.
  const bool transposed = desc.transposed == desc.left;
  system.t_row = transposed ? 1 : n;
  system.t_column = transposed ? n : 1;
  system.x_row = desc.left ? system.columns : 1;
  system.x_column = desc.left ? 1 : n;
  if (desc.lower == transposed) {  // an upper triangle
    system.t_first = n * n - 1;
    system.t_row = -system.t_row;
    system.t_column = -system.t_column;
    system.x_first = (n - 1) * system.x_row;
    system.x_row = -system.x_row;
  }
  return system;
}

template <typename T>
void SolveOf(const TriangularDesc& desc, int64_t count_of_all, const void* a,
             void* x, const KernelTarget& target, ParallelRunner& runner) {
  const SmallSystem system = SystemOf(desc);
  const int t_size = system.order * system.order;
  const int x_size = system.order * system.columns;
  const SmallTable<T>& table = TableFor<T>(target);
  const int lanes = table.lanes;
  const auto solve = table.solve[FixedOrder(system.order)];
  const T* const triangles = static_cast<const T*>(a);
  T* const sides = static_cast<T*>(x);
  const double time =
      MatrixTime(t_size + 2.0 * x_size, 0.5 * x_size * system.order);
  ForGroups(count_of_all, lanes, time, target, runner,
            [&](int64_t first, int64_t count) {
              const int64_t whole = count / lanes * lanes;
              const T* const t = triangles + first * t_size;
              T* const own = sides + first * x_size;
              solve(whole / lanes, system, t, own);
              if (whole == count) return;
              const int64_t rest = count - whole;
              const PaddedGroup<T> t_group(t + whole * t_size, rest, t_size,
                                           lanes);
              PaddedGroup<T> x_group(own + whole * x_size, rest, x_size, lanes);
              solve(1, system, t_group.data, x_group.data);
              x_group.CopyTo(own + whole * x_size, rest, x_size);
            });
}

bool IsSmall(PrimitiveType type, int64_t count, int64_t elements) {
  return (type == F32 || type == F64) && count >= kMinSmallCount &&
         elements > 0 && elements <= kMaxSmallElements;
}

}  // namespace

bool HasSmallMatrixKernels(const SmallMatrices& matrices) {
  return matrices.rows <= kMaxSmallOrder &&
         matrices.columns <= kMaxSmallOrder &&
         IsSmall(matrices.type, matrices.count,
                 int64_t{matrices.rows} * matrices.columns);
}

void FactorSmallLu(const SmallMatrices& matrices, void* a, int32_t* pivots,
                   int32_t* info, const KernelTarget& target,
                   ParallelRunner& runner) {
  if (matrices.type == F32) {
    LuOf<float>(matrices, a, pivots, info, target, runner);
  } else {
    LuOf<double>(matrices, a, pivots, info, target, runner);
  }
}

void FactorSmallCholesky(const SmallMatrices& matrices, bool lower, void* a,
                         int32_t* info, const KernelTarget& target,
                         ParallelRunner& runner) {
  if (matrices.type == F32) {
    CholeskyOf<float>(matrices, lower, a, info, target, runner);
  } else {
    CholeskyOf<double>(matrices, lower, a, info, target, runner);
  }
}

bool HasSmallTriangleKernel(const TriangularDesc& desc, int64_t count) {
  return desc.order() <= kMaxSmallOrder && desc.rows <= kMaxSmallElements &&
         desc.columns <= kMaxSmallElements &&
         IsSmall(desc.type, count, desc.rows * desc.columns);
}

void SolveSmallTriangles(const TriangularDesc& desc, int64_t count,
                         const void* a, void* x, const KernelTarget& target,
                         ParallelRunner& runner) {
  if (desc.type == F32) {
    SolveOf<float>(desc, count, a, x, target, runner);
  } else {
    SolveOf<double>(desc, count, a, x, target, runner);
  }
}

}  // namespace xla::cpu
