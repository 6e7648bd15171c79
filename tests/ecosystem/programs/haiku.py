"""Networks of dm-haiku: transformed functions, state, residual networks,
recurrent cores, lifted transformations."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from library import Library

LIBRARY = Library("haiku")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@LIBRARY.program(tolerance=1e-4)
def mlp_training():
  x, y = data(0, 32, 8), np.arange(32) % 5
  model = hk.without_apply_rng(hk.transform(
      lambda x: hk.nets.MLP([32, 32, 5])(x)))
  optimizer = optax.adam(1e-2)

  def loss(params):
    return optax.softmax_cross_entropy_with_integer_labels(
        model.apply(params, x), y).mean()

  def run(params):
    def step(carry, _):
      params, state = carry
      value, grads = jax.value_and_grad(loss)(params)
      updates, state = optimizer.update(grads, state)
      return (optax.apply_updates(params, updates), state), value
    return jax.lax.scan(step, (params, optimizer.init(params)), length=10)

  return run, model.init(jax.random.key(0), x)


@LIBRARY.program(tolerance=2e-3)
def resnet_gradient():
  """A ResNet-18 on small images, with its batch statistics."""
  def forward(x):
    net = hk.nets.ResNet18(10, resnet_v2=True)
    return net(x, is_training=True)

  model = hk.transform_with_state(forward)
  x = data(1, 2, 32, 32, 3)
  params, state = model.init(jax.random.key(1), x)

  def loss(params):
    out, changed = model.apply(params, state, None, x)
    return jnp.mean(out ** 2) + jnp.mean(out), changed

  def run(params):
    (value, changed), grads = jax.value_and_grad(loss, has_aux=True)(params)
    return value, changed, jax.tree.map(
        lambda g: jnp.sqrt(jnp.sum(g * g)), grads)

  return run, params


@LIBRARY.program(tolerance=1e-4)
def lstm_unroll_gradient():
  """A deep recurrent core under hk.dynamic_unroll, resets included."""
  def forward(x, reset):
    core = hk.ResetCore(hk.DeepRNN([hk.LSTM(8), jax.nn.tanh, hk.GRU(6)]))
    out, state = hk.dynamic_unroll(core, (x, reset),
                                   core.initial_state(x.shape[1]))
    return hk.BatchApply(hk.Linear(3))(out), state

  model = hk.without_apply_rng(hk.transform(forward))
  x = data(2, 12, 4, 5)
  reset = np.random.default_rng(3).random((12, 4)) < 0.2
  params = model.init(jax.random.key(2), x, reset)
  loss = lambda params, x: jnp.sum(model.apply(params, x, reset)[0] ** 2)
  return jax.value_and_grad(loss, argnums=(0, 1)), params, x


@LIBRARY.program(tolerance=1e-4, unit=0.1)
def attention_dropout():
  """Attention with keys from hk.next_rng_key, under hk.remat."""
  def forward(x):
    def block(x):
      attended = hk.MultiHeadAttention(
          2, 8, w_init=hk.initializers.VarianceScaling(2.0))(x, x, x)
      x = hk.LayerNorm(-1, True, True)(x + attended)
      return hk.dropout(hk.next_rng_key(), 0.3, x)
    for _ in range(2):
      x = hk.remat(block)(x)
    return x

  model, x = hk.transform(forward), data(4, 2, 7, 16)
  params = model.init(jax.random.key(3), x)

  def loss(params, key):
    return jnp.sum(jnp.cos(model.apply(params, key, x)))

  return jax.value_and_grad(loss), params, jax.random.key(4)


@LIBRARY.program(tolerance=1e-4)
def lifted_scan_and_vmap():
  """hk.scan over a stack of layers and hk.vmap over a set of them."""
  def forward(x):
    weight = hk.get_parameter("weight", [6, 6],
                              init=hk.initializers.RandomNormal(0.4))
    def layer(x, _):
      noise = jax.random.normal(hk.next_rng_key(), x.shape)
      hk.set_state("calls", hk.get_state("calls", (), init=jnp.zeros) + 1)
      return jax.nn.silu(x @ weight + 0.1 * noise), jnp.sum(x)
    layer(x, None)  # Creates the state, which hk.scan carries.
    x, sums = hk.scan(layer, x, jnp.arange(5))
    many = hk.vmap(hk.Linear(4, name="each"), split_rng=False)
    return many(jnp.stack([x, x + 1])), sums

  model, x = hk.transform_with_state(forward), data(5, 3, 6)
  params, state = model.init(jax.random.key(5), x)

  def loss(params):
    out, changed = model.apply(params, state, jax.random.key(6), x)
    return sum(jnp.sum(leaf ** 2) for leaf in out), changed

  return jax.value_and_grad(loss, has_aux=True), params


@LIBRARY.program(tolerance=1e-4)
def vector_quantizer():
  """VQ-VAE's quantizer with moving averages; a straight-through gradient."""
  def forward(x):
    quantizer = hk.nets.VectorQuantizerEMA(6, 16, 0.25, 0.9)
    out = quantizer(hk.Conv2D(6, 3, 2)(x), is_training=True)
    return out["loss"], out["perplexity"], out["encoding_indices"]

  model, x = hk.transform_with_state(forward), data(6, 2, 12, 12, 3)
  params, state = model.init(jax.random.key(6), x)

  def loss(params):
    (value, *rest), changed = model.apply(params, state, None, x)
    return value, (rest, changed)

  return jax.value_and_grad(loss, has_aux=True), params


@LIBRARY.program(tolerance=1e-4)
def vmapped_init_and_spectral_norm():
  """Several nets at once; spectral normalization by power iteration."""
  def forward(x):
    net = hk.Sequential([hk.Conv1D(6, 3), jax.nn.relu, hk.Flatten()])
    out = hk.Linear(4)(net(x))
    return out, hk.SpectralNorm()(hk.get_parameter(
        "w", [5, 4], init=hk.initializers.Orthogonal()))

  model, x = hk.transform_with_state(forward), data(7, 3, 10, 2)

  def run(keys):
    params, state = jax.vmap(lambda key: model.init(key, x))(keys)
    (out, _), changed = jax.vmap(
        lambda p, s: model.apply(p, s, None, x))(params, state)
    # An orthogonal matrix's norm is determined, its singular vectors are not.
    return out, jax.tree.leaves(changed)[0]

  return run, jax.random.split(jax.random.key(7), 3)
