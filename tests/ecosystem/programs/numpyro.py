"""Inference by NumPyro: NUTS, HMC, SVI, enumeration, predictives. The chains
of both platforms see the same keys; long ones are compared by statistics."""

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
import optax
from numpyro import infer
from numpyro.infer import autoguide, reparam

from library import Library

LIBRARY = Library("numpyro")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


X = data(0, 50, 3)
Y = X @ np.array([1.0, -2.0, 0.5], np.float32) + 0.3 * data(1, 50)


def regression(x, y=None):
  weights = numpyro.sample("weights",
                           dist.Normal(jnp.zeros(3), 1.0).to_event(1))
  bias = numpyro.sample("bias", dist.Normal(0.0, 1.0))
  scale = numpyro.sample("scale", dist.HalfCauchy(1.0))
  with numpyro.plate("data", x.shape[0]):
    numpyro.sample("y", dist.Normal(x @ weights + bias, scale), obs=y)


EFFECTS = np.array([28, 8, -3, 7, -1, 1, 18, 12], np.float32)
ERRORS = np.array([15, 10, 16, 11, 9, 11, 10, 18], np.float32)


def eight_schools(y=EFFECTS):
  mean = numpyro.sample("mean", dist.Normal(0, 5))
  spread = numpyro.sample("spread", dist.HalfCauchy(5))
  with numpyro.plate("schools", 8):
    effect = numpyro.sample("effect", dist.Normal(mean, spread))
    numpyro.sample("y", dist.Normal(effect, ERRORS), obs=y)


def moments(samples):
  return {name: (jnp.mean(value, 0), jnp.std(value, 0))
          for name, value in samples.items()}


def sampled(kernel, *arguments, warmup=150, count=400, chains=1):
  """Means and deviations of a posterior."""
  def run():
    mcmc = infer.MCMC(kernel(), num_warmup=warmup, num_samples=count,
                      num_chains=chains, chain_method="vectorized",
                      progress_bar=False)
    mcmc.run(jax.random.key(0), *arguments)
    return moments(mcmc.get_samples())
  return run,


@LIBRARY.program(tolerance=0.15, unit=0.2, jit=False)
def nuts_regression():
  """Statistics of 800 samples in two chains."""
  return sampled(lambda: infer.NUTS(regression), X, Y, chains=2)


@LIBRARY.program(tolerance=0.35, unit=4.0, jit=False)
def nuts_eight_schools_reparametrized():
  return sampled(lambda: infer.NUTS(reparam_schools(), target_accept_prob=0.9))


def reparam_schools():
  return numpyro.handlers.reparam(
      eight_schools, config={"effect": reparam.LocScaleReparam(0)})


@LIBRARY.program(tolerance=0.15, unit=0.2, jit=False)
def hmc_dense_mass():
  return sampled(lambda: infer.HMC(regression, dense_mass=True,
                                   num_steps=8), X, Y)


@LIBRARY.program(tolerance=0.15, unit=0.3, jit=False)
def barker_proposals():
  """A kernel of single gradients."""
  return sampled(lambda: infer.BarkerMH(regression), X, Y, warmup=400,
                 count=2000)


@LIBRARY.program(tolerance=1e-3)
def nuts_first_steps():
  """Ten transitions without adaptation, which are equal, not only in
  statistics."""
  def run(key):
    kernel = infer.NUTS(regression, step_size=0.05, adapt_step_size=False,
                        adapt_mass_matrix=False, max_tree_depth=4)
    state = kernel.init(key, 0, None, (X, Y), {})
    def step(state, _):
      state = kernel.sample(state, (X, Y), {})
      return state, (state.z, state.potential_energy, state.num_steps)
    return jax.lax.scan(step, state, length=6)[1]

  return run, jax.random.key(2)


@LIBRARY.program(tolerance=1e-3)
def svi_autonormal():
  """Steps of variational inference."""
  def run(key):
    guide = autoguide.AutoMultivariateNormal(regression)
    svi = infer.SVI(regression, guide, optax.adam(0.02), infer.Trace_ELBO(4))
    result = svi.run(key, 100, X, Y, progress_bar=False)
    return result.losses, guide.median(result.params)

  return run, jax.random.key(3)


@LIBRARY.program(tolerance=1e-3)
def svi_flow_guide():
  """A guide of inverse autoregressive flows, and draws from it."""
  def run(key):
    guide = autoguide.AutoIAFNormal(reparam_schools(), num_flows=2,
                                    hidden_dims=[16, 16])
    svi = infer.SVI(reparam_schools(), guide, optax.adam(0.01),
                    infer.Trace_ELBO())
    result = svi.run(key, 20, progress_bar=False)
    return result.losses

  return run, jax.random.key(4)


