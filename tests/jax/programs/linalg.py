"""Linear algebra with gradients. What is unique up to a sign or a phase only is
compared by what it reconstructs."""

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
from jax.lax import linalg as lal

from registry import Family, LINEAR

FAMILY = Family("linalg")
program = FAMILY.program


def adjoint(x):
  return jnp.conj(jnp.swapaxes(x, -1, -2))


def real_loss(x):
  return jnp.sum(jnp.abs(x) ** 2)


@program("@[4,4]:spd", types=LINEAR)
def cholesky(x):
  return (jnp.linalg.cholesky(x), lal.cholesky(x, symmetrize_input=False),
          jnp.linalg.cholesky(x, upper=True), jsl.cholesky(x, lower=True))


@program("@[2,3,3]:spd", types=LINEAR)
def cholesky_batched(x):
  return jnp.linalg.cholesky(x), jsl.cho_solve(
      (jnp.linalg.cholesky(x), True), x)


@program("f64[3,3]:spd", "c128[3,3]:spd", tolerance=10)
def cholesky_gradient(x, z):
  return [jax.grad(lambda v: real_loss(jnp.sin(jnp.linalg.cholesky(v))))(a)
          for a in (x, z)]


@program("f64[3,3]")
def cholesky_fails_with_nan(x):
  return jnp.linalg.cholesky(-x @ x.T)


@program("@[5,3]", types=LINEAR)
def qr(x):
  q, r = jnp.linalg.qr(x)
  full, _ = jnp.linalg.qr(x, mode="complete")
  return (q @ r, adjoint(q) @ q, jnp.abs(r), adjoint(full) @ full,
          jnp.abs(jnp.linalg.qr(x, mode="r")))


@program("@[2,3,5]", types=("f32", "c128"))
def qr_wide(x):
  q, r = jnp.linalg.qr(x)
  return q @ r, jnp.abs(r)


@program("f64[4,3]", tolerance=100)
def qr_gradient(x):
  def loss(v):
    q, r = jnp.linalg.qr(v)
    return jnp.sum(jnp.abs(r)) + jnp.sum(jnp.abs(q) ** 3)
  return jax.grad(loss)(x)


@program("@[4,4]", types=LINEAR)
def qr_pivoted(x):
  q, r, p = jsl.qr(x, pivoting=True)
  return q @ r, jnp.abs(r), p, x[:, p] - q @ r + 1


@program("@[4,5]", types=LINEAR, tolerance=4)
def svd(x):
  u, s, v = jnp.linalg.svd(x, full_matrices=False)
  full = jnp.linalg.svd(x)
  return (s, (u * s[None]) @ v, adjoint(full[0]) @ full[0], adjoint(
      full[2]) @ full[2], jnp.linalg.svdvals(x), jnp.linalg.svd(
          x, compute_uv=False))


@program("f64[2,3,3]", tolerance=100)
def svd_gradient(x):
  def loss(v):
    u, s, w = jnp.linalg.svd(v)
    return jnp.sum(s ** 3) + jnp.sum((u * w) ** 2)
  return jax.grad(lambda v: jnp.sum(jnp.linalg.svd(v)[1] ** 2))(x), jax.grad(
      loss)(x)


@program("f64[3,4]", tolerance=10)
def svd_algorithms(x):
  return [lal.svd(x, full_matrices=False, algorithm=a, compute_uv=False)
          for a in (lal.SvdAlgorithm.DEFAULT, lal.SvdAlgorithm.QR)]


@program("@[4,4]:spd", types=LINEAR, tolerance=4)
def eigh(x):
  w, v = jnp.linalg.eigh(x)
  upper = jnp.linalg.eigvalsh(x, UPLO="U")
  return w, (v * w[None]) @ adjoint(v), adjoint(v) @ v, upper


@program("@[2,3,3]:spd", types=("f64", "c128"), tolerance=100)
def eigh_gradient(x):
  def loss(a):
    w, v = jnp.linalg.eigh(a)
    return jnp.sum(w ** 2) + jnp.sum(jnp.abs(v) ** 4)
  return jax.grad(loss)(x)


@program("f64[5,5]:spd", tolerance=10)
def eigh_tridiagonal(x):
  return jsl.eigh_tridiagonal(jnp.diag(x), jnp.diag(x, 1), eigvals_only=True)


