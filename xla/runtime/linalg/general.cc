// General square matrices: eigenvalues, Schur form, Hessenberg form.
#include <complex>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/linalg/batch.h"
#include "xla/runtime/linalg/families.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::linalg {

namespace {

// LAPACK's info for a wrong matrix, returned for elements that are not finite,
// on which LAPACK's own iterations need not end.
constexpr int kNotFinite = -4;

// The results for eigenvalues: a complex one, or two for the real and imaginary
// parts.
template <typename T>
struct Eigenvalues {
  Batch<T> w, imaginary;  // `imaginary` only for real T
};

template <typename T>
absl::StatusOr<Eigenvalues<T>> EigenvalueResults(const ffi::NativeCall& call,
                                                 int index, const Batch<T>& a) {
  Eigenvalues<T> values;
  TF_ASSIGN_OR_RETURN(values.w, VectorResult<T>(call, index, a, a.rows));
  if constexpr (!kIsComplex<T>) {
    TF_ASSIGN_OR_RETURN(values.imaginary,
                        VectorResult<T>(call, index + 1, a, a.rows));
  }
  return values;
}

// Expands the eigenvectors of conjugate pairs of eigenvalues, which LAPACK
// stores as real and imaginary parts in two columns.
template <typename R>
void Unpack(int n, const R* imaginary, const R* packed,
            std::complex<R>* vectors) {
  for (int64_t j = 0; j < n; ++j) {
    const int64_t at = j * n;
    if (imaginary[j] == 0 || j + 1 == n) {
      for (int64_t i = at; i < at + n; ++i) vectors[i] = packed[i];
      continue;
    }
    for (int64_t i = at; i < at + n; ++i) {
      vectors[i] = {packed[i], packed[i + n]};
      vectors[i + n] = {packed[i], -packed[i + n]};
    }
    ++j;
  }
}

// Calls geev with its workspace on one matrix after the other.
template <typename T>
struct GeevRunner {
  using C = std::complex<Real<T>>;
  const char left, right;  // V or N
  const int n;
  Workspace<T> a, work;
  Workspace<T> packed_left, packed_right;  // for real T only
  Workspace<Real<T>> real_work;            // for complex T only
  int size = -1;

  void Call(T* w, T* imaginary, C* vl, C* vr, T* memory, int* info) {
    const int lda = Leading(n);
    if constexpr (kIsComplex<T>) {
      Lapack<T>::geev(&left, &right, &n, a.get(), &lda, w, vl, &lda, vr, &lda,
                      memory, &size, real_work.get(), info, 1, 1);
    } else {
      Lapack<T>::geev(&left, &right, &n, a.get(), &lda, w, imaginary,
                      packed_left.get(), &lda, packed_right.get(), &lda, memory,
                      &size, info, 1, 1);
    }
  }

  absl::Status Prepare(const ffi::NativeCall& call) {
    const int64_t square = int64_t{n} * n;
    TF_ASSIGN_OR_RETURN(a, Allocate<T>(call, square));
    if constexpr (kIsComplex<T>) {
      TF_ASSIGN_OR_RETURN(real_work, Allocate<Real<T>>(call, 2 * int64_t{n}));
    } else {
      TF_ASSIGN_OR_RETURN(packed_left, Allocate<T>(call, square));
      TF_ASSIGN_OR_RETURN(packed_right, Allocate<T>(call, square));
    }
    T asked = 0;
    int info = 0;
    Call(nullptr, nullptr, nullptr, nullptr, &asked, &info);
    TF_ASSIGN_OR_RETURN(size, WorkSize(call, std::real(asked)));
    TF_ASSIGN_OR_RETURN(work, Allocate<T>(call, size));
    return absl::OkStatus();
  }

  void Run(const T* matrix, T* w, T* imaginary, C* vl, C* vr, int* info) {
    const int64_t square = int64_t{n} * n;
    if (!AllFinite(matrix, square)) {
      *info = kNotFinite;
      return;
    }
    std::copy_n(matrix, square, a.get());
    Call(w, imaginary, vl, vr, work.get(), info);
    if constexpr (!kIsComplex<T>) {
      if (*info != 0) return;
      if (left == 'V') Unpack(n, imaginary, packed_left.get(), vl);
      if (right == 'V') Unpack(n, imaginary, packed_right.get(), vr);
    }
  }
};

}  // namespace

