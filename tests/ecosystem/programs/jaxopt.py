"""Solvers of jaxopt, with implicit and unrolled derivatives."""

import jax
import jax.numpy as jnp
import jaxopt
import numpy as np

from library import Library

LIBRARY = Library("jaxopt")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


X, Y = data(0, 40, 6), data(1, 40)


def ridge(w, penalty):
  return jnp.mean((X @ w - Y) ** 2) + penalty * jnp.sum(w ** 2)


def with_derivative(solve):
  """A path of regularized solutions and its derivative."""
  def run(penalties):
    return jax.vmap(solve)(penalties), jax.jacrev(solve)(penalties[0])
  return run, np.array([0.1, 0.5, 2.0], np.float32)


SMOOTH = {
    "gradient_descent": lambda: jaxopt.GradientDescent(ridge, maxiter=200),
    "lbfgs": lambda: jaxopt.LBFGS(ridge, maxiter=50),
    "bfgs": lambda: jaxopt.BFGS(ridge, maxiter=50),
    "nonlinear_cg": lambda: jaxopt.NonlinearCG(ridge, maxiter=50),
}
for name, maker in SMOOTH.items():
  LIBRARY.add(f"ridge_{name}", lambda maker=maker: with_derivative(
      lambda penalty: maker().run(jnp.zeros(6), penalty).params),
              tolerance=2e-3)


@LIBRARY.program(tolerance=2e-3)
def lasso_proximal_gradient():
  solver = jaxopt.ProximalGradient(
      lambda w: jnp.mean((X @ w - Y) ** 2), jaxopt.prox.prox_lasso,
      maxiter=300, tol=1e-5)
  return with_derivative(lambda penalty: solver.run(
      jnp.zeros(6), hyperparams_prox=0.1 * penalty).params)


@LIBRARY.program(tolerance=2e-3)
def simplex_projected_gradient():
  solver = jaxopt.ProjectedGradient(
      ridge, jaxopt.projection.projection_simplex, maxiter=200)
  return with_derivative(lambda penalty: solver.run(
      jnp.ones(6) / 6, hyperparams_proj=1.0, penalty=penalty).params)


@LIBRARY.program(tolerance=2e-3)
def mirror_descent_and_block_cd():
  mirror = jaxopt.MirrorDescent(
      ridge, lambda x, g, step, _: jax.nn.softmax(jnp.log(x) - step * g),
      stepsize=0.1, maxiter=100)
  block = jaxopt.BlockCoordinateDescent(
      jaxopt.objective.least_squares, jaxopt.prox.prox_elastic_net,
      maxiter=100)

  def run(penalty):
    first = mirror.run(jnp.ones(6) / 6, None, penalty=penalty).params
    second = block.run(jnp.zeros(6), (0.1 * penalty, 0.5), (X, Y)).params
    return first, second

  return jax.vmap(run), np.array([0.1, 1.0], np.float32)


@LIBRARY.program(tolerance=2e-3)
def support_vectors_osqp():
  """A quadratic program with constraints and its derivative."""
  q = np.eye(6, dtype=np.float32) * 2 + 0.1
  def solve(c):
    solver = jaxopt.BoxOSQP(tol=1e-4, maxiter=500)
    a = jnp.concatenate([jnp.eye(6), jnp.ones((1, 6))])
    low = jnp.concatenate([jnp.zeros(6), jnp.ones(1)])
    high = jnp.concatenate([jnp.full(6, 0.6), jnp.ones(1)])
    return solver.run(params_obj=(q, c), params_eq=a,
                      params_ineq=(low, high)).params.primal[0]

  def run(cs):
    return jax.vmap(solve)(cs), jax.jacrev(solve)(cs[0])

  return run, data(2, 3, 6)


@LIBRARY.program(tolerance=2e-3)
def least_squares_gauss_newton():
  t = np.linspace(0, 2, 30, dtype=np.float32)

  def residual(w, y):
    return w[0] * jnp.exp(-w[1] * t) + w[2] - y

  def run(y):
    start = jnp.array([1.0, 1.0, 0.0])
    return [solver(residual, maxiter=40).run(start, y).params
            for solver in (jaxopt.GaussNewton, jaxopt.LevenbergMarquardt)]

  y = 2 * np.exp(-1.5 * t) + 0.3
  return jax.vmap(run), np.stack([y, y * 1.1]).astype(np.float32)


@LIBRARY.program(tolerance=1e-3)
def fixed_points_and_roots():
  """Anderson acceleration, Broyden's method, bisection."""
  def equation(x, a):
    return jnp.cos(x) * a

  def run(a):
    anderson = jaxopt.AndersonAcceleration(equation, history_size=3, tol=1e-6,
                                           maxiter=50)
    broyden = jaxopt.Broyden(lambda x, a: equation(x, a) - x, tol=1e-5,
                             maxiter=50)
    bisection = jaxopt.Bisection(lambda x, a: equation(x, a) - x, 0.0, 2.0,
                                 maxiter=40, tol=1e-6, check_bracket=False)
    return (anderson.run(jnp.zeros(4), a).params,
            broyden.run(jnp.zeros(4), a).params,
            bisection.run(0.5, a).params,
            jax.grad(lambda a: bisection.run(0.5, a).params)(a))

  return jax.vmap(run), np.array([0.5, 0.8], np.float32)


@LIBRARY.program(tolerance=1e-4)
def stochastic_solvers():
  """Polyak's step size, an optax solver, and one that unrolls."""
  import optax

  def solve(penalty):
    solver = jaxopt.OptaxSolver(ridge, optax.adam(0.05), maxiter=40,
                                implicit_diff=False, unroll=True, jit=True)
    return solver.run(jnp.zeros(6), penalty).params

  return with_derivative(solve)


@LIBRARY.program(tolerance=1e-4)
def isotonic_and_sparsemax():
  """Projections and losses: transport polytope, sparsemax and its Jacobian."""
  def run(x):
    return (jaxopt.projection.projection_simplex(x),
            jax.jacobian(jaxopt.projection.projection_simplex)(x),
            jaxopt.loss.multiclass_sparsemax_loss(1, x),
            jaxopt.projection.projection_transport(
                jnp.outer(x, x), (jnp.ones(8) / 8, jnp.ones(8) / 8)))

  return jax.vmap(run), data(3, 4, 8)
