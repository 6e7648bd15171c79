"""Random bits and every distribution, for threefry, rbg and unsafe_rbg keys."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import Family

FAMILY = Family("random")
program = FAMILY.program
r = jax.random

KINDS = ("threefry2x32", "rbg", "unsafe_rbg")

# name: function of a key
DRAWS = {
    "uniform": lambda k: r.uniform(k, (5, 3), minval=-1, maxval=2),
    "uniform_f32": lambda k: r.uniform(k, (7,), jnp.float32),
    "uniform_bf16": lambda k: r.uniform(k, (7,), jnp.bfloat16),
    "uniform_f16": lambda k: r.uniform(k, (7,), jnp.float16),
    "normal": lambda k: r.normal(k, (5, 3)),
    "normal_f32": lambda k: r.normal(k, (7,), jnp.float32),
    "normal_complex64": lambda k: r.normal(k, (7,), jnp.complex64),
    "randint": lambda k: (r.randint(k, (9,), 0, 10), r.randint(
        k, (5,), -3, 200, jnp.int8), r.randint(k, (5,), 3, 2**40, jnp.int64)),
    "bits": lambda k: [r.bits(k, (7,), t) for t in (
        jnp.uint8, jnp.uint16, jnp.uint32, jnp.uint64)],
    "bernoulli": lambda k: r.bernoulli(k, 0.3, (11,)),
    "permutation": lambda k: (r.permutation(k, 9), r.permutation(
        k, jnp.arange(12.0).reshape(4, 3), axis=1, independent=True)),
    "choice": lambda k: (r.choice(k, 9, (4,)), r.choice(
        k, jnp.arange(5.0), (3,), p=jnp.array([.1, .2, .3, .2, .2])), r.choice(
            k, 7, (5,), replace=False)),
    "split": lambda k: (r.key_data(r.split(k, 3)), r.key_data(
        r.fold_in(k, 7)), r.key_data(r.split(k, (2, 2)))),
    "truncated_normal": lambda k: r.truncated_normal(k, -1.0, 2.0, (7,)),
    "exponential": lambda k: r.exponential(k, (7,)),
    "gamma": lambda k: r.gamma(k, jnp.array([0.5, 1.0, 3.0]), (3,)),
    "loggamma": lambda k: r.loggamma(k, 2.5, (4,)),
    "beta": lambda k: r.beta(k, 2.0, 3.0, (4,)),
    "dirichlet": lambda k: r.dirichlet(k, jnp.array([1.0, 2.0, 0.5]), (2,)),
    "chisquare": lambda k: r.chisquare(k, 3.0, shape=(4,)),
    "f": lambda k: r.f(k, 3.0, 5.0, (4,)),
    "t": lambda k: r.t(k, 4.0, (5,)),
    "cauchy": lambda k: r.cauchy(k, (5,)),
    "laplace": lambda k: r.laplace(k, (5,)),
    "logistic": lambda k: r.logistic(k, (5,)),
    "gumbel": lambda k: r.gumbel(k, (5,)),
    "gumbel_high": lambda k: r.gumbel(k, (5,), mode="high"),
    "lognormal": lambda k: r.lognormal(k, 0.5, (5,)),
    "maxwell": lambda k: r.maxwell(k, (5,)),
    "rayleigh": lambda k: r.rayleigh(k, 2.0, (5,)),
    "pareto": lambda k: r.pareto(k, 2.0, (5,)),
    "weibull": lambda k: r.weibull_min(k, 2.0, 1.5, (5,)),
    "wald": lambda k: r.wald(k, 2.0, (5,)),
    "double_sided_maxwell": lambda k: r.double_sided_maxwell(
        k, 1.0, 2.0, (5,)),
    "generalized_normal": lambda k: r.generalized_normal(k, 1.5, (4,)),
    "ball": lambda k: r.ball(k, 3, shape=(4,)),
    "orthogonal": lambda k: jnp.abs(r.orthogonal(k, 3)),
    "rademacher": lambda k: r.rademacher(k, (7,)),
    "triangular": lambda k: r.triangular(k, -1.0, 0.5, 2.0, (5,)),
    "geometric": lambda k: r.geometric(k, 0.3, (7,)),
    "binomial": lambda k: r.binomial(k, 9.0, 0.4, (5,)),
    "multinomial": lambda k: r.multinomial(
        k, 7.0, jnp.array([0.2, 0.3, 0.5])),
    "categorical": lambda k: (r.categorical(k, jnp.zeros((4, 5))),
                              r.categorical(k, jnp.arange(5.0), shape=(3,),
                                            replace=False)),
    "multivariate_normal": lambda k: r.multivariate_normal(
        k, jnp.zeros(2), jnp.array([[2.0, 0.5], [0.5, 1.0]]), (3,)),
}
THREEFRY_ONLY = {
    "poisson": lambda k: r.poisson(k, jnp.array([0.5, 3.0, 20.0]), (3,)),
}
FEW = ("uniform", "normal_f32", "randint", "bits", "bernoulli", "permutation",
       "split", "gamma", "categorical", "truncated_normal", "choice", "gumbel")


def fill():
  for kind in KINDS:
    for name, draw in (DRAWS | THREEFRY_ONLY).items():
      if (kind == "threefry2x32" or name in FEW):
        FAMILY.add(f"{name}/{kind}",
                   lambda seed, d=draw, k=kind: d(r.key(seed[0], impl=k)),
                   "u32[1]:0..99", tolerance=10)


fill()


@program("u32[2]:any", "u32[4]:any", eager=False)
def raw_keys(two, four):
  return (r.uniform(two, (3,)), r.key_data(r.wrap_key_data(two)), r.bits(
      r.wrap_key_data(four, impl="rbg"), (3,)), r.PRNGKey(3))


@program("u32[]:0..99")
def generator_algorithms(seed):
  key = r.key_data(r.key(seed, impl="rbg"))
  return [lax.rng_bit_generator(key, (5, 3), t, algorithm=a)
          for t in (jnp.uint8, jnp.uint32, jnp.uint64) for a in (
              lax.RandomAlgorithm.RNG_DEFAULT, lax.RandomAlgorithm.RNG_PHILOX,
          )]


@program("u32[3]:0..99")
def batched_keys(seeds):
  keys = jax.vmap(r.key)(seeds)
  return jax.vmap(lambda k: r.normal(k, (4,)))(keys), r.key_data(
      jax.vmap(r.split)(keys)), jax.vmap(
          lambda s: r.bits(r.key(s, impl="rbg"), (3,)))(seeds)


@program("u32[]:0..99", "f64[3]:pos")
def gradient_of_draws(seed, a):
  key = r.key(seed)
  return (jax.grad(lambda v: jnp.sum(r.gamma(key, v)))(a), jax.grad(
      lambda v: jnp.sum(r.normal(key, (3,)) * v))(a))


@program("u32[]:0..99")
def keys_in_loops(seed):
  def body(k, _):
    k, sub = r.split(k)
    return k, r.uniform(sub, (2,))
  key, xs = lax.scan(body, r.key(seed), None, length=4)
  return xs, r.key_data(key), r.key_data(lax.fori_loop(
      0, 3, lambda i, k: r.fold_in(k, i), r.key(seed)))


@program("f32[6,4]", "u32[]:0..9")
def dropout(x, seed):
  keep = r.bernoulli(r.key(seed), 0.7, x.shape)
  return jnp.where(keep, x / 0.7, 0)


@program("u32[]:0..9")
def key_arrays(seed):
  keys = r.split(r.key(seed), (2, 3))
  return (r.key_data(keys[0]), r.key_data(keys.T[1]), r.key_data(
      jnp.stack([keys[0, 0], keys[1, 2]])), r.key_data(r.clone(keys[0, 1])))


@program("u32[]:0..9")
def initializers(seed):
  init = jax.nn.initializers
  key = r.key(seed)
  return [f(key, (4, 3), jnp.float32) for f in (
      init.glorot_normal(), init.he_uniform(), init.lecun_normal(),
      init.truncated_normal(0.1), init.constant(2.0), init.variance_scaling(
          1.0, "fan_avg", "uniform"))] + [
              jnp.abs(init.orthogonal()(key, (3, 3))),
              jnp.abs(init.delta_orthogonal()(key, (3, 2, 2)))]


@program("u32[]:0..9")
def partitionable_off(seed):
  with jax.threefry_partitionable(False):
    return r.bits(r.key(seed), (5,)), r.normal(r.key(seed), (3,))
