"""TensorFlow Probability on JAX: distributions, bijectors, MCMC, Gaussian
processes, state space models, optimizers."""

import jax
import jax.numpy as jnp
import numpy as np
from tensorflow_probability.substrates import jax as tfp

from library import Library

LIBRARY = Library("tfp")
tfd, tfb = tfp.distributions, tfp.bijectors


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


FAMILIES = {
    "normal": lambda a, b: tfd.Normal(a, b),
    "skew": lambda a, b: tfd.SinhArcsinh(a, b, skewness=0.3),
    "kumaraswamy": lambda a, b: tfd.Kumaraswamy(1 + b, 2.0),
    "weibull": lambda a, b: tfd.Weibull(1 + b, b),
    "logit_normal": lambda a, b: tfd.LogitNormal(a, b),
    "moyal": lambda a, b: tfd.Moyal(a, b),
    "pareto": lambda a, b: tfd.Pareto(2 + b, 1.0),
    "triangular": lambda a, b: tfd.Triangular(a, a + 2 * b, a + b),
    "half_normal": lambda a, b: tfd.HalfNormal(b),
    "johnson": lambda a, b: tfd.JohnsonSU(a, 1 + b, 0.0, 1.0),
}


@LIBRARY.program(tolerance=2e-4, unit=0.1)
def distributions():
  """Draws, densities, distribution functions, quantiles, gradients."""
  def run(key, a, b):
    found = {}
    for name, family in FAMILIES.items():
      def score(a, b):
        x = family(a, b).sample(20, seed=key)
        return jnp.mean(family(a, b).log_prob(x)), family(a, b).cdf(x)
      found[name] = (score(a, b), jax.grad(
          lambda a, b: score(a, b)[0], argnums=(0, 1))(a, b))
    return found

  return (jax.vmap(run), jax.random.split(jax.random.key(0), 2),
          np.array([0.3, -0.4], np.float32), np.array([0.8, 1.4], np.float32))


@LIBRARY.program(tolerance=5e-3, unit=1.0)
def gamma_reparametrized():
  """Gradients through draws that are made by rejection."""
  def loss(a, key):
    draws = tfd.Gamma(a, 2.0).sample(500, seed=key)
    return jnp.mean(draws), jnp.mean(jnp.log(draws))

  return (lambda a, key: (loss(a, key), jax.jacrev(loss)(a, key)),
          np.float32(2.5), jax.random.key(1))


@LIBRARY.program(tolerance=1e-3)
def hmc_chain():
  """Draws of leapfrog steps with a step size that adapts."""
  def log_prob(x):
    return -0.5 * jnp.sum((x - 1) ** 2 / jnp.array([0.5, 1.0, 2.0]))

  def run(start, key):
    kernel = tfp.mcmc.SimpleStepSizeAdaptation(
        tfp.mcmc.HamiltonianMonteCarlo(log_prob, 0.2, 4), 15)
    draws, rate = tfp.mcmc.sample_chain(
        25, start, kernel=kernel, seed=key,
        trace_fn=lambda _, results: results.new_step_size)
    return draws, rate

  return jax.vmap(run), data(2, 3, 3), jax.random.split(jax.random.key(2), 3)


@LIBRARY.program(tolerance=0.15, unit=0.7)
def nuts_statistics():
  """Means and deviations of 600 draws in four chains."""
  def log_prob(x):
    return -0.5 * jnp.sum((x - 1) ** 2 / jnp.array([0.5, 1.0, 2.0]), -1)

  def run(start, key):
    kernel = tfp.mcmc.DualAveragingStepSizeAdaptation(
        tfp.mcmc.NoUTurnSampler(log_prob, 0.3, max_tree_depth=5), 100)
    draws = tfp.mcmc.sample_chain(600, start, kernel=kernel, seed=key,
                                  num_burnin_steps=150, trace_fn=None)
    return jnp.mean(draws, (0, 1)), jnp.std(draws, (0, 1))

  return run, data(3, 4, 3), jax.random.key(3)


@LIBRARY.program(tolerance=2e-3)
def gaussian_process():
  """A marginal likelihood's gradient and a regression's predictions."""
  x, at = data(4, 20, 2), data(5, 6, 2)
  y = np.sin(x).sum(1).astype(np.float32)

  def process(amplitude, length):
    kernel = tfp.math.psd_kernels.MaternFiveHalves(amplitude, length)
    return tfd.GaussianProcess(kernel, x, observation_noise_variance=0.05)

  def run(amplitude, length):
    value = jax.value_and_grad(
        lambda a, l: process(a, l).log_prob(y), argnums=(0, 1))(
            amplitude, length)
    kernel = tfp.math.psd_kernels.ExponentiatedQuadratic(amplitude, length)
    regression = tfd.GaussianProcessRegressionModel(
        kernel, at, x, y, observation_noise_variance=0.05)
    return value, regression.mean(), regression.variance()

  return (jax.vmap(run), np.array([1.0, 1.5], np.float32),
          np.array([0.8, 1.2], np.float32))


