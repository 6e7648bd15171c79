"""Linear solvers of lineax, with gradients and vmap of each."""

import jax
import jax.numpy as jnp
import lineax as lx
import numpy as np

from library import Library

LIBRARY = Library("lineax")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def well_conditioned(seed, n):
  return data(seed, n, n) + 2 * n ** 0.5 * np.eye(n, dtype=np.float32)


def positive(seed, n):
  a = data(seed, n, n)
  return a @ a.T / n + np.eye(n, dtype=np.float32)


def solves(solver, tags=(), matrix=well_conditioned):
  """The solution, its gradient by matrix and vector, and a vmap of it."""
  a = matrix(0, 12)
  rows = a.shape[0]
  b = data(1, rows)

  def solve(a, b):
    operator = lx.MatrixLinearOperator(a, tags)
    return lx.linear_solve(operator, b, solver, throw=False).value

  def run(a, b):
    def loss(a, b):
      value = solve(a, b)
      return jnp.sum(jnp.sin(value)), value
    many = jax.vmap(solve, in_axes=(None, 0))(a, data(2, 4, rows))
    return jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(a, b), many

  return run, a, b


def tall(seed, n):
  return data(seed, 2 * n, n)


SPD = lx.positive_semidefinite_tag
SOLVERS = {
    "lu": (lambda: lx.LU(), (), well_conditioned),
    "qr": (lambda: lx.QR(), (), tall),
    "svd": (lambda: lx.SVD(), (), tall),
    "cholesky": (lambda: lx.Cholesky(), SPD, positive),
    "cg": (lambda: lx.CG(1e-6, 1e-6), SPD, positive),
    "normal_cg": (lambda: lx.Normal(lx.CG(1e-7, 1e-7)), (), tall),
    "gmres": (lambda: lx.GMRES(1e-6, 1e-6, restart=12), (), well_conditioned),
    "lsmr": (lambda: lx.LSMR(1e-6, 1e-6), (), tall),
    "auto_tall": (lambda: lx.AutoLinearSolver(well_posed=None), (), tall),
}
# Iterative solvers stop within their tolerance, so their answers differ by it.
LOOSE = ("cg", "normal_cg", "gmres", "lsmr")

for name, (maker, tag, matrix_of) in SOLVERS.items():
  LIBRARY.add(name, lambda m=maker, t=tag, x=matrix_of: solves(m(), t, x),
              tolerance=1e-3 if name in LOOSE else 1e-4,
              quick=name in ("lu", "gmres"))


@LIBRARY.program(tolerance=1e-3)
def bicgstab():
  """BiCGStab without gradients, which raise since it breaks down near a
  solution."""
  def solve(a, b):
    solution = lx.linear_solve(lx.MatrixLinearOperator(a), b,
                               lx.BiCGStab(1e-5, 1e-5), throw=False)
    return solution.value, solution.stats["num_steps"]

  return (jax.vmap(solve, in_axes=(None, 0)), well_conditioned(0, 12),
          data(1, 4, 12))


@LIBRARY.program(tolerance=1e-4)
def structured():
  """Tridiagonal, triangular, diagonal and composed operators."""
  def run(main, off, a, b):
    tridiagonal = lx.TridiagonalLinearOperator(main, off, 0.5 * off)
    triangular = lx.MatrixLinearOperator(jnp.tril(a),
                                         lx.lower_triangular_tag)
    diagonal = lx.DiagonalLinearOperator(main)
    composed = (diagonal @ tridiagonal) + 0.1 * diagonal
    auto = lx.AutoLinearSolver(well_posed=True)
    return [lx.linear_solve(operator, b, auto).value
            for operator in (tridiagonal, triangular, diagonal)] + [
                lx.linear_solve(composed, b, lx.LU()).value,
                composed.as_matrix(), tridiagonal.T.mv(b)]

  def both(main, off, a, b):
    grad = jax.grad(lambda *x: sum(jnp.sum(leaf ** 2) for leaf in run(*x)),
                    argnums=(0, 1, 2, 3))
    return run(main, off, a, b), grad(main, off, a, b)

  return (both, 4 + np.abs(data(3, 10)), data(4, 9), well_conditioned(5, 10),
          data(6, 10))


@LIBRARY.program(tolerance=1e-3)
def jacobian_operator():
  """A Newton step by GMRES on a function's Jacobian, never materialized."""
  def f(x, _):
    return x ** 3 + 4 * x + 0.1 * jnp.roll(x, 1) ** 2

  def newton(x):
    def step(x, _):
      operator = lx.JacobianLinearOperator(f, x)
      return x - lx.linear_solve(operator, f(x, None) - 1, lx.GMRES(
          1e-6, 1e-6), throw=False).value, None
    return jax.lax.scan(step, x, length=5)[0]

  return jax.vmap(newton), data(7, 3, 9)


@LIBRARY.program(tolerance=1e-4, quick=True)
def pytree_operator():
  """A block operator over a dict, solved and differentiated through."""
  def run(a, b):
    block = {"x": {"x": a, "y": 0.1 * jnp.ones((4, 3))},
             "y": {"x": jnp.full((3, 4), 0.2), "y": 3 * jnp.eye(3)}}
    operator = lx.PyTreeLinearOperator(
        block, jax.eval_shape(lambda: {"x": b[:4], "y": b[:3]}))
    return lx.linear_solve(operator, {"x": b[:4], "y": b[4:]}).value

  return lambda a, b: (run(a, b), jax.jacrev(run, argnums=1)(a, b)), (
      well_conditioned(8, 4)), data(9, 7)
