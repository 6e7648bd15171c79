// Singular values and vectors, by divide and conquer and by QR iteration.
#include <complex>

#include "absl/functional/function_ref.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/linalg/batch.h"
#include "xla/runtime/linalg/families.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::linalg {

namespace {

// The operands and results that both routines share.
template <typename T>
struct SvdCall {
  char mode;
  int m, n, lda, ldu, ldvt;
  Batch<T> a, u, vt;
  Batch<Real<T>> s;
  Batch<int> info;

  int small() const { return std::min(m, n); }
};

template <typename T>
absl::StatusOr<SvdCall<T>> ReadCall(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, 5));
  SvdCall<T> svd;
  TF_ASSIGN_OR_RETURN(svd.mode, LetterAttribute(call, "mode", "ASN"));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  svd.m = a.rows;
  svd.n = a.columns;
  TF_ASSIGN_OR_RETURN(svd.a, MatrixResult<T>(call, 0, a, svd.m, svd.n));
  TF_ASSIGN_OR_RETURN(svd.s, VectorResult<Real<T>>(call, 1, a, svd.small()));
  if (svd.mode == 'N') {  // u and vt may be of any size
    svd.u = svd.vt = Batch<T>{};
  } else {
    const bool full = svd.mode == 'A';
    TF_ASSIGN_OR_RETURN(
        svd.u, MatrixResult<T>(call, 2, a, svd.m, full ? svd.m : svd.small()));
    TF_ASSIGN_OR_RETURN(
        svd.vt, MatrixResult<T>(call, 3, a, full ? svd.n : svd.small(), svd.n));
  }
  TF_ASSIGN_OR_RETURN(svd.info, ScalarResult(call, 4, a));
  svd.lda = Leading(svd.m);
  svd.ldu = Leading(svd.m);
  svd.ldvt = Leading(svd.vt.rows);
  CopyTo(a, svd.a, sizeof(T));
  return svd;
}

// Asks `run` for the size of its workspace, then lets it decompose each matrix.
template <typename T>
absl::Status RunOnEach(
    const ffi::NativeCall& call, SvdCall<T>& svd,
    absl::FunctionRef<void(int64_t i, T* work, int size, int* info)> run) {
  T asked = 0;
  int query_info = 0;
  run(0, &asked, -1, &query_info);
  TF_ASSIGN_OR_RETURN(int size, WorkSize(call, std::real(asked)));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  for (int64_t i = 0; i < svd.a.count; ++i) {
    run(i, work.get(), size, svd.info[i]);
  }
  return absl::OkStatus();
}

// Returns the number of elements of rwork that the complex divide and conquer
// needs. Source: LAPACK, documentation of ZGESDD.
int64_t GesddRealWork(char mode, int64_t m, int64_t n) {
  const int64_t small = std::min(m, n);
  const int64_t large = std::max(m, n);
  if (mode == 'N') return 7 * small;
  return std::max(5 * small * small + 5 * small,
                  2 * large * small + 2 * small * small + small);
}

}  // namespace

template <typename T>
absl::Status Gesdd(const ffi::NativeCall& call) {
  TF_ASSIGN_OR_RETURN(SvdCall<T> svd, ReadCall<T>(call));
  TF_ASSIGN_OR_RETURN(Workspace<int> int_work,
                      Allocate<int>(call, 8 * int64_t{svd.small()}));
  Workspace<Real<T>> real_work;
  if constexpr (kIsComplex<T>) {
    TF_ASSIGN_OR_RETURN(
        real_work,
        Allocate<Real<T>>(call, GesddRealWork(svd.mode, svd.m, svd.n)));
  }
  auto run = [&](int64_t i, T* work, int size, int* info) {
    if constexpr (kIsComplex<T>) {
      Lapack<T>::gesdd(&svd.mode, &svd.m, &svd.n, svd.a[i], &svd.lda, svd.s[i],
                       svd.u[i], &svd.ldu, svd.vt[i], &svd.ldvt, work, &size,
                       real_work.get(), int_work.get(), info, 1);
    } else {
      Lapack<T>::gesdd(&svd.mode, &svd.m, &svd.n, svd.a[i], &svd.lda, svd.s[i],
                       svd.u[i], &svd.ldu, svd.vt[i], &svd.ldvt, work, &size,
                       int_work.get(), info, 1);
    }
  };
  return RunOnEach<T>(call, svd, run);
}

template <typename T>
absl::Status Gesvd(const ffi::NativeCall& call) {
  TF_ASSIGN_OR_RETURN(SvdCall<T> svd, ReadCall<T>(call));
  Workspace<Real<T>> real_work;
  if constexpr (kIsComplex<T>) {
    TF_ASSIGN_OR_RETURN(real_work,
                        Allocate<Real<T>>(call, 5 * int64_t{svd.small()}));
  }
  auto run = [&](int64_t i, T* work, int size, int* info) {
    if constexpr (kIsComplex<T>) {
      Lapack<T>::gesvd(&svd.mode, &svd.mode, &svd.m, &svd.n, svd.a[i], &svd.lda,
                       svd.s[i], svd.u[i], &svd.ldu, svd.vt[i], &svd.ldvt, work,
                       &size, real_work.get(), info, 1, 1);
    } else {
      Lapack<T>::gesvd(&svd.mode, &svd.mode, &svd.m, &svd.n, svd.a[i], &svd.lda,
                       svd.s[i], svd.u[i], &svd.ldu, svd.vt[i], &svd.ldvt, work,
                       &size, info, 1, 1);
    }
  };
  return RunOnEach<T>(call, svd, run);
}

template absl::Status Gesdd<float>(const ffi::NativeCall&);
template absl::Status Gesdd<double>(const ffi::NativeCall&);
template absl::Status Gesdd<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Gesdd<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Gesvd<float>(const ffi::NativeCall&);
template absl::Status Gesvd<double>(const ffi::NativeCall&);
template absl::Status Gesvd<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Gesvd<std::complex<double>>(const ffi::NativeCall&);

}  // namespace xla::linalg
