"""Modules and transformations of equinox: filtered jit, grad and vmap,
stateful layers, checkpointed loops, runtime errors."""

import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp
import numpy as np
import optax

from library import Library

LIBRARY = Library("equinox")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@LIBRARY.program(tolerance=1e-4, jit=False, quick=True)
def mlp_training():
  """filter_jit of steps whose model has functions among its leaves."""
  x, y = data(0, 64, 3), data(1, 64)
  model = eqx.nn.MLP(3, "scalar", 32, 2, key=jax.random.key(0))
  optimizer = optax.adam(1e-2)

  @eqx.filter_jit
  def step(model, state):
    @eqx.filter_value_and_grad
    def loss(model):
      return jnp.mean((jax.vmap(model)(x) - y) ** 2)
    value, grads = loss(model)
    updates, state = optimizer.update(grads, state)
    return eqx.apply_updates(model, updates), state, value

  def run(model):
    state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for _ in range(5):
      model, state, value = step(model, state)
      losses.append(value)
    return losses, eqx.filter(model, eqx.is_array)

  return run, model


@LIBRARY.program(tolerance=1e-4, jit=False)
def convnet_with_batchnorm():
  """State of batch normalization through vmap with an axis name."""
  class Net(eqx.Module):
    conv: eqx.nn.Conv2d
    norm: eqx.nn.BatchNorm
    pool: eqx.nn.MaxPool2d
    linear: eqx.nn.Linear

    def __init__(self, key):
      keys = jax.random.split(key)
      self.conv = eqx.nn.Conv2d(3, 8, 3, use_bias=False, key=keys[0])
      self.norm = eqx.nn.BatchNorm(8, "batch", mode="batch")
      self.pool = eqx.nn.MaxPool2d(2, 2)
      self.linear = eqx.nn.Linear(8 * 7 * 7, 5, key=keys[1])

    def __call__(self, x, state):
      x, state = self.norm(self.conv(x), state)
      return self.linear(self.pool(jax.nn.relu(x)).ravel()), state

  model, state = eqx.nn.make_with_state(Net)(jax.random.key(1))
  x = data(2, 6, 3, 16, 16)

  @eqx.filter_jit
  def run(model, state):
    def loss(model, state):
      out, state = jax.vmap(model, axis_name="batch", in_axes=(0, None),
                            out_axes=(0, None))(x, state)
      return jnp.mean(out ** 2), state
    (value, state), grads = eqx.filter_value_and_grad(
        loss, has_aux=True)(model, state)
    return value, grads, jax.tree.leaves(state)

  return run, model, state


@LIBRARY.program(tolerance=1e-4)
def attention_and_rotary():
  attention = eqx.nn.MultiheadAttention(4, 16, key=jax.random.key(2))
  rotary = eqx.nn.RotaryPositionalEmbedding(4)
  norm = eqx.nn.RMSNorm(16)
  params, static = eqx.partition(attention, eqx.is_array)
  mask = np.tril(np.ones((9, 9), bool))

  def loss(params, x):
    attention = eqx.combine(params, static)
    def heads(q, k, v):
      rotate = jax.vmap(rotary, in_axes=1, out_axes=1)
      return rotate(q), rotate(k), v
    one = lambda x: attention(jax.vmap(norm)(x), x, x, mask,
                              process_heads=heads)
    return jnp.sum(jnp.sin(jax.vmap(one)(x)))

  return jax.value_and_grad(loss, argnums=(0, 1)), params, data(3, 3, 9, 16)


@LIBRARY.program(tolerance=1e-4)
def gru_scan_gradient():
  cell = eqx.nn.GRUCell(4, 10, key=jax.random.key(3))

  def loss(cell, x):
    def step(state, x):
      state = cell(x, state)
      return state, jnp.sum(state)
    return jnp.sum(jax.lax.scan(step, jnp.zeros(10), x)[1] ** 2)

  grads = jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0))
  return grads, cell, data(4, 5, 20, 4)


