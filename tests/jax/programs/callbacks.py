"""Host callbacks: pure, io, debugging, checks. Programs run as they are and
return what the host saw too."""

import contextlib
import io

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify, io_callback

from registry import Family

FAMILY = Family("callbacks")
program = FAMILY.program
TYPES = ("f32", "f64", "bf16", "s8", "s32", "u32", "c64", "pred")


def like(x):
  return jax.ShapeDtypeStruct(x.shape, x.dtype)


def printed(function, *arguments):
  """What the host prints while `function` runs, and its results."""
  text = io.StringIO()
  with contextlib.redirect_stdout(text):
    results = jax.block_until_ready(jax.jit(function)(*arguments))
    jax.effects_barrier()
  return text.getvalue(), results


@program("@[3,4]", types=TYPES)
def pure_callback(x):
  return jax.pure_callback(lambda v: np.asarray(v)[::-1].copy(), like(x), x), (
      jax.pure_callback(lambda v: (np.asarray(v), np.int32(7)), (
          like(x), jax.ShapeDtypeStruct((), jnp.int32)), x))


@program("f32[3]", "s32[2]")
def pure_callback_of_trees(x, y):
  return jax.pure_callback(
      lambda a: {"s": np.float32(a["x"].sum()), "t": (a["y"] * 2,)},
      {"s": jax.ShapeDtypeStruct((), jnp.float32), "t": (like(y),)},
      {"x": x, "y": y})


@program("f32[4,3]")
def pure_callback_batched(x):
  def f(v):
    return jax.pure_callback(np.sin, like(v), v, vmap_method="sequential")
  def g(v):
    return jax.pure_callback(np.cos, like(v), v, vmap_method="expand_dims")
  return jax.vmap(f)(x), jax.vmap(g)(x), jax.vmap(
      lambda v: jax.pure_callback(np.tanh, like(v), v,
                                  vmap_method="broadcast_all"))(x)


@program("f32[5]")
def pure_callback_in_loops(x):
  def f(v):
    return jax.pure_callback(lambda a: np.float32(a * 2), like(v), v)
  return lax.scan(lambda c, v: (f(c) + v, f(v)), jnp.float32(0), x), (
      lax.fori_loop(0, 3, lambda i, v: f(v), x[0])), lax.cond(
          x[0] > 0, f, lambda v: -f(v), x[1])


@program("f32[4]")
def pure_callback_gradient(x):
  @jax.custom_jvp
  def f(v):
    return jax.pure_callback(np.sin, like(v), v, vmap_method="sequential")
  f.defjvp(lambda p, t: (f(p[0]), jnp.cos(p[0]) * t[0]))
  return jax.grad(lambda v: jnp.sum(f(v)))(x)


@program("f32[0]", "f64[]", "s32[1000]")
def pure_callback_sizes(x, y, z):
  return [jax.pure_callback(lambda a: np.asarray(a) + np.asarray(a).dtype.type(
      1), like(v), v) for v in (x, y, z)]


@program("f32[3]", eager=True)
def pure_callback_eager(x):
  return jax.pure_callback(lambda v: np.asarray(v) * 2, like(x), x)


@program("f32[3]", eager=True)
def pure_callback_error(x):
  def fail(_):
    raise ValueError("callback says no")
  try:
    jax.block_until_ready(jax.jit(
        lambda v: jax.pure_callback(fail, like(x), v))(x))
  except Exception as error:
    return "callback says no" in str(error)
  return "no error"


@program("f32[3]", "s32[]:3..5", eager=True)
def io_callback_counts(x, n):
  seen = []
  def note(i, v):
    seen.append((int(i), [float(a) for a in v]))
    return np.int32(len(seen))
  def run(v, n):
    return lax.fori_loop(0, n, lambda i, c: c + io_callback(
        note, jax.ShapeDtypeStruct((), jnp.int32), i, v, ordered=True), 0)
  total = jax.jit(run)(x, n)
  jax.effects_barrier()
  return total, seen


@program("f32[3]", eager=True)
def io_callback_unordered(x):
  seen = []
  def run(v):
    io_callback(lambda a: seen.append(float(a)), None, v[0])
    io_callback(lambda a: seen.append(float(a)), None, v[1])
    return v * 2
  out = jax.block_until_ready(jax.jit(run)(x))
  jax.effects_barrier()
  return out, sorted(seen)


