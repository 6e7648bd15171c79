"""JAX loops whose bodies are small, or that update arrays in place.

`programs()` gives (name, function, arguments, tolerance) of each, the form in
which compare.py and other timing harnesses take them; `donating_programs()` adds
the numbers of arguments that the program may overwrite.
"""
import numpy as np


def programs():
  import jax
  import jax.numpy as jnp

  jax.config.update("jax_enable_x64", True)
  rng = np.random.default_rng(0)

  def f32(*shape):
    return rng.standard_normal(shape, dtype=np.float32)

  def i32(high, *shape):
    return rng.integers(0, high, shape, dtype=np.int32)

  return [
      ("kalman_scan_3x3_f64", _kalman, (rng.standard_normal((1000, 3)),), 1e-6),
      ("rk4_4d_1000", _rk4, (f32(4),), 1e-2),
      ("grad_of_scan_1000", jax.grad(_recurrence), (f32(16), f32(1000, 16)),
       1e-2),
      ("update_one_of_400k", _update_one, (f32(400_000), i32(400_000, 1000)),
       1e-3),
      ("lstm_64x128", _lstm, _lstm_arguments(f32), 1e-2),
      ("lstm_64x128_grad", jax.grad(lambda p, x: jnp.sum(_lstm(p, x)[0] ** 2)),
       _lstm_arguments(f32), 1e-1),
      ("logsumexp_64_states", _forward, (f32(64, 64), f32(1000, 64)), 1e-2),
      ("heat_3d_in_place_50", _heat, (f32(96, 96, 96),), 1e-3),
      ("decode_step_cache", _decode_step, _decode_arguments(f32), 1e-2),
      ("decode_64_steps_cache", _decode_loop, _decode_arguments(f32), 1e-2),
      ("edit_distance_256", _edit_distance, (i32(4, 256), i32(4, 256)), 0),
      ("leapfrog_32", _leapfrog, (f32(32), f32(32), _definite(f32(32, 32))),
       1e-2),
      ("bisection_of_200", _bisections, (rng.uniform(0, 9, 200),), 1e-3),
      ("cumulative_logsumexp_2000", jax.lax.cumlogsumexp, (f32(2000),), 1e-2),
      ("rows_times_9x5", lambda x, y: x @ y, (f32(20_000, 9), f32(9, 5)), 1e-2),
      ("life_of_bytes_16", _life, (i32(2, 16, 16).astype(np.int8),), 0),
  ]


def donating_programs():
  f32 = np.random.default_rng(0).standard_normal
  arguments = _decode_arguments(lambda *s: f32(s, dtype=np.float32))
  return [("decode_step_cache_donated", _decode_step, arguments, 1e-2, (1, 2))]


def _kalman(measurements):
  import jax.numpy as jnp
  from jax import lax

  transition = jnp.array([[1, 0.1, 0.005], [0, 1, 0.1], [0, 0, 1]])
  noise, error = 1e-3 * jnp.eye(3), 0.1 * jnp.eye(3)

  def inverse(m):
    a, b, c, d, e, f, g, h, i = m.reshape(9)
    adjugate = jnp.array([[e * i - f * h, c * h - b * i, b * f - c * e],
                          [f * g - d * i, a * i - c * g, c * d - a * f],
                          [d * h - e * g, b * g - a * h, a * e - b * d]])
    return adjugate / (a * (e * i - f * h) - b * (d * i - f * g) +
                       c * (d * h - e * g))

  def step(carry, z):
    x, p = carry
    x, p = transition @ x, transition @ p @ transition.T + noise
    gain = p @ inverse(p + error)
    x, p = x + gain @ (z - x), p - gain @ p
    return (x, p), x

  start = (jnp.zeros(3), jnp.eye(3))
  return lax.scan(step, start, measurements)[1]


def _rk4(y):
  import jax.numpy as jnp
  from jax import lax

  def f(y):
    a, b, c, d = y
    return jnp.array([b, -a + 0.1 * c, d, -c - 0.1 * a * b])

  def step(_, y):
    h = np.float32(0.01)
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

  return lax.fori_loop(0, 1000, step, y)


def _recurrence(w, xs):
  import jax.numpy as jnp
  from jax import lax

  def step(h, x):
    return jnp.tanh(w * h + x), None

  return jnp.sum(lax.scan(step, jnp.zeros_like(w), xs)[0])


