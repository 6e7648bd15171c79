// The handlers behind the LAPACK targets, one template per routine; T is float,
// double or complex of either. Matrices are [..., rows, columns] in
// column-major order, vectors [..., n] and scalars [...]; leading dimensions
// are a batch. `info` is LAPACK's, s32[...]: 0 is success, and the caller
// decides what to do otherwise. Where a result has an operand's shape and
// starts with its contents, both may be the same memory. Errors of all:
// InvalidArgument for counts, shapes, types and attributes that do not fit;
// ResourceExhausted. Source: LAPACK Users' Guide, third edition.
#ifndef XLA_RUNTIME_LINALG_FAMILIES_H_
#define XLA_RUNTIME_LINALG_FAMILIES_H_

#include "absl/status/status.h"
#include "xla/runtime/ffi/native_handler.h"

namespace xla::linalg {

// (a[n,n]; uplo) -> (factor[n,n], info). The other triangle is left alone.
template <typename T>
absl::Status Potrf(const ffi::NativeCall& call);
// (a[m,n]) -> (lu[m,n], pivots s32[min(m,n)] from 1, info).
template <typename T>
absl::Status Getrf(const ffi::NativeCall& call);
// (a[m,n]) -> (r and reflectors [m,n], tau[min(m,n)]).
template <typename T>
absl::Status Geqrf(const ffi::NativeCall& call);
// (a[m,n], jpvt s32[n]) -> (r and reflectors [m,n], jpvt, tau[min(m,n)]).
template <typename T>
absl::Status Geqp3(const ffi::NativeCall& call);
// (reflectors[m,n], tau[k]) -> q[m,n]. Also ungqr.
template <typename T>
absl::Status Orgqr(const ffi::NativeCall& call);
// (reflectors[r,k], tau[k], c[m,n]; left, transpose) -> op(q) c or c op(q).
// Also unmqr, which transposes and conjugates.
template <typename T>
absl::Status Ormqr(const ffi::NativeCall& call);
// (a[m,n]; mode) -> (a overwritten, s[min(m,n)], u, vt, info). Mode A: u[m,m],
// vt[n,n]; S: u[m,k], vt[k,n] with k = min(m,n); N: neither is computed.
template <typename T>
absl::Status Gesdd(const ffi::NativeCall& call);
template <typename T>
absl::Status Gesvd(const ffi::NativeCall& call);
// (a[n,n]; mode, uplo) -> (eigenvectors[n,n], eigenvalues[n], info). Also
// heevd.
template <typename T>
absl::Status Syevd(const ffi::NativeCall& call);
// (a[n,n]; uplo) -> (tridiagonal and reflectors[n,n], d[n], e[n-1], tau[n-1],
// info). Also hetrd.
template <typename T>
absl::Status Sytrd(const ffi::NativeCall& call);
// (a[n,n]; compute_left, compute_right) -> (real T: re[n], im[n]; complex:
// w[n]; then left[n,n], right[n,n], complex, and info). Info is -4 if an
// element is not finite.
template <typename T>
absl::Status Geev(const ffi::NativeCall& call);
// (a[n,n]; mode, sort) -> (schur form[n,n], vectors[n,n], eigenvalues as geev,
// selected s32, info). Sorting is Unimplemented. Info as in geev.
template <typename T>
absl::Status Gees(const ffi::NativeCall& call);
// (a[n,n]; low, high from 1) -> (hessenberg and reflectors[n,n], tau[n-1],
// info).
template <typename T>
absl::Status Gehrd(const ffi::NativeCall& call);
// (dl[n], d[n], du[n], b[n,k]) -> (the same, overwritten: b is x; info). dl[0]
// and du[n-1] are ignored.
template <typename T>
absl::Status Gtsv(const ffi::NativeCall& call);
// (a, b[m,n]; side, uplo, trans_x, diag) -> x[m,n].
template <typename T>
absl::Status Trsm(const ffi::NativeCall& call);
// Like Gtsv, but (dl, d, du, b) -> x only; pivots so small that the quotient
// would overflow are perturbed. Takes all types, determined by operand 0.
absl::Status TridiagonalSolvePerturbed(const ffi::NativeCall& call);

}  // namespace xla::linalg

#endif  // XLA_RUNTIME_LINALG_FAMILIES_H_
