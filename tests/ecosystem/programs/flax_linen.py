"""Modules of flax.linen: convolutional, recurrent and attention networks,
lifted transformations, mutable collections."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import serialization
from flax.training import train_state

from library import Library

LIBRARY = Library("flax_linen")
KEY = 7


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


class ConvNet(nn.Module):
  """Convolutions with batch normalization and pooling."""

  @nn.compact
  def __call__(self, x, training):
    for features in (8, 16):
      x = nn.Conv(features, (3, 3), use_bias=False)(x)
      x = nn.BatchNorm(use_running_average=not training)(x)
      x = nn.max_pool(nn.relu(x), (2, 2), (2, 2))
    return nn.Dense(10)(x.reshape(x.shape[0], -1))


@LIBRARY.program(tolerance=1e-4, quick=True)
def convnet_training():
  """Steps with batch statistics in a mutable collection."""
  model, x, y = ConvNet(), data(0, 8, 16, 16, 3), np.arange(8) % 10
  variables = model.init(jax.random.key(KEY), x, True)
  optimizer = optax.sgd(0.05, momentum=0.9)

  def step(carry, _):
    variables, state = carry

    def loss(params):
      logits, changed = model.apply(
          {"params": params, "batch_stats": variables["batch_stats"]}, x, True,
          mutable=["batch_stats"])
      return optax.softmax_cross_entropy_with_integer_labels(
          logits, y).mean(), changed

    (value, changed), grads = jax.value_and_grad(loss, has_aux=True)(
        variables["params"])
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(variables["params"], updates)
    return ({"params": params, **changed}, state), value

  def run(variables):
    (variables, _), losses = jax.lax.scan(
        step, (variables, optimizer.init(variables["params"])), length=5)
    return losses, variables, model.apply(variables, x, False)

  return run, variables


class Block(nn.Module):
  """A transformer's block."""
  heads: int = 4

  @nn.compact
  def __call__(self, x, mask):
    y = nn.LayerNorm()(x)
    x = x + nn.MultiHeadDotProductAttention(self.heads)(y, y, mask=mask)
    y = nn.Dense(4 * x.shape[-1])(nn.LayerNorm()(x))
    return x + nn.Dense(x.shape[-1])(nn.gelu(y))


class Scanned(nn.Module):
  """Four blocks under nn.scan and nn.remat."""

  @nn.compact
  def __call__(self, tokens):
    x = nn.Embed(50, 32)(tokens)
    mask = nn.make_causal_mask(tokens)
    block = nn.remat(Block)
    body = lambda module, x, _: (module(x, mask), None)
    x, _ = nn.scan(body, variable_axes={"params": 0},
                   split_rngs={"params": True}, length=4)(
                       block(name="block"), x, None)
    return nn.Dense(50)(x)


@LIBRARY.program(tolerance=1e-4, unit=0.01)
def scanned_transformer_gradient():
  """Rematerialized blocks under a scan, with their gradient."""
  tokens = np.random.default_rng(0).integers(0, 50, (2, 12))
  model = Scanned()
  variables = model.init(jax.random.key(KEY), tokens)

  def loss(variables):
    logits = model.apply(variables, tokens[:, :-1])
    return optax.softmax_cross_entropy_with_integer_labels(
        logits, tokens[:, 1:]).mean()

  return jax.value_and_grad(loss), variables


@LIBRARY.program(tolerance=1e-4)
def recurrent_gradients():
  """LSTM forwards and backwards in time, GRU with lengths."""
  class Net(nn.Module):
    @nn.compact
    def __call__(self, x, lengths):
      both = nn.Bidirectional(nn.RNN(nn.LSTMCell(8)),
                              nn.RNN(nn.OptimizedLSTMCell(8)))(
                                  x, seq_lengths=lengths)
      return nn.RNN(nn.GRUCell(5))(both, seq_lengths=lengths)

  model, x, lengths = Net(), data(1, 3, 10, 4), np.array([10, 4, 7])
  variables = model.init(jax.random.key(KEY), x, lengths)

  def loss(variables, x):
    return jnp.sum(model.apply(variables, x, lengths) ** 2)

  return jax.value_and_grad(loss, argnums=(0, 1)), variables, x


