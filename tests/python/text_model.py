"""A small character transformer in JAX: the model of tests/corpus/text_*, which
hold its weights and results.

`parameters` is a tree: embed [vocab, width], position [context, width], out
[width, vocab] and layers, each with qkv, proj, up, down and gains g1, g2.
"""

import jax
import jax.numpy as jnp

HEADS, CONTEXT = 4, 160
RATE, BETA1, BETA2, EPSILON = 2e-3, 0.9, 0.99, 1e-8
LAYER = ("down", "g1", "g2", "proj", "qkv", "up")  # as JAX sorts them


def tree_of(leaves, layers=2):
  """Parameters from arrays in JAX's order of leaves."""
  leaves = iter(leaves)
  embed = next(leaves)
  blocks = [{name: next(leaves) for name in LAYER} for _ in range(layers)]
  return {"embed": embed, "layers": blocks, "out": next(leaves),
          "position": next(leaves)}


def normalize(x, gain):
  square = jnp.mean(x * x, axis=-1, keepdims=True)
  return x * jax.lax.rsqrt(square + 1e-5) * gain


def heads_of(x):
  """[..., width] -> [..., HEADS, width / HEADS]."""
  return x.reshape(*x.shape[:-1], HEADS, -1)


def attend(q, k, v, mask):
  """[q, h, d], [k, h, d] twice -> [q, h, d], in batches."""
  scores = jnp.einsum("...qhd,...khd->...hqk", q, k) / q.shape[-1]**0.5
  weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
  return jnp.einsum("...hqk,...khd->...qhd", weights, v)


def feed_forward(layer, x):
  return jax.nn.gelu(normalize(x, layer["g2"]) @ layer["up"]) @ layer["down"]


def logits(parameters, tokens):
  """[n, t] -> [n, t, vocab]."""
  length = tokens.shape[-1]
  x = parameters["embed"][tokens] + parameters["position"][:length]
  mask = jnp.tril(jnp.ones((length, length), bool))
  for layer in parameters["layers"]:
    mixed = normalize(x, layer["g1"]) @ layer["qkv"]
    q, k, v = map(heads_of, jnp.split(mixed, 3, axis=-1))
    x = x + attend(q, k, v, mask).reshape(x.shape) @ layer["proj"]
    x = x + feed_forward(layer, x)
  return x @ parameters["out"]


def loss(parameters, batch):
  """Mean cross entropy of each next character of [n, t + 1]."""
  scores = jax.nn.log_softmax(logits(parameters, batch[:, :-1]), -1)
  return -jnp.mean(jnp.take_along_axis(scores, batch[:, 1:, None], -1))


def train_step(state, batch):
  """One step of Adam: ((parameters, mean, square, time), loss)."""
  parameters, mean, square, time = state
  value, gradient = jax.value_and_grad(loss)(parameters, batch)
  time = time + 1.0
  blend = lambda rate: lambda old, new: rate * old + (1 - rate) * new
  mean = jax.tree.map(blend(BETA1), mean, gradient)
  square = jax.tree.map(blend(BETA2), square,
                        jax.tree.map(lambda g: g * g, gradient))

  def moved(p, m, s):
    root = jnp.sqrt(s / (1 - BETA2**time)) + EPSILON
    return p - RATE * (m / (1 - BETA1**time)) / root

  parameters = jax.tree.map(moved, parameters, mean, square)
  return (parameters, mean, square, time), value


def generate(parameters, prompt, length=CONTEXT):
  """Returns the prompt and the likeliest characters after it, one at a time; a
  cache keeps the keys and values of earlier ones."""
  width = parameters["embed"].shape[1]
  cache = jnp.zeros((len(parameters["layers"]), 2, CONTEXT, HEADS,
                     width // HEADS), jnp.float32)
  tokens = jnp.zeros(CONTEXT, jnp.int32).at[:prompt.shape[0]].set(prompt)

  def body(i, state):
    tokens, cache = state
    x = parameters["embed"][tokens[i]] + parameters["position"][i]
    for n, layer in enumerate(parameters["layers"]):
      mixed = normalize(x, layer["g1"]) @ layer["qkv"]
      q, k, v = map(heads_of, jnp.split(mixed, 3))
      cache = cache.at[n, 0, i].set(k).at[n, 1, i].set(v)
      mask = jnp.arange(CONTEXT) <= i
      mixed = attend(q[None], cache[n, 0], cache[n, 1], mask)
      x = x + mixed.reshape(width) @ layer["proj"]
      x = x + feed_forward(layer, x)
    best = jnp.argmax(x @ parameters["out"]).astype(jnp.int32)
    given = i + 1 < prompt.shape[0]
    following = jnp.where(given, tokens[i + 1], best)
    return tokens.at[i + 1].set(following), cache

  return jax.lax.fori_loop(0, length - 1, body, (tokens, cache))[0]
