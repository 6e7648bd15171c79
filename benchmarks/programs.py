"""JAX programs of all kinds, from one scalar addition to training steps.

`programs()` gives (name, function, arguments, tolerance) of each, the form in
which compare.py and other timing harnesses take them.
"""
import numpy as np


class _Data:
  """Random arguments that are the same in every process."""

  def __init__(self):
    self._rng = np.random.default_rng(0)

  def f32(self, *shape):
    return self._rng.standard_normal(shape, dtype=np.float32)

  def positive(self, *shape):
    return np.abs(self.f32(*shape))

  def bf16(self, *shape):
    import jax.numpy as jnp
    return jnp.asarray(self.f32(*shape), jnp.bfloat16)

  def s8(self, *shape):
    return self._rng.integers(-9, 9, shape, dtype=np.int8)

  def below(self, bound, *shape):
    """Random integers from 0 to below a bound."""
    return self._rng.integers(0, bound, shape, dtype=np.int32)

  def one_hot(self, classes, count):
    return np.eye(classes, dtype=np.float32)[self.below(classes, count)]


def programs():
  data = _Data()
  groups = (_dispatch, _elementwise, _reductions, _movement, _products,
            _factors, _convolutions, _control, _networks, _simulations)
  return [program for group in groups for program in group(data)]


def _dispatch(data):
  return [
      ("dispatch_add_scalar", lambda x: x + 1, (np.float32(1),), 2e-3),
      ("dispatch_tuple_32", lambda *xs: tuple(2 * x for x in xs),
       tuple(data.f32(8) for _ in range(32)), 2e-3),
  ]


def _elementwise(data):
  import jax
  import jax.numpy as jnp
  from jax import lax

  m = 1 << 20

  def adam(p, g, m, v):
    m = 0.9 * m + 0.1 * g
    v = 0.99 * v + 0.01 * g * g
    return p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), m, v

  def normal(key):
    return jax.random.normal(jax.random.wrap_key_data(key), (4 * m,))

  return [
      ("saxpy_16m", lambda a, x, y: a * x + y,
       (np.float32(2), data.f32(16 * m), data.f32(16 * m)), 2e-3),
      ("gelu_4m", jax.nn.gelu, (data.f32(2048, 2048),), 2e-3),
      ("exp_tanh_log_4m", lambda x: jnp.log1p(jnp.exp(jnp.tanh(x))),
       (data.f32(4 * m),), 2e-3),
      ("erf_pow_sin_1m",
       lambda x: lax.erf(x) * jnp.sin(x) + jnp.abs(x) ** 1.7,
       (data.f32(m),), 2e-3),
      ("bf16_scale_shift_4m", lambda x, y: x * y + x,
       (data.bf16(4 * m), data.bf16(4 * m)), 5e-2),
      ("adam_update_4m", adam,
       (data.f32(4 * m), data.f32(4 * m), data.f32(4 * m),
        data.positive(4 * m)), 2e-3),
      ("random_normal_4m", normal, (np.array([0, 7], np.uint32),), 2e-3),
  ]


def _reductions(data):
  import jax
  import jax.numpy as jnp
  from jax import lax

  def layer_norm(x, scale, shift):
    centred = x - x.mean(-1, keepdims=True)
    return (centred * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * scale +
            shift)

  def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1),
                             "SAME")

  return [
      ("sum_all_16m", jnp.sum, (data.f32(1 << 24),), 1.0),
      ("sum_rows_4096", lambda x: jnp.sum(x, 1), (data.f32(4096, 4096),), 1e-2),
      ("sum_columns_4096", lambda x: jnp.sum(x, 0), (data.f32(4096, 4096),),
       1e-2),
      ("argmax_rows_4096x1024", lambda x: jnp.argmax(x, 1),
       (data.f32(4096, 1024),), 2e-3),
      ("softmax_4096x1024", lambda x: jax.nn.softmax(x, -1),
       (data.f32(4096, 1024),), 2e-3),
      ("layernorm_4096x1024", layer_norm,
       (data.f32(4096, 1024), data.f32(1024), data.f32(1024)), 2e-3),
      ("cumsum_256x16384", lambda x: jnp.cumsum(x, 1),
       (data.f32(256, 16384),), 1e-1),
      ("maxpool_3x3", max_pool, (data.f32(8, 112, 112, 64),), 2e-3),
  ]


