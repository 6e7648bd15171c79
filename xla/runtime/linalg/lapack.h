// Lapack<T>: LAPACK's routines by element type instead of by first letter. They
// are called through Fortran's interface: column-major, with the length of each
// string as the last arguments.
#ifndef XLA_RUNTIME_LINALG_LAPACK_H_
#define XLA_RUNTIME_LINALG_LAPACK_H_

#include <complex>
#include <cstddef>
#include <mutex>
#include <type_traits>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapack.h>

extern "C" {
// Solves op(A) X = alpha B or X op(A) = alpha B for X. A BLAS routine, which
// lapack.h does not declare.
void strsm_(const char* side, const char* uplo, const char* trans,
            const char* diag, const int* m, const int* n, const float* alpha,
            const float* a, const int* lda, float* b, const int* ldb, size_t,
            size_t, size_t, size_t);
void dtrsm_(const char* side, const char* uplo, const char* trans,
            const char* diag, const int* m, const int* n, const double* alpha,
            const double* a, const int* lda, double* b, const int* ldb, size_t,
            size_t, size_t, size_t);
void ctrsm_(const char* side, const char* uplo, const char* trans,
            const char* diag, const int* m, const int* n,
            const std::complex<float>* alpha, const std::complex<float>* a,
            const int* lda, std::complex<float>* b, const int* ldb, size_t,
            size_t, size_t, size_t);
void ztrsm_(const char* side, const char* uplo, const char* trans,
            const char* diag, const int* m, const int* n,
            const std::complex<double>* alpha, const std::complex<double>* a,
            const int* lda, std::complex<double>* b, const int* ldb, size_t,
            size_t, size_t, size_t);
}