@program("@[4,4]", types=LINEAR, tolerance=10)
def eig(x):
  w, v = jnp.linalg.eig(x)
  order = jnp.argsort(w.real * 1000 + w.imag)
  return w[order], x.astype(v.dtype) @ v - v * w[None] + 1, jnp.sort(jnp.abs(
      jnp.linalg.eigvals(x)))


@program("f64[3,3]:tri", "c128[3,3]", tolerance=1000)
def eig_gradient(x, z):
  return [jax.grad(lambda a: real_loss(jnp.linalg.eigvals(a)))(m)
          for m in (x, z)]


@program("f64[3,3]", tolerance=10)
def eig_left(x):
  w, left, right = lal.eig(x)
  return jnp.sort(jnp.abs(w)), jnp.abs(adjoint(left) @ x - w[:, None] * adjoint(
      left)) + 1, jnp.sum(jnp.abs(right) ** 2, 0)


@program("@[4,4]", types=LINEAR)
def lu(x):
  p, l, u = jsl.lu(x)
  packed, pivots = jsl.lu_factor(x)
  return p, l, u, packed, pivots, lal.lu(x)[2], jsl.lu_solve(
      (packed, pivots), x[:, :2])


@program("@[2,3,5]", types=("f32", "c128"))
def lu_rectangular(x):
  return lal.lu(x), lal.lu(adjoint(x))


@program("f64[3,3]:tri", "c128[4,3]")
def lu_gradient(x, z):
  return [jax.grad(lambda a: real_loss(lal.lu(a)[0]))(m) for m in (x, z)]


@program("s32[4]:0..3")
def lu_pivots(x):
  return lal.lu_pivots_to_permutation(jnp.array([2, 2, 3, 3], jnp.int32), 5), (
      x)


@program("@[4,4]:tri", "@[4,2]", types=LINEAR, tolerance=10)
def solve(a, b):
  return (jnp.linalg.solve(a, b), jnp.linalg.solve(a, b[:, 0]),
          jnp.linalg.inv(a), jsl.solve(a, b), jsl.inv(a))


@program("@[2,3,3]:spd", "@[2,3,2]", types=("f64", "c128"), tolerance=10)
def solve_gradient(a, b):
  return jax.grad(lambda m, v: real_loss(jnp.linalg.solve(m, v)), (0, 1))(a, b)


@program("@[4,4]:tri", "@[4,3]", types=LINEAR)
def triangular_solve(a, b):
  return [lal.triangular_solve(
      a, b if left else adjoint(b), left_side=left, lower=lower,
      transpose_a=transpose, conjugate_a=conjugate, unit_diagonal=unit)
          for left, lower, transpose, conjugate, unit in (
              (True, True, False, False, False),
              (True, False, True, True, False),
              (False, True, True, False, True),
              (False, False, False, False, False))]


@program("f64[2,3,3]:tri", "f64[2,3,2]", tolerance=10)
def triangular_gradient(a, b):
  return jax.grad(lambda m, v: real_loss(jax.vmap(lambda p, q: (
      jsl.solve_triangular(p, q, lower=True)))(m, v)), (0, 1))(a, b)


@program("@[4,4]:tri", types=LINEAR, tolerance=10)
def determinants(x):
  return jnp.linalg.det(x), jnp.linalg.slogdet(x), jsl.det(x)


@program("@[3,3]:tri", types=("f64", "c128"), tolerance=10)
def determinant_gradients(x):
  return (jax.grad(lambda v: jnp.abs(jnp.linalg.det(v)))(x), jax.grad(
      lambda v: jnp.linalg.slogdet(v)[1])(x))


@program("@[5,3]", "@[5,2]", types=LINEAR, tolerance=20)
def least_squares(a, b):
  return jnp.linalg.lstsq(a, b), jnp.linalg.pinv(a)


@program("f64[4,3]", tolerance=100)
def pinv_gradient(a):
  return jax.grad(lambda m: real_loss(jnp.linalg.pinv(m)))(a)


@program("@[4,4]", types=LINEAR, tolerance=10)
def schur(x):
  t, z = jsl.schur(x, output="complex" if jnp.iscomplexobj(x) else "real")
  return z @ t @ adjoint(z), adjoint(z) @ z


@program("f64[4,4]", tolerance=10)
def schur_complex(x):
  t, z = jsl.rsf2csf(*jsl.schur(x))
  return jnp.real(z @ t @ adjoint(z)), jnp.abs(jnp.tril(t, -1)) + 1


