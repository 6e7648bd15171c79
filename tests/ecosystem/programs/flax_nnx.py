"""Modules of flax.nnx: objects whose state nnx.jit and nnx.scan carry."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from library import Library

LIBRARY = Library("flax_nnx")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


class Mlp(nnx.Module):
  """Two layers with dropout and batch normalization."""

  def __init__(self, sizes, rngs):
    self.first = nnx.Linear(sizes[0], sizes[1], use_bias=False, rngs=rngs)
    self.norm = nnx.BatchNorm(sizes[1], rngs=rngs)
    self.dropout = nnx.Dropout(0.2, rngs=rngs)
    self.second = nnx.Linear(sizes[1], sizes[2], rngs=rngs)

  def __call__(self, x):
    x = self.dropout(nnx.gelu(self.norm(self.first(x))))
    return self.second(x)


@LIBRARY.program(tolerance=1e-4, jit=False, quick=True)
def training_steps():
  """nnx.jit of a step that changes model, optimizer and dropout's keys."""
  x, y = data(0, 32, 8), data(1, 32, 3)

  @nnx.jit
  def step(model, optimizer):
    loss = lambda model: jnp.mean((model(x) - y) ** 2)
    value, grads = nnx.value_and_grad(loss)(model)
    optimizer.update(model, grads)
    return value

  def run():
    model = Mlp((8, 32, 3), nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adamw(1e-2), wrt=nnx.Param)
    losses = [step(model, optimizer) for _ in range(5)]
    model.eval()
    return losses, model(x), nnx.to_pure_dict(nnx.state(model, nnx.BatchStat))

  return run,


@LIBRARY.program(tolerance=1e-4)
def functional_split_merge():
  """nnx.split and merge under jax.jit and jax.grad."""
  x = data(2, 16, 8)
  graph, params, rest = nnx.split(Mlp((8, 16, 4), nnx.Rngs(1)), nnx.Param, ...)

  def loss(params):
    # A copy: `rest` has state that belongs to no trace of jax.grad.
    model = nnx.merge(graph, params, rest, copy=True)
    out = model(x)
    return jnp.sum(out ** 2), nnx.to_pure_dict(nnx.state(model, nnx.BatchStat))

  def run(params):
    value, grads = jax.value_and_grad(loss, has_aux=True)(params)
    return value, nnx.to_pure_dict(grads)

  return run, params


@LIBRARY.program(tolerance=1e-4, jit=False)
def scan_over_layers():
  """Layers made under nnx.vmap, run under nnx.scan, with their gradient."""
  class Layer(nnx.Module):
    def __init__(self, rngs):
      self.linear = nnx.Linear(16, 16, rngs=rngs)
      self.norm = nnx.LayerNorm(16, rngs=rngs)

    def __call__(self, x):
      return x + nnx.tanh(self.linear(self.norm(x)))

  @nnx.split_rngs(splits=6)
  @nnx.vmap(in_axes=(0,), out_axes=0)
  def make(rngs):
    return Layer(rngs)

  @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
  def forward(x, layer):
    return layer(x)

  x = data(3, 4, 16)

  @nnx.jit
  def run(layers):
    value, grads = nnx.value_and_grad(
        lambda layers: jnp.sum(forward(x, layers) ** 2))(layers)
    return value, nnx.to_pure_dict(grads)

  return run, make(nnx.Rngs(2))


@LIBRARY.program(tolerance=1e-4, jit=False)
def attention_and_cache():
  """A decoder step by step with the cache in the module's state."""
  def run():
    attention = nnx.MultiHeadAttention(
        num_heads=2, in_features=12, qkv_features=8, decode=True,
        rngs=nnx.Rngs(3))
    attention.init_cache((2, 6, 12))
    step = nnx.jit(lambda module, x: module(x))
    x = data(4, 6, 2, 1, 12)
    return [step(attention, token) for token in x]

  return run,


@LIBRARY.program(tolerance=1e-4, jit=False)
def convolutional_autoencoder():
  """Convolutions down and up, a latent sample from the module's keys."""
  class Autoencoder(nnx.Module):
    def __init__(self, rngs):
      self.down = nnx.Conv(3, 8, (3, 3), strides=2, rngs=rngs)
      self.up = nnx.ConvTranspose(4, 3, (3, 3), strides=(2, 2), rngs=rngs)
      self.rngs = rngs

    def __call__(self, x):
      mean, scale = jnp.split(self.down(x), 2, -1)
      noise = jax.random.normal(self.rngs.noise(), mean.shape)
      return self.up(mean + jnp.exp(0.5 * scale) * noise)

  x = data(5, 2, 12, 12, 3)

  @nnx.jit
  def step(model):
    value, grads = nnx.value_and_grad(
        lambda model: jnp.mean((model(x) - x) ** 2))(model)
    return value, nnx.to_pure_dict(grads)

  return lambda: step(Autoencoder(nnx.Rngs(0, noise=1))),


@LIBRARY.program(tolerance=1e-4, jit=False)
def recurrent_and_lora():
  """An LSTM whose projection has low-rank adapters; gradients of these."""
  class Net(nnx.Module):
    def __init__(self, rngs):
      self.rnn = nnx.RNN(nnx.LSTMCell(4, 8, rngs=rngs))
      self.out = nnx.LoRALinear(8, 5, lora_rank=2, rngs=rngs)

    def __call__(self, x):
      return self.out(self.rnn(x))

  model, x = Net(nnx.Rngs(4)), data(6, 3, 9, 4)
  of_adapters = nnx.DiffState(0, nnx.LoRAParam)

  @nnx.jit
  def run(model):
    value, grads = nnx.value_and_grad(
        lambda model: jnp.sum(model(x) ** 2), argnums=of_adapters)(model)
    return value, nnx.to_pure_dict(grads)

  return run, model


@LIBRARY.program(tolerance=1e-4, jit=False)
def vmapped_models():
  """One optimizer step of five models at once."""
  @nnx.split_rngs(splits=5)
  @nnx.vmap(in_axes=(0,), out_axes=0)
  def make(rngs):
    return Mlp((6, 12, 2), rngs)

  x, y = data(7, 16, 6), data(8, 16, 2)

  @nnx.jit
  @nnx.vmap(in_axes=(0,), out_axes=0)
  def losses(model):
    value, grads = nnx.value_and_grad(
        lambda model: jnp.mean((model(x) - y) ** 2))(model)
    return value, nnx.to_pure_dict(grads)

  return lambda: losses(make(nnx.Rngs(5))),