@LIBRARY.program(tolerance=1e-4, quick=True)
def checkpointed_while_gradient():
  """Reverse mode through a while loop of unknown length, by checkpoints."""
  def run(x):
    def loss(x):
      def body(carry):
        i, x, total = carry
        x = jnp.sin(x) * 1.1 + 0.1 * jnp.roll(x, 1)
        return i + 1, x, total + jnp.sum(x * x)
      def condition(carry):
        return (carry[0] < 37) & (carry[2] < 1e4)
      return eqxi.while_loop(condition, body, (0, x, 0.0), max_steps=64,
                             kind="checkpointed", checkpoints=5)[2]
    return jax.value_and_grad(loss)(x)

  return run, data(5, 16)


@LIBRARY.program(tolerance=1e-4, quick=True)
def bounded_while_gradient():
  """The nested bounded loop, vmapped over other lengths, and its gradient."""
  def loss(x, stop):
    def body(carry):
      i, x, history = carry
      x = x + 0.05 * jnp.cos(3 * x)
      return i + 1, x, history.at[i].set(x)
    i, x, history = eqxi.while_loop(
        lambda carry: carry[0] < stop, body,
        (0, x, jnp.zeros((40, *x.shape))), max_steps=40, kind="bounded",
        buffers=lambda carry: carry[2])
    return jnp.sum(history ** 2) / i + jnp.sum(x)

  return jax.vmap(jax.value_and_grad(loss)), data(6, 4, 8), np.array(
      [3, 40, 17, 0 + 1])


@LIBRARY.program(tolerance=1e-4)
def loop_in_loop_in_cond():
  """Checkpointed loops in each other under a conditional, with gradients."""
  def loss(x, choose):
    def inner(x, n):
      return eqxi.while_loop(
          lambda c: c[0] < n, lambda c: (c[0] + 1, jnp.tanh(c[1] * 1.3)),
          (0, x), max_steps=8, kind="checkpointed")[1]
    def outer(x):
      return eqxi.scan(lambda x, n: (inner(x, n), jnp.sum(x)), x,
                       jnp.arange(6), kind="checkpointed", checkpoints=2)
    def short(x):
      return x * 2, jnp.zeros(6)
    x, sums = jax.lax.cond(choose, outer, short, x)
    return jnp.sum(x ** 2) + jnp.sum(sums)

  both = lambda x: (jax.value_and_grad(loss)(x, True),
                    jax.value_and_grad(loss)(x, x[0] > 1e3))
  return both, data(7, 12)


@LIBRARY.program(tolerance=1e-4)
def vmapped_ensemble():
  """filter_vmap makes and runs an ensemble."""
  def run(keys):
    @eqx.filter_vmap
    def make(key):
      return eqx.nn.MLP(4, 3, 8, 2, activation=jax.nn.softplus, key=key)
    @eqx.filter_vmap(in_axes=(eqx.if_array(0), None))
    def evaluate(model, x):
      return jax.vmap(model)(x), jax.vmap(jax.jacfwd(model))(x)
    return evaluate(make(keys), data(8, 5, 4))

  return run, jax.random.split(jax.random.key(4), 6)


@LIBRARY.program(jit=False)
def runtime_errors():
  """error_if inside a compiled function: a good call, then a bad one."""
  @eqx.filter_jit
  def root(x):
    x = eqx.error_if(x, jnp.any(x < 0), "x must not be negative")
    return jnp.sqrt(x)

  def run(x):
    good = root(x)
    try:
      jax.block_until_ready(root(-x))
    except Exception as error:
      return good, "must not be negative" in str(error)
    return good, False

  return run, np.arange(1.0, 5.0, dtype=np.float32)


@LIBRARY.program(tolerance=1e-4)
def spectral_and_custom_vjp():
  """filter_custom_vjp, filter_closure_convert and a Hessian product."""
  @eqx.filter_custom_vjp
  def clipped(x, scale):
    return x * scale

  @clipped.def_fwd
  def forward(_, x, scale):
    return x * scale, None

  @clipped.def_bwd
  def backward(_, gradient, __, x, scale):
    return jnp.clip(gradient * scale, -0.5, 0.5)

  def loss(x):
    return jnp.sum(clipped(x, 2.0) ** 3)

  def run(x, v):
    smooth = lambda x: jnp.sum(jnp.sin(x) ** 3 * jnp.roll(x, 1))
    product = jax.jvp(jax.grad(smooth), (x,), (v,))
    return jax.grad(loss)(x), product, jax.hessian(smooth)(x)

  return run, data(9, 7), data(10, 7)