def _movement(data):
  import jax.numpy as jnp
  from jax import lax

  rows, picks = 50_000, 65_536

  def join(x, y):
    joined = jnp.concatenate([x[:, 1:], y], 1)
    return jnp.pad(joined, ((1, 1), (2, 2)))

  return [
      ("transpose_4096", lambda x: x.T + 0.0, (data.f32(4096, 4096),), 2e-3),
      ("transpose_0213", lambda x: jnp.transpose(x, (0, 2, 1, 3)) * 1.0,
       (data.f32(16, 512, 16, 64),), 2e-3),
      ("concat_pad_slice", join, (data.f32(1024, 2048), data.f32(1024, 2048)),
       2e-3),
      ("gather_rows_64k", lambda table, i: table[i],
       (data.f32(rows, 256), data.below(rows, picks)), 2e-3),
      ("scatter_add_rows", lambda table, i, u: table.at[i].add(u),
       (data.f32(rows, 64), data.below(rows, picks), data.f32(picks, 64)),
       2e-3),
      ("sort_1m", jnp.sort, (data.f32(1 << 20),), 2e-3),
      ("argsort_rows_1024x4096", lambda x: jnp.argsort(x, 1),
       (data.f32(1024, 4096),), 2e-3),
      ("topk_256x32000", lambda x: lax.top_k(x, 40), (data.f32(256, 32_000),),
       2e-3),
  ]


def _product(x, y):
  return x @ y


def _products(data):
  import jax
  import jax.numpy as jnp
  from jax import lax

  def rows_by_rows(x, y):
    return lax.dot_general(x, y, (((1,), (1,)), ((), ())))

  def whole_numbers(x, y):
    return lax.dot(x, y, preferred_element_type=jnp.int32)

  squares = [(f"matmul_{n}", _product, (data.f32(n, n), data.f32(n, n)), 1e-2)
             for n in (64, 256, 1024, 2048)]
  return squares + [
      ("matvec_4096", _product, (data.f32(4096, 4096), data.f32(4096)), 1e-2),
      ("matmul_8x4096x4096", _product,
       (data.f32(8, 4096), data.f32(4096, 4096)), 1e-2),
      ("matmul_bias_gelu", lambda x, w, b: jax.nn.gelu(x @ w + b),
       (data.f32(512, 768), data.f32(768, 3072), data.f32(3072)), 1e-2),
      ("matmul_nt_odd", rows_by_rows, (data.f32(509, 331), data.f32(257, 331)),
       1e-2),
      ("batched_matmul_64x128", _product,
       (data.f32(64, 128, 128), data.f32(64, 128, 128)), 1e-2),
      ("matmul_bf16_1024", _product,
       (data.bf16(1024, 1024), data.bf16(1024, 1024)), 1.0),
      ("matmul_s8_1024", whole_numbers,
       (data.s8(1024, 1024), data.s8(1024, 1024)), 2e-3),
  ]


def _factors(data):
  import jax.numpy as jnp
  from jax import lax

  n = 512
  root = data.f32(n, n)
  definite = root @ root.T + n * np.eye(n, dtype=np.float32)

  def solve(a, b):
    return lax.linalg.triangular_solve(a, b, left_side=True, lower=True)

  signal = (data.f32(256, 4096) + 1j * data.f32(256, 4096)).astype(np.complex64)
  return [
      ("cholesky_512", lax.linalg.cholesky, (definite,), 1e-2),
      ("triangular_solve_512", solve, (np.tril(definite), data.f32(n, n)),
       1e-2),
      ("fft_c64_256x4096", lambda x: jnp.fft.fft(x), (signal,), 1e-1),
      ("rfft2_64x256x256", lambda x: jnp.fft.rfft2(x),
       (data.f32(64, 256, 256),), 1e-1),
  ]


