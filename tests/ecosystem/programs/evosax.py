"""Evolution strategies of evosax: generations under scan, by vmap over seeds,
and a derivative by a strategy's hyperparameter."""

import evosax.algorithms as algorithms
import jax
import jax.numpy as jnp
import numpy as np

from library import Library

LIBRARY = Library("evosax")


def sphere(x):
  """A bent and shifted bowl."""
  return jnp.sum((x - 0.7) ** 2) + 0.1 * jnp.sum(jnp.cos(3 * x))


def generations(key, strategy, start, length=12):
  """The best fitness and the populations' means."""
  params = strategy.default_params
  first, key = jax.random.split(key)
  state = start(strategy, first, params)

  def step(state, key):
    ask, tell = jax.random.split(key)
    population, state = strategy.ask(ask, state, params)
    fitness = jax.vmap(sphere)(population)
    state, _ = strategy.tell(tell, population, fitness, state, params)
    return state, (jnp.min(fitness), jnp.mean(population, 0))

  return jax.lax.scan(step, state, jax.random.split(key, length))[1]


def from_mean(strategy, key, params):
  return strategy.init(key, jnp.zeros(5), params)


def from_population(strategy, key, params):
  population = jax.random.normal(key, (strategy.population_size, 5))
  return strategy.init(key, population, jax.vmap(sphere)(population), params)


DISTRIBUTIONS = ("CMA_ES", "Sep_CMA_ES", "Open_ES", "SNES", "PGPE", "ARS",
                 "SimpleES", "MA_ES", "CR_FM_NES", "LearnedES")
POPULATIONS = ("DifferentialEvolution", "PSO", "SimpleGA", "MR15_GA")
for name in DISTRIBUTIONS + POPULATIONS:
  def make(name=name):
    strategy = getattr(algorithms, name)(population_size=16,
                                         solution=np.zeros(5, np.float32))
    start = from_mean if name in DISTRIBUTIONS else from_population
    return (lambda keys: jax.vmap(
        lambda key: generations(key, strategy, start))(keys),
            jax.random.split(jax.random.key(0), 3))
  # Rounding swaps the ranks of close fitnesses; eigenvectors have either sign.
  LIBRARY.add(name.lower(), make, tolerance=5e-3)


@LIBRARY.program(tolerance=1e-3)
def gradient_of_outcome():
  """The derivative of the result of three generations by the initial mean."""
  strategy = algorithms.Open_ES(population_size=16,
                                solution=np.zeros(5, np.float32))

  def reached(mean, key):
    params = strategy.default_params
    state = strategy.init(key, mean, params)
    for i in range(3):
      population, state = strategy.ask(jax.random.fold_in(key, i), state,
                                       params)
      fitness = jax.vmap(sphere)(population)
      # Uses the raw scores, since ranks have no derivative.
      state, _ = strategy.tell(key, population, fitness, state, params)
    return sphere(strategy.get_mean(state))

  return (jax.vmap(jax.value_and_grad(reached), in_axes=(0, None)),
          np.random.default_rng(1).normal(size=(3, 5)).astype(np.float32),
          jax.random.key(1))
