"""Programs for round_trip_test.py: jax functions of all areas, lowered to HLO.

`programs()` yields (name, HloModuleProto bytes) as jax lowers them, not
optimised. Needs jax; several virtual CPU devices for the collectives.
"""

import os

DEVICES = 4
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "") +
    f" --xla_force_host_platform_device_count={DEVICES}")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
from jax import lax
import numpy as np

jax.config.update("jax_enable_x64", True)

F = np.float32


def array(*shape, dtype=F):
  size = int(np.prod(shape))
  return jnp.asarray(np.arange(size).reshape(shape) % 7 + 1, dtype)


V, M, T = array(8), array(4, 6), array(2, 8, 8, 3)
S = array(4, 4) + 10 * jnp.eye(4, dtype=F)
I = array(5, dtype=np.int32)


def conv(**options):
  return lambda x, k: lax.conv_general_dilated(
      x, k, dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)


def fori(x):
  return lax.fori_loop(0, 5, lambda i, c: c * 2 + i, x)


def nested_loops(x):
  def outer(c):
    return c[0] + 1, lax.while_loop(lambda d: d.sum() < 1e3,
                                    lambda d: d * 2, c[1])
  return lax.while_loop(lambda c: c[0] < 3, outer, (0, x))


def attention(q):
  return jax.nn.softmax(q @ q.T / 2.0) @ q


def mlp_loss(w):
  return jnp.mean((jnp.tanh(M @ w) - 1.0) ** 2)


# name: (function, arguments...)
FUNCTIONS = {
    "arithmetic": (lambda x: (x * 2 + 1) / (x - 0.5) % 3 ** x, V),
    "unary": (lambda x: [f(x) for f in (
        jnp.sin, jnp.cos, jnp.tan, jnp.tanh, jnp.exp, jnp.expm1, jnp.log,
        jnp.log1p, jnp.sqrt, lax.rsqrt, lax.cbrt, jnp.abs, jnp.sign,
        jnp.floor, jnp.ceil, lax.round, lax.erf, lax.logistic, jnp.sinh,
        jnp.cosh, jnp.arcsin, jnp.arctanh)], V),
    "special": (lambda x: (lax.lgamma(x), lax.digamma(x), lax.erf_inv(x / 9),
                           lax.igamma(x, x), lax.bessel_i0e(x)), V),
    "integers": (lambda x: (x << 2, x >> 1, x & 3, x | 4, x ^ 5, ~x,
                            lax.population_count(x), lax.clz(x), x // 2,
                            x % 3), I),
    "compare": (lambda x: (x < 2, x == 3, x >= 1, jnp.isfinite(x * 1.0)), V),
    "select": (lambda x: jnp.where(x > 2, x, -x), V),
    "clamp": (lambda x: jnp.clip(x, 1.0, 3.0), V),
    "complex": (lambda x: (lax.complex(x, -x) ** 2).real, V),
    "complex_literal": (lambda x: x + np.array([1 + 2j, 3 - 0.5j]), array(2)),
    "convert": (lambda x: [x.astype(t) for t in (
        np.int8, np.uint8, np.int16, np.float16, jnp.bfloat16, np.bool_,
        np.float64, jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.int4)], V),
    "bitcast": (lambda x: lax.bitcast_convert_type(x, np.int32), V),
    "literals": (lambda: (np.array([np.nan, np.inf, -np.inf, 1e-30], F),
                          np.arange(40, dtype=np.int64).reshape(2, 20) *
                          10 ** 15, np.array([[True, False]]),
                          jnp.array([1, -7], jnp.int4)),),
    "big_literal": (lambda x: x + np.linspace(0, 1, 1000, dtype=F),
                    array(1000)),
    "broadcast": (lambda x: jnp.broadcast_to(x[:, None], (8, 3)), V),
    "reshape": (lambda x: x.reshape(3, 8).T.ravel(), M),
    "transpose": (lambda x: x.transpose(0, 3, 1, 2), T),
    "slice": (lambda x: (x[1:7:2], x[::-1], x[-3:]), V),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i, 0), (2, 3)), M, 1),
    "dynamic_update": (lambda x, i: lax.dynamic_update_slice(
        x, x[:1] * 2, (i, 0)), M, 2),
    "concatenate": (lambda x: jnp.concatenate([x, x * 2, x[:1]]), M),
    "pad": (lambda x: lax.pad(x, F(0), [(1, 2, 0), (-1, 0, 1)]), M),
    "iota": (lambda: (jnp.arange(5), lax.broadcasted_iota(np.int32, (3, 4),
                                                          1)),),
    "dot": (lambda a: a @ a.T, M),
    "dot_batch": (lambda a: jnp.einsum("bijk,blmk->bijlm", a, a), T),
    "dot_precision": (lambda a: jnp.dot(a, a.T, precision="highest"), M),
    "dot_preferred": (lambda a: lax.dot(
        a.astype(jnp.bfloat16), a.T.astype(jnp.bfloat16),
        preferred_element_type=F), M),
    "ragged_dot": (lambda x, w, g: lax.ragged_dot(x, w, g), array(6, 4),
                   array(2, 4, 5), jnp.array([2, 4], np.int32)),
    "conv": (conv(window_strides=(1, 1), padding="SAME"), T,
             array(3, 3, 3, 4)),
    "conv_strided": (conv(window_strides=(2, 2), padding=((1, 0), (2, 1)),
                          lhs_dilation=(1, 2), rhs_dilation=(2, 1)), T,
                     array(2, 2, 3, 4)),
    "conv_grouped": (conv(window_strides=(1, 1), padding="VALID",
                          feature_group_count=3), T, array(3, 3, 1, 6)),
    "conv_gradient": (jax.grad(lambda x, k: conv(
        window_strides=(2, 1), padding="SAME")(x, k).sum()), T,
        array(3, 3, 3, 4)),
    "reduce": (lambda x: (x.sum(), x.max(0), x.min(1), x.prod(), (x > 1).all(),
                          x.argmax(1)), M),
    "reduce_many": (lambda x: lax.reduce(
        (x, x * 2), (F(0), F(1)), lambda a, b: (a[0] + b[0], a[1] * b[1]),
        (1,)), M),
    "cumulative": (lambda x: (jnp.cumsum(x, 1), lax.cummax(x, 0)), M),
    "scan": (lambda x: lax.scan(lambda c, e: (c + e, c * e), F(0), x), V),
    "reduce_window": (lambda x: lax.reduce_window(
        x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"), T),
    "pool_gradient": (jax.grad(lambda x: lax.reduce_window(
        x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum()), T),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 5, 10), V),
    "gather": (lambda x, i: (x[i], jnp.take(x, i, axis=1)), M, I % 4),
    "gather_batched": (lambda x, i: jnp.take_along_axis(x, i, 1), M,
                       array(4, 2, dtype=np.int64) % 6),
    "scatter": (lambda x, i: (x.at[i].add(1.0), x.at[:, i].set(0.0),
                              x.at[i].max(2.0)), M, I % 4),
    "sort": (lambda x: (jnp.sort(x), jnp.argsort(x), lax.sort(
        (x, x * 2, -x), num_keys=2)), V),
    "top_k": (lambda x: lax.top_k(x, 3), V),
    "while": (fori, F(1)),
    "nested_loops": (nested_loops, V),
    "cond": (lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), True, V),
    "switch": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda y: -y],
                                       x), 1, V),
    "random": (lambda k: (jax.random.normal(k, (3,)), jax.random.randint(
        k, (2,), 0, 9), jax.random.permutation(k, 5)), jax.random.key(0)),
    "rng_bits": (lambda k: lax.rng_bit_generator(k, (4,)),
                 jnp.zeros(4, np.uint32)),
    "fft": (lambda x: (jnp.fft.fft(x), jnp.fft.irfft2(jnp.fft.rfft2(x))), M),
    "cholesky": (lax.linalg.cholesky, S),
    "triangular_solve": (lambda a, b: lax.linalg.triangular_solve(
        a, b, left_side=True, lower=True, transpose_a=True), S, S),
    "qr": (jnp.linalg.qr, S),
    "eigh": (jnp.linalg.eigh, S),
    "svd": (jnp.linalg.svd, M),
    "inverse": (jnp.linalg.inv, S),
    "callback": (lambda x: jax.pure_callback(np.sin, x, x), V),
    "barrier": (lambda x: lax.optimization_barrier((x, x * 2)), V),
    "checkpoint": (jax.grad(jax.checkpoint(lambda x: jnp.sin(
        jnp.sin(x)).sum())), V),
    "attention": (jax.grad(lambda q: attention(q).sum()), M),
    "mlp_step": (jax.value_and_grad(mlp_loss), array(6, 3)),
    "hessian": (jax.hessian(lambda x: (x ** 3).sum()), array(3)),
    "vmapped": (jax.vmap(lambda a, i: lax.dynamic_slice(a, (i,), (2,))), M,
                array(4, dtype=np.int64)),
    "custom_jvp": (lambda x: jax.nn.relu(x) + jax.nn.gelu(x), V),
    "named": (lambda x: jax.named_scope("a b")(jnp.sin)(x), V),
}


