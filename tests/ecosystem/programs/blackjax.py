"""Samplers of blackjax. Short chains are compared draw by draw, long ones by
statistics."""

import blackjax
import jax
import jax.numpy as jnp
import numpy as np
import optax

from library import Library

LIBRARY = Library("blackjax")

COVARIANCE = np.array([[1.0, 0.4, 0.0], [0.4, 0.8, -0.2], [0.0, -0.2, 0.5]],
                      np.float32)
PRECISION = np.linalg.inv(COVARIANCE).astype(np.float32)
MEAN = np.array([1.0, -0.5, 2.0], np.float32)


def density(x):
  """Log density of a correlated normal distribution, slightly distorted."""
  return -0.5 * (x - MEAN) @ PRECISION @ (x - MEAN) - 0.01 * x[0] ** 4


def chain(algorithm, length=20, chains=3):
  """Draws of several chains under vmap."""
  def run(keys, starts):
    def one(key, start):
      sampler = algorithm()
      def step(state, key):
        state, _ = sampler.step(key, state)
        return state, state.position
      return jax.lax.scan(step, sampler.init(start),
                          jax.random.split(key, length))[1]
    return jax.vmap(one)(keys, starts)

  starts = np.random.default_rng(0).normal(size=(chains, 3))
  return run, jax.random.split(jax.random.key(1), chains), starts.astype(
      np.float32)


SCALE = np.ones(3, np.float32)
CHAINS = {
    "hmc": lambda: blackjax.hmc(density, 0.15, SCALE, 6),
    "nuts": lambda: blackjax.nuts(density, 0.2, SCALE, max_num_doublings=4),
    "mala": lambda: blackjax.mala(density, 0.05),
    "barker": lambda: blackjax.barker_proposal(density, 0.3),
    "random_walk": lambda: blackjax.additive_step_random_walk(
        density, blackjax.mcmc.random_walk.normal(0.4 * SCALE)),
    "multinomial_hmc": lambda: blackjax.multinomial_hmc(
        density, 0.15, SCALE, 6),
}
for name, maker in CHAINS.items():
  LIBRARY.add(name, lambda maker=maker: chain(maker), tolerance=1e-3)


@LIBRARY.program(tolerance=1e-3)
def elliptical_slice():
  algorithm = lambda: blackjax.elliptical_slice(
      lambda x: -0.5 * jnp.sum((x - 1) ** 2), mean=jnp.zeros(3), cov=COVARIANCE)
  return chain(algorithm)


@LIBRARY.program(tolerance=0.2, unit=0.5)
def window_adapted_nuts():
  """Adaptation of step size and mass matrix, then 1,000 draws."""
  def run(key):
    warm, draw = jax.random.split(key)
    adaptation = blackjax.window_adaptation(blackjax.nuts, density)
    (state, parameters), _ = adaptation.run(warm, jnp.zeros(3), 200)
    sampler = blackjax.nuts(density, **parameters)
    def step(state, key):
      state, info = sampler.step(key, state)
      return state, (state.position, info.acceptance_rate)
    _, (draws, rates) = jax.lax.scan(step, state,
                                     jax.random.split(draw, 1000))
    return jnp.mean(draws, 0), jnp.cov(draws.T), jnp.mean(rates)

  return run, jax.random.key(2)


@LIBRARY.program(tolerance=0.15, unit=1.0)
def tempered_smc():
  """Particles through adaptive temperatures, a while loop, by statistics."""
  def run(key):
    sampler = blackjax.adaptive_tempered_smc(
        lambda x: -0.5 * jnp.sum(x ** 2) / 9, lambda x: density(x),
        blackjax.hmc.build_kernel(), blackjax.hmc.init,
        dict(step_size=jnp.full(1, 0.15),
             inverse_mass_matrix=jnp.ones((1, 3)),
             num_integration_steps=jnp.full(1, 5)),
        blackjax.smc.resampling.systematic, 0.6, num_mcmc_steps=4)
    first, rest = jax.random.split(key)
    state = sampler.init(3 * jax.random.normal(first, (800, 3)))
    def condition(carry):
      return carry[1].tempering_param < 1
    def step(carry):
      key, state = carry
      key, now = jax.random.split(key)
      return key, sampler.step(now, state)[0]
    _, state = jax.lax.while_loop(condition, step, (rest, state))
    return jnp.mean(state.particles, 0), jnp.cov(state.particles.T)

  return run, jax.random.key(3)


