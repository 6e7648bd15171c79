"""Root finding, least squares, fixed points and minimization of optimistix;
implicit derivatives of each."""

import jax
import jax.numpy as jnp
import numpy as np
import optimistix as optx

from library import Library

LIBRARY = Library("optimistix")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def root(y, args):
  a, b = args
  return y ** 3 + a * y - b + 0.1 * jnp.roll(y, 1)


def solve_and_derivative(solve):
  """Solutions of several problems and their derivatives."""
  def run(a, bs):
    def loss(a, b):
      value = solve(a, b)
      return jnp.sum(value ** 2), value
    return jax.vmap(jax.value_and_grad(loss, argnums=(0, 1), has_aux=True),
                    in_axes=(None, 0))(a, bs)
  return run, np.float32(3.0), data(0, 4, 6)


def tolerances(cls, **options):
  return cls(rtol=1e-6, atol=1e-6, **options)


ROOTS = {"newton": optx.Newton, "chord": optx.Chord,
         "levenberg_marquardt": optx.LevenbergMarquardt,
         "dogleg": optx.Dogleg}
for name, cls in ROOTS.items():
  LIBRARY.add(f"root_{name}", lambda cls=cls: solve_and_derivative(
      lambda a, b: optx.root_find(root, tolerances(cls), jnp.zeros(6), (a, b),
                                  max_steps=64, throw=False).value),
              tolerance=1e-3, quick=name == "newton")


@LIBRARY.program(tolerance=1e-4)
def root_bisection():
  """A scalar root between bounds, its derivative, and many at once."""
  def solve(a, b):
    return optx.root_find(
        lambda y, args: y ** 3 + y - args, tolerances(optx.Bisection), 0.5, b,
        options={"lower": -3.0, "upper": 3.0}, max_steps=100).value * a

  return solve_and_derivative(
      lambda a, b: solve(a, b) if b.ndim == 0 else jax.vmap(
          solve, in_axes=(None, 0))(a, b))


def curve(y, args):
  x, target = args
  return y[0] * jnp.exp(-y[1] ** 2 * x) + y[2] - target


LEAST_SQUARES = {"gauss_newton": optx.GaussNewton,
                 "levenberg_marquardt": optx.LevenbergMarquardt,
                 "dogleg": optx.Dogleg,
                 "indirect_lm": optx.IndirectLevenbergMarquardt}
for name, cls in LEAST_SQUARES.items():
  def make_least_squares(cls=cls):
    x = np.linspace(0, 3, 40, dtype=np.float32)
    target = 2 * np.exp(-1.3 * x) + 0.5 + 0.01 * data(1, 40)

    def fit(target):
      return optx.least_squares(
          curve, tolerances(cls), jnp.array([1.5, 1.0, 0.2]), (x, target),
          max_steps=100, throw=False).value

    def run(target):
      return (fit(target), jax.jacrev(fit)(target),
              jax.vmap(fit)(target + 0.01 * data(2, 3, 40)))
    return run, target.astype(np.float32)
  LIBRARY.add(f"least_squares_{name}", make_least_squares, tolerance=2e-3)


def rosenbrock(y, args):
  return jnp.sum(args * (y[1:] - y[:-1] ** 2) ** 2 + (1 - y[:-1]) ** 2)


MINIMISERS = {
    "bfgs": lambda: tolerances(optx.BFGS),
    "lbfgs": lambda: tolerances(optx.LBFGS),
    "dfp": lambda: tolerances(optx.DFP),
    "nonlinear_cg": lambda: tolerances(optx.NonlinearCG),
}
for name, maker in MINIMISERS.items():
  def make_minimise(maker=maker):
    def solve(scale, start):
      return optx.minimise(rosenbrock, maker(), start, scale,
                           max_steps=400, throw=False).value

    def run(scale, starts):
      # The minimum is determined, the path to it is not.
      return jax.vmap(solve, in_axes=(None, 0))(scale, starts)
    return run, np.float32(5.0), 0.5 + 0.1 * data(3, 3, 3)
  LIBRARY.add(f"minimise_{name}", make_minimise, tolerance=1e-2)


@LIBRARY.program(tolerance=1e-2)
def minimise_nelder_mead():
  """The first steps only: later a last bit decides where the simplex goes."""
  def solve(center, start):
    return optx.minimise(
        lambda y, args: jnp.sum(jnp.array([1.0, 2.0, 3.0]) * (y - args) ** 2),
        optx.NelderMead(1e-6, 1e-6), start, center, max_steps=20,
        throw=False).value

  return jax.vmap(solve, in_axes=(None, 0)), data(4, 3), data(5, 4, 3)


@LIBRARY.program(tolerance=1e-4)
def fixed_point():
  return solve_and_derivative(lambda a, b: optx.fixed_point(
      lambda y, args: jnp.cos(y * 0.5) / args[0] + 0.1 * args[1],
      tolerances(optx.FixedPointIteration), jnp.zeros(6), (a, b)).value)


@LIBRARY.program(tolerance=1e-3)
def recursive_checkpoint_adjoint():
  """Gradients through the solver's own steps, by checkpoints."""
  def solve(a, b):
    return optx.minimise(
        lambda y, args: jnp.sum((y - args[1]) ** 2 * args[0] + y ** 4),
        tolerances(optx.GradientDescent, learning_rate=0.05), jnp.zeros(6),
        (a, b), max_steps=40, throw=False,
        adjoint=optx.RecursiveCheckpointAdjoint()).value

  return solve_and_derivative(solve)