@program("@[4,4]", types=LINEAR)
def hessenberg(x):
  h, q = jsl.hessenberg(x, calc_q=True)
  return h, q @ h @ adjoint(q)


@program("@[4,4]:spd", types=LINEAR, tolerance=4)
def tridiagonal(x):
  a, d, e, taus = lal.tridiagonal(x)
  return d, jnp.abs(e), jnp.abs(taus), a.shape


@program("@[5]:pos", "@[5,2]", types=LINEAR)
def tridiagonal_solve(d, b):
  dl = d.at[0].set(0) * 0.3
  du = d.at[-1].set(0) * 0.2
  return lal.tridiagonal_solve(dl, d + 1, du, b)


@program("@[4,3]", types=LINEAR)
def householder(x):
  from jax._src.lax import linalg as internal
  a, taus = internal.geqrf(x)
  return a, taus, lal.householder_product(a, taus)


@program("@[4,3]", types=LINEAR)
def raw_factorisations(x):
  from jax._src.lax import linalg as internal
  a, taus = internal.geqrf(x)
  p = internal.geqp3(x, jnp.zeros(3, jnp.int32))
  return a, taus, internal.householder_product(a, taus), [
      internal.ormqr(a, taus, jnp.ones((4, 2), x.dtype), left=True,
                     transpose=transpose) for transpose in (False, True)], p


@program("@[3,3]", types=LINEAR, tolerance=20)
def expm(x):
  return jsl.expm(x * 0.5), jsl.expm(x)


@program("f64[3,3]", "f64[3,3]", tolerance=20)
def expm_gradient(x, e):
  return jsl.expm_frechet(x, e), jax.grad(lambda v: jnp.sum(jsl.expm(v)))(x)


@program("f64[4,4]:spd", tolerance=100)
def matrix_functions(x):
  return (jsl.sqrtm(x).real, jsl.funm(x, jnp.exp, disp=False)[0].real,
          jsl.polar(x)[1], jnp.linalg.cond(x), jnp.linalg.matrix_rank(x))


@program("@[3,4]", types=LINEAR, tolerance=4)
def norms(x):
  return ([jnp.linalg.norm(x, ord=o) for o in (None, "fro", "nuc", 1, -1, 2, -2,
                                               jnp.inf)],
          [jnp.linalg.norm(x, ord=o, axis=1) for o in (0, 1, 2, 3, -jnp.inf)],
          jnp.linalg.matrix_norm(x), jnp.linalg.vector_norm(x))


@program("f64[4,4]:spd", "f64[4,3]")
def numpy_linalg(x, y):
  return (jnp.linalg.outer(y[:, 0], y[:, 1]), jnp.linalg.diagonal(x),
          jnp.linalg.trace(x), jnp.linalg.tensordot(x, y, axes=1),
          jnp.linalg.cross(y, y[::-1]), jnp.linalg.matmul(x, y),
          jnp.linalg.vecdot(x, x),
          jnp.linalg.matrix_transpose(y), jnp.linalg.tensorsolve(
              x.reshape(2, 2, 4), y[:, 0].reshape(2, 2)),
          jnp.linalg.tensorinv(x.reshape(4, 2, 2), ind=1))


@program("f64[3,3]", "f64[2,2]", "f64[3,2]", tolerance=10)
def scipy_linalg(x, y, z):
  return (jsl.block_diag(x, y), jsl.toeplitz(z[:, 0]), jsl.hilbert(3),
          jsl.solve_sylvester(x + 4 * jnp.eye(3), y + 4 * jnp.eye(2), z),
          jsl.pascal(4))


@program("f64[4,4]:spd", "f64[4]")
def rank_updates(x, v):
  lower = jnp.linalg.cholesky(x)
  return (lal.cholesky_update(lower.T, v), lal.symmetric_product(
      x, jnp.eye(4), alpha=2.0, beta=1.0, symmetrize_output=True))


@program("f32[5,5]:spd", tolerance=10)
def polar_decompositions(x):
  u, p = jsl.polar(x, method="svd")
  return u, p, lal.svd(x, compute_uv=False)


@program("f32[2,0,0]", "f32[0,3,3]", "f64[1,1]:spd")
def degenerate(x, y, z):
  return (jnp.linalg.det(x), jnp.linalg.inv(y), jnp.linalg.cholesky(z),
          jnp.linalg.eigvalsh(z), jnp.linalg.svd(z)[1], jnp.linalg.qr(z)[1])
