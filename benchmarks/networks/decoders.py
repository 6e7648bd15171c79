"""Language models of a billion weights that generate one token, like Llama 3.2
and Gemma 3, with weights of bf16, s8 or s4.

Weights are arguments: as constants they would not fit into a program. Narrow
ones are converted and multiplied by their scales before each product, which is
how JAX programs state quantized weights.
"""

import dataclasses
import functools

from networks.network import Array, Network

LENGTH = 512  # tokens that the caches of keys and values have room for
BLOCK = 32  # s4 weights with one scale


@dataclasses.dataclass(frozen=True)
class Config:
  width: int
  layers: int
  heads: int
  kv_heads: int
  head: int
  inner: int
  words: int
  gelu: bool  # instead of silu


LLAMA = Config(2048, 16, 32, 8, 64, 8192, 128256, False)
GEMMA = Config(1152, 26, 4, 1, 256, 6912, 262144, True)


def product(nn, x, features, kind):
  """x @ w for weights of one kind."""
  inputs = x.shape[-1]
  size = inputs ** -0.5
  if kind == "bf16":
    return x @ nn.weight(Array((inputs, features), "bfloat16", size))
  if kind == "s8":
    w = nn.weight(Array((inputs, features), "int8", range=(-127, 128)))
    scale = nn.weight(Array((features,), "bfloat16", 1e-4, size / 73))
    return x @ (w.astype(x.dtype) * scale)
  w = nn.weight(Array((inputs // BLOCK, BLOCK, features), "int4",
                      range=(-8, 8)))
  scale = nn.weight(Array((inputs // BLOCK, 1, features), "bfloat16", 1e-4,
                          size / 4.6))
  return x @ (w.astype(x.dtype) * scale).reshape(inputs, features)


def table(nn, config, kind):
  """The function that gives rows of the embedding, and that of all scores."""
  if kind == "bf16":
    words = nn.weight(Array((config.words, config.width), "bfloat16", 0.02))
    return lambda ids: words[ids], lambda x: x @ words.T
  words = nn.weight(Array((config.words, config.width), "int8",
                          range=(-127, 128)))
  scale = nn.weight(Array((config.words, 1), "bfloat16", 1e-6, 0.02 / 73))
  return (lambda ids: words[ids].astype(scale.dtype) * scale[ids],
          lambda x: x @ (words.astype(x.dtype) * scale).T)


def rotate(x, position):
  """[heads, head] with pairs of features turned by the position."""
  import jax.numpy as jnp

  half = x.shape[-1] // 2
  angle = position * 10000.0 ** (-jnp.arange(half) / half)
  sin, cos = jnp.sin(angle), jnp.cos(angle)
  a, b = x[:, :half], x[:, half:]
  turned = jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)
  return turned.astype(x.dtype)


def attend(nn, x, position, keys, values, config, kind):
  """(result, keys, values) for one token x [1, width]; keys and values are
  [LENGTH, kv_heads, head]."""
  import jax
  import jax.numpy as jnp
  from jax import lax

  kv, shared = config.kv_heads, config.heads // config.kv_heads
  q = product(nn, x, config.heads * config.head, kind)
  k = product(nn, x, kv * config.head, kind).reshape(kv, config.head)
  v = product(nn, x, kv * config.head, kind).reshape(1, kv, config.head)
  q = rotate(q.reshape(-1, config.head), position)
  k = rotate(k, position)[None]
  keys = lax.dynamic_update_slice(keys, k, (position, 0, 0))
  values = lax.dynamic_update_slice(values, v, (position, 0, 0))
  scores = jnp.einsum("gsd,tgd->gst", q.reshape(kv, shared, config.head), keys,
                      preferred_element_type=jnp.float32)
  scores = jnp.where(jnp.arange(LENGTH) <= position,
                     scores * config.head ** -0.5, -1e9)
  weights = jax.nn.softmax(scores, -1).astype(x.dtype)
  mixed = jnp.einsum("gst,tgd->gsd", weights, values)
  return product(nn, mixed.reshape(1, -1), config.width, kind), keys, values


def decode(config, kind, nn, word, position, kept):
  import jax

  rows, scores = table(nn, config, kind)
  x = rows(word)
  new = []
  for keys, values in kept:
    mixed, keys, values = attend(nn, nn.rms_norm(x), position, keys, values,
                                 config, kind)
    new.append((keys, values))
    x = x + mixed
    h = nn.rms_norm(x)
    gate, up = (product(nn, h, config.inner, kind) for _ in range(2))
    gate = jax.nn.gelu(gate) if config.gelu else jax.nn.silu(gate)
    x = x + product(nn, gate * up, config.width, kind)
  return scores(nn.rms_norm(x)), new


def networks():
  for name, config in (("llama", LLAMA), ("gemma", GEMMA)):
    state = Array((LENGTH, config.kv_heads, config.head), "bfloat16", 0.5)
    for kind in ("bf16", "s8", "s4"):
      yield Network(
          f"{name}_1b_decode_{kind}", functools.partial(decode, config, kind),
          (Array((1,), "int32", range=(0, config.words)),
           Array((), "int32", range=(300, 301)),
           [(state, state)] * config.layers),
          constants=False, donated=(2,), tolerance=0.25, onnx_inputs=None)