namespace xla::linalg {

static_assert(sizeof(lapack_int) == sizeof(int));

// Calls of a routine wait for each other, and for those of all others: the
// serial OpenBLAS gives two threads at once the same working memory. A routine
// does not wait for anything else.
inline std::mutex& LapackMutex() {
  static std::mutex mutex;
  return mutex;
}

template <auto* kRoutine>
struct OneAtATime {
  template <typename... Args>
  void operator()(Args... args) const {
    const std::lock_guard<std::mutex> lock(LapackMutex());
    kRoutine(args...);
  }
};

template <typename T>
struct Lapack;

template <>
struct Lapack<float> {
  static constexpr OneAtATime<&LAPACK_spotrf_base> potrf{};
  static constexpr OneAtATime<&LAPACK_sgetrf> getrf{};
  static constexpr OneAtATime<&LAPACK_sgeqrf> geqrf{};
  static constexpr OneAtATime<&LAPACK_sgeqp3> geqp3{};
  static constexpr OneAtATime<&LAPACK_sorgqr> orgqr{};
  static constexpr OneAtATime<&LAPACK_sormqr_base> ormqr{};
  static constexpr OneAtATime<&LAPACK_sgesdd_base> gesdd{};
  static constexpr OneAtATime<&LAPACK_sgesvd_base> gesvd{};
  static constexpr OneAtATime<&LAPACK_ssyevd_base> syevd{};
  static constexpr OneAtATime<&LAPACK_ssytrd_base> sytrd{};
  static constexpr OneAtATime<&LAPACK_sgeev_base> geev{};
  static constexpr OneAtATime<&LAPACK_sgees_base> gees{};
  static constexpr OneAtATime<&LAPACK_sgehrd> gehrd{};
  static constexpr OneAtATime<&LAPACK_sgtsv> gtsv{};
  static constexpr OneAtATime<&strsm_> trsm{};
};

template <>
struct Lapack<double> {
  static constexpr OneAtATime<&LAPACK_dpotrf_base> potrf{};
  static constexpr OneAtATime<&LAPACK_dgetrf> getrf{};
  static constexpr OneAtATime<&LAPACK_dgeqrf> geqrf{};
  static constexpr OneAtATime<&LAPACK_dgeqp3> geqp3{};
  static constexpr OneAtATime<&LAPACK_dorgqr> orgqr{};
  static constexpr OneAtATime<&LAPACK_dormqr_base> ormqr{};
  static constexpr OneAtATime<&LAPACK_dgesdd_base> gesdd{};
  static constexpr OneAtATime<&LAPACK_dgesvd_base> gesvd{};
  static constexpr OneAtATime<&LAPACK_dsyevd_base> syevd{};
  static constexpr OneAtATime<&LAPACK_dsytrd_base> sytrd{};
  static constexpr OneAtATime<&LAPACK_dgeev_base> geev{};
  static constexpr OneAtATime<&LAPACK_dgees_base> gees{};
  static constexpr OneAtATime<&LAPACK_dgehrd> gehrd{};
  static constexpr OneAtATime<&LAPACK_dgtsv> gtsv{};
  static constexpr OneAtATime<&dtrsm_> trsm{};
};

template <>
struct Lapack<std::complex<float>> {
  static constexpr OneAtATime<&LAPACK_cpotrf_base> potrf{};
  static constexpr OneAtATime<&LAPACK_cgetrf> getrf{};
  static constexpr OneAtATime<&LAPACK_cgeqrf> geqrf{};
  static constexpr OneAtATime<&LAPACK_cgeqp3> geqp3{};
  static constexpr OneAtATime<&LAPACK_cungqr> orgqr{};
  static constexpr OneAtATime<&LAPACK_cunmqr_base> ormqr{};
  static constexpr OneAtATime<&LAPACK_cgesdd_base> gesdd{};
  static constexpr OneAtATime<&LAPACK_cgesvd_base> gesvd{};
  static constexpr OneAtATime<&LAPACK_cheevd_base> syevd{};
  static constexpr OneAtATime<&LAPACK_chetrd_base> sytrd{};
  static constexpr OneAtATime<&LAPACK_cgeev_base> geev{};
  static constexpr OneAtATime<&LAPACK_cgees_base> gees{};
  static constexpr OneAtATime<&LAPACK_cgehrd> gehrd{};
  static constexpr OneAtATime<&LAPACK_cgtsv> gtsv{};
  static constexpr OneAtATime<&ctrsm_> trsm{};
};

template <>
struct Lapack<std::complex<double>> {
  static constexpr OneAtATime<&LAPACK_zpotrf_base> potrf{};
  static constexpr OneAtATime<&LAPACK_zgetrf> getrf{};
  static constexpr OneAtATime<&LAPACK_zgeqrf> geqrf{};
  static constexpr OneAtATime<&LAPACK_zgeqp3> geqp3{};
  static constexpr OneAtATime<&LAPACK_zungqr> orgqr{};
  static constexpr OneAtATime<&LAPACK_zunmqr_base> ormqr{};
  static constexpr OneAtATime<&LAPACK_zgesdd_base> gesdd{};
  static constexpr OneAtATime<&LAPACK_zgesvd_base> gesvd{};
  static constexpr OneAtATime<&LAPACK_zheevd_base> syevd{};
  static constexpr OneAtATime<&LAPACK_zhetrd_base> sytrd{};
  static constexpr OneAtATime<&LAPACK_zgeev_base> geev{};
  static constexpr OneAtATime<&LAPACK_zgees_base> gees{};
  static constexpr OneAtATime<&LAPACK_zgehrd> gehrd{};
  static constexpr OneAtATime<&LAPACK_zgtsv> gtsv{};
  static constexpr OneAtATime<&ztrsm_> trsm{};
};

template <typename T>
inline constexpr bool kIsComplex = !std::is_floating_point_v<T>;

template <typename T>
struct RealOf {
  using type = T;
};
template <typename T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <typename T>
using Real = typename RealOf<T>::type;

}  // namespace xla::linalg

#endif  // XLA_RUNTIME_LINALG_LAPACK_H_