def _convolve(x, kernel, stride=1, groups=1):
  from jax import lax

  return lax.conv_general_dilated(
      x, kernel, (stride, stride), "SAME", feature_group_count=groups,
      dimension_numbers=("NHWC", "HWIO", "NHWC"))


def _convolutions(data):
  return [
      ("conv_3x3_56x56x64", _convolve,
       (data.f32(8, 56, 56, 64), data.f32(3, 3, 64, 64)), 1e-2),
      ("conv_7x7_s2_stem", lambda x, k: _convolve(x, k, stride=2),
       (data.f32(8, 224, 224, 3), data.f32(7, 7, 3, 64)), 1e-2),
      ("conv_1x1_14x14x256", _convolve,
       (data.f32(8, 14, 14, 256), data.f32(1, 1, 256, 1024)), 1e-2),
      ("conv_depthwise_3x3", lambda x, k: _convolve(x, k, groups=128),
       (data.f32(8, 56, 56, 128), data.f32(3, 3, 1, 128)), 1e-2),
  ]


def _control(data):
  import jax.numpy as jnp
  from jax import lax

  def small(x):
    return lax.fori_loop(0, 1000, lambda _, c: c * 1.0001 + 0.5, x)

  def recurrent(w, u, xs):
    def step(h, x):
      return jnp.tanh(h @ w + x @ u), None
    return lax.scan(step, jnp.zeros((32, 256)), xs)[0]

  def update_rows(x):
    return lax.fori_loop(0, len(x), lambda i, c: c.at[i].set(c[i] * 2 + 1), x)

  return [
      ("fori_1000_small", small, (data.f32(64),), 2e-3),
      ("scan_rnn_256", recurrent,
       (0.05 * data.f32(256, 256), 0.05 * data.f32(256, 256),
        data.f32(256, 32, 256)), 1e-2),
      ("while_dus_update", update_rows, (data.f32(1024, 256),), 2e-3),
  ]


def _cross_entropy(logits, labels):
  import jax
  import jax.numpy as jnp

  return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * labels, -1))


def _descend(loss):
  """One step of gradient descent on the first argument of `loss`."""
  import jax

  def step(parameters, *batch):
    return jax.tree.map(lambda a, g: a - 0.1 * g, parameters,
                        jax.grad(loss)(parameters, *batch))

  return step


def _attention(q, k, v):
  import jax
  import jax.numpy as jnp

  scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8.0
  seen = jnp.tril(jnp.ones(scores.shape[-2:], bool))
  weights = jax.nn.softmax(jnp.where(seen, scores, -1e9), -1)
  return jnp.einsum("bhqk,bhkd->bhqd", weights, v)


