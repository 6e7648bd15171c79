"""What JAX says of divided programs: the shardings that it reports, draws and
hands to custom_partitioning, and errors."""

import contextlib
import importlib.util
import io

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import custom_partitioning as partitioning
from jax.experimental import io_callback
from jax.sharding import (
    Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding)

import sharded_program
from registry import Family

FAMILY = Family("sharded/expectations")
DATA = np.arange(128, dtype=np.float32).reshape(16, 8) / 16


def program(function, **options):
  """A program that gets a mesh of x=2, y=4, as context too."""
  def run(devices):
    mesh = Mesh(np.array(devices).reshape(2, 4), ("x", "y"))
    with jax.set_mesh(mesh):
      return function(mesh)
  FAMILY.add(function.__name__, run, devices=8, eager=True, **options)
  return function


def program_alone(function):
  """The same where platform cpu does something else; it asserts what is
  right."""
  return program(function, alone=True)


def placed(mesh, *spec):
  return jax.device_put(DATA, NamedSharding(mesh, P(*spec)))


def text(sharding):
  return str(getattr(sharding, "spec", sharding))


@program
def input_shardings(mesh):
  f = jax.jit(lambda a, b: (a @ b.T, b + 1), in_shardings=(
      NamedSharding(mesh, P("x")), None))
  compiled = f.lower(DATA, placed(mesh, "y")).compile()
  return [text(one) for one in (*compiled.input_shardings[0],
                                *compiled.output_shardings)]


@program
def unspecified_inputs(mesh):
  """The partitioner may choose how arguments without sharding are divided."""
  f = jax.jit(lambda a: lax.with_sharding_constraint(a * 2, P("y", "x")))
  compiled = f.lower(DATA).compile()
  out = f(DATA)
  return [text(one) for one in compiled.input_shardings[0]], text(
      out.sharding), out


@program
def several_calls(mesh):
  """A result is the next call's argument as it is."""
  f = jax.jit(lambda a: jnp.tanh(a) @ jnp.ones((8, 8), np.float32))
  x = placed(mesh, "x")
  specs = []
  for _ in range(3):
    x = f(x)
    specs.append(sharded_program.spec_text(x))
  return specs, x


@program
def shards_of_results(mesh):
  out = jax.jit(lambda a: (a * 2, a.T, a.sum(0)))(placed(mesh, "x", "y"))
  return [[(str(shard.index), np.asarray(shard.data))
           for shard in one.addressable_shards] for one in out]


@program
def inspected(mesh):
  seen = []
  @jax.jit
  def f(a, b):
    jax.debug.inspect_array_sharding(a, callback=lambda s: seen.append(text(s)))
    c = a @ b.T
    jax.debug.inspect_array_sharding(c, callback=lambda s: seen.append(text(s)))
    d = jnp.sin(c).sum(0)
    jax.debug.inspect_array_sharding(d, callback=lambda s: seen.append(text(s)))
    return d
  out = f(placed(mesh, "x"), placed(mesh, "y"))
  return sorted(seen), out


@program
def drawn(mesh):
  """jax.debug.visualize_array_sharding of results; where the package rich is
  missing, which it draws with, the table that it draws."""
  out = jax.jit(lambda a: (a + 1, a.T, a @ a.T))(placed(mesh, "x", "y"))
  drawings = []
  for one in (*out, placed(mesh, ("y", "x")), placed(mesh, None, "y")):
    if importlib.util.find_spec("rich") is None:
      drawings.append(sorted((device.id, str(where)) for device, where in (
          one.sharding.devices_indices_map(one.shape).items())))
      continue
    with contextlib.redirect_stdout(io.StringIO()) as drawing:
      jax.debug.visualize_array_sharding(one, use_color=False)
    drawings.append(drawing.getvalue().upper().replace("TESSERA", "CPU"))
  return drawings


@program
def donated(mesh):
  f = jax.jit(lambda a, b: (a + b, b * 2), donate_argnums=(0, 1))
  a, b = placed(mesh, "x", "y"), placed(mesh, "x", "y")
  out = f(a, b)
  return out, a.is_deleted(), b.is_deleted()


