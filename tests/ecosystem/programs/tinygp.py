"""Gaussian processes of tinygp, in f64: kernels, likelihood gradients,
conditioning, and its solvers of linear time."""

import jax
import jax.numpy as jnp
import numpy as np
import tinygp
from tinygp import GaussianProcess, kernels, transforms

from library import Library

LIBRARY = Library("tinygp")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape)


X = np.sort(np.random.default_rng(0).uniform(0, 5, 60))
Y = np.sin(2 * X) + 0.1 * data(1, 60)
KERNELS = {
    "exp_squared": lambda a, l: a * kernels.ExpSquared(l),
    "matern32": lambda a, l: a * kernels.Matern32(l) + kernels.Constant(0.1),
    "matern52": lambda a, l: a * kernels.Matern52(l),
    "rational": lambda a, l: a * kernels.RationalQuadratic(l, alpha=1.5),
    "periodic": lambda a, l: a * kernels.ExpSineSquared(
        scale=l, gamma=0.7) * kernels.ExpSquared(3.0),
}


def build(kernel, a, l):
  return GaussianProcess(kernel(jnp.exp(a), jnp.exp(l)), X, diag=0.02,
                         mean=lambda x: 0.1 * x)


for name, family in KERNELS.items():
  def make(family=family):
    def run(a, l):
      value = jax.value_and_grad(
          lambda a, l: build(family, a, l).log_probability(Y), argnums=(0, 1))
      return jax.vmap(value)(a, l)
    return run, np.array([0.0, 0.4, -0.3]), np.array([-0.2, 0.1, 0.5])
  LIBRARY.add(f"likelihood_{name}", make, tolerance=1e-8)


@LIBRARY.program(tolerance=1e-8)
def conditioned():
  """Predictions, their variance, samples, and the derivative of a mean."""
  at = np.linspace(-1, 6, 25)

  def run(a, l, key):
    process = build(KERNELS["matern52"], a, l)
    value, conditional = process.condition(Y, at)
    mean = lambda l: jnp.sum(build(KERNELS["matern52"], a, l).predict(Y, at))
    return (value, conditional.loc, conditional.variance,
            process.sample(key, shape=(3,)), jax.grad(mean)(l))

  return run, 0.1, -0.2, jax.random.key(0)


@LIBRARY.program(tolerance=1e-8)
def quasiseparable():
  """The scalable solver, which scans over small matrices."""
  quasisep = kernels.quasisep

  def process(a, l):
    kernel = (quasisep.Matern32(jnp.exp(l), sigma=jnp.exp(a))
              + quasisep.SHO(omega=2.0, quality=1.5, sigma=0.5)
              + quasisep.Celerite(a=0.8, b=0.1, c=0.5, d=1.0))
    return GaussianProcess(kernel, X, diag=0.02)

  def run(a, l):
    value = jax.value_and_grad(
        lambda a, l: process(a, l).log_probability(Y), argnums=(0, 1))(a, l)
    _, conditional = process(a, l).condition(Y, np.linspace(0, 5, 11))
    return value, conditional.loc, conditional.variance

  return jax.vmap(run), np.array([0.0, 0.3]), np.array([-0.3, 0.2])


@LIBRARY.program(tolerance=1e-8)
def transformed_inputs():
  """Kernels of several dimensions through linear maps and a small net."""
  x, y = data(2, 40, 3), data(3, 40)

  def loss(factor, weight):
    kernel = transforms.Cholesky(jnp.tril(factor) + 2 * jnp.eye(3),
                                 kernels.Matern32())
    warped = transforms.Transform(lambda v: jnp.tanh(weight @ v),
                                  kernels.ExpSquared())
    masked = transforms.Subspace(0, kernels.Exp(2.0))
    return GaussianProcess(kernel + warped * masked, x,
                           diag=0.1).log_probability(y)

  return jax.value_and_grad(loss, argnums=(0, 1)), data(4, 3, 3), data(5, 2, 3)


@LIBRARY.program(tolerance=1e-6)
def fit_by_scan():
  """Steps of optax on all hyperparameters."""
  import optax
  optimizer = optax.adam(0.05)

  def loss(params):
    kernel = jnp.exp(params["a"]) * kernels.ExpSquared(jnp.exp(params["l"]))
    return -GaussianProcess(kernel, X, diag=jnp.exp(
        params["d"])).log_probability(Y)

  def step(carry, _):
    params, state = carry
    value, grads = jax.value_and_grad(loss)(params)
    updates, state = optimizer.update(grads, state)
    return (optax.apply_updates(params, updates), state), value

  return (lambda params: jax.lax.scan(
      step, (params, optimizer.init(params)), length=20),
          {"a": 0.0, "l": 0.0, "d": -2.0})
