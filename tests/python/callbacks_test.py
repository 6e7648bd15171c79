"""Host callbacks on platform tessera: every kind, their order and errors."""

import gc

import harness
import numpy as np
import tessera_jax as tj


def shape_of(x):
  return tj.jax().ShapeDtypeStruct(x.shape, x.dtype)


def double(x):
  """2 x, computed by Python."""
  return tj.jax().pure_callback(lambda a: np.asarray(a) * 2, shape_of(x), x)


def test_pure_callback():
  jax = tj.jax()
  x = jax.numpy.arange(4.0)
  np.testing.assert_array_equal(jax.jit(lambda x: double(x) + 1)(x),
                                [1, 3, 5, 7])
  np.testing.assert_array_equal(double(x), [0, 2, 4, 6])  # eagerly


def test_dtypes_and_shapes():
  jax = tj.jax()
  for dtype in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32",
                "int64", "uint64", "float16", "bfloat16", "float32", "float64",
                "complex64", "complex128", "float8_e5m2", "float8_e4m3fn"):
    for shape in ((), (3,), (2, 3), (0, 2)):
      x = jax.numpy.ones(shape, dtype)

      def same(a, dtype=dtype, shape=shape):
        harness.equal((str(a.dtype), a.shape), (dtype, shape))
        return np.asarray(a)

      y = jax.jit(lambda x: jax.pure_callback(same, shape_of(x), x))(x)
      harness.equal((y.dtype, y.shape), (x.dtype, x.shape), dtype)
      harness.equal(np.asarray(y).tobytes(), np.asarray(x).tobytes(), dtype)


def test_narrow_types():
  # JAX lowers one-bit types as booleans, and then cannot make arguments.
  jax = tj.jax()
  for dtype, values in (("int4", (-8, -1, 0, 7)), ("uint4", (0, 7, 15)),
                        ("int2", (-2, -1, 0, 1)), ("uint2", (0, 1, 2, 3)),
                        ("float4_e2m1fn", (-6, -0.5, 0, 1.5, 6))):
    if not hasattr(jax.numpy, dtype):
      continue
    x = np.array(values).astype(getattr(jax.numpy, dtype).dtype)
    seen = []

    def turn(a):
      seen.append(np.asarray(a))
      return np.asarray(a)[::-1]

    y = np.asarray(jax.jit(
        lambda x: jax.pure_callback(turn, shape_of(x), x))(x))
    harness.equal((seen[0].dtype, seen[0].tolist()), (x.dtype, x.tolist()))
    harness.equal((y.dtype, y.tolist()), (x.dtype, x[::-1].tolist()), dtype)


def test_have_run_when_the_call_returns():
  jax = tj.jax()
  from jax.experimental import io_callback
  import threading
  order = []

  def note(what, a):
    del a
    order.append((what, threading.get_ident()))

  def callbacks(x):
    jax.debug.callback(lambda a: note("debug", a), x[0])
    io_callback(lambda a: note("io", a), None, x[1], ordered=True)
    return jax.lax.scan(
        lambda c, v: (io_callback(lambda a: (note("scan", a), a)[1],
                                  shape_of(c), c, ordered=True) + v, None),
        x[2], x[:2])[0] + (x @ x)

  program, here = jax.jit(callbacks), threading.get_ident()
  for size in (3, 100_000):
    x = jax.numpy.ones(size) * 2  # may not be ready yet
    order.clear()
    program(x)
    order.append(("returned", here))
    harness.equal(sorted(what for what, _ in order[:-1]),
                  ["debug", "io", "scan", "scan"], size)
    harness.equal([what for what, _ in order if what in ("io", "scan")],
                  ["io", "scan", "scan"])
    harness.equal({thread for _, thread in order}, {here})


def test_error_is_raised_by_the_call():
  out = tj.child("""
import jax, jax.numpy as jnp
def fail(a):
  raise ValueError("not this")
for size in (3, 100_000):
  for program in (
      lambda x: jax.pure_callback(fail, jax.ShapeDtypeStruct(x.shape, x.dtype),
                                  x) * 2,
      lambda x: (jax.debug.callback(fail, x), x + 1)[1]):
    try:
      jax.jit(program)(jnp.ones(size))
      print("no error")
    except RuntimeError as error:
      print("ValueError: not this" in str(error))
    jax.effects_barrier()
print("over")
""")
  # No error is raised again at a barrier or at exit.
  harness.equal([line for line in out.split("\n")
                 if line in ("True", "False", "no error", "over")],
                ["True"] * 4 + ["over"])
  tj.holds(out[-6:], "over")
  assert "atexit" not in out, out


def test_several_results():
  jax = tj.jax()
  x = jax.numpy.arange(3, dtype="int32")
  kinds = {"sum": jax.ShapeDtypeStruct((), "int32"), "twice": shape_of(x)}

  def function(a):
    return {"sum": np.int32(a.sum()), "twice": np.asarray(a) * 2}

  y = jax.jit(lambda x: jax.pure_callback(function, kinds, x))(x)
  harness.equal((int(y["sum"]), y["twice"].tolist()), (3, [0, 2, 4]))


def test_under_transformations():
  jax = tj.jax()

  def sine(x):
    return jax.pure_callback(np.sin, shape_of(x), x, vmap_method="sequential")

  x = jax.numpy.arange(3.0)
  y = jax.jit(jax.vmap(sine))(x)
  np.testing.assert_allclose(y, np.sin(np.arange(3.0)))
  total = jax.jit(lambda x: jax.lax.scan(
      lambda carry, v: (carry + double(v), None), 0.0, x)[0])(x)
  harness.equal(float(total), 6.0)