template <typename T>
absl::Status Geev(const ffi::NativeCall& call) {
  constexpr int kVectors = kIsComplex<T> ? 1 : 2;  // index of the first vectors
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, kVectors + 3));
  TF_ASSIGN_OR_RETURN(char left, LetterAttribute(call, "compute_left", "VN"));
  TF_ASSIGN_OR_RETURN(char right, LetterAttribute(call, "compute_right", "VN"));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  TF_RETURN_IF_ERROR(CheckSquare(call, a));
  const int n = a.rows;
  TF_ASSIGN_OR_RETURN(Eigenvalues<T> values, EigenvalueResults<T>(call, 0, a));
  using C = std::complex<Real<T>>;
  TF_ASSIGN_OR_RETURN(Batch<C> vl, MatrixResult<C>(call, kVectors, a, n, n));
  TF_ASSIGN_OR_RETURN(Batch<C> vr,
                      MatrixResult<C>(call, kVectors + 1, a, n, n));
  TF_ASSIGN_OR_RETURN(Batch<int> info, ScalarResult(call, kVectors + 2, a));
  GeevRunner<T> runner{left, right, n};
  TF_RETURN_IF_ERROR(runner.Prepare(call));
  for (int64_t i = 0; i < a.count; ++i) {
    runner.Run(a[i], values.w[i], values.imaginary[i], vl[i], vr[i], info[i]);
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status Gees(const ffi::NativeCall& call) {
  constexpr int kSelected = kIsComplex<T> ? 3 : 4;
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, kSelected + 2));
  TF_ASSIGN_OR_RETURN(char mode, LetterAttribute(call, "mode", "VN"));
  TF_ASSIGN_OR_RETURN(char sort, LetterAttribute(call, "sort", "NS"));
  if (sort != 'N') {
    return absl::UnimplementedError(absl::StrCat(
        call.target, ": sorting eigenvalues needs a function to select them"));
  }
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  TF_RETURN_IF_ERROR(CheckSquare(call, a));
  const int n = a.rows;
  TF_ASSIGN_OR_RETURN(Batch<T> form, MatrixResult<T>(call, 0, a, n, n));
  TF_ASSIGN_OR_RETURN(Batch<T> vectors, MatrixResult<T>(call, 1, a, n, n));
  TF_ASSIGN_OR_RETURN(Eigenvalues<T> values, EigenvalueResults<T>(call, 2, a));
  TF_ASSIGN_OR_RETURN(Batch<int> selected, ScalarResult(call, kSelected, a));
  TF_ASSIGN_OR_RETURN(Batch<int> info, ScalarResult(call, kSelected + 1, a));
  CopyTo(a, form, sizeof(T));
  TF_ASSIGN_OR_RETURN(Workspace<Real<T>> real_work, Allocate<Real<T>>(call, n));
  const int lda = Leading(n);
  auto run = [&](int64_t i, T* work, int size, int* sdim, int* status) {
    if constexpr (kIsComplex<T>) {
      Lapack<T>::gees(&mode, &sort, nullptr, &n, form[i], &lda, sdim,
                      values.w[i], vectors[i], &lda, work, &size,
                      real_work.get(), nullptr, status, 1, 1);
    } else {
      Lapack<T>::gees(&mode, &sort, nullptr, &n, form[i], &lda, sdim,
                      values.w[i], values.imaginary[i], vectors[i], &lda, work,
                      &size, nullptr, status, 1, 1);
    }
  };
  T asked = 0;
  int query_info = 0;
  int query_selected = 0;
  run(0, &asked, -1, &query_selected, &query_info);
  TF_ASSIGN_OR_RETURN(int size, WorkSize(call, std::real(asked)));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  for (int64_t i = 0; i < a.count; ++i) {
    if (AllFinite(form[i], form.item_size())) {
      run(i, work.get(), size, selected[i], info[i]);
    } else {
      *selected[i] = 0;
      *info[i] = kNotFinite;
    }
  }
  return absl::OkStatus();
}

template <typename T>
absl::Status Gehrd(const ffi::NativeCall& call) {
  TF_RETURN_IF_ERROR(CheckCounts(call, 1, 3));
  TF_ASSIGN_OR_RETURN(int32_t low,
                      ffi::GetScalar<int32_t>(call.attributes, "low"));
  TF_ASSIGN_OR_RETURN(int32_t high,
                      ffi::GetScalar<int32_t>(call.attributes, "high"));
  TF_ASSIGN_OR_RETURN(Batch<T> a, MatrixOperand<T>(call, 0));
  TF_RETURN_IF_ERROR(CheckSquare(call, a));
  const int n = a.rows;
  if (n > 0 && (low < 1 || high < low || high > n)) {
    return absl::InvalidArgumentError(
        absl::StrCat(call.target, ": low ", low, " and high ", high,
                     " are no range within 1 to ", n));
  }
  TF_ASSIGN_OR_RETURN(Batch<T> out, MatrixResult<T>(call, 0, a, n, n));
  TF_ASSIGN_OR_RETURN(Batch<T> tau,
                      VectorResult<T>(call, 1, a, std::max(n - 1, 0)));
  TF_ASSIGN_OR_RETURN(Batch<int> info, ScalarResult(call, 2, a));
  CopyTo(a, out, sizeof(T));
  if (n == 0) {
    std::fill_n(info[0], info.count, 0);
    return absl::OkStatus();
  }
  const int lda = Leading(n);
  int size = -1;
  int query_info = 0;
  T asked = 0;
  Lapack<T>::gehrd(&n, &low, &high, out[0], &lda, tau[0], &asked, &size,
                   &query_info);
  TF_ASSIGN_OR_RETURN(size, WorkSize(call, std::real(asked), n));
  TF_ASSIGN_OR_RETURN(Workspace<T> work, Allocate<T>(call, size));
  for (int64_t i = 0; i < a.count; ++i) {
    Lapack<T>::gehrd(&n, &low, &high, out[i], &lda, tau[i], work.get(), &size,
                     info[i]);
  }
  return absl::OkStatus();
}

template absl::Status Geev<float>(const ffi::NativeCall&);
template absl::Status Geev<double>(const ffi::NativeCall&);
template absl::Status Geev<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Geev<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Gees<float>(const ffi::NativeCall&);
template absl::Status Gees<double>(const ffi::NativeCall&);
template absl::Status Gees<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Gees<std::complex<double>>(const ffi::NativeCall&);
template absl::Status Gehrd<float>(const ffi::NativeCall&);
template absl::Status Gehrd<double>(const ffi::NativeCall&);
template absl::Status Gehrd<std::complex<float>>(const ffi::NativeCall&);
template absl::Status Gehrd<std::complex<double>>(const ffi::NativeCall&);

}  // namespace xla::linalg