def partitioned(body, part_body):
  """`body` on whole arrays, `part_body` on parts."""
  @partitioning.custom_partitioning
  def f(a):
    return body(a)
  seen = []
  def partition(mesh, shapes, result):
    seen.append((text(shapes[0].sharding), text(result.sharding)))
    return mesh, part_body, result.sharding, (shapes[0].sharding,)
  f.def_partition(partition=partition, sharding_rule="i j -> i j",
                  infer_sharding_from_operands=lambda mesh, args, out:
                  args[0].sharding)
  return f, seen


@program
def custom_partitioning_shardings(mesh):
  f, seen = partitioned(jnp.sin, jnp.sin)
  out = jax.jit(f)(placed(mesh, "x", "y"))
  return seen, sharded_program.spec_text(out), out


@program
def custom_partitioning_wrong_shape(mesh):
  f, _ = partitioned(jnp.sin, lambda a: jnp.sin(a)[:1])
  try:
    jax.jit(f)(placed(mesh, "x", "y")).block_until_ready()
  except Exception as error:
    return "mismatch" in str(error).lower() or "shape" in str(error).lower()
  return "no error"


@program
def custom_partitioning_inferred(mesh):
  """Without Shardy, a callback says how the result is divided."""
  shardy = jax.config.jax_use_shardy_partitioner
  jax.config.update("jax_use_shardy_partitioner", False)
  try:
    f, seen = partitioned(jnp.sin, jnp.sin)
    out = jax.jit(lambda a: f(a) * 2)(placed(mesh, "x", "y"))
  finally:
    jax.config.update("jax_use_shardy_partitioner", shardy)
  return seen, sharded_program.spec_text(out), out


@program
def callbacks_per_program(mesh):
  """A callback in an automatically divided program is called once, with the
  whole array; in a manual one, on each device with its part."""
  calls = []
  def host(a):
    calls.append(tuple(a.shape))
    return np.asarray(a) + 1
  def f(a):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(a.shape, a.dtype), a)
  x = placed(mesh, "x", "y")
  outs = [jax.block_until_ready(jax.jit(f)(x))]
  calls.append("manual")
  outs.append(jax.block_until_ready(jax.jit(jax.shard_map(
      f, in_specs=P("x", "y"), out_specs=P("x", "y")))(x)))
  return [str(call) for call in calls], outs


def calls_of(mesh, function, *spec):
  """`function` gets `record` and an array divided by `spec`. Returns what
  callbacks recorded by `record(tag, array)`, and the results."""
  calls = []
  def record(tag, a):
    calls.append((tag, tuple(np.shape(a)), float(np.sum(np.asarray(a)))))
  out = jax.block_until_ready(jax.jit(lambda a: function(record, a))(
      placed(mesh, *spec)))
  jax.effects_barrier()
  return calls, out


@program
def ordered_callbacks(mesh):
  """Those of a loop and of a conditional too, each once and in order."""
  scalar = jax.ShapeDtypeStruct((), np.float32)
  def f(record, a):
    def host(tag, a):
      record(str(tag), a)
      return np.float32(np.asarray(a).sum() / 512)
    def call(tag, a):
      return io_callback(lambda a: host(tag, a), scalar, a, ordered=True)
    first = call("first", a)
    a = lax.fori_loop(0, 3, lambda i, a: a + io_callback(
        host, scalar, i, a, ordered=True), a)
    a = lax.cond(a.sum() > 0, lambda a: a * call("positive", a),
                 lambda a: a - call("negative", a), a)
    io_callback(lambda a: record("last", a), None, a[:2], ordered=True)
    return first + a
  return calls_of(mesh, f, "x", "y")


@program
def callback_in_condition(mesh):
  """All devices make as many iterations."""
  seen = []
  def f(record, a):
    def host(a):
      record("test", a)
      seen.append(1)
      return np.bool_(len(seen) < 5)
    return lax.while_loop(lambda a: io_callback(
        host, jax.ShapeDtypeStruct((), np.bool_), a), lambda a: a * 2, a)
  return calls_of(mesh, f, "x", "y")


@program
def callback_of_one_device(mesh):
  """Another device than the first, and several results."""
  place = SingleDeviceSharding(mesh.devices[0, 3])
  def f(record, a):
    def host(a, b):
      record("call", a)
      return np.asarray(a) + np.asarray(b), np.bool_(True)
    b, p = jax.pure_callback(host, (
        jax.ShapeDtypeStruct(a.shape, a.dtype), jax.ShapeDtypeStruct((), bool)),
                             a, a[0], sharding=place)
    return jnp.where(p, b, a) * 2
  return calls_of(mesh, f, "y")