def _update_one(a, where):
  from jax import lax

  def step(i, a):
    j = where[i]
    return a.at[j].set(a[j] * 0.5 + 1)

  return lax.fori_loop(0, len(where), step, a)


def _lstm_arguments(f32):
  return ((0.1 * f32(128, 512), 0.1 * f32(128, 512), 0.1 * f32(512)),
          f32(64, 8, 128))


def _lstm(p, xs):
  import jax
  import jax.numpy as jnp
  from jax import lax

  w, u, b = p

  def step(carry, x):
    h, c = carry
    i, f, g, o = jnp.split(x @ w + h @ u + b, 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), None

  zero = jnp.zeros(xs.shape[1:], xs.dtype)
  return lax.scan(step, (zero, zero), xs)[0]


def _forward(transitions, emissions):
  import jax
  from jax import lax

  def step(alpha, e):
    return jax.nn.logsumexp(alpha[:, None] + transitions, 0) + e, None

  return lax.scan(step, emissions[0], emissions[1:])[0]


def _heat(t):
  from jax import lax

  def step(_, t):
    c = t[1:-1, 1:-1, 1:-1]
    neighbours = (t[2:, 1:-1, 1:-1] + t[:-2, 1:-1, 1:-1] + t[1:-1, 2:, 1:-1] +
                  t[1:-1, :-2, 1:-1] + t[1:-1, 1:-1, 2:] + t[1:-1, 1:-1, :-2])
    return t.at[1:-1, 1:-1, 1:-1].set(c + np.float32(0.1) *
                                      (neighbours - 6 * c))

  return lax.fori_loop(0, 50, step, t)


def _decode_arguments(f32):
  return (f32(8, 64), f32(8, 1024, 64), f32(8, 1024, 64), np.int32(100))


def _decode_step(q, keys, values, position):
  import jax
  import jax.numpy as jnp
  from jax import lax

  zero = np.int32(0)
  start = (zero, position, zero)
  keys = lax.dynamic_update_slice(keys, q[:, None] * 0.5, start)
  values = lax.dynamic_update_slice(values, q[:, None] + 1, start)
  scores = jnp.einsum("hd,htd->ht", q, keys) / 8
  scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -1e9)
  out = jnp.einsum("ht,htd->hd", jax.nn.softmax(scores, -1), values)
  return out, keys, values


def _decode_loop(q, keys, values, position):
  from jax import lax

  def step(i, carry):
    q, keys, values = carry
    return _decode_step(q, keys, values, position + i)

  return lax.fori_loop(np.int32(0), np.int32(64), step, (q, keys, values))


def _edit_distance(a, b):
  import jax.numpy as jnp
  from jax import lax

  n = len(b)

  def row(previous, x):
    i, x = x

    def cell(left, y):
      y, above, corner = y
      best = jnp.minimum(jnp.minimum(left, above) + 1,
                         corner + jnp.where(x == y, 0, 1).astype(jnp.int32))
      return best, best

    _, rest = lax.scan(cell, i, (b, previous[1:], previous[:-1]))
    return jnp.concatenate([i[None], rest]), None

  start = jnp.arange(n + 1, dtype=jnp.int32)
  numbers = jnp.arange(1, len(a) + 1, dtype=jnp.int32)
  return lax.scan(row, start, (numbers, a))[0][-1]


def _definite(m):
  return m @ m.T / len(m)


def _leapfrog(q, p, springs):
  from jax import lax

  half = np.float32(0.005)

  def step(_, state):
    q, p = state
    p = p - half * (springs @ q)
    q = q + 2 * half * p
    return q, p - half * (springs @ q)

  return lax.fori_loop(0, 500, step, (q, p))


def _bisections(values):
  import jax.numpy as jnp
  from jax import lax

  def root(value):
    """Where x ** 3 + x is `value`."""
    def step(state):
      low, high = state
      middle = (low + high) / 2
      below = middle ** 3 + middle < value
      return jnp.where(below, middle, low), jnp.where(below, high, middle)

    return lax.while_loop(lambda s: s[1] - s[0] > 1e-5, step, (0.0, 10.0))[0]

  return lax.map(root, values)


def _life(cells):
  import jax.numpy as jnp
  from jax import lax

  def step(_, cells):
    count = sum(jnp.roll(cells, (i, j), (0, 1)) for i in (-1, 0, 1)
                for j in (-1, 0, 1) if i or j)
    return ((count == 3) | ((cells == 1) & (count == 2))).astype(cells.dtype)

  return lax.fori_loop(0, 100, step, cells)