@LIBRARY.program(tolerance=1e-2, unit=0.5)
def pathfinder():
  """Draws along the path of an L-BFGS run."""
  def run(key):
    state, _ = blackjax.vi.pathfinder.approximate(
        key, density, jnp.zeros(3), num_samples=200)
    draws, _ = blackjax.vi.pathfinder.sample(key, state, 300)
    return jnp.mean(draws, 0), state.elbo

  return run, jax.random.key(4)


@LIBRARY.program(tolerance=1e-3)
def meanfield_vi():
  def run(key):
    algorithm = blackjax.meanfield_vi(density, optax.adam(0.05), 16)
    def step(state, key):
      state, info = algorithm.step(key, state)
      return state, info.elbo
    state, elbos = jax.lax.scan(step, algorithm.init(jnp.zeros(3)),
                                jax.random.split(key, 60))
    return state.mu, state.rho, elbos

  return run, jax.random.key(5)


@LIBRARY.program(tolerance=1e-3)
def svgd():
  """Particles under Stein's operator with a median kernel."""
  def run(particles):
    algorithm = blackjax.svgd(jax.grad(density), optax.adagrad(0.1))
    state = algorithm.init(particles)
    return jax.lax.fori_loop(
        0, 20, lambda _, state: algorithm.step(state), state).particles

  particles = np.random.default_rng(1).normal(size=(20, 3))
  return run, particles.astype(np.float32)


@LIBRARY.program(tolerance=1e-3)
def stochastic_gradient_langevin():
  """SGLD and SGHMC on minibatches, vmapped over keys."""
  rng = np.random.default_rng(2)
  values = (rng.normal(size=(200, 3)) + MEAN).astype(np.float32)

  def log_density(x, batch):
    return (-0.5 * jnp.sum(x ** 2) / 100
            - 0.5 * jnp.sum((batch - x) ** 2) * 200 / batch.shape[0])

  def run(key):
    grad = jax.grad(log_density)
    def chain(sampler):
      def step(x, key):
        which, noise = jax.random.split(key)
        batch = jax.random.choice(which, values, (20,))
        x = sampler.step(noise, x, batch, 1e-4)
        return x, x
      return jax.lax.scan(step, sampler.init(jnp.zeros(3)),
                          jax.random.split(key, 30))[1]
    return chain(blackjax.sgld(grad)), chain(blackjax.sghmc(grad, 5))

  return jax.vmap(run), jax.random.split(jax.random.key(6), 2)


@LIBRARY.program(tolerance=1e-3)
def diagnostics_and_gradient():
  """ESS and R-hat, and a derivative through leapfrog steps."""
  def run(draws, step):
    def final(step):
      integrator = blackjax.mcmc.integrators.velocity_verlet(
          density, lambda momentum, position=None: 0.5 * jnp.sum(momentum ** 2))
      state = blackjax.mcmc.integrators.IntegratorState(
          draws[0, 0], jnp.ones(3), density(draws[0, 0]),
          jax.grad(density)(draws[0, 0]))
      for _ in range(5):
        state = integrator(state, step)
      return jnp.sum(state.position ** 2)
    return (blackjax.ess(draws), blackjax.rhat(draws),
            jax.value_and_grad(final)(step))

  draws = np.cumsum(np.random.default_rng(3).normal(size=(4, 200, 3)), 1) * 0.1
  return run, draws.astype(np.float32), np.float32(0.1)
