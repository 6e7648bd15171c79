"""Gaussian processes of GPJax, in f64: exact, sparse and latent."""

import gpjax as gpx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from library import Library

LIBRARY = Library("gpjax")
RNG = np.random.default_rng(0)
X = np.sort(RNG.uniform(-3, 3, (60, 1)), 0)
Y = np.sin(2 * X) + 0.2 * RNG.normal(size=X.shape)
AT = np.linspace(-3.5, 3.5, 20)[:, None]


def train_data(y=Y):
  return gpx.Dataset(X=jnp.asarray(X), y=jnp.asarray(y))


def exact(kernel, variance=0.05):
  prior = gpx.Prior(mean_function=gpx.mean_functions.Constant(),
                    kernel=kernel)
  return prior * gpx.likelihoods.Gaussian(obs_stddev=variance ** 0.5)


KERNELS = {
    "rbf": gpx.kernels.RBF, "matern12": gpx.kernels.Matern12,
    "matern32": gpx.kernels.Matern32, "matern52": gpx.kernels.Matern52,
    "rational": gpx.kernels.RationalQuadratic,
    "exponentiated": gpx.kernels.PoweredExponential,
}


@LIBRARY.program(tolerance=1e-7)
def likelihoods_and_gradients():
  """Each stationary kernel's marginal likelihood over lengths, by vmap."""
  def run(lengths):
    found = {}
    for name, kernel in KERNELS.items():
      value = lambda length, kernel=kernel: gpx.objectives.conjugate_mll(
          exact(kernel(lengthscale=length)), train_data())
      found[name] = jax.vmap(jax.value_and_grad(value))(lengths)
    return found

  return run, np.array([0.4, 0.8, 1.5])


@LIBRARY.program(tolerance=1e-6)
def predictions():
  """A posterior's mean, covariance, and leave-one-out objective."""
  def run(length):
    kernel = gpx.kernels.RBF(lengthscale=length) + gpx.kernels.Linear()
    posterior = exact(kernel) | train_data()
    predictive = posterior(AT)
    return (predictive.mean, predictive.variance,
            gpx.objectives.conjugate_loocv(exact(kernel), train_data()))

  return run, 0.7


@LIBRARY.program(tolerance=1e-6, jit=False)
def fit_adam():
  """gpx.fit: a scan of optax steps over constrained parameters."""
  def run():
    model, history = gpx.fit(
        model=exact(gpx.kernels.Matern52()),
        objective=lambda m, d: -gpx.objectives.conjugate_mll(m, d),
        train_data=train_data(), optim=optax.adam(0.05), num_iters=30,
        verbose=False)
    return history, (model | train_data())(AT).mean

  return run,


@LIBRARY.program(tolerance=1e-4, jit=False)
def fit_lbfgs():
  """gpx.fit_lbfgs: a while loop with a line search."""
  def run():
    model, value = gpx.fit_lbfgs(
        model=exact(gpx.kernels.RBF()),
        objective=lambda m, d: -gpx.objectives.conjugate_mll(m, d),
        train_data=train_data(), max_iters=20)
    return value, (model | train_data())(AT).mean

  return run,


def inducing(family, likelihood):
  prior = gpx.Prior(mean_function=gpx.mean_functions.Zero(),
                    kernel=gpx.kernels.RBF(lengthscale=0.7))
  return family(prior * likelihood, np.linspace(-3, 3, 10)[:, None])


@LIBRARY.program(tolerance=1e-6)
def sparse_bounds():
  """Collapsed and stochastic lower bounds, and the gradient of one."""
  def run(at):
    sites = at[:, None]
    prior = gpx.Prior(mean_function=gpx.mean_functions.Zero(),
                      kernel=gpx.kernels.RBF(lengthscale=0.7))
    model = prior * gpx.likelihoods.Gaussian(obs_stddev=0.3)
    families = gpx.variational_families
    collapsed = gpx.objectives.collapsed_elbo(
        families.CollapsedVariationalGaussian(model, sites), train_data())
    bound = gpx.objectives.elbo(
        families.VariationalGaussian(model, sites), train_data())
    return collapsed + 0.01 * bound

  return jax.vmap(jax.value_and_grad(run)), np.stack(
      [np.linspace(-3, 3, 8), np.linspace(-2, 2, 8)])


@LIBRARY.program(tolerance=1e-5, jit=False)
def classification_by_elbo():
  """Bernoulli observations: minibatches of a stochastic bound."""
  labels = (Y > 0).astype(np.float64)

  def run():
    family = inducing(gpx.variational_families.WhitenedVariationalGaussian,
                      gpx.likelihoods.Bernoulli())
    family, history = gpx.fit(
        model=family, objective=lambda q, d: -gpx.objectives.elbo(q, d),
        train_data=train_data(labels), optim=optax.adam(0.02), num_iters=25,
        batch_size=16, key=jax.random.key(1), verbose=False)
    return history, family.predict(AT).mean

  return run,


@LIBRARY.program(tolerance=1e-5, jit=False)
def poisson_latent_map():
  """Counts: the density of latent values, maximized."""
  counts = np.random.default_rng(1).poisson(np.exp(np.sin(2 * X))).astype(
      np.float64)

  def run():
    prior = gpx.Prior(mean_function=gpx.mean_functions.Constant(),
                      kernel=gpx.kernels.Matern32())
    model = prior * gpx.likelihoods.Poisson()
    model, history = gpx.fit(
        model=model,
        objective=lambda m, d: -gpx.objectives.log_posterior_density(m, d),
        train_data=train_data(counts), optim=optax.adam(0.05), num_iters=25,
        verbose=False)
    return history

  return run,


@LIBRARY.program(tolerance=1e-6)
def pathwise_samples():
  """Draws of functions by random Fourier features."""
  def run(key):
    posterior = exact(gpx.kernels.RBF(n_dims=1)) | train_data()
    return posterior.sample_approx(4, key, num_features=50)(AT)

  return run, jax.random.key(2)
