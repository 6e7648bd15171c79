// Solves triangular and tridiagonal systems of equations.
#include <complex>

#include "xla/base/status_macros.h"
#include "xla/runtime/linalg/batch.h"
#include "xla/runtime/linalg/families.h"
#include "xla/runtime/linalg/lapack.h"
#include "xla/runtime/linalg/lapack_kernels.h"

namespace xla::linalg {

// Programs made for jaxlib up to 0.5.1 pass a third operand, the factor alpha
// of the right-hand side.
template <typename T>
absl::Status Trsm(const ffi::NativeCall& call) {
  const bool scaled = call.arguments.size() == 3;
  TF_RETURN_IF_ERROR(CheckCounts(call, scaled ? 3 : 2, 1));
  T alpha = 1;
  if (scaled) {
    BatchExtent once;
    once.count = 1;
    TF_ASSIGN_OR_RETURN(
        Batch<T> factor,
        Typed<T>(CheckExtent(call, /*is_result=*/false, 2,
                             primitive_util::NativeToPrimitiveType<T>(), 0,
                             once, 1, 1)));
    alpha = *factor[0];
  }
  TF_ASSIGN_OR_RETURN(char side, LetterAttribute(call, "side", "LR"));
  TF_ASSIGN_OR_RETURN(char uplo, LetterAttribute(call, "uplo", "LU"));
  TF_ASSIGN_OR_RETURN(char op, LetterAttribute(call, "trans_x", "NTC"));
  TF_ASSIGN_OR_RETURN(char diag, LetterAttribute(call, "diag", "NU"));
  TF_ASSIGN_OR_RETURN(Batch<T> b, MatrixOperand<T>(call, 1));
  const int m = b.rows;
  const int n = b.columns;
  const int order = side == 'L' ? m : n;
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0, b, order, order));
  TF_ASSIGN_OR_RETURN(Batch<T> x, MatrixResult<T>(call, 0, b, m, n));
  CopyTo(b, x, sizeof(T));
  if (call.lapack_kernels != nullptr && alpha == T(1) &&
      call.lapack_kernels->Trsm(primitive_util::NativeToPrimitiveType<T>(),
                                side, uplo, op, diag, m, n, b.count, a[0],
                                x[0])) {
    return absl::OkStatus();
  }
  const int lda = Leading(order);
  const int ldb = Leading(m);
  for (int64_t i = 0; i < b.count; ++i) {
    Lapack<T>::trsm(&side, &uplo, &op, &diag, &m, &n, &alpha, a[i], &lda, x[i],
                    &ldb, 1, 1, 1, 1);
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status Gtsv(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 4, 5));
  TF_ASSIGN_OR_RETURN(Batch<T> b, MatrixOperand<T>(call, 3));
  const int n = b.rows;
  const int columns = b.columns;
  Batch<T> diagonals[3];
  for (int i = 0; i < 3; ++i) {
    TF_ASSIGN_OR_RETURN(Batch<T> from, VectorOperand<T>(call, i, b, n));
    TF_ASSIGN_OR_RETURN(diagonals[i], VectorResult<T>(call, i, b, n));
    CopyTo(from, diagonals[i], sizeof(T));
  }
  TF_ASSIGN_OR_RETURN(Batch<T> x, MatrixResult<T>(call, 3, b, n, columns));
  TF_ASSIGN_OR_RETURN(Batch<int> info, ScalarResult(call, 4, b));
  CopyTo(b, x, sizeof(T));
  const int ldb = Leading(n);
  for (int64_t i = 0; i < b.count; ++i) {
    T* lower = diagonals[0][i] + (n > 0 ? 1 : 0);
    Lapack<T>::gtsv(&n, &columns, lower, diagonals[1][i], diagonals[2][i], x[i],
                    &ldb, info[i]);
  }
  return absl::OkStatus();
}

template absl::Status Trsm<float>(const ffi::NativeCall&);
template absl::Status Trsm<double>(const ffi::NativeCall&);
template absl::Status Trsm<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Trsm<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Gtsv<float>(const ffi::NativeCall&);
template absl::Status Gtsv<double>(const ffi::NativeCall&);
template absl::Status Gtsv<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Gtsv<std::complex<double>>(const ffi::NativeCall&);

}  // namespace xla::linalg