@LIBRARY.program(tolerance=1e-3)
def state_space():
  """A Kalman filter, its smoother and its likelihood's gradient."""
  y = np.cumsum(data(6, 30, 1), 0) * 0.5

  def model(scale):
    return tfd.LinearGaussianStateSpaceModel(
        30, transition_matrix=jnp.array([[1.0, 0.1], [0.0, 0.95]]),
        transition_noise=tfd.MultivariateNormalDiag(
            scale_diag=scale * jnp.array([0.3, 0.2])),
        observation_matrix=jnp.array([[1.0, 0.0]]),
        observation_noise=tfd.MultivariateNormalDiag(scale_diag=jnp.ones(1)),
        initial_state_prior=tfd.MultivariateNormalDiag(
            scale_diag=jnp.ones(2)))

  def run(scale):
    return (jax.value_and_grad(lambda s: model(s).log_prob(y))(scale),
            model(scale).posterior_marginals(y)[0],
            model(scale).forward_filter(y)[1])

  return run, np.float32(0.8)


@LIBRARY.program(tolerance=1e-3)
def bijectors():
  """A chain with triangular, bent and shape-changing parts."""
  def run(x):
    bend = tfb.SinhArcsinh(skewness=0.2, tailweight=1.2)
    chain = tfb.Chain([tfb.Softplus(), tfb.Shift(0.5), bend,
                       tfb.ScaleMatvecTriL(jnp.tril(
                           jnp.ones((5, 5)) * 0.3) + jnp.eye(5))])
    matrix = tfb.FillScaleTriL()
    back = chain.inverse(chain.forward(x))
    return (chain.forward(x), back,
            chain.forward_log_det_jacobian(x, event_ndims=1),
            matrix.forward(x[:3]), tfb.CorrelationCholesky().forward(x[:3]),
            jax.jacobian(chain.forward)(x))

  return jax.vmap(run), data(7, 4, 5) * 0.5


@LIBRARY.program(tolerance=1e-3)
def optimizers_and_integrals():
  """BFGS and Nelder-Mead, root search, special functions, an ODE."""
  def run(center):
    loss = lambda x: jnp.sum((x - center) ** 2 + 0.1 * (x - center) ** 4)
    bfgs = tfp.optimizer.bfgs_minimize(
        jax.value_and_grad(loss), jnp.zeros(3), max_iterations=30)
    root = tfp.math.find_root_chandrupatla(
        lambda x: x ** 3 - center[0], jnp.float32(-4), jnp.float32(4))
    return (bfgs.position, root.estimated_root,
            tfp.math.bessel_ive(1.5, 1 + center ** 2),
            tfp.math.lambertw(center ** 2),
            tfp.math.log_gamma_difference(center ** 2 + 1, 12.0),
            tfp.stats.percentile(center, 40.0))

  return jax.vmap(run), data(8, 3, 3)


@LIBRARY.program(tolerance=1e-3)
def joint_and_variational():
  """A joint distribution by coroutine, a surrogate's fitting steps."""
  import optax
  y = data(9, 20) + 1

  def coroutine():
    mean = yield tfd.JointDistributionCoroutine.Root(tfd.Normal(0.0, 2.0))
    scale = yield tfd.JointDistributionCoroutine.Root(tfd.LogNormal(0.0, 0.5))
    yield tfd.Independent(tfd.Normal(mean * jnp.ones(20), scale), 1)

  joint = tfd.JointDistributionCoroutine(coroutine)

  def run(key):
    def loss(params, key):
      m, s = params
      mean = tfd.Normal(m[0], jnp.exp(s[0]))
      scale = tfd.LogNormal(m[1], jnp.exp(s[1]))
      a, b = jax.random.split(key)
      mean_at, scale_at = mean.sample(8, seed=a), scale.sample(8, seed=b)
      target = jax.vmap(lambda m, s: joint.log_prob((m, s, y)))(
          mean_at, scale_at)
      return jnp.mean(mean.log_prob(mean_at) + scale.log_prob(scale_at)
                      - target)
    optimizer = optax.adam(0.05)
    def step(carry, key):
      params, state = carry
      value, grads = jax.value_and_grad(loss)(params, key)
      updates, state = optimizer.update(grads, state)
      return (optax.apply_updates(params, updates), state), value
    params = (jnp.zeros(2), jnp.full(2, -1.0))
    return jax.lax.scan(step, (params, optimizer.init(params)),
                        jax.random.split(key, 30))

  return run, jax.random.key(4)
