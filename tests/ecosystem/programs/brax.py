"""Environments and learning of Brax: every physics pipeline, gradients through
it, vectorized training parts."""

import brax.envs
import jax
import jax.numpy as jnp
import numpy as np
from brax import math
from brax.training import distribution
from brax.training.acme import running_statistics

from library import Library

LIBRARY = Library("brax")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def rollout(name, backend, steps=4):
  """States after few steps of several instances."""
  def make():
    env = brax.envs.get_environment(name, backend=backend)
    actions = 0.3 * np.tanh(data(0, steps, 3, env.action_size))

    def run(keys, actions):
      state = jax.vmap(env.reset)(keys)
      def step(state, action):
        state = jax.vmap(env.step)(state, action)
        return state, (state.obs, state.reward, state.done)
      return state.obs, jax.lax.scan(step, state, actions)[1]

    return run, jax.random.split(jax.random.key(0), 3), actions
  return make


for environment, backend in (("inverted_pendulum", "generalized"),
                             ("reacher", "generalized"),
                             ("inverted_double_pendulum", "spring"),
                             ("hopper", "spring"),
                             ("halfcheetah", "positional"),
                             ("ant", "positional")):
  LIBRARY.add(f"{environment}_{backend}", rollout(environment, backend),
              tolerance=2e-3)


@LIBRARY.program(tolerance=2e-3)
def gradient_through_physics():
  """The derivative of rewards by actions, through the spring pipeline."""
  env = brax.envs.get_environment("inverted_pendulum", backend="spring")

  def total(actions, key):
    def step(state, action):
      state = env.step(state, action)
      return state, jnp.sum(state.obs ** 2)
    return jnp.sum(jax.lax.scan(step, env.reset(key), actions)[1])

  return (jax.vmap(jax.value_and_grad(total)), 0.1 * data(1, 2, 5, 1),
          jax.random.split(jax.random.key(1), 2))


@LIBRARY.program(tolerance=1e-4)
def quaternions_and_inverse_kinematics():
  def run(a, b, v):
    a, b = math.normalize(a)[0], math.normalize(b)[0]
    return (math.rotate(v, a), math.quat_mul(a, b), math.quat_to_euler(a),
            math.relative_quat(a, b), math.quat_to_3x3(b),
            math.orthogonals(math.normalize(v)[0]),
            jax.jacobian(math.rotate, argnums=1)(v, a))

  return jax.vmap(run), data(2, 6, 4), data(3, 6, 4), data(4, 6, 3)


@LIBRARY.program(tolerance=1e-4, unit=1.0)
def policies_and_statistics():
  """Squashed normal policies' gradients, running means of observations."""
  normal = distribution.NormalTanhDistribution(3)

  def loss(params, key):
    action = normal.sample_no_postprocessing(params, key)
    return jnp.sum(normal.log_prob(params, action)) + jnp.sum(
        normal.entropy(params, key))

  def run(params, key, batches):
    state = running_statistics.init_state(
        jax.ShapeDtypeStruct((6,), jnp.float32))
    state = jax.lax.scan(lambda s, b: (running_statistics.update(s, b), None),
                         state, batches)[0]
    return (jax.value_and_grad(loss)(params, key), state.mean, state.std,
            running_statistics.normalize(batches[0], state))

  return run, data(5, 8, 6), jax.random.key(2), data(6, 4, 10, 6)