@program("f32[3]", eager=True)
def io_callback_ordered(x):
  seen = []
  def run(v):
    for i in range(4):
      io_callback(lambda a, i=i: seen.append((i, float(a))), None, v[i % 3],
                  ordered=True)
    return v + 1
  step = jax.jit(run)
  out = jax.block_until_ready(step(step(x)))
  jax.effects_barrier()
  return out, seen


@program("f32[4]", eager=True)
def io_callback_in_scan(x):
  seen = []
  def body(c, v):
    io_callback(lambda a: seen.append(float(a)), None, c, ordered=True)
    return c + v, None
  out = jax.jit(lambda v: lax.scan(body, jnp.float32(0), v))(x)[0]
  jax.effects_barrier()
  return out, seen


@program("f32[4]", eager=True)
def io_callback_ordered_cond(x):
  seen = []
  def note(i):
    seen.append(int(i))
    return np.float32(i)
  def run(v):
    return lax.while_loop(
        lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] + io_callback(
            note, jax.ShapeDtypeStruct((), jnp.float32), c[0], ordered=True)),
        (0, v[0]))
  out = jax.jit(run)(x)
  jax.effects_barrier()
  return out, seen


@program("f32[3]", "s32[2]", eager=True)
def debug_print(x, y):
  def run(x, y):
    jax.debug.print("x is {x} and y {}", y, x=x[0] > 99)
    return x.sum()
  return printed(run, x, y)


@program("s32[3]", eager=True)
def debug_print_ordered(x):
  def run(v):
    for i in range(3):
      jax.debug.print("{i}: {v}", i=i, v=v[i], ordered=True)
    return lax.fori_loop(0, 3, lambda i, c: (
        jax.debug.print("in loop {}", i, ordered=True), c + i)[1], 0)
  return printed(run, x)


@program("s32[3]", eager=True)
def debug_print_batched(x):
  def run(v):
    return jax.vmap(lambda a: (jax.debug.print("a={}", a), a * 2)[1])(v)
  text, out = printed(run, x)
  return sorted(text.split()), out


@program("f32[3]", eager=True)
def debug_print_of_gradient(x):
  def run(v):
    def f(a):
      jax.debug.print("primal")
      return jnp.sum(a ** 2)
    return jax.grad(f)(v)
  return printed(run, x)


@program("f32[3]", eager=True)
def debug_callback(x):
  seen = []
  def run(v):
    jax.debug.callback(lambda a: seen.append(a.shape), v)
    return v * 2
  out = jax.block_until_ready(jax.jit(run)(x))
  jax.effects_barrier()
  return out, seen


@program("f32[4]", "s32[]:7..9", eager=True)
def checkify_errors(x, i):
  def run(v, i):
    checkify.check(v[0] < -99, "v[0] is {v}", v=v[0].astype(jnp.int32))
    return v.sum()
  error, out = checkify.checkify(jax.jit(run))(x, i)
  def index(v, i):
    return v[i]
  bad, _ = checkify.checkify(jax.jit(index), errors=checkify.index_checks)(x, i)
  def nan(v):
    return jnp.log(-jnp.abs(v) - 1)
  third, _ = checkify.checkify(jax.jit(nan), errors=checkify.float_checks)(x)
  fourth, _ = checkify.checkify(jax.jit(lambda a: 1 / (a - a)),
                                errors=checkify.div_checks)(i)
  texts = [e.get() for e in (error, bad, third, fourth)]
  return out, [text.split("\n")[0][:40] for text in texts]


@program("f32[4]", eager=True)
def checkify_in_loops(x):
  def body(c, v):
    checkify.check(v < 100, "never")
    return c + v, v
  error, out = checkify.checkify(jax.jit(
      lambda v: lax.scan(body, jnp.float32(0), v)))(x)
  return error.get(), out


@program("f32[4]", eager=True)
def debug_check(x):
  def run(v):
    checkify.debug_check(v[0] < 1e9, "never")
    return v
  return jax.jit(checkify.checkify(run))(x)[1]


@program("f32[3]", eager=True)
def nan_debugging(x):
  with jax.debug_nans(True):
    try:
      jax.block_until_ready(jax.jit(lambda v: v / (v - v) * 0)(x))
    except FloatingPointError as error:
      return "nan" in str(error)
  return "no error"
