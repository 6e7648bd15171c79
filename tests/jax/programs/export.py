"""Exported programs, serialized and read back, with symbolic shapes too."""

import functools
import inspect

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax

from registry import Family

FAMILY = Family("export")
program = FAMILY.program


def platforms():
  """The platform that programs run on now, besides cpu."""
  return tuple(dict.fromkeys(
      ["cpu", jax.config.jax_default_device.platform]))


def again(function, *arguments, specs=None):
  """Results of `function` exported, serialized, read back and called."""
  specs = specs or [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arguments]
  out = export.export(jax.jit(function), platforms=platforms())(*specs)
  return jax.jit(export.deserialize(out.serialize()).call)(*arguments)


@program("@[3,4]", eager=True, types=("f32", "f64", "bf16", "s32", "c64",
                                      "pred", "u8"))
def round_trip(x):
  return again(lambda v: (v.T, jnp.concatenate([v, v]), v == v), x)


@program("f32[3,4]", "f32[4,2]", eager=True)
def round_trip_products(x, y):
  return again(lambda a, b: jnp.tanh(a @ b), x, y)


@program("f32[5]", eager=True)
def round_trip_control(x):
  def f(v):
    c, ys = lax.scan(lambda c, u: (c + u, c * u), 0.0, v)
    return lax.cond(c > 0, lambda: ys, lambda: -ys), lax.while_loop(
        lambda s: s < 10, lambda s: s * 2 + 1, jnp.abs(v[0]))
  return again(f, x.astype(np.float64))


@program("f32[3]", eager=True)
def round_trip_gradient(x):
  def f(v):
    return jnp.sum(jnp.sin(v) ** 2)
  out = export.export(jax.jit(f), platforms=platforms())(
      jax.ShapeDtypeStruct((3,), jnp.float32))
  back = export.deserialize(out.serialize(vjp_order=1))
  return jax.grad(lambda v: back.call(v))(x)


def symbolic(text, dtype=jnp.float32, constraints=()):
  return jax.ShapeDtypeStruct(export.symbolic_shape(
      text, constraints=constraints), dtype)


@program("f32[3,4]", "f32[5,4]", eager=True)
def symbolic_rows(x, y):
  def f(v):
    return jnp.sum(v, 0), v.reshape(-1), jnp.concatenate([v, v]), v.shape[0]
  out = export.export(jax.jit(f), platforms=platforms())(symbolic("b, 4"))
  back = export.deserialize(out.serialize())
  return back.call(x), back.call(y)


@program("f32[3,4]", "f32[4,2]", eager=True)
def symbolic_products(x, y):
  scope = export.SymbolicScope()
  specs = [jax.ShapeDtypeStruct(export.symbolic_shape(t, scope=scope),
                                jnp.float32) for t in ("a, b", "b, c")]
  return again(lambda p, q: jax.nn.softmax(p @ q), x, y, specs=specs)


@program("f32[6,4]", eager=True)
def symbolic_arithmetic(x):
  def f(v):
    n, m = v.shape
    return (jnp.ones((n * 2, m)), v[: n // 2], jnp.pad(v, ((0, n), (1, 1))),
            jnp.arange(n), jnp.broadcast_to(v[:1], (n, m)), v.mean(), jnp.tile(
                v, (2, 1)), jnp.iinfo(jnp.int32).max + 0 * n)
  return again(f, x, specs=[symbolic("2*a, b")])


@program("f32[6,3]", "s32[4]:0..5", eager=True)
def symbolic_indexing(x, i):
  def f(v, i):
    return (v[i], v.at[i].add(1), lax.dynamic_slice_in_dim(v, i[0], 2),
            jnp.flip(v, 0), jnp.sort(v, 0), jnp.cumsum(v, 0), jnp.argmax(v, 0),
            v[1:], lax.dynamic_update_slice(v, v[:1], (i[0], i[0] * 0)))
  return again(f, x, i, specs=[symbolic("n, 3", constraints=["n >= 2"]),
                                  jax.ShapeDtypeStruct((4,), jnp.int32)])


@program("f32[5,3]", eager=True)
def symbolic_loops(x):
  def f(v):
    return lax.fori_loop(0, v.shape[0], lambda i, c: c + v[i], v[0] * 0), (
        lax.scan(lambda c, u: (c + u, c), v[0], v)), lax.map(jnp.sin, v)
  return again(f, x, specs=[symbolic("n, 3")])


@program("f32[2,1,6,5]", "f32[3,1,3,2]", eager=True)
def symbolic_convolution(x, w):
  return again(lambda a, b: (lax.conv(a, b, (1, 1), "SAME"), lax.reduce_window(
      a, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")), x, w,
               specs=[symbolic("b, 1, h, 5"), symbolic("3, 1, 3, 2")])


@program("u32[]:0..9", "f32[4]", eager=True)
def symbolic_random(seed, x):
  def f(s, v):
    return jax.random.normal(jax.random.key(s), v.shape), lax.top_k(v, 2)
  return again(f, seed, x, specs=[jax.ShapeDtypeStruct((), jnp.uint32),
                                  symbolic("n", constraints=["n >= 2"])])


@program("f32[3,4]", eager=True)
def symbolic_refused(x):
  out = export.export(jax.jit(lambda v: v + 1), platforms=platforms())(
      symbolic("a, a"))
  try:
    out.call(x)
  except Exception as error:
    return type(error).__name__, "a" in str(error)
  return "no error"


@program("f32[4]", eager=True)
def nested_exports(x):
  inner = export.export(jax.jit(jnp.sin), platforms=platforms())(
      jax.ShapeDtypeStruct((4,), jnp.float32))
  return again(lambda v: inner.call(v) * 2, x)


@program("f64[4,4]:spd", eager=True)
def export_of_linalg(x):
  check = export.DisabledSafetyCheck
  out = export.export(jax.jit(lambda v: (jnp.linalg.cholesky(v), jnp.linalg.inv(
      v))), platforms=("cpu",), disabled_checks=[
          check.custom_call("lapack_dpotrf_ffi"), check.platform()])(
              jax.ShapeDtypeStruct((4, 4), jnp.float64))
  return export.deserialize(out.serialize()).call(x)


@program("f32[4]", eager=True)
def text_forms(x):
  lowered = jax.jit(lambda v: jnp.sin(v) * 2).lower(x)
  compiled = lowered.compile()
  return (compiled(x), "stablehlo.sine" in lowered.as_text(), bool(
      compiled.as_text()), lowered.out_info.shape)


@program("f32[4]", eager=True)
def serialized_executable(x):
  from jax.experimental import serialize_executable as se
  compiled = jax.jit(functools.partial(jnp.multiply, 3.0)).lower(x).compile()
  if jax.config.jax_default_device.platform == "cpu":
    return compiled(x)
  payload, inside, outside = se.serialize(compiled)
  device = jax.config.jax_default_device
  newer = "execution_devices" in inspect.signature(
      se.deserialize_and_load).parameters
  return se.deserialize_and_load(
      payload, inside, outside, backend=device.client,
      **({"execution_devices": [device]} if newer else {}))(x)
