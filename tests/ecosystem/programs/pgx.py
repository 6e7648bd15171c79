"""Games of pgx, played at random to compare every state: integers and masks
that must be the same; a policy learned from them."""

import jax
import jax.numpy as jnp
import numpy as np
import pgx

from library import Library

LIBRARY = Library("pgx")


def play(name, moves=20, count=3):
  """Random legal moves of several games at once."""
  def make():
    env = pgx.make(name)

    def one(key):
      first, key = jax.random.split(key)
      def step(state, key):
        act, go = jax.random.split(key)
        action = jax.random.categorical(
            act, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        state = env.step(state, action, go)
        return state, (action, state.rewards, state.terminated,
                       state.current_player, state.legal_action_mask)
      state, history = jax.lax.scan(step, env.init(first),
                                    jax.random.split(key, moves))
      return history, state.observation

    return jax.vmap(one), jax.random.split(jax.random.key(0), count)
  return make


for game in ("tic_tac_toe", "connect_four", "othello", "go_9x9", "2048",
             "backgammon", "kuhn_poker", "leduc_holdem", "gardner_chess",
             "animal_shogi", "hex"):
  LIBRARY.add(game, play(game))


@LIBRARY.program(tolerance=1e-4)
def tree_search():
  """Rollouts from each move of a position: vmap of vmap of a while loop."""
  env = pgx.make("connect_four")

  def finish(state, key):
    def body(carry):
      state, key, returns = carry
      key, act = jax.random.split(key)
      action = jax.random.categorical(
          act, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
      state = env.step(state, action)
      return state, key, returns + state.rewards
    done = jax.lax.while_loop(
        lambda carry: ~(carry[0].terminated | carry[0].truncated), body,
        (state, key, jnp.zeros(2)))
    return done[2]

  def run(keys):
    start = env.init(jax.random.key(1))
    def value(move):
      state = env.step(start, move)
      return jnp.mean(jax.vmap(lambda k: finish(state, k))(keys), 0)
    return jax.vmap(value)(jnp.arange(7))

  return run, jax.random.split(jax.random.key(2), 6)


@LIBRARY.program(tolerance=1e-4)
def policy_gradient():
  """A convolutional policy's gradient over a batch of positions."""
  env = pgx.make("othello")
  rng = np.random.default_rng(0)
  params = {"conv": rng.normal(size=(3, 3, 2, 8)).astype(np.float32) * 0.3,
            "head": rng.normal(size=(8 * 64, 65)).astype(np.float32) * 0.05}

  def logits(params, state):
    x = state.observation.astype(jnp.float32)[None]
    x = jax.nn.relu(jax.lax.conv_general_dilated(
        x, params["conv"], (1, 1), "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC")))
    out = x.ravel() @ params["head"]
    return jnp.where(state.legal_action_mask, out, -1e9)

  def loss(params, keys):
    def one(key):
      def step(state, key):
        scores = logits(params, state)
        action = jax.random.categorical(key, jax.lax.stop_gradient(scores))
        return env.step(state, action), (
            jax.nn.log_softmax(scores)[action], state.current_player)
      state, (chosen, player) = jax.lax.scan(
          step, env.init(key), jax.random.split(key, 12))
      count = jnp.sum(state.observation[..., 0])
      return jnp.sum(jnp.where(player == 0, chosen, -chosen)) * count
    return jnp.mean(jax.vmap(one)(keys))

  return jax.value_and_grad(loss), params, jax.random.split(
      jax.random.key(3), 4)