@LIBRARY.program(tolerance=1e-4)
def decoding_with_cache():
  """Autoregressive attention: dynamic updates of cached keys and values."""
  length = 8
  model = nn.MultiHeadDotProductAttention(num_heads=2, qkv_features=16,
                                          decode=True)
  x = data(2, 3, length, 16)
  variables = model.init(jax.random.key(KEY), x)

  def run(params, cache):
    def step(cache, token):
      out, changed = model.apply({"params": params, "cache": cache},
                                 token[:, None], mutable=["cache"])
      return changed["cache"], out[:, 0]
    return jax.lax.scan(step, cache, jnp.swapaxes(x, 0, 1))

  return run, variables["params"], variables["cache"]


@LIBRARY.program(tolerance=1e-5)
def vmapped_ensemble():
  """nn.vmap with parameters of their own, and a hand-made vmap of init."""
  class Ensemble(nn.Module):
    @nn.compact
    def __call__(self, x):
      dense = nn.vmap(nn.Dense, variable_axes={"params": 0},
                      split_rngs={"params": True}, in_axes=None, axis_size=5)
      return dense(7)(nn.tanh(dense(6)(x)[0]))

  model, x = Ensemble(), data(3, 4, 6)

  def run(keys):
    variables = jax.vmap(lambda key: model.init(key, x))(keys)
    return jax.vmap(lambda v: model.apply(v, x))(variables)

  return run, jax.random.split(jax.random.key(KEY), 3)


@LIBRARY.program(tolerance=1e-4, jit=False)
def dropout_train_state():
  """A TrainState, dropout from a key per step, and its bytes."""
  class Net(nn.Module):
    @nn.compact
    def __call__(self, x, deterministic):
      x = nn.Dropout(0.4, deterministic=deterministic)(nn.relu(nn.Dense(32)(x)))
      return nn.Dense(3)(x)

  model, x, y = Net(), data(4, 16, 8), data(5, 16, 3)
  state = train_state.TrainState.create(
      apply_fn=model.apply, params=model.init(jax.random.key(KEY), x, True),
      tx=optax.adam(1e-2))

  @jax.jit
  def step(state, key):
    def loss(params):
      out = state.apply_fn(params, x, False, rngs={"dropout": key})
      return jnp.mean((out - y) ** 2)
    value, grads = jax.value_and_grad(loss)(state.params)
    return state.apply_gradients(grads=grads), value

  def run(state):
    values = []
    for i in range(4):
      state, value = step(state, jax.random.key(i))
      values.append(value)
    bytes_of = serialization.to_bytes(state.params)
    return values, serialization.from_bytes(state.params, bytes_of)

  return run, state


@LIBRARY.program(tolerance=1e-4, unit=1.0)
def normalizations():
  """Group, layer, instance and weight normalizations, with gradients."""
  class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
      x = nn.GroupNorm(num_groups=2)(nn.ConvTranspose(8, (3, 3), (2, 2))(x))
      x = nn.InstanceNorm()(nn.Conv(8, (3, 3), feature_group_count=4)(x))
      x = nn.RMSNorm()(nn.avg_pool(x, (2, 2), (2, 2), padding="SAME"))
      return nn.LayerNorm()(nn.WeightNorm(nn.Dense(6))(x))

  model, x = Net(), data(6, 2, 7, 7, 4)
  variables = model.init(jax.random.key(KEY), x)

  def loss(variables, x):
    return jnp.sum(jnp.sin(model.apply(variables, x)))

  return jax.value_and_grad(loss, argnums=(0, 1)), variables, x


@LIBRARY.program(tolerance=2e-2)
def bfloat16_mixed_precision():
  """Parameters in f32, computation in bf16."""
  class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
      for width in (64, 64):
        x = nn.gelu(nn.Dense(width, dtype=jnp.bfloat16)(x))
      return nn.Dense(4)(nn.LayerNorm(dtype=jnp.bfloat16)(x))

  model, x = Net(), data(7, 16, 32)
  variables = model.init(jax.random.key(KEY), x)
  loss = lambda v: jnp.mean(model.apply(v, x) ** 2)
  return jax.value_and_grad(loss), variables