def _transformer_layer(x, p):
  import jax
  import jax.numpy as jnp
  from jax import lax

  batch, length, width = x.shape

  def norm(z, scale):
    return z * lax.rsqrt(jnp.mean(z * z, -1, keepdims=True) + 1e-6) * scale

  def heads(z):
    return z.reshape(batch, length, 8, width // 8).transpose(0, 2, 1, 3)

  h = norm(x, p["n1"])
  mixed = _attention(heads(h @ p["q"]), heads(h @ p["k"]), heads(h @ p["v"]))
  x = x + mixed.transpose(0, 2, 1, 3).reshape(batch, length, width) @ p["o"]
  h = norm(x, p["n2"])
  return x + (jax.nn.silu(h @ p["g"]) * (h @ p["u"])) @ p["d"]


def _networks(data):
  import jax
  import jax.numpy as jnp
  from jax import lax

  def dense_loss(layers, x, labels):
    for w, b in layers[:-1]:
      x = jax.nn.relu(x @ w + b)
    w, b = layers[-1]
    return _cross_entropy(x @ w + b, labels)

  def image_loss(kernels, x, labels):
    for kernel in kernels[:3]:
      x = jax.nn.relu(_convolve(x, kernel))
      x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1),
                            "VALID")
    return _cross_entropy(x.mean((1, 2)) @ kernels[3], labels)

  def forward(x, p):
    return lax.fori_loop(0, 4, lambda _, h: _transformer_layer(h, p), x)

  def transformer_gradient(x, p):
    def loss(q):
      return jnp.mean(_transformer_layer(_transformer_layer(x, q), q) ** 2)
    return jax.grad(loss)(p)

  dense = [(0.05 * data.f32(a, b), 0.01 * data.f32(b))
           for a, b in ((784, 512), (512, 512), (512, 10))]
  kernels = [0.1 * data.f32(3, 3, 3, 32), 0.06 * data.f32(3, 3, 32, 64),
             0.05 * data.f32(3, 3, 64, 64), 0.05 * data.f32(64, 10)]
  d, hidden = 512, 1408
  shapes = {name: (d, d) for name in "qkvo"}
  shapes |= {"g": (d, hidden), "u": (d, hidden), "d": (hidden, d)}
  layer = {name: 0.04 * data.f32(*shape) for name, shape in shapes.items()}
  layer |= {name: np.ones(d, np.float32) for name in ("n1", "n2")}
  return [
      ("mlp_train_step_128", _descend(dense_loss),
       (dense, data.f32(128, 784), data.one_hot(10, 128)), 1e-2),
      ("attention_8x512x64", _attention,
       tuple(data.f32(2, 8, 512, 64) for _ in range(3)), 1e-2),
      ("transformer_forward_4_layers", forward, (data.f32(2, 256, d), layer),
       5e-2),
      ("transformer_train_step", transformer_gradient,
       (data.f32(2, 256, d), layer), 5e-2),
      ("cnn_train_step_32", _descend(image_loss),
       (kernels, data.f32(32, 32, 32, 3), data.one_hot(10, 32)), 1e-2),
  ]


def _energy(x):
  """The energy of particles that attract and repel each other in pairs."""
  import jax.numpy as jnp

  apart = jnp.sum((x[:, None] - x[None]) ** 2, -1)
  apart = apart + jnp.eye(len(x)) * 1e3 + 0.1
  s = 1.0 / (apart * apart * apart)
  return jnp.sum(s * s - s)


def _black_scholes(price, strike, years):
  import jax.numpy as jnp
  from jax.scipy.stats import norm

  spread = 0.2 * jnp.sqrt(years)
  d1 = (jnp.log(price / strike) + (0.03 + 0.02) * years) / spread
  return (price * norm.cdf(d1) -
          strike * jnp.exp(-0.03 * years) * norm.cdf(d1 - spread))


def _life(cells):
  import jax.numpy as jnp

  around = sum(jnp.roll(jnp.roll(cells, i, 0), j, 1)
               for i in (-1, 0, 1) for j in (-1, 0, 1)) - cells
  return ((around == 3) | ((cells == 1) & (around == 2))).astype(jnp.int32)


def _simulations(data):
  import jax
  from jax import lax

  def generations(cells):
    return lax.fori_loop(0, 100, lambda _, c: _life(c), cells)

  places = 12 * np.random.default_rng(1).random((2048, 3), dtype=np.float32)
  m = 1 << 20
  return [
      # Forces of close pairs are huge and differ in their last digits.
      ("lennard_jones_2048", jax.grad(_energy), (places,), 1e9),
      ("black_scholes_1m", _black_scholes,
       tuple(data.positive(m) + 0.5 for _ in range(3)), 2e-3),
      ("game_of_life_512_100", generations, (data.below(2, 512, 512),), 2e-3),
  ]
