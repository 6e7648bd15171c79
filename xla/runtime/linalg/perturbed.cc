// Solves tridiagonal systems that may be singular: Gaussian elimination with
// partial pivoting, in which pivots that are too small are enlarged.
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/linalg/batch.h"
#include "xla/runtime/linalg/families.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::linalg {
namespace {

// The factors of one matrix: U has three diagonals, L one number per row.
template <typename T>
struct Factors {
  using R = Real<T>;
  int n;
  Workspace<T> memory;
  T *pivot, *above, *above2, *multiplier;
  Workspace<bool> swapped;  // whether rows i and i+1 were swapped
  R perturbation;

  absl::Status Prepare(const ffi::NativeCall& call, int size) {
    n = size;
    TF_ASSIGN_OR_RETURN(memory, Allocate<T>(call, 4 * int64_t{n}));
    TF_ASSIGN_OR_RETURN(swapped, Allocate<bool>(call, n));
    pivot = memory.get();
    above = pivot + n;
    above2 = above + n;
    multiplier = above2 + n;
    return absl::OkStatus();
  }

  void Factor(const T* lower, const T* diagonal, const T* upper) {
    std::copy_n(diagonal, n, pivot);
    for (int i = 0; i < n; ++i) above[i] = i + 1 < n ? upper[i] : T(0);
    std::fill_n(above2, n, T(0));
    for (int i = 0; i + 1 < n; ++i) {
      T below = lower[i + 1];
      swapped[i] = std::abs(below) > std::abs(pivot[i]);
      if (swapped[i]) {
        std::swap(pivot[i], below);
        std::swap(above[i], pivot[i + 1]);
        std::swap(above2[i], above[i + 1]);
      }
      multiplier[i] = below == T(0) ? T(0) : below / pivot[i];
      pivot[i + 1] -= multiplier[i] * above[i];
      above[i + 1] -= multiplier[i] * above2[i];
    }
    R largest = 0;
    for (int i = 0; i < 3 * n; ++i) {
      largest = std::max<R>(largest, std::abs(memory[i]));
    }
    perturbation = std::max(std::numeric_limits<R>::epsilon() * largest,
                            std::numeric_limits<R>::min());
  }

  // Returns x / u, enlarging u until the quotient does not overflow.
  T Divide(T x, T u) const {
    const T sign =
        u == T(0) ? T(std::copysign(R(1), std::real(u))) : u / T(std::abs(u));
    R step = perturbation;
    // The bound ends the loop for values that are not finite.
    for (int i = 0; i < 4 * std::numeric_limits<R>::max_exponent; ++i) {
      const R size = std::abs(u);
      const bool overflows =
          size < 1 && std::abs(x) > size * std::numeric_limits<R>::max();
      if (size >= std::numeric_limits<R>::min() && !overflows) break;
      u += sign * step;
      step *= 2;
    }
    return x / u;
  }

  void Solve(T* x) const {
    for (int i = 0; i + 1 < n; ++i) {
      if (swapped[i]) std::swap(x[i], x[i + 1]);
      x[i + 1] -= multiplier[i] * x[i];
    }
    for (int i = n - 1; i >= 0; --i) {
      T rest = x[i];
      if (i + 1 < n) rest -= above[i] * x[i + 1];
      if (i + 2 < n) rest -= above2[i] * x[i + 2];
      x[i] = Divide(rest, pivot[i]);
    }
  }
};

template <typename T>
absl::Status SolvePerturbed(const ffi::NativeCall& call) {
  TF_ASSIGN_OR_RETURN(Batch<T> b, MatrixOperand<T>(call, 3));
  const int n = b.rows;
  TF_ASSIGN_OR_RETURN(Batch<T> lower, VectorOperand<T>(call, 0, b, n));
  TF_ASSIGN_OR_RETURN(Batch<T> diagonal, VectorOperand<T>(call, 1, b, n));
  TF_ASSIGN_OR_RETURN(Batch<T> upper, VectorOperand<T>(call, 2, b, n));
  TF_ASSIGN_OR_RETURN(Batch<T> x, MatrixResult<T>(call, 0, b, n, b.columns));
  CopyTo(b, x, sizeof(T));
  Factors<T> factors;
  TF_RETURN_IF_ERROR(factors.Prepare(call, n));
  for (int64_t i = 0; i < b.count; ++i) {
    factors.Factor(lower[i], diagonal[i], upper[i]);
    for (int64_t j = 0; j < b.columns; ++j) factors.Solve(x[i] + j * n);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status TridiagonalSolvePerturbed(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 4, 1));
  switch (call.arguments[3].type) {
    case F32:
      return SolvePerturbed<float>(call);
    case F64:
      return SolvePerturbed<double>(call);
    case C64:
      return SolvePerturbed<std::complex<float>>(call);
    case C128:
      return SolvePerturbed<std::complex<double>>(call);
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          call.target, ": no kernel for elements of type ",
          primitive_util::LowercasePrimitiveTypeName(call.arguments[3].type)));
  }
}

}  // namespace xla::linalg