def sharded_functions():
  """Like FUNCTIONS, for programs that run on several devices."""
  from jax.sharding import NamedSharding, PartitionSpec as P
  mesh = jax.make_mesh((2, 2), ("a", "b"),
                       axis_types=(jax.sharding.AxisType.Auto,) * 2)

  def mapped(f, spec=P("a"), out=P("a")):
    return jax.shard_map(f, mesh=mesh, in_specs=spec, out_specs=out,
                         check_vma=False)

  x = array(8, 4)
  constraint = NamedSharding(mesh, P("a", "b"))
  yield "psum", mapped(lambda v: lax.psum(v, ("a", "b"))), x
  yield "pmax", mapped(lambda v: lax.pmax(v, "b")), x
  yield "all_gather", mapped(lambda v: lax.all_gather(v, "a")), x
  yield "reduce_scatter", mapped(lambda v: lax.psum_scatter(
      v, "a", tiled=True)), x
  yield "all_to_all", mapped(lambda v: lax.all_to_all(v, "a", 0, 0)), (
      array(4, 4))
  yield "permute", mapped(lambda v: lax.ppermute(v, "a", [(0, 1), (1, 0)])), x
  yield "axis_index", mapped(lambda v: v + lax.axis_index("b")), x
  yield "constraint", lambda v: lax.with_sharding_constraint(
      v * 2, constraint), x


def programs():
  for name, (function, *arguments) in FUNCTIONS.items():
    yield name, lower(function, arguments)
  if jax.device_count() >= DEVICES:
    for name, function, *arguments in sharded_functions():
      yield name, lower(function, arguments)


def lower(function, arguments):
  # A shard_map at the top level has a name only as a lambda's callee.
  lowered = jax.jit(lambda *a: function(*a)).lower(*arguments)
  return lowered.compiler_ir("hlo").as_serialized_hlo_module_proto()