@program
def partitioned_callback(mesh):
  """Called with the part of each device."""
  def f(record, a):
    jax.debug.callback(lambda a: record("part", a), a, partitioned=True)
    return a + 1
  calls, out = calls_of(mesh, f, "x", "y")
  return sorted(calls), out


@program
def callback_uses_jax(mesh):
  """What a callback computes with JAX is on its array's device."""
  def f(record, a):
    return jax.pure_callback(lambda a: a.sum(0), jax.ShapeDtypeStruct(
        (8,), np.float32), a) + 1
  return calls_of(mesh, f, "x", "y")


@program_alone
def callbacks_of_types(mesh):
  """Results come unchanged, NaN with its payload, -0.0 and all bits. On cpu
  they are added to zeros."""
  bits = np.arange(16, dtype=np.uint8) * 17
  same = []
  for name in ("bool", "int4", "int8", "uint16", "int64", "float16", "bfloat16",
               "float32", "float64", "complex64", "float8_e4m3fn",
               "float8_e4m3b11fnuz", "float8_e5m2", "float8_e8m0fnu"):
    dtype = jnp.dtype(name)
    if name in ("bool", "int4"):
      value = (bits % 2).astype(dtype)
    else:
      value = np.repeat(bits, dtype.itemsize).view(dtype)
    if name in ("float32", "float64"):
      value = value.copy()
      value[:2] = np.array([0x7f812345, 1 << 31], np.uint32).view(
          np.float32) if name == "float32" else np.array(
              [0x7ff0000000012345, 1 << 63], np.uint64).view(np.float64)
    x = jax.device_put(value, NamedSharding(mesh, P(("x", "y"))))
    out = jax.jit(lambda a, value=value: jax.pure_callback(
        lambda _: value, jax.ShapeDtypeStruct(a.shape, a.dtype), a),
        out_shardings=x.sharding)(x)
    same.append((name, np.asarray(out).tobytes() == value.tobytes()))
  changed = [name for name, equal in same if not equal]
  assert not changed, f"{changed} came with other bits"


@program
def debug_callbacks(mesh):
  seen = []
  @jax.jit
  def f(a):
    jax.debug.callback(lambda v: seen.append(float(v)), a.sum())
    return a.max()
  out = jax.block_until_ready(f(placed(mesh, "x", "y")))
  jax.effects_barrier()
  return seen, out


@program
def ordered_effects(mesh):
  """JAX refuses ordered effects over several devices on every platform."""
  @jax.jit
  def f(a):
    jax.debug.print("{}", a.sum(), ordered=True)
    return a
  try:
    f(placed(mesh, "x"))
  except Exception as error:
    return type(error).__name__
  return "no error"


@program
def wrong_device_count(mesh):
  """Arguments on two meshes are refused."""
  other = Mesh(mesh.devices.reshape(-1)[:4], ("z",))
  x = jax.device_put(DATA, NamedSharding(other, P("z")))
  try:
    jax.jit(jnp.add)(placed(mesh, "x"), x)
  except ValueError:
    return "ValueError"
  return "no error"


@program
def order_of_devices(mesh):
  """A mesh in an odd order of devices."""
  odd = Mesh(mesh.devices.reshape(-1)[[5, 2, 7, 0, 3, 6, 1, 4]].reshape(4, 2),
             ("x", "y"))
  with jax.set_mesh(odd):
    x = jax.device_put(DATA, NamedSharding(odd, P("x", "y")))
    out = jax.jit(lambda a: (a @ a.T, jnp.sort(a, 0), jnp.roll(a, 1, 0)))(x)
    return out, [sharded_program.spec_text(one) for one in out], [
        [str(shard.index) for shard in one.addressable_shards] for one in out]


@program
def fewer_devices(mesh):
  """Programs over a part of the devices, and over one."""
  half = Mesh(mesh.devices.reshape(-1)[4:], ("x",))
  with jax.set_mesh(half):
    x = jax.device_put(DATA, NamedSharding(half, P("x")))
    out = jax.jit(lambda a: a.sum(0) + a)(x)
  return out, sorted(d.id for d in out.devices())


@program
def lowered_again(mesh):
  """Compiled ahead of time, then called."""
  x = placed(mesh, "x", "y")
  compiled = jax.jit(lambda a: a @ a.T).lower(x).compile()
  return compiled(x), compiled(x + 1)
