"""jax.nn, small networks and their train steps, optimizers."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

from registry import Family, WIDE

FAMILY = Family("neural")
program = FAMILY.program

ACTIVATIONS = ("relu", "relu6", "sigmoid", "softplus", "silu", "swish", "elu",
               "celu", "selu", "gelu", "leaky_relu", "hard_tanh", "soft_sign",
               "hard_sigmoid", "hard_silu", "hard_swish", "log_sigmoid", "mish",
               "squareplus", "sparse_plus", "sparse_sigmoid", "glu", "softmax",
               "log_softmax", "standardize", "identity", "tanh")


def fill():
  for name in ACTIVATIONS:
    f = getattr(jax.nn, name)
    for dtype in ("f32", "bf16") if name in ("gelu", "softmax") else WIDE[:1]:
      FAMILY.add(f"{name}/{dtype}", lambda x, f=f: (f(x), jax.grad(
          lambda v: jnp.sum(f(v) ** 3).astype(jnp.float32))(x)),
                 f"{dtype}[3,6]")


fill()


@program("f64[5]:-3..-1")
def log1mexp(x):
  return jax.nn.log1mexp(-x), jax.nn.gelu(x, approximate=False)


@program("s32[5]:0..3")
def one_hot(i):
  return jax.nn.one_hot(i, 4), jax.nn.one_hot(i, 5, axis=0, dtype=jnp.int8)


@program("f32[4,6]", "pred[4,6]")
def masked_softmax(x, p):
  return jax.nn.softmax(x, where=p), jax.nn.log_softmax(x, axis=0)


def attention(q, k, v, mask=None):
  scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
  if mask is not None:
    scores = jnp.where(mask, scores, -1e9)
  return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)


@program(*["@[1,5,2,4]"] * 3, types=("f32", "f64", "bf16"))
def self_attention(q, k, v):
  mask = jnp.tril(jnp.ones((5, 5), bool))
  return attention(q, k, v), attention(q, k, v, mask)


@program(*["f32[1,5,2,4]"] * 3)
def attention_of_jax(q, k, v):
  return (jax.nn.dot_product_attention(q, k, v), jax.nn.dot_product_attention(
      q, k, v, is_causal=True, scale=0.5), jax.nn.dot_product_attention(
          q, k[:, :, :1], v[:, :, :1]), jax.nn.dot_product_attention(
              q, k, v, local_window_size=(1, 1)))


# Large enough for blocks of rows, whose arrays are read in place.
@program("@[2,140,4,16]", "@[2,150,2,16]", "@[2,150,2,20]",
         types=("f32", "bf16"))
def attention_in_blocks(q, k, v):
  f = jax.nn.dot_product_attention
  pad = lambda x, size: jnp.pad(x, ((0, 0),) * 3 + ((0, size),))
  q, k = pad(q, 4), pad(k, 4)
  bias = jnp.arange(140 * 150, dtype=q.dtype).reshape(140, 150) / 21000
  capped = jnp.tanh(jnp.einsum("bthd,bshd->bhts", q[:, :, :2], k) / 9) * 9
  causal = jnp.arange(140)[:, None] >= jnp.arange(150)[None]
  capped = jnp.where(causal, capped, -2.3819763e38).astype(jnp.float32)
  capped = jax.nn.softmax(capped).astype(v.dtype)
  return (f(q, k, v), f(q, k, v, is_causal=True),
          f(q, k, v, bias=bias[None, None]),
          f(q, k, v, is_causal=True, local_window_size=20),
          f(q, k, v, mask=bias[None, None] > 0.3),
          jnp.einsum("bhts,bshd->bthd", capped, v))


@program(*["f64[1,4,2,3]"] * 3)
def attention_gradient(q, k, v):
  return jax.grad(lambda *a: jnp.sum(attention(*a) ** 2), (0, 1, 2))(q, k, v)


@program(*["f32[1,5888,1,8]"] * 3)
def attention_gradient_of_many_tokens(q, k, v):
  # 139 MB of scores, of which Tessera has a block at a time.
  mask = jnp.tril(jnp.ones((5888, 5888), bool))
  return jax.grad(lambda *a: jnp.sum(attention(*a, mask) ** 2), (0, 1, 2))(
      q, k, v)


@program("f32[3,6]", "f32[6]", "f32[6]")
def normalisation(x, scale, bias):
  def layer(v):
    mean = v.mean(-1, keepdims=True)
    return ((v - mean) * lax.rsqrt(v.var(-1, keepdims=True) + 1e-5) * scale
            + bias)
  def rms(v):
    return v * lax.rsqrt(jnp.mean(v * v, -1, keepdims=True) + 1e-6) * scale
  return layer(x), rms(x), jax.grad(lambda v: jnp.sum(layer(v) ** 3))(x)


@program("f32[4,2,3,5]", "f32[2]", "f32[2]")
def batch_norm(x, scale, bias):
  def norm(v):
    mean = v.mean((0, 2, 3), keepdims=True)
    var = v.var((0, 2, 3), keepdims=True)
    return ((v - mean) * lax.rsqrt(var + 1e-5) * scale[:, None, None]
            + bias[:, None, None])
  return norm(x), jax.grad(lambda v: jnp.sum(norm(v) ** 3))(x)


def lstm_cell(params, state, x):
  h, c = state
  i, f, g, o = jnp.split(x @ params["x"] + h @ params["h"] + params["b"], 4, -1)
  c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
  h = jax.nn.sigmoid(o) * jnp.tanh(c)
  return (h, c), h


@program("f32[5,2,3]", "f32[3,16]", "f32[4,16]", "f32[16]")
def lstm(xs, wx, wh, b):
  def run(params):
    state = (jnp.zeros((2, 4), jnp.float32),) * 2
    return lax.scan(functools.partial(lstm_cell, params), state, xs)
  params = {"x": wx, "h": wh, "b": b}
  return run(params), jax.grad(lambda p: jnp.sum(run(p)[1] ** 2))(params)


@program("f32[4,2,3]", "f32[3,9]", "f32[3,9]")
def gru(xs, wx, wh):
  def cell(h, x):
    a, b = jnp.split(x @ wx, 3, -1), jnp.split(h @ wh, 3, -1)
    z, r = jax.nn.sigmoid(a[0] + b[0]), jax.nn.sigmoid(a[1] + b[1])
    return (1 - z) * h + z * jnp.tanh(a[2] + r * b[2]), None
  return lax.scan(cell, jnp.zeros((2, 3), jnp.float32), xs)[0]


def mlp(params, x):
  for w, b in params[:-1]:
    x = jnp.tanh(x @ w + b)
  return x @ params[-1][0] + params[-1][1]


def make_mlp(seed, sizes):
  keys = jax.random.split(jax.random.key(seed), len(sizes))
  return [(jax.random.normal(k, (m, n), jnp.float32) / m ** 0.5,
           jnp.zeros(n, jnp.float32))
          for k, m, n in zip(keys, sizes, sizes[1:])]


def cross_entropy(params, x, y):
  return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(mlp(params, x)),
                                       y[:, None], 1))


def adam(params, grads, state, step, rate=0.05):
  m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, state[0], grads)
  v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, state[1], grads)
  def update(p, a, b):
    return p - rate * (a / (1 - 0.9 ** step)) / (
        jnp.sqrt(b / (1 - 0.999 ** step)) + 1e-8)
  return jax.tree.map(update, params, m, v), (m, v)


@program("f32[8,5]", "s32[8]:0..2", tolerance=20)
def mlp_with_adam(x, y):
  params = make_mlp(0, (5, 6, 3))
  def step(carry, i):
    params, state = carry
    loss, grads = jax.value_and_grad(cross_entropy)(params, x, y)
    return adam(params, grads, state, i + 1.0), loss
  zeros = jax.tree.map(jnp.zeros_like, params)
  (params, _), losses = lax.scan(step, (params, (zeros, zeros)),
                                 jnp.arange(5, dtype=jnp.float32))
  return params, losses


def train(optimizer, x, y):
  init, update, get = optimizer
  def step(i, state):
    return update(i, jax.grad(cross_entropy)(get(state), x, y), state)
  return get(lax.fori_loop(0, 3, step, init(make_mlp(1, (4, 5, 3)))))


def fill_optimizers():
  from jax.example_libraries import optimizers as o
  for name, optimizer in (
      ("sgd", o.sgd(0.1)), ("momentum", o.momentum(0.1, 0.9)),
      ("nesterov", o.nesterov(0.1, 0.9)), ("adagrad", o.adagrad(0.1)),
      ("rmsprop", o.rmsprop(0.01)), ("adam", o.adam(0.01)),
      ("adamax", o.adamax(0.01))):
    FAMILY.add(f"optimizer_{name}", functools.partial(train, optimizer),
               "f32[6,4]", "s32[6]:0..2", tolerance=20)


fill_optimizers()


@program("f32[2,1,6,6]", "f32[3,1,3,3]", "f32[27,4]", "s32[2]:0..3",
         tolerance=5)
def conv_net_step(x, kernel, dense, y):
  def loss(params):
    v = lax.conv(x, params[0], (1, 1), "SAME")
    v = lax.reduce_window(jax.nn.relu(v), -jnp.inf, lax.max, (1, 1, 2, 2),
                          (1, 1, 2, 2), "VALID")
    logits = v.reshape(2, -1) @ params[1]
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(2), y])
  value, grads = jax.value_and_grad(loss)([kernel, dense])
  return value, jax.tree.map(lambda p, g: p - 0.1 * g, [kernel, dense], grads)


@program("f32[7,4]", "s32[5]:0..6", "f32[4,8]", "f32[8,4]", "f32[4,12]",
         tolerance=5)
def transformer_block(table, tokens, up, down, qkv):
  def block(t):
    x = t[tokens]
    q, k, v = jnp.split((x @ qkv)[None, :, None], 3, -1)
    mask = jnp.tril(jnp.ones((5, 5), bool))
    x = x + attention(q, k, v, mask)[0, :, 0]
    x = x + jax.nn.gelu(x @ up) @ down
    return x @ t.T
  def loss(t):
    logits = jax.nn.log_softmax(block(t)[:-1])
    return -jnp.mean(logits[jnp.arange(4), tokens[1:]])
  return block(table), jax.value_and_grad(loss)(table)


@program("f32[6,4]", "u32[]:0..9", tolerance=5)
def autoencoder(x, seed):
  keys = jax.random.split(jax.random.key(seed), 3)
  w = jax.random.normal(keys[0], (4, 4), jnp.float32)
  noise = jax.random.normal(keys[1], (6, 2), jnp.float32)
  def loss(w):
    mean, log_var = jnp.split(x @ w, 2, -1)
    z = mean + jnp.exp(log_var / 2) * noise
    return jnp.mean((z @ w[:2] - x) ** 2) + jnp.mean(
        jnp.exp(log_var) + mean ** 2 - 1 - log_var)
  return jax.value_and_grad(loss)(w)


@program("f64[6,3]", "f64[6]:pos", tolerance=10)
def gaussian_process(x, y):
  def likelihood(scale):
    d = jnp.sum((x[:, None] - x[None]) ** 2, -1)
    k = jnp.exp(-d / scale ** 2) + 0.1 * jnp.eye(6)
    c = jnp.linalg.cholesky(k)
    a = jax.scipy.linalg.cho_solve((c, True), y)
    return 0.5 * y @ a + jnp.sum(jnp.log(jnp.diagonal(c)))
  return jax.value_and_grad(likelihood)(1.5)


@program("f32[3,4]", "f32[4,2]")
def scaled_matmul(x, y):
  return jnp.clip(jnp.round(x * 16), -127, 127).astype(jnp.int8), (
      x.astype(jnp.bfloat16) @ y.astype(jnp.bfloat16)), (
          x.astype(jnp.float8_e4m3fn).astype(jnp.float32) @ y)


@program("f32[5,3]", "s32[4]:0..4", "f32[4,3]")
def embedding_gradient(table, i, target):
  return jax.grad(lambda t: jnp.sum((t[i] - target) ** 2))(table)