@LIBRARY.program(tolerance=1e-4)
def enumerated_mixture():
  """Discrete variables summed out: a density and its gradient."""
  values = np.concatenate([data(5, 30) - 2, data(6, 30) + 3])

  def mixture(values):
    weights = numpyro.sample("weights", dist.Dirichlet(jnp.ones(3)))
    with numpyro.plate("components", 3):
      means = numpyro.sample("means", dist.Normal(0, 5))
    with numpyro.plate("data", len(values)):
      which = numpyro.sample("which", dist.Categorical(weights),
                             infer={"enumerate": "parallel"})
      numpyro.sample("value", dist.Normal(means[which], 1.0), obs=values)

  def density(means, weights):
    from numpyro.contrib.funsor import config_enumerate, enum, log_density
    model = enum(config_enumerate(mixture), first_available_dim=-2)
    return log_density(model, (values,), {},
                       {"means": means, "weights": weights})[0]

  return (jax.value_and_grad(density, argnums=0), data(7, 3),
          np.array([0.2, 0.5, 0.3], np.float32))


@LIBRARY.program(tolerance=1e-4)
def predictive_and_likelihood():
  """vmapped predictions, log likelihoods and prior draws."""
  def run(key):
    prior = infer.Predictive(regression, num_samples=20)(key, X)
    latent = {name: prior[name] for name in ("weights", "bias", "scale")}
    predicted = infer.Predictive(regression, latent)(key, X)["y"]
    scores = infer.log_likelihood(regression, latent, X, Y)["y"]
    # The scale's tail makes the prior's draws large.
    return prior["weights"], jnp.arctan(predicted), jnp.arctan(scores)

  return run, jax.random.key(5)


FAMILIES = {
    "normal": lambda a, b: dist.Normal(a, b),
    "gamma": lambda a, b: dist.Gamma(b, 1 + b),
    "beta": lambda a, b: dist.Beta(1 + b, 2.0),
    "student": lambda a, b: dist.StudentT(3 + b, a, b),
    "dirichlet": lambda a, b: dist.Dirichlet(jnp.stack([b, 2 * b, 1 + b])),
    "poisson": lambda a, b: dist.Poisson(3 * b),
    "negative_binomial": lambda a, b: dist.NegativeBinomial2(2 * b, 1.5),
    "binomial": lambda a, b: dist.Binomial(12, logits=a),
    "von_mises": lambda a, b: dist.VonMises(a, b),
    "lkj": lambda a, b: dist.LKJCholesky(4, 1 + b),
    "gumbel": lambda a, b: dist.Gumbel(a, b),
    "zero_inflated": lambda a, b: dist.ZeroInflatedPoisson(0.3, 2 * b),
    "truncated": lambda a, b: dist.TruncatedNormal(a, b, low=-0.5, high=2.0),
    "multivariate": lambda a, b: dist.MultivariateNormal(
        jnp.stack([a, 2 * a]), jnp.eye(2) * b + 0.1),
}


@LIBRARY.program(tolerance=1e-4, unit=0.1)
def distributions():
  """Draws of 14 families, their densities, and gradients of these."""
  def run(key, a, b):
    found = {}
    for name, family in FAMILIES.items():
      draws = jax.lax.stop_gradient(family(a, b).sample(key, (50,)))
      found[name] = (
          draws, jax.value_and_grad(
              lambda a, b: jnp.mean(family(a, b).log_prob(draws)),
              argnums=(0, 1))(a, b))
    return found

  # Draws by rejection jump where a comparison is close, so they are not
  # compared.
  def densities(keys, a, b):
    found = jax.vmap(run)(keys, a, b)
    return {name: (jnp.mean(value[0].astype(jnp.float32), 1), value[1])
            for name, value in found.items()}

  return (densities, jax.random.split(jax.random.key(6), 2),
          np.array([0.3, -0.4], np.float32), np.array([0.8, 1.4], np.float32))


@LIBRARY.program(tolerance=0.2, unit=0.3, jit=False)
def subsampled_energy_conserving():
  """HMCECS with plates that draw a part of the data."""
  def model(x, y):
    weights = numpyro.sample("weights",
                             dist.Normal(jnp.zeros(3), 1.0).to_event(1))
    with numpyro.plate("data", x.shape[0], subsample_size=20):
      batch = numpyro.subsample(x, 1)
      numpyro.sample("y", dist.Normal(batch @ weights, 0.5),
                     obs=numpyro.subsample(y, 0))

  center = {"weights": np.array([1.0, -2.0, 0.5], np.float32)}
  return sampled(lambda: infer.HMCECS(
      infer.NUTS(model), num_blocks=5,
      proxy=infer.HMCECS.taylor_proxy(center)), X, Y, count=600)
