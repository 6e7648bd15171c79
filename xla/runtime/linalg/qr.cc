// QR factorizations, with and without pivoting, and products with their
// reflectors.
#include <complex>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/linalg/batch.h"
#include "xla/runtime/linalg/families.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::linalg {

namespace {

// These routines have no info result: it reports only wrong arguments, which
// the shape checks rule out.
absl::Status CheckInfo(const ffi::NativeCall& call, int info) {
  if (info == 0) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat(call.target, ": LAPACK refuses argument ", -info));
}

}  // namespace

template <typename T>
absl::Status Geqrf(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, 2));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  const int m = a.rows;
  const int n = a.columns;
  TF_ASSIGN_OR_RETURN(Batch<T> qr, MatrixResult<T>(call, 0, a, m, n));
  TF_ASSIGN_OR_RETURN(Batch<T> tau,
                      VectorResult<T>(call, 1, a, std::min(m, n)));
  CopyTo(a, qr, sizeof(T));
  const int lda = Leading(m);
  int info = 0;
  int size = -1;
  T asked = 0;
  Lapack<T>::geqrf(&m, &n, qr[0], &lda, tau[0], &asked, &size, &info);
  TF_RETURN_IF_ERROR(CheckInfo(call, info));
  TF_ASSIGN_OR_RETURN(size, WorkSize(call, std::real(asked), n));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  for (int64_t i = 0; i < a.count; ++i) {
    Lapack<T>::geqrf(&m, &n, qr[i], &lda, tau[i], work.get(), &size, &info);
    TF_RETURN_IF_ERROR(CheckInfo(call, info));
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status Geqp3(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 2, 3));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  const int m = a.rows;
  const int n = a.columns;
  TF_ASSIGN_OR_RETURN(Batch<int> jpvt, VectorOperand<int>(call, 1, a, n));
  TF_ASSIGN_OR_RETURN(Batch<T> qr, MatrixResult<T>(call, 0, a, m, n));
  TF_ASSIGN_OR_RETURN(Batch<int> pivots, VectorResult<int>(call, 1, a, n));
  TF_ASSIGN_OR_RETURN(Batch<T> tau,
                      VectorResult<T>(call, 2, a, std::min(m, n)));
  CopyTo(a, qr, sizeof(T));
  CopyTo(jpvt, pivots, sizeof(int));
  TF_ASSIGN_OR_RETURN(Workspace<Real<T>> real_work,
                      Allocate<Real<T>>(call, 2 * int64_t{n}));
  const int lda = Leading(m);
  int info = 0;
  auto run = [&](int64_t i, T* work, int size) {
    if constexpr (kIsComplex<T>) {
      Lapack<T>::geqp3(&m, &n, qr[i], &lda, pivots[i], tau[i], work, &size,
                       real_work.get(), &info);
    } else {
      Lapack<T>::geqp3(&m, &n, qr[i], &lda, pivots[i], tau[i], work, &size,
                       &info);
    }
    return CheckInfo(call, info);
  };
  T asked = 0;
  TF_RETURN_IF_ERROR(run(0, &asked, -1));
  TF_ASSIGN_OR_RETURN(int size,
                      WorkSize(call, std::real(asked), 3 * int64_t{n} + 1));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  for (int64_t i = 0; i < a.count; ++i) {
    TF_RETURN_IF_ERROR(run(i, work.get(), size));
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status Orgqr(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 2, 1));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  const int m = a.rows;
  const int n = a.columns;
  absl::Span<const int64_t> tau_dims = call.arguments[1].dimensions;
  const int64_t reflectors = tau_dims.empty() ? -1 : tau_dims.back();
  TF_ASSIGN_OR_RETURN(Batch<T> tau, VectorOperand<T>(call, 1, a, reflectors));
  TF_ASSIGN_OR_RETURN(Batch<T> q, MatrixResult<T>(call, 0, a, m, n));
  if (n > m || reflectors > n) {
    return absl::InvalidArgumentError(absl::StrCat(
        call.target, ": ", reflectors, " reflectors for ", n,
        " columns of length ", m,
        "; there may be no more reflectors than columns, nor columns than "
        "rows"));
  }
  CopyTo(a, q, sizeof(T));
  const int k = tau.rows;
  const int lda = Leading(m);
  int info = 0;
  int size = -1;
  T asked = 0;
  Lapack<T>::orgqr(&m, &n, &k, q[0], &lda, tau[0], &asked, &size, &info);
  TF_RETURN_IF_ERROR(CheckInfo(call, info));
  TF_ASSIGN_OR_RETURN(size, WorkSize(call, std::real(asked), n));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  for (int64_t i = 0; i < a.count; ++i) {
    Lapack<T>::orgqr(&m, &n, &k, q[i], &lda, tau[i], work.get(), &size, &info);
    TF_RETURN_IF_ERROR(CheckInfo(call, info));
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status Ormqr(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 3, 1));
  TF_ASSIGN_OR_RETURN(bool left, ffi::GetScalar<bool>(call.attributes, "left"));
  TF_ASSIGN_OR_RETURN(bool transpose,
                      ffi::GetScalar<bool>(call.attributes, "transpose"));
  TF_ASSIGN_OR_RETURN(Batch<T> c, MatrixOperand<T>(call, 2));
  const int m = c.rows;
  const int n = c.columns;
  TF_ASSIGN_OR_RETURN(Batch<T> any, MatrixOperand<T>(call, 0));
  const int k = any.columns;
  const int order = left ? m : n;
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0, c, order, k));
  TF_ASSIGN_OR_RETURN(Batch<T> tau, VectorOperand<T>(call, 1, c, k));
  TF_ASSIGN_OR_RETURN(Batch<T> out, MatrixResult<T>(call, 0, c, m, n));
  if (k > order) {
    return absl::InvalidArgumentError(
        absl::StrCat(call.target, ": ", k, " reflectors of length ", order));
  }
  CopyTo(c, out, sizeof(T));
  const char side = left ? 'L' : 'R';
  const char op = !transpose ? 'N' : kIsComplex<T> ? 'C' : 'T';
  const int lda = Leading(order);
  const int ldc = Leading(m);
  int info = 0;
  int size = -1;
  T asked = 0;
  Lapack<T>::ormqr(&side, &op, &m, &n, &k, a[0], &lda, tau[0], out[0], &ldc,
                   &asked, &size, &info, 1, 1);
  TF_RETURN_IF_ERROR(CheckInfo(call, info));
  TF_ASSIGN_OR_RETURN(size, WorkSize(call, std::real(asked), left ? n : m));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  for (int64_t i = 0; i < c.count; ++i) {
    Lapack<T>::ormqr(&side, &op, &m, &n, &k, a[i], &lda, tau[i], out[i], &ldc,
                     work.get(), &size, &info, 1, 1);
    TF_RETURN_IF_ERROR(CheckInfo(call, info));
  }
  return absl::OkStatus();
}

template absl::Status Geqrf<float>(const ffi::NativeCall&);
template absl::Status Geqrf<double>(const ffi::NativeCall&);
template absl::Status Geqrf<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Geqrf<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Geqp3<float>(const ffi::NativeCall&);
template absl::Status Geqp3<double>(const ffi::NativeCall&);
template absl::Status Geqp3<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Geqp3<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Orgqr<float>(const ffi::NativeCall&);
template absl::Status Orgqr<double>(const ffi::NativeCall&);
template absl::Status Orgqr<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Orgqr<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Ormqr<float>(const ffi::NativeCall&);
template absl::Status Ormqr<double>(const ffi::NativeCall&);
template absl::Status Ormqr<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Ormqr<std::complex<double>>(const ffi::NativeCall&);

}  // namespace xla::linalg
