// Cholesky and LU factorizations.
#include <complex>

#include "xla/base/status_macros.h"
#include "xla/runtime/linalg/batch.h"
#include "xla/runtime/linalg/families.h"
#include "xla/runtime/linalg/lapack.h"
#include "xla/runtime/linalg/lapack_kernels.h"

namespace xla::linalg {

template <typename T>
absl::Status Potrf(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, 2));
  TF_ASSIGN_OR_RETURN(char uplo, LetterAttribute(call, "uplo", "LU"));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  TF_RETURN_IF_ERROR(CheckSquare(call, a));
  const int n = a.rows;
  TF_ASSIGN_OR_RETURN(Batch<T> factor, MatrixResult<T>(call, 0, a, n, n));
  TF_ASSIGN_OR_RETURN(Batch<int> info, ScalarResult(call, 1, a));
  CopyTo(a, factor, sizeof(T));
  if (call.lapack_kernels != nullptr &&
      call.lapack_kernels->Potrf(primitive_util::NativeToPrimitiveType<T>(),
                                 uplo, n, a.count, factor[0], info[0])) {
    return absl::OkStatus();
  }
  const int lda = Leading(n);
  for (int64_t i = 0; i < a.count; ++i) {
    Lapack<T>::potrf(&uplo, &n, factor[i], &lda, info[i], 1);
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status Getrf(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, 3));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  const int m = a.rows;
  const int n = a.columns;
  TF_ASSIGN_OR_RETURN(Batch<T> lu, MatrixResult<T>(call, 0, a, m, n));
  TF_ASSIGN_OR_RETURN(Batch<int> pivots,
                      VectorResult<int>(call, 1, a, std::min(m, n)));
  TF_ASSIGN_OR_RETURN(Batch<int> info, ScalarResult(call, 2, a));
  CopyTo(a, lu, sizeof(T));
  if (call.lapack_kernels != nullptr &&
      call.lapack_kernels->Getrf(primitive_util::NativeToPrimitiveType<T>(), m,
                                 n, a.count, lu[0], pivots[0], info[0])) {
    return absl::OkStatus();
  }
  const int lda = Leading(m);
  for (int64_t i = 0; i < a.count; ++i) {
    Lapack<T>::getrf(&m, &n, lu[i], &lda, pivots[i], info[i]);
  }
  return absl::OkStatus();
}

template absl::Status Potrf<float>(const ffi::NativeCall&);
template absl::Status Potrf<double>(const ffi::NativeCall&);
template absl::Status Potrf<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Potrf<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Getrf<float>(const ffi::NativeCall&);
template absl::Status Getrf<double>(const ffi::NativeCall&);
template absl::Status Getrf<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Getrf<std::complex<double>>(const ffi::NativeCall&);

}  // namespace xla::linalg
