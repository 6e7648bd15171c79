// Lapack<T>: LAPACK's routines by element type instead of by first letter. They
// are called through Fortran's interface: column-major, with the length of each
// string as the last arguments.
#ifndef XLA_RUNTIME_LINALG_LAPACK_H_
#define XLA_RUNTIME_LINALG_LAPACK_H_

#include <complex>
#include <cstddef>
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

template <typename T>
struct Lapack;

template <>
struct Lapack<float> {
  static constexpr auto* potrf = &LAPACK_spotrf_base;
  static constexpr auto* getrf = &LAPACK_sgetrf;
  static constexpr auto* geqrf = &LAPACK_sgeqrf;
  static constexpr auto* geqp3 = &LAPACK_sgeqp3;
  static constexpr auto* orgqr = &LAPACK_sorgqr;
  static constexpr auto* ormqr = &LAPACK_sormqr_base;
  static constexpr auto* gesdd = &LAPACK_sgesdd_base;
  static constexpr auto* gesvd = &LAPACK_sgesvd_base;
  static constexpr auto* syevd = &LAPACK_ssyevd_base;
  static constexpr auto* sytrd = &LAPACK_ssytrd_base;
  static constexpr auto* geev = &LAPACK_sgeev_base;
  static constexpr auto* gees = &LAPACK_sgees_base;
  static constexpr auto* gehrd = &LAPACK_sgehrd;
  static constexpr auto* gtsv = &LAPACK_sgtsv;
  static constexpr auto* trsm = &strsm_;
};

template <>
struct Lapack<double> {
  static constexpr auto* potrf = &LAPACK_dpotrf_base;
  static constexpr auto* getrf = &LAPACK_dgetrf;
  static constexpr auto* geqrf = &LAPACK_dgeqrf;
  static constexpr auto* geqp3 = &LAPACK_dgeqp3;
  static constexpr auto* orgqr = &LAPACK_dorgqr;
  static constexpr auto* ormqr = &LAPACK_dormqr_base;
  static constexpr auto* gesdd = &LAPACK_dgesdd_base;
  static constexpr auto* gesvd = &LAPACK_dgesvd_base;
  static constexpr auto* syevd = &LAPACK_dsyevd_base;
  static constexpr auto* sytrd = &LAPACK_dsytrd_base;
  static constexpr auto* geev = &LAPACK_dgeev_base;
  static constexpr auto* gees = &LAPACK_dgees_base;
  static constexpr auto* gehrd = &LAPACK_dgehrd;
  static constexpr auto* gtsv = &LAPACK_dgtsv;
  static constexpr auto* trsm = &dtrsm_;
};

template <>
struct Lapack<std::complex<float>> {
  static constexpr auto* potrf = &LAPACK_cpotrf_base;
  static constexpr auto* getrf = &LAPACK_cgetrf;
  static constexpr auto* geqrf = &LAPACK_cgeqrf;
  static constexpr auto* geqp3 = &LAPACK_cgeqp3;
  static constexpr auto* orgqr = &LAPACK_cungqr;
  static constexpr auto* ormqr = &LAPACK_cunmqr_base;
  static constexpr auto* gesdd = &LAPACK_cgesdd_base;
  static constexpr auto* gesvd = &LAPACK_cgesvd_base;
  static constexpr auto* syevd = &LAPACK_cheevd_base;
  static constexpr auto* sytrd = &LAPACK_chetrd_base;
  static constexpr auto* geev = &LAPACK_cgeev_base;
  static constexpr auto* gees = &LAPACK_cgees_base;
  static constexpr auto* gehrd = &LAPACK_cgehrd;
  static constexpr auto* gtsv = &LAPACK_cgtsv;
  static constexpr auto* trsm = &ctrsm_;
};

template <>
struct Lapack<std::complex<double>> {
  static constexpr auto* potrf = &LAPACK_zpotrf_base;
  static constexpr auto* getrf = &LAPACK_zgetrf;
  static constexpr auto* geqrf = &LAPACK_zgeqrf;
  static constexpr auto* geqp3 = &LAPACK_zgeqp3;
  static constexpr auto* orgqr = &LAPACK_zungqr;
  static constexpr auto* ormqr = &LAPACK_zunmqr_base;
  static constexpr auto* gesdd = &LAPACK_zgesdd_base;
  static constexpr auto* gesvd = &LAPACK_zgesvd_base;
  static constexpr auto* syevd = &LAPACK_zheevd_base;
  static constexpr auto* sytrd = &LAPACK_zhetrd_base;
  static constexpr auto* geev = &LAPACK_zgeev_base;
  static constexpr auto* gees = &LAPACK_zgees_base;
  static constexpr auto* gehrd = &LAPACK_zgehrd;
  static constexpr auto* gtsv = &LAPACK_zgtsv;
  static constexpr auto* trsm = &ztrsm_;
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
