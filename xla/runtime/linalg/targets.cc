// The table of LAPACK targets.
#include "xla/runtime/linalg/targets.h"

#include <algorithm>
#include <complex>

#include "xla/runtime/linalg/families.h"

namespace xla::linalg {
namespace {

using Single = std::complex<float>;
using Double = std::complex<double>;

constexpr Target kTargets[] = {
    {"lapack_cgees_ffi", Gees<Single>},
    {"lapack_cgeev_ffi", Geev<Single>},
    {"lapack_cgehrd_ffi", Gehrd<Single>},
    {"lapack_cgeqp3_ffi", Geqp3<Single>},
    {"lapack_cgeqrf_ffi", Geqrf<Single>},
    {"lapack_cgesdd_ffi", Gesdd<Single>},
    {"lapack_cgesvd_ffi", Gesvd<Single>},
    {"lapack_cgetrf_ffi", Getrf<Single>},
    {"lapack_cgtsv_ffi", Gtsv<Single>},
    {"lapack_cheevd_ffi", Syevd<Single>},
    {"lapack_chetrd_ffi", Sytrd<Single>},
    {"lapack_cpotrf_ffi", Potrf<Single>},
    {"lapack_ctrsm_ffi", Trsm<Single>},
    {"lapack_cungqr_ffi", Orgqr<Single>},
    {"lapack_cunmqr_ffi", Ormqr<Single>},
    {"lapack_dgees_ffi", Gees<double>},
    {"lapack_dgeev_ffi", Geev<double>},
    {"lapack_dgehrd_ffi", Gehrd<double>},
    {"lapack_dgeqp3_ffi", Geqp3<double>},
    {"lapack_dgeqrf_ffi", Geqrf<double>},
    {"lapack_dgesdd_ffi", Gesdd<double>},
    {"lapack_dgesvd_ffi", Gesvd<double>},
    {"lapack_dgetrf_ffi", Getrf<double>},
    {"lapack_dgtsv_ffi", Gtsv<double>},
    {"lapack_dorgqr_ffi", Orgqr<double>},
    {"lapack_dormqr_ffi", Ormqr<double>},
    {"lapack_dpotrf_ffi", Potrf<double>},
    {"lapack_dsyevd_ffi", Syevd<double>},
    {"lapack_dsytrd_ffi", Sytrd<double>},
    {"lapack_dtrsm_ffi", Trsm<double>},
    {"lapack_sgees_ffi", Gees<float>},
    {"lapack_sgeev_ffi", Geev<float>},
    {"lapack_sgehrd_ffi", Gehrd<float>},
    {"lapack_sgeqp3_ffi", Geqp3<float>},
    {"lapack_sgeqrf_ffi", Geqrf<float>},
    {"lapack_sgesdd_ffi", Gesdd<float>},
    {"lapack_sgesvd_ffi", Gesvd<float>},
    {"lapack_sgetrf_ffi", Getrf<float>},
    {"lapack_sgtsv_ffi", Gtsv<float>},
    {"lapack_sorgqr_ffi", Orgqr<float>},
    {"lapack_sormqr_ffi", Ormqr<float>},
    {"lapack_spotrf_ffi", Potrf<float>},
    {"lapack_ssyevd_ffi", Syevd<float>},
    {"lapack_ssytrd_ffi", Sytrd<float>},
    {"lapack_strsm_ffi", Trsm<float>},
    {"lapack_zgees_ffi", Gees<Double>},
    {"lapack_zgeev_ffi", Geev<Double>},
    {"lapack_zgehrd_ffi", Gehrd<Double>},
    {"lapack_zgeqp3_ffi", Geqp3<Double>},
    {"lapack_zgeqrf_ffi", Geqrf<Double>},
    {"lapack_zgesdd_ffi", Gesdd<Double>},
    {"lapack_zgesvd_ffi", Gesvd<Double>},
    {"lapack_zgetrf_ffi", Getrf<Double>},
    {"lapack_zgtsv_ffi", Gtsv<Double>},
    {"lapack_zheevd_ffi", Syevd<Double>},
    {"lapack_zhetrd_ffi", Sytrd<Double>},
    {"lapack_zpotrf_ffi", Potrf<Double>},
    {"lapack_ztrsm_ffi", Trsm<Double>},
    {"lapack_zungqr_ffi", Orgqr<Double>},
    {"lapack_zunmqr_ffi", Ormqr<Double>},
    {"tridiagonal_solve_perturbed_ffi", TridiagonalSolvePerturbed},
};

}  // namespace

absl::Span<const Target> Targets() { return kTargets; }

ffi::NativeHandler FindTarget(absl::string_view name) {
  auto it =
      std::lower_bound(std::begin(kTargets), std::end(kTargets), name,
                       [](const Target& target, absl::string_view wanted) {
                         return target.name < wanted;
                       });
  if (it == std::end(kTargets) || it->name != name) return nullptr;
  return it->handler;
}

}  // namespace xla::linalg