def test_io_callback_unordered():
  jax = tj.jax()
  from jax.experimental import io_callback
  seen = []

  def function(a):
    seen.append(float(a.sum()))
    return np.float64(3)

  kind = jax.ShapeDtypeStruct((), "float64")
  y = jax.jit(lambda x: io_callback(function, kind, x))(jax.numpy.arange(4.0))
  jax.effects_barrier()
  harness.equal((float(y), seen), (3.0, [6.0]))


def test_io_callback_ordered():
  jax = tj.jax()
  from jax.experimental import io_callback
  seen = []

  def note(tag, a):
    seen.append((tag, int(a)))

  def program(x):
    for i in range(3):
      io_callback(lambda a, i=i: note(i, a), None, x[i], ordered=True)

    def body(i, x):
      io_callback(lambda a: note("loop", a), None, i, ordered=True)
      return x + 1

    return jax.lax.fori_loop(0, 3, body, x)

  program = jax.jit(program)
  for _ in range(5):
    program(jax.numpy.arange(4))
  jax.effects_barrier()
  once = [(0, 0), (1, 1), (2, 2), ("loop", 0), ("loop", 1), ("loop", 2)]
  harness.equal(seen, once * 5)


def test_debug_print():
  out = tj.child("""
import jax, jax.numpy as jnp
@jax.jit
def f(x):
  jax.debug.print("x = {x}, sum {s}", x=x, s=x.sum())
  jax.debug.print("first {}", x[0], ordered=True)
  return x
f(jnp.arange(3))
jax.effects_barrier()
""")
  tj.holds(out, "x = [0 1 2], sum 3")
  tj.holds(out, "first 0")


def test_debug_callback_and_gradient():
  jax = tj.jax()
  seen = []

  def square(x):
    jax.debug.callback(lambda a: seen.append(float(a)), x)
    return x**2

  gradient = jax.jit(jax.grad(square))(3.0)
  jax.effects_barrier()
  harness.equal((float(gradient), seen), (6.0, [3.0]))


def test_checkify():
  jax = tj.jax()
  from jax.experimental import checkify

  def program(x):
    checkify.check(x.sum() < 0, "the sum {s} is not negative", s=x.sum())
    return jax.numpy.log(x)

  checked = jax.jit(checkify.checkify(program, errors=checkify.all_checks))
  error, _ = checked(jax.numpy.arange(4.0))
  tj.holds(error.get(), "the sum 6.0 is not negative")
  error, _ = checked(-jax.numpy.ones(2))
  tj.holds(error.get(), "nan generated by primitive: log")


def test_debug_nans():
  jax = tj.jax()
  with jax.debug_nans(True):
    try:
      jax.jit(jax.numpy.log)(-1.0)
    except FloatingPointError as error:
      tj.holds(str(error), "nan")
    else:
      raise AssertionError("no FloatingPointError")


def test_exception_reaches_the_caller():
  jax = tj.jax()

  def fail(a):
    raise ValueError(f"cannot take {a}")

  program = jax.jit(lambda x: jax.pure_callback(fail, shape_of(x), x))
  try:
    program(jax.numpy.float32(7)).block_until_ready()
  except RuntimeError as error:
    tj.holds(str(error), "ValueError: cannot take 7.0")
  else:
    raise AssertionError("the exception was lost")
  # The process continues.
  harness.equal(float(double(jax.numpy.float32(2))), 4.0)


def test_wrong_result_is_an_error():
  jax = tj.jax()
  x = jax.numpy.arange(3.0)
  program = jax.jit(
      lambda x: jax.pure_callback(lambda a: np.zeros(7), shape_of(x), x))
  try:
    program(x).block_until_ready()
  except RuntimeError as error:
    tj.holds(str(error), "shape")
  else:
    raise AssertionError("a result of the wrong shape was taken")


def test_arguments_may_be_kept():
  jax = tj.jax()
  kept = []
  program = jax.jit(lambda x: jax.debug.callback(kept.append, x * 2))
  for i in range(4):
    program(jax.numpy.full(1000, i))
  jax.effects_barrier()
  harness.equal(sorted(int(a[0]) for a in kept), [0, 2, 4, 6])


def test_program_outlives_its_function():
  jax = tj.jax()
  x = jax.numpy.arange(4.0)
  program = jax.jit(double).lower(x).compile()
  jax.clear_caches()
  gc.collect()
  np.testing.assert_array_equal(program(x), [0, 2, 4, 6])


def test_functions_are_freed():
  jax = tj.jax()
  from jax_plugins.tessera import _callbacks
  gc.collect()
  before = len(_callbacks._functions)
  for i in range(5):
    jax.jit(lambda x, i=i: double(x) + i)(1.0)
  jax.clear_caches()
  gc.collect()
  after = len(_callbacks._functions)
  assert after <= before + 1, f"{before} functions before, {after} after"


def test_without_platform_cpu():
  out = tj.child("""
import os
os.environ["JAX_PLATFORMS"] = "tessera"
import jax
jax.jit(lambda x: jax.debug.print("{}", x))(1)
""", status=1)
  tj.holds(out, "set JAX_PLATFORMS=tessera,cpu")


def test_on_each_device():
  out = tj.child("""
import jax, jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P
shard_map = getattr(jax, "shard_map", None)
if shard_map is None:
  from jax.experimental.shard_map import shard_map
mesh = jax.sharding.Mesh(jax.devices(), ("i",))
seen = []
def f(x):
  jax.debug.callback(lambda a: seen.append(float(a[0])), x)
  return x + 1
f = jax.jit(shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i")))
f(jax.device_put(jnp.arange(2.0), NamedSharding(mesh, P("i"))))
jax.effects_barrier()
print(sorted(seen))
""", TESSERA_NUM_DEVICES="2")
  tj.holds(out, "[0.0, 1.0]")


if __name__ == "__main__":
  harness.main(globals())
