"""Models of Keras 3 on its JAX backend: fit, evaluate, predict, and the
stateless calls under jax.jit and jax.grad."""

import keras
import jax
import jax.numpy as jnp
import numpy as np

from library import Library

LIBRARY = Library("keras")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def fit(build, x, y, loss, metrics=(), optimizer="adam"):
  """A model trained by fit, with its predictions for new data."""
  def run():
    keras.utils.set_random_seed(1)
    model = build()
    model.compile(optimizer=optimizer, loss=loss, metrics=list(metrics))
    history = model.fit(x, y, batch_size=16, epochs=3, verbose=0,
                        shuffle=False)
    return (history.history, model.predict(x, verbose=0),
            model.evaluate(x, y, verbose=0))
  return run,


@LIBRARY.program(tolerance=1e-3, jit=False)
def fit_mlp():
  return fit(lambda: keras.Sequential([
      keras.layers.Dense(32, activation="relu"),
      keras.layers.BatchNormalization(),
      keras.layers.Dense(5, activation="softmax")]),
      data(0, 64, 8), np.arange(64) % 5, "sparse_categorical_crossentropy",
      ["accuracy"])


@LIBRARY.program(tolerance=1e-3, jit=False)
def fit_convnet():
  return fit(lambda: keras.Sequential([
      keras.layers.Conv2D(8, 3, activation="relu"),
      keras.layers.MaxPooling2D(), keras.layers.SeparableConv2D(8, 3),
      keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(3)]),
      data(1, 32, 12, 12, 3), data(2, 32, 3), "mse", optimizer="sgd")


@LIBRARY.program(tolerance=1e-3, jit=False)
def fit_recurrent():
  """A bidirectional LSTM and a GRU, with masked steps."""
  x = data(3, 32, 9, 4)
  x[:, 6:] *= np.arange(32)[:, None, None] % 2
  return fit(lambda: keras.Sequential([
      keras.layers.Masking(),
      keras.layers.Bidirectional(keras.layers.LSTM(6, return_sequences=True)),
      keras.layers.GRU(5), keras.layers.Dense(1)]),
      x, data(4, 32, 1), "mae")


def stateless(model, shape):
  """A model's variables and its gradient as functions of them."""
  keras.utils.set_random_seed(2)
  model = model()
  model.build((None, *shape))
  trainable = [v.value for v in model.trainable_variables]
  rest = [v.value for v in model.non_trainable_variables]

  def loss(trainable, x):
    out, changed = model.stateless_call(trainable, rest, x, training=False)
    return jnp.sum(out ** 2), changed

  return jax.value_and_grad(loss, argnums=(0, 1), has_aux=True), trainable


@LIBRARY.program(tolerance=1e-4, unit=0.1)
def transformer_gradient():
  """Attention by the functional interface, gradients of stateless_call."""
  def build():
    inputs = keras.Input((10, 16))
    x = keras.layers.MultiHeadAttention(2, 8)(inputs, inputs,
                                              use_causal_mask=True)
    x = keras.layers.LayerNormalization()(x + inputs)
    y = keras.layers.Dense(32, activation="gelu")(x)
    return keras.Model(inputs, keras.layers.Dense(16)(y) + x)

  return *stateless(build, (10, 16)), data(5, 3, 10, 16)


@LIBRARY.program(tolerance=1e-4)
def vmapped_gradients():
  """Per-example gradients: vmap of grad."""
  grad, trainable = stateless(lambda: keras.Sequential([
      keras.Input((6,)), keras.layers.Dense(12, activation="swish"),
      keras.layers.Dense(2)]), (6,))
  each = jax.vmap(grad, in_axes=(None, 0))
  return each, trainable, data(6, 8, 1, 6)


@LIBRARY.program(tolerance=1e-4)
def operations():
  """keras.ops: image resizing, segments, loops, linear algebra."""
  def run(image, x):
    ops = keras.ops
    return {
        "resize": ops.image.resize(image, (9, 14), interpolation="bicubic"),
        "affine": ops.image.affine_transform(
            image, jnp.array([[1.0, 0.2, 0.5, -0.1, 0.9, 1.0, 0.0, 0.0]])),
        "segment": ops.segment_sum(x, jnp.arange(8) % 3, 3),
        "top": ops.top_k(x, 3)[0],
        "loop": ops.while_loop(lambda i, v: i < 5,
                               lambda i, v: (i + 1, ops.tanh(v) + 0.1 * v),
                               (0, x))[1],
        "scan": ops.scan(lambda c, v: (c + v, c * v), x[0], x)[1],
        "solve": ops.solve(x @ x.T + 8 * ops.eye(8), x),
        "stft": ops.stft(ops.reshape(x, (1, -1)), 16, 8, 16),
        "erf": ops.erfinv(ops.clip(x, -0.9, 0.9)),
        "in_top": ops.in_top_k(jnp.arange(8) % 8, x, 3),
    }

  return run, data(7, 1, 6, 7, 2), data(8, 8, 8)


@LIBRARY.program(tolerance=1e-3, jit=False)
def custom_training_step():
  """stateless_apply of an optimizer inside a step under jax.jit."""
  x, y = data(9, 32, 6), data(10, 32, 2)

  def run():
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input((6,)),
                              keras.layers.Dense(16, activation="tanh"),
                              keras.layers.Dropout(0.2, seed=5),
                              keras.layers.Dense(2)])
    optimizer = keras.optimizers.AdamW(1e-2)
    optimizer.build(model.trainable_variables)

    @jax.jit
    def step(trainable, rest, state):
      def loss(trainable):
        out, changed = model.stateless_call(trainable, rest, x, training=True)
        return jnp.mean((out - y) ** 2), changed
      (value, rest_now), grads = jax.value_and_grad(loss, has_aux=True)(
          trainable)
      trainable, state = optimizer.stateless_apply(state, grads, trainable)
      return trainable, rest_now, state, value

    trainable, rest, state = (
        [v.value for v in group] for group in (
            model.trainable_variables, model.non_trainable_variables,
            optimizer.variables))
    values = []
    for _ in range(5):
      trainable, rest, state, value = step(trainable, rest, state)
      values.append(value)
    return values, trainable

  return run,
