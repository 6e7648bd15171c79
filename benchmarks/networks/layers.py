"""Layers of networks in JAX, as its users write them.

Images are [batch, rows, columns, features] in the layout NHWC, and [batch,
features, rows, columns] in NCHW; signals have one position instead of rows and
columns. onnx_layers.py has the same layers for ONNX.
"""

import math

from networks.network import Array


class Layers:
  """The layers; `weight(Array)` gives the next weight."""

  def __init__(self, next_weight, layout="NHWC", training=False):
    self._next = next_weight
    self.layout = layout
    self.training = training

  def weight(self, array):
    del array  # The list of weights was made by asking for the same ones.
    return self._next()

  # Products.

  def linear(self, x, features, bias=True):
    """x @ w + b along the last dimension."""
    inputs = x.shape[-1]
    w = self.weight(Array((inputs, features), scale=inputs ** -0.5))
    x = x @ w
    return x + self.weight(Array((features,), scale=0.02)) if bias else x

  def conv(self, x, features, size, stride=1, groups=1, bias=False,
           dilation=1, padding="SAME"):
    """A convolution by a square window; `groups` 0 stands for depthwise."""
    from jax import lax

    rank = x.ndim - 2
    inputs = x.shape[self._axis()]
    groups = groups or inputs
    terms = inputs // groups * size ** rank
    order = () if self._first() else (*range(2, rank + 2), 1, 0)
    w = self.weight(Array((features, inputs // groups) + (size,) * rank,
                          scale=terms ** -0.5, order=order))
    places = "HW"[:rank] if rank > 1 else "W"
    image = f"NC{places}" if self._first() else f"N{places}C"
    kernel = f"OI{places}" if self._first() else f"{places}IO"
    if padding == "CAUSAL":
      padding = [((size - 1) * dilation, 0)] * rank
    y = lax.conv_general_dilated(
        x, w, (stride,) * rank, padding, rhs_dilation=(dilation,) * rank,
        dimension_numbers=(image, kernel, image), feature_group_count=groups)
    if bias:
      y = y + self._along(y, self.weight(Array((features,), scale=0.02)))
    return y

  def embedding(self, ids, count, features, scale=0.5):
    """The rows of a table of `count`; also returns the table."""
    table = self.weight(Array((count, features), scale=scale))
    return table[ids], table

  def scores(self, x, table):
    """How well rows of x agree with each row of the table."""
    return x @ table.T

  # Norms.

  def batch_norm(self, x, eps=1e-5):
    from jax import lax
    import jax.numpy as jnp

    features = x.shape[self._axis()]
    scale = self.weight(Array((features,), scale=0.1, shift=1))
    shift = self.weight(Array((features,), scale=0.1))
    if self.training:
      axes = tuple(d for d in range(x.ndim) if d != self._axis() % x.ndim)
      mean = jnp.mean(x, axes)
      variance = jnp.mean(jnp.square(x), axes) - jnp.square(mean)
    else:
      mean = self.weight(Array((features,), scale=0.1))
      variance = self.weight(Array((features,), scale=0.1, shift=1))
    factor = lax.rsqrt(variance + eps) * scale
    return ((x - self._along(x, mean)) * self._along(x, factor) +
            self._along(x, shift))

  def layer_norm(self, x, eps=1e-5):
    """Of the last dimension."""
    from jax import lax
    import jax.numpy as jnp

    scale = self.weight(Array((x.shape[-1],), scale=0.1, shift=1))
    shift = self.weight(Array((x.shape[-1],), scale=0.1))
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean(jnp.square(x - mean), -1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + eps) * scale + shift

  def rms_norm(self, x, eps=1e-6):
    """Of the last dimension, in f32 as models of bf16 have it."""
    from jax import lax
    import jax.numpy as jnp

    scale = self.weight(Array((x.shape[-1],), str(x.dtype), 0.1, 1))
    wide = x.astype(jnp.float32)
    mean = jnp.mean(jnp.square(wide), -1, keepdims=True)
    return (wide * lax.rsqrt(mean + eps)).astype(x.dtype) * scale

  def group_norm(self, x, groups=32, eps=1e-5):
    from jax import lax
    import jax.numpy as jnp

    features = x.shape[self._axis()]
    scale = self.weight(Array((features,), scale=0.1, shift=1))
    shift = self.weight(Array((features,), scale=0.1))
    if self._first():
      split = x.reshape(x.shape[0], groups, -1)
      axes = -1
    else:
      split = x.reshape(x.shape[0], -1, groups, features // groups)
      axes = (1, 3)
    mean = jnp.mean(split, axes, keepdims=True)
    variance = jnp.mean(jnp.square(split - mean), axes, keepdims=True)
    y = ((split - mean) * lax.rsqrt(variance + eps)).reshape(x.shape)
    return y * self._along(x, scale) + self._along(x, shift)

  # Functions of elements.

  def relu(self, x):
    import jax
    return jax.nn.relu(x)

  def silu(self, x):
    import jax
    return jax.nn.silu(x)

  def sigmoid(self, x):
    import jax
    return jax.nn.sigmoid(x)

  def tanh(self, x):
    import jax.numpy as jnp
    return jnp.tanh(x)

  def gelu(self, x, exact=True):
    import jax
    return jax.nn.gelu(x, approximate=not exact)

  def hard_sigmoid(self, x):
    import jax
    return jax.nn.hard_sigmoid(x)

  def hard_swish(self, x):
    import jax
    return jax.nn.hard_swish(x)

  # Sums and movement.

  def max_pool(self, x, size, stride):
    from jax import lax
    import jax.numpy as jnp
    return lax.reduce_window(x, -jnp.inf, lax.max, self._window(x, size),
                             self._window(x, stride), "SAME")

  def mean(self, x, keepdims=False):
    """Of all positions."""
    import jax.numpy as jnp
    axes = range(2, x.ndim) if self._first() else range(1, x.ndim - 1)
    return jnp.mean(x, tuple(axes), keepdims=keepdims)

  def upsample(self, x):
    """Each position twice in each direction."""
    import jax.numpy as jnp
    axes = (2, 3) if self._first() else (1, 2)
    return jnp.repeat(jnp.repeat(x, 2, axes[0]), 2, axes[1])

  def join_features(self, *xs):
    import jax.numpy as jnp
    return jnp.concatenate(xs, self._axis())

  def per_image(self, vector, x):
    """[batch, features] so that it can be added to the images x."""
    return self._along(x, vector)

  def features_last(self, x):
    return x.transpose(0, *range(2, x.ndim), 1) if self._first() else x

  def features_back(self, x):
    """The inverse of features_last."""
    return (x.transpose(0, x.ndim - 1, *range(1, x.ndim - 1))
            if self._first() else x)

  def tokens(self, x):
    """[batch, positions, features]"""
    x = self.features_last(x)
    return x.reshape(x.shape[0], -1, x.shape[-1])

  def image(self, tokens, like):
    """The inverse of tokens."""
    rows, columns = like.shape[2:] if self._first() else like.shape[1:3]
    return self.features_back(
        tokens.reshape(tokens.shape[0], rows, columns, -1))

  def split(self, x, parts):
    """Along the last dimension."""
    import jax.numpy as jnp
    return jnp.split(x, parts, -1)

  def first_token(self, x):
    return x[:, 0]

  def last_token(self, x):
    return x[:, -1]

  def with_class_token(self, x):
    import jax.numpy as jnp
    token = self.weight(Array((1, 1, x.shape[-1]), scale=0.5))
    return jnp.concatenate(
        [jnp.broadcast_to(token, (x.shape[0], 1, x.shape[-1])), x], 1)

  def attention(self, q, k, v, heads, causal=False, mask=None):
    """[batch, tokens, features] each; `mask` [batch, tokens] has ones where
    keys may be seen."""
    import jax
    import jax.numpy as jnp

    def split(x):
      return x.reshape(*x.shape[:2], heads, x.shape[-1] // heads)

    scale = math.sqrt(q.shape[-1] // heads)
    scores = jnp.einsum("bqhd,bkhd->bhqk", split(q) / scale, split(k))
    if causal:
      seen = jnp.tril(jnp.ones(scores.shape[-2:], bool))
      scores = jnp.where(seen, scores, -1e9)
    if mask is not None:
      scores = scores + (1 - mask)[:, None, None, :] * -1e9
    weights = jax.nn.softmax(scores, -1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, split(v)).reshape(q.shape)

  def cached_attention(self, q, k, v, keys, values, position, heads):
    """(result, keys, values) of one token: q, k and v are [1, features], keys
    and values [heads, tokens, features], of which those up to `position`
    count."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    def split(x):
      return x.reshape(heads, 1, x.shape[-1] // heads)

    keys = lax.dynamic_update_slice(keys, split(k), (0, position, 0))
    values = lax.dynamic_update_slice(values, split(v), (0, position, 0))
    scores = jnp.einsum("hqd,hkd->hqk", split(q), keys)
    scores = scores / math.sqrt(keys.shape[-1])
    scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -1e9)
    weights = jax.nn.softmax(scores, -1)
    mixed = jnp.einsum("hqk,hkd->hqd", weights, values)
    return mixed.reshape(q.shape), keys, values

  def first_rows(self, x, count):
    return x[:count]

  def row(self, x, position):
    """[1, features]"""
    from jax import lax
    return lax.dynamic_slice_in_dim(x, position, 1)

  def part(self, x, i):
    """x[i] for a number i."""
    return x[i]

  def sum_of_bag(self, rows):
    """[batch, bag, features] summed over the bags."""
    import jax.numpy as jnp
    return jnp.sum(rows, 1)

  def products_of_pairs(self, vectors):
    """The products of each two of the vectors [batch, features]."""
    import jax.numpy as jnp
    import numpy as np
    x = jnp.stack(vectors, 1)
    rows, columns = np.tril_indices(len(vectors), -1)
    return jnp.einsum("bif,bjf->bij", x, x)[:, rows, columns]

  # Layouts.

  def _first(self):
    return self.layout == "NCHW"

  def _axis(self):
    return 1 if self._first() else -1

  def _along(self, x, vector):
    """[features] or [batch, features], to be broadcast to x."""
    if self._first():
      return vector.reshape(vector.shape + (1,) * (x.ndim - 2))
    if vector.ndim == 1:
      return vector
    return vector.reshape(vector.shape[:1] + (1,) * (x.ndim - 2) +
                          vector.shape[1:])

  def _window(self, x, size):
    places = (size,) * (x.ndim - 2)
    return (1, 1, *places) if self._first() else (1, *places, 1)
