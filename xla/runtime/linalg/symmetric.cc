// Eigenvalues of symmetric and Hermitian matrices, and their reduction to
// tridiagonal form.
#include <complex>

#include "xla/base/status_macros.h"
#include "xla/runtime/linalg/batch.h"
#include "xla/runtime/linalg/families.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::linalg {

template <typename T>
absl::Status Syevd(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, 3));
  TF_ASSIGN_OR_RETURN(char mode, LetterAttribute(call, "mode", "VN"));
  TF_ASSIGN_OR_RETURN(char uplo, LetterAttribute(call, "uplo", "LU"));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  TF_RETURN_IF_ERROR(CheckSquare(call, a));
  const int n = a.rows;
  TF_ASSIGN_OR_RETURN(Batch<T> v, MatrixResult<T>(call, 0, a, n, n));
  TF_ASSIGN_OR_RETURN(Batch<Real<T>> w, VectorResult<Real<T>>(call, 1, a, n));
  TF_ASSIGN_OR_RETURN(Batch<int> info, ScalarResult(call, 2, a));
  CopyTo(a, v, sizeof(T));
  const int lda = Leading(n);
  int size = -1;
  int real_size = -1;
  int int_size = -1;
  auto run = [&](int64_t i, T* work, Real<T>* real_work, int* int_work,
                 int* status) {
    if constexpr (kIsComplex<T>) {
      Lapack<T>::syevd(&mode, &uplo, &n, v[i], &lda, w[i], work, &size,
                       real_work, &real_size, int_work, &int_size, status, 1,
                       1);
    } else {
      Lapack<T>::syevd(&mode, &uplo, &n, v[i], &lda, w[i], work, &size,
                       int_work, &int_size, status, 1, 1);
    }
  };
  T asked = 0;
  Real<T> real_asked = 0;
  int int_asked = 0;
  int query_info = 0;
  run(0, &asked, &real_asked, &int_asked, &query_info);
  TF_ASSIGN_OR_RETURN(size, WorkSize(call, std::real(asked)));
  TF_ASSIGN_OR_RETURN(real_size, WorkSize(call, real_asked));
  TF_ASSIGN_OR_RETURN(int_size, WorkSize(call, int_asked));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  TF_ASSIGN_OR_RETURN(Workspace<Real<T>> real_work,
                      Allocate<Real<T>>(call, real_size));
  TF_ASSIGN_OR_RETURN(Workspace<int> int_work, Allocate<int>(call, int_size));
  for (int64_t i = 0; i < a.count; ++i) {
    run(i, work.get(), real_work.get(), int_work.get(), info[i]);
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status Sytrd(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, 5));
  TF_ASSIGN_OR_RETURN(char uplo, LetterAttribute(call, "uplo", "LU"));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  TF_RETURN_IF_ERROR(CheckSquare(call, a));
  const int n = a.rows;
  const int off = std::max(n - 1, 0);
  TF_ASSIGN_OR_RETURN(Batch<T> out, MatrixResult<T>(call, 0, a, n, n));
  TF_ASSIGN_OR_RETURN(Batch<Real<T>> d, VectorResult<Real<T>>(call, 1, a, n));
  TF_ASSIGN_OR_RETURN(Batch<Real<T>> e, VectorResult<Real<T>>(call, 2, a, off));
  TF_ASSIGN_OR_RETURN(Batch<T> tau, VectorResult<T>(call, 3, a, off));
  TF_ASSIGN_OR_RETURN(Batch<int> info, ScalarResult(call, 4, a));
  CopyTo(a, out, sizeof(T));
  const int lda = Leading(n);
  int size = -1;
  int query_info = 0;
  T asked = 0;
  Lapack<T>::sytrd(&uplo, &n, out[0], &lda, d[0], e[0], tau[0], &asked, &size,
                   &query_info, 1);
  TF_ASSIGN_OR_RETURN(size, WorkSize(call, std::real(asked)));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  for (int64_t i = 0; i < a.count; ++i) {
    Lapack<T>::sytrd(&uplo, &n, out[i], &lda, d[i], e[i], tau[i], work.get(),
                     &size, info[i], 1);
  }
  return absl::OkStatus();
}

template absl::Status Syevd<float>(const ffi::NativeCall&);
template absl::Status Syevd<double>(const ffi::NativeCall&);
template absl::Status Syevd<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Syevd<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Sytrd<float>(const ffi::NativeCall&);
template absl::Status Sytrd<double>(const ffi::NativeCall&);
template absl::Status Sytrd<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Sytrd<std::complex<double>>(const ffi::NativeCall&);

}  // namespace xla::linalg
