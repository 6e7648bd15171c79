"""Distributions, bijectors and flows of distrax."""

import distrax
import jax
import jax.numpy as jnp
import numpy as np

from library import Library

LIBRARY = Library("distrax")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@LIBRARY.program(tolerance=1e-4)
def densities_and_entropies():
  def run(a, b, key):
    found = {
        "normal": distrax.Normal(a, b), "gumbel": distrax.Gumbel(a, b),
        "laplace": distrax.Laplace(a, b), "logistic": distrax.Logistic(a, b),
        "uniform": distrax.Uniform(a, a + b),
        "diagonal": distrax.MultivariateNormalDiag(a, b),
        "categorical": distrax.Categorical(logits=a),
        "one_hot": distrax.OneHotCategorical(logits=a),
        "dirichlet": distrax.Dirichlet(b),
    }
    return {name: (d.sample(seed=key, sample_shape=(5,)),
                   d.log_prob(d.sample(seed=key)), d.entropy())
            for name, d in found.items()}

  # Draws of a gamma distribution use rejection; they are compared only as parts
  # of a normal one.
  return (run, data(0, 6), 0.5 + np.abs(data(1, 6)), jax.random.key(0))


@LIBRARY.program(tolerance=1e-4)
def divergences_and_gradients():
  def run(a, b):
    p, q = distrax.Normal(a, b), distrax.Normal(b, a ** 2 + 0.5)
    full = distrax.MultivariateNormalFullCovariance(
        a, jnp.outer(b, b) * 0.1 + jnp.eye(5))
    other = distrax.MultivariateNormalTri(b,
                                        jnp.tril(jnp.outer(b, b)) + jnp.eye(5))
    return jnp.sum(p.kl_divergence(q)) + full.kl_divergence(other) + (
        full.log_prob(b) + distrax.Categorical(logits=a).kl_divergence(
            distrax.Categorical(logits=b)))

  each = jax.vmap(jax.value_and_grad(run, argnums=(0, 1)))
  return each, data(2, 4, 5), 0.5 + np.abs(data(3, 4, 5))


def coupling_flow(params):
  """Masked couplings with rational quadratic splines."""
  layers = []
  for i, (first, second) in enumerate(params):
    mask = jnp.arange(4) % 2 == i % 2
    def conditioner(x, first=first, second=second):
      return (jnp.tanh(x @ first) @ second).reshape(*x.shape[:-1], 4, 16)
    layers.append(distrax.MaskedCoupling(
        mask=mask, conditioner=conditioner,
        bijector=lambda p: distrax.RationalQuadraticSpline(p, -3.0, 3.0)))
  return distrax.Chain(layers)


def flow_params():
  return [(data(4 + i, 4, 8) * 0.5, data(8 + i, 8, 64) * 0.3)
          for i in range(3)]


@LIBRARY.program(tolerance=1e-3)
def spline_flow_likelihood_gradient():
  x = data(12, 32, 4)

  def loss(params):
    flow = distrax.Transformed(distrax.MultivariateNormalDiag(jnp.zeros(4)),
                               distrax.Inverse(coupling_flow(params)))
    return -jnp.mean(flow.log_prob(x))

  return jax.value_and_grad(loss), flow_params()


@LIBRARY.program(tolerance=1e-3)
def spline_flow_round_trip():
  """Forward, inverse and the logarithms of their Jacobians."""
  def run(params, x):
    flow = coupling_flow(params)
    y, forward = flow.forward_and_log_det(x)
    back, inverse = flow.inverse_and_log_det(y)
    return y, forward, back, inverse

  return run, flow_params(), data(13, 16, 4)


@LIBRARY.program(tolerance=1e-4)
def hidden_markov():
  """Forward and backward passes and Viterbi's path, vmapped."""
  def run(logits, observations):
    model = distrax.HMM(
        init_dist=distrax.Categorical(logits=jnp.zeros(3)),
        trans_dist=distrax.Categorical(logits=logits),
        obs_dist=distrax.Normal(jnp.array([-2.0, 0.0, 2.0]), jnp.ones(3)))
    alpha, beta, marginals, likelihood = model.forward_backward(observations)
    return alpha, beta, marginals, likelihood, model.viterbi(observations)

  def both(logits, observations):
    grad = jax.grad(lambda l: jnp.sum(jax.vmap(
        lambda o: run(l, o)[3])(observations)))(logits)
    return jax.vmap(run, in_axes=(None, 0))(logits, observations), grad

  return both, data(14, 3, 3), data(15, 4, 20) * 2


@LIBRARY.program(tolerance=1e-4)
def mixtures_and_transforms():
  def run(logits, means, key):
    mixture = distrax.MixtureSameFamily(
        distrax.Categorical(logits=logits), distrax.Normal(means, 0.7))
    positive = distrax.Transformed(mixture, distrax.Lambda(jnp.exp))
    bounded = distrax.Transformed(mixture, distrax.Chain(
        [distrax.ScalarAffine(1.0, 2.0), distrax.Tanh()]))
    x = mixture.sample(seed=key, sample_shape=(20,))
    return (x, mixture.log_prob(x), positive.log_prob(jnp.exp(x)),
            bounded.sample_and_log_prob(seed=key, sample_shape=(7,)),
            jax.grad(lambda m: jnp.sum(distrax.MixtureSameFamily(
                distrax.Categorical(logits=logits),
                distrax.Normal(m, 0.7)).log_prob(x)))(means))

  return run, data(16, 4), data(17, 4) * 2, jax.random.key(1)


@LIBRARY.program(tolerance=1e-4)
def quantized_and_policies():
  """Discretized logistics, epsilon-greedy and clipped policies."""
  def run(a, key):
    quantized = distrax.Quantized(distrax.Logistic(a * 3, 2.0), low=-10,
                                  high=10)
    x = quantized.sample(seed=key)
    clipped = distrax.ClippedNormal(a, 1.0, -0.5, 0.5)
    greedy = distrax.EpsilonGreedy(a, 0.1)
    return (x, quantized.log_prob(x), clipped.sample_and_log_prob(seed=key),
            greedy.probs, greedy.sample(seed=key, sample_shape=(9,)))

  return (jax.vmap(run), data(18, 3, 6),
          jax.random.split(jax.random.key(2), 3))
