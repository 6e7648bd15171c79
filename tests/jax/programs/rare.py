"""Primitives that few programs hold: tokens, layouts, linear calls, FFI calls,
custom partitioning, raw generators."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify
from jax.experimental.custom_partitioning import custom_partitioning

from registry import Family

FAMILY = Family("rare")
program = FAMILY.program


@program("f32[4]")
def linear_call(x):
  from jax.custom_derivatives import linear_call as call
  def half(v):
    return call(lambda _, u: u / 2, lambda _, u: u / 2, (), v)
  return half(x), jax.grad(lambda v: jnp.sum(half(v) ** 2))(x)


@program("f32[4]")
def tokens(x):
  token = lax.create_token(x)
  after = lax.after_all(token, token)
  del after
  return x + 1


@program("f32[4]")
def sinks(x):
  lax.dce_sink(x * 2)
  return x + 1


@program("f32[3,4]", eager=True)
def layout_constraint(x):
  from jax.experimental.layout import Layout, with_layout_constraint
  f = jax.jit(lambda v: with_layout_constraint(v * 2, Layout((1, 0))) + 1)
  return f(x)


@program(eager=True)
def rng_uniform(*_):
  f = jax.jit(lambda: lax.rng_uniform(jnp.float32(2), jnp.float32(3), (50,)))
  x = np.asarray(f())
  return bool(np.all((x >= 2) & (x < 3))), len(set(x.tolist())) > 10, x.dtype


@program("f64[4,4]:spd")
def ffi_call(x):
  call = jax.ffi.ffi_call("lapack_dpotrf_ffi", (
      jax.ShapeDtypeStruct((4, 4), jnp.float64),
      jax.ShapeDtypeStruct((), jnp.int32)),
      input_layouts=[(1, 0)], output_layouts=[(1, 0), ()],
      input_output_aliases={0: 0})
  out, info = call(x, uplo=np.uint8(ord("L")))
  # The rule of cholesky makes jaxlib look up LAPACK.
  return jnp.tril(out), info, jnp.linalg.cholesky(x)


@program("f32[8]", eager=True)
def partitioned_by_hand(x):
  @custom_partitioning
  def f(v):
    return jnp.sin(v) * 2
  f.def_partition(
      partition=lambda mesh, args, result: (mesh, lambda v: jnp.sin(v) * 2,
                                            result.sharding,
                                            [a.sharding for a in args]),
      infer_sharding_from_operands=lambda mesh, args, result: args[0].sharding,
      sharding_rule="i -> i")
  return jax.jit(f)(x)


@program("f32[4]", eager=True)
def inspected_sharding(x):
  seen = []
  def f(v):
    jax.debug.inspect_array_sharding(v, callback=lambda s: seen.append(
        type(s).__name__))
    return v * 2
  return jax.jit(f)(x)


@program("f32[4]", eager=True)
def unchecked_checks(x):
  from jax._src import config
  if not hasattr(config, "xla_runtime_errors"):
    return x
  with config.xla_runtime_errors(True):
    def f(v):
      checkify.check(v[0] < 1e9, "too large")
      return v + 1
    return jax.block_until_ready(jax.jit(f)(x))


@program("f32[4]", eager=True)
def failing_unchecked_check(x):
  from jax._src import config
  with config.xla_runtime_errors(True):
    def f(v):
      checkify.check(v[0] > 1e9, "v is too small")
      return v + 1
    try:
      jax.block_until_ready(jax.jit(f)(x))
    except Exception as error:
      return "v is too small" in str(error)
  return "no error"


def keys_of(kind):
  def draw(seed):
    key = jax.random.key(seed[0], impl=kind)
    return (jax.random.uniform(key, (5,)), jax.random.bits(key, (3, 3)),
            jax.random.key_data(jax.random.split(key, 3)),
            jax.random.normal(key, (4,), jnp.float32))
  return draw


def fill():
  for kind in ("threefry4x32", "philox2x32", "philox4x32"):
    FAMILY.add(f"keys_{kind}", keys_of(kind), "u32[1]:0..99")


fill()


@program("f32[4]")
def references(x):
  ref = jax.new_ref(x * 2)
  ref[1] = 7.0
  def body(i, _):
    ref[i] = ref[i] + i
  lax.fori_loop(0, 4, body, None)
  return ref[...], jax.freeze(ref)


@program("f32[3,4]")
def empties(x):
  return lax.empty((2, 0), x.dtype), jnp.zeros((0, 4)) @ x.T


@program("f32[3]")
def calls(x):
  return jax.jit(functools.partial(jnp.add, 1.0))(x), jax.jit(
      jax.jit(lambda v: v * v))(x)


@program("f64[4,5]", "f64[5]", "f64[5,2]")
def csr_products_of_cpu(x, v, y):
  from jax.experimental import sparse
  m = sparse.BCSR.fromdense(x, nse=20)
  return m @ v, m @ y


@program("f32[4]", eager=True)
def ordered_effects_between_jits(x):
  from jax.experimental import io_callback
  seen = []
  f = jax.jit(lambda v: (io_callback(lambda a: seen.append(float(a)), None,
                                     v[0], ordered=True), v * 2)[1])
  g = jax.jit(lambda v: (io_callback(lambda a: seen.append(float(a)), None,
                                     v[1], ordered=True), v - 1)[1])
  out = g(f(g(f(x))))
  jax.effects_barrier()
  return out, seen


@program("s32[5]:0..4", "f32[5]")
def hijax_free_types(i, x):
  return {"a": (x[i], None), "b": [i.astype(jnp.uint16), ()]}
