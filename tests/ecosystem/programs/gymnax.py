"""Environments of gymnax: rollouts under scan and vmap, a policy's gradient.

Their dynamics are chaotic in the long run, so rollouts are short; those of
grids and discrete states must be the same.
"""

import gymnax
import jax
import jax.numpy as jnp
import numpy as np

from library import Library

LIBRARY = Library("gymnax")


def rollout(name, length=25, count=4):
  """Observations, rewards and ends under random actions, resets included."""
  def make():
    env, params = gymnax.make(name)

    def one(key):
      first, key = jax.random.split(key)
      observation, state = env.reset(first, params)
      def step(state, key):
        act, go = jax.random.split(key)
        action = env.action_space(params).sample(act)
        observation, state, reward, done, _ = env.step(go, state, action,
                                                       params)[:5]
        return state, (observation, reward, done)
      return observation, jax.lax.scan(step, state,
                                       jax.random.split(key, length))[1]

    return jax.vmap(one), jax.random.split(jax.random.key(0), count)
  return make


ENVIRONMENTS = {
    "cartpole": "CartPole-v1", "pendulum": "Pendulum-v1",
    "acrobot": "Acrobot-v1", "mountain_car": "MountainCarContinuous-v0",
    "breakout": "Breakout-MinAtar", "asterix": "Asterix-MinAtar",
    "freeway": "Freeway-MinAtar", "space_invaders": "SpaceInvaders-MinAtar",
    "deep_sea": "DeepSea-bsuite", "catch": "Catch-bsuite",
    "four_rooms": "FourRooms-misc", "pong": "Pong-misc",
    "reacher": "Reacher-misc", "bandit": "BernoulliBandit-misc",
}
for name, identifier in ENVIRONMENTS.items():
  LIBRARY.add(name, rollout(identifier), tolerance=1e-3)


@LIBRARY.program(tolerance=1e-3)
def pendulum_gradient():
  """A derivative through the dynamics, by a linear policy's weights."""
  env, params = gymnax.make("Pendulum-v1")

  def cost(weights, key):
    observation, state = env.reset_env(key, params)
    def step(carry, _):
      observation, state = carry
      action = jnp.clip(jnp.tanh(weights @ observation), -2, 2)
      observation, state, reward = env.step_env(key, state, action[None],
                                                params)[:3]
      return (observation, state), jnp.sum(reward)
    return -jnp.sum(jax.lax.scan(step, (observation, state), length=15)[1])

  grads = jax.vmap(jax.value_and_grad(cost), in_axes=(None, 0))
  return (grads, np.array([0.1, -0.2, 0.05], np.float32),
          jax.random.split(jax.random.key(1), 4))


@LIBRARY.program(tolerance=1e-3)
def reinforce_cartpole():
  """Policy gradients from a batch of episodes, one optimizer step each."""
  import optax
  env, params = gymnax.make("CartPole-v1")
  optimizer = optax.adam(1e-2)
  rng = np.random.default_rng(0)
  weights = (rng.normal(size=(4, 16)).astype(np.float32) * 0.5,
             rng.normal(size=(16, 2)).astype(np.float32) * 0.5)

  def logits(weights, x):
    return jnp.tanh(x @ weights[0]) @ weights[1]

  def episode(weights, key):
    first, key = jax.random.split(key)
    observation, state = env.reset(first, params)
    def step(carry, key):
      observation, state, alive = carry
      act, go = jax.random.split(key)
      action = jax.random.categorical(act, logits(weights, observation))
      new, state, reward, done = env.step_env(go, state, action, params)[:4]
      return (new, state, alive & ~done), (observation, action,
                                           reward * alive, alive)
    return jax.lax.scan(step, (observation, state, True),
                        jax.random.split(key, 40))[1]

  def update(carry, key):
    weights, state = carry
    seen, action, reward, alive = jax.vmap(episode, in_axes=(None, 0))(
        weights, jax.random.split(key, 8))
    returns = jnp.cumsum(reward[:, ::-1], 1)[:, ::-1]
    def loss(weights):
      chosen = jnp.take_along_axis(jax.nn.log_softmax(logits(weights, seen)),
                                   action[..., None], -1)[..., 0]
      return -jnp.mean(chosen * (returns - returns.mean()) * alive)
    value, grads = jax.value_and_grad(loss)(weights)
    updates, state = optimizer.update(grads, state)
    return (optax.apply_updates(weights, updates), state), (
        value, jnp.sum(reward))

  def run(weights, key):
    return jax.lax.scan(update, (weights, optimizer.init(weights)),
                        jax.random.split(key, 3))

  return run, weights, jax.random.key(2)
