"""One process of a JAX job: `jax_job.py CASE PROCESS PROCESSES PORT OUT`.

Under mpirun PROCESS is "mpi", and RANK in OUT stands for its number.
With one process jax.distributed is not used. TESSERA_NUM_DEVICES are the
devices of this process. Each case gives arrays by name; their shards on this
process's devices go to OUT as .npz, under `NAME@DEVICE`. What a case prints is
for the test.
"""

import os
import sys
import time

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

shard_map = getattr(jax, "shard_map", None)
if shard_map is None:
  from jax.experimental.shard_map import shard_map


def values(*shape, dtype=np.float32):
  """Numbers whose float sum depends on the order."""
  n = int(np.prod(shape))
  x = (np.arange(n) * 2654435761 % 1000003).astype(np.float64)
  x = np.where(np.arange(n) % 7 == 0, x * 1e4, x * -0.3)
  return np.asarray(x.reshape(shape)).astype(dtype)


def placed(x, mesh, spec):
  """The array on the mesh; every process has all of `x`."""
  return jax.make_array_from_callback(
      x.shape, NamedSharding(mesh, spec), lambda index: x[index],
      dtype=x.dtype)


def mapped(mesh, function, spec, out):
  return jax.jit(shard_map(function, mesh=mesh, in_specs=spec, out_specs=out))


def each_op(results, tag, mesh, axis, x, whole, only=None):
  """Collectives along an axis, all or some, on shards of `x` along dimension
  0."""
  n = mesh.shape[axis]
  ring = [(i, (i + 1) % n) for i in range(n)]
  ops = {
      "psum": lambda a: lax.psum(a, axis),
      "gather": lambda a: lax.all_gather(a, axis),
      "gather_tiled": lambda a: lax.all_gather(a, axis, axis=1, tiled=True),
      "permute": lambda a: lax.ppermute(a, axis, ring),
      "permute_some": lambda a: lax.ppermute(a, axis, ring[:1]),
      "to_all": lambda a: lax.all_to_all(a, axis, 1, 0, tiled=True),
      "scatter": lambda a: lax.psum_scatter(
          a, axis, scatter_dimension=1, tiled=True),
  }
  if x.dtype != bool:
    ops["max"] = lambda a: lax.pmax(a, axis)
  else:
    for name in ("psum", "scatter"):
      del ops[name]
  for name in only or ops:
    op = ops[name]
    y = mapped(mesh, lambda a, op=op: op(a)[None], whole,
               P(tuple(mesh.axis_names)))(placed(x, mesh, whole))
    results[f"{tag}/{name}"] = y


def collectives():
  results = {}
  devices = jax.devices()
  flat = Mesh(np.array(devices), ("i",))
  n = len(devices)
  x = values(n * 2, n * 3)
  each_op(results, "f32", flat, "i", x, P("i"))
  for dtype in (ml_dtypes.bfloat16, np.int32, np.complex64):
    each_op(results, np.dtype(dtype).name, flat, "i", x.astype(dtype), P("i"),
            ("psum", "scatter"))
  each_op(results, "bool", flat, "i", x.astype(bool), P("i"), ("gather",))
  # Large enough for segments; and both axes of a mesh, whose groups are in
  # one process or visit each process again.
  big = values(n, 40000 * n)
  each_op(results, "big", flat, "i", big, P("i"),
          ("psum", "gather_tiled", "to_all", "scatter"))
  square = Mesh(np.array(devices).reshape(2, n // 2), ("a", "b"))
  for axis in "ab":
    each_op(results, f"mesh_{axis}", square, axis, values(2 * n, 6 * n),
            P(("a", "b")), ("psum", "gather", "permute"))
  turned = Mesh(np.array(devices).reshape(2, n // 2).T, ("a", "b"))
  x = values(2 * n, 50000)
  results["turned"] = mapped(
      turned, lambda a: lax.psum(a, ("a", "b")), P(("a", "b")), P())(
          placed(x, turned, P(("a", "b"))))
  reverse = Mesh(np.array(devices[::-1]), ("i",))
  results["reverse"] = mapped(
      reverse, lambda a: lax.psum(a, "i"), P("i"), P())(
          placed(x, reverse, P("i")))
  # Several arrays of differing types in one collective, and a loop.
  several = (values(n, 5), values(n, 7, 3).astype(np.int32),
             values(n, 2).astype(ml_dtypes.bfloat16))
  for k, y in enumerate(mapped(
      flat, lambda *a: lax.psum(a, "i"), P("i"), P())(
          *(placed(v, flat, P("i")) for v in several))):
    results[f"several{k}"] = y
  results["loop"] = mapped(
      flat,
      lambda a: lax.fori_loop(
          0, 20, lambda i, s: s * 0.5 + lax.psum(s, "i") / n, a),
      P("i"), P("i"))(placed(values(n, 100), flat, P("i")))
  return results


def arrays():
  """jit over a global mesh, arrays of local data, multihost_utils."""
  results = {}
  mesh = Mesh(np.array(jax.devices()), ("i",))
  n = len(jax.devices())
  x, w = values(n * 4, 6) / 1e6, values(6, 5) / 1e6
  sharding = NamedSharding(mesh, P("i"))
  mine = x.reshape(jax.process_count(), -1, 6)[jax.process_index()]
  a = jax.make_array_from_process_local_data(sharding, mine)
  assert a.shape == x.shape, a.shape
  b = placed(w, mesh, P())
  results["matmul"] = jax.jit(lambda a, b: a @ b)(a, b)
  results["mean"] = jax.jit(
      lambda a: a.mean(), out_shardings=NamedSharding(mesh, P()))(a)
  results["grad"] = jax.jit(
      jax.grad(lambda b, a: jnp.sum(jnp.tanh(a @ b) ** 2)),
      out_shardings=NamedSharding(mesh, P()))(b, a)
  gathered = multihost_utils.process_allgather(a, tiled=True)
  np.testing.assert_array_equal(gathered, x)
  multihost_utils.sync_global_devices("here")
  first = multihost_utils.broadcast_one_to_all(
      np.float32(jax.process_index() + 7))
  assert first == 7, first
  multihost_utils.assert_equal(np.arange(5), "differs")
  # A program of this process alone, and one that only process 0 has part in.
  local = jax.jit(lambda v: v * 2)(jnp.arange(4.0))
  np.testing.assert_array_equal(local, np.arange(4.0) * 2)
  few = Mesh(np.array([d for d in jax.devices() if d.process_index == 0]),
             ("i",))
  results["few"] = mapped(few, lambda v: lax.psum(v, "i"), P("i"), P())(
      placed(values(len(few.devices) * 3), few, P("i")))
  return results


def layers():
  """A step of training whose weights are divided: they are gathered, and their
  gradients summed, beside the work of other layers, also in a loop."""
  mesh = Mesh(np.array(jax.devices()), ("i",))
  n = len(jax.devices())
  depth, width = 4, 64 * n
  divided, rows = (NamedSharding(mesh, spec)
                   for spec in (P(None, "i"), P("i")))
  x = placed(values(16 * n, width) / 1e6, mesh, P("i"))
  w = values(depth, width, width) / 1e7
  stacked = placed(w, mesh, P(None, "i"))
  apart = [placed(w[i], mesh, P("i")) for i in range(depth)]

  def loss_of_layers(ws, x):
    for each in ws:
      x = jnp.tanh(x @ each)
    return jnp.sum(x * x)

  def loss_of_loop(ws, x):
    x, _ = lax.scan(lambda x, each: (jnp.tanh(x @ each), None), x, ws)
    return jnp.sum(x * x)

  results = {}
  for name, loss, weights, sharding in (
      ("layers", loss_of_layers, apart, [rows] * depth),
      ("loop", loss_of_loop, stacked, divided)):
    def step(ws, x, loss=loss):
      value, gradients = jax.value_and_grad(loss)(ws, x)
      return value, jax.tree.map(lambda a, b: a - 0.1 * b, ws, gradients)
    step = jax.jit(step, out_shardings=(NamedSharding(mesh, P()), sharding),
                   donate_argnums=0)
    program = step.lower(weights, x).compile()
    # "all-gather-start", in the way that JAX prints it.
    starts = program.as_text().count("-start(")
    plain = "latency-hiding-scheduler" in os.environ.get("XLA_FLAGS", "")
    assert (starts > 0) == (jax.process_count() > 1 and not plain), (
        name, starts)
    for _ in range(3):
      results[f"{name}/loss"], weights = program(weights, x)
    for i, each in enumerate(jax.tree.leaves(weights)):
      results[f"{name}/{i}"] = each
  return results


def _first_and_second():
  """Shardings over the devices of process 0, and of process 1."""
  return [NamedSharding(
      Mesh(np.array([d for d in jax.devices() if d.process_index == p]),
           ("i",)), P("i")) for p in (0, 1)]


def puts():
  """device_put between the processes, and programs on what has come."""
  results = {}
  here, there = _first_and_second()
  twice = jax.jit(lambda v: v * 2)
  x = values(8, 3000)
  trees = {}
  for dtype in (np.float32, np.int8, ml_dtypes.bfloat16, bool):
    y = x.astype(dtype)
    trees[np.dtype(dtype).name] = jax.make_array_from_callback(
        y.shape, here, lambda index, y=y: y[index], dtype=y.dtype)
  empty = np.zeros((2, 0), np.float32)
  trees["empty"] = jax.make_array_from_callback(
      empty.shape, here, lambda index: empty[index], dtype=empty.dtype)
  moved = jax.device_put(trees, jax.tree.map(lambda _: there, trees))
  for name, array in moved.items():
    assert array.sharding == there, array.sharding
    for shard in array.addressable_shards:
      want = {"empty": empty}.get(name)
      if want is None:
        want = x.astype(trees[name].dtype)
      np.testing.assert_array_equal(np.asarray(shard.data), want[shard.index])
  # Computed there, brought back, and used in a program of both processes.
  for step in range(5):
    back = jax.device_put(twice(moved["float32"]), here)
    for shard in back.addressable_shards:
      np.testing.assert_array_equal(
          np.asarray(shard.data), x[shard.index] * 2 ** (step + 1))
    moved["float32"] = jax.device_put(back, there)
  multihost_utils.sync_global_devices("after")
  return results


def put_to_the_dead():
  """Process 0 waits for an array of process 1, which never sends it."""
  here, there = _first_and_second()
  x = values(8, 3000)
  a = jax.make_array_from_callback(
      x.shape, there, lambda index: x[index], dtype=x.dtype)
  jax.block_until_ready(jax.device_put(a, here))
  print("READY", flush=True)
  if jax.process_index() == 1:
    time.sleep(1000)
  try:
    jax.device_put(a, here).block_until_ready()
  except Exception as error:  # pylint: disable=broad-except
    print("FAILED", str(error).replace("\n", " "), flush=True)
  print("LOCAL", jax.jit(lambda v: v + 1)(1), flush=True)
  os._exit(0)


def devices():
  """Prints what JAX knows of the devices."""
  print("index", jax.process_index(), "count", jax.process_count())
  for d in jax.devices():
    print("device", d.id, d.process_index, d.local_hardware_id,
          d.device_kind, getattr(d, "slice_index", None))
  print("local", [d.id for d in jax.local_devices()])
  return {}


def _sum_forever(on_step):
  mesh = Mesh(np.array(jax.devices()), ("i",))
  f = mapped(mesh, lambda a: lax.psum(a, "i"), P("i"), P())
  x = placed(values(len(jax.devices()), 1 << 18), mesh, P("i"))
  f(x).block_until_ready()
  print("READY", flush=True)
  begin = time.monotonic()
  try:
    for step in range(1000000):
      on_step(step)
      begin = time.monotonic()
      f(x).block_until_ready()
  except Exception as error:  # pylint: disable=broad-except
    print(f"FAILED {time.monotonic() - begin:.3f} {error}".replace("\n", " "),
          flush=True)
    try:
      f(x).block_until_ready()
    except Exception as again:  # pylint: disable=broad-except
      print(f"AGAIN {again}".replace("\n", " "), flush=True)
    print("LOCAL", jax.jit(lambda v: v + 1)(1), flush=True)


def sums():
  """All-reduces until another process dies; ends without a shutdown."""
  _sum_forever(lambda step: None)
  if jax.process_index() == 0:
    # JAX ends all processes with this one, which coordinates them.
    time.sleep(1000)
  os._exit(0)


def late():
  """Process 1 comes to a collective long after process 0."""
  mesh = Mesh(np.array(jax.devices()), ("i",))
  x = placed(values(len(jax.devices()), 8), mesh, P("i"))
  f = mapped(mesh, lambda a: lax.psum(a, "i"), P("i"), P())
  f(x).block_until_ready()
  multihost_utils.sync_global_devices("together")
  if jax.process_index() == 1:
    time.sleep(4)
  f(x).block_until_ready()
  return {}


def differs():
  """Process 1 runs another program."""
  mesh = Mesh(np.array(jax.devices()), ("i",))
  scale = 2 if jax.process_index() == 1 else 1
  x = placed(values(len(jax.devices()), 8), mesh, P("i"))
  try:
    mapped(mesh, lambda a: lax.psum(a * scale, "i"), P("i"), P())(
        x).block_until_ready()
  except Exception as error:  # pylint: disable=broad-except
    print("REFUSED", str(error).replace("\n", " "), flush=True)
  os._exit(0)


def main():
  jax.config.update("jax_enable_x64", True)
  case, process, processes, port, out = sys.argv[1:]
  if process == "mpi":
    process = os.environ["OMPI_COMM_WORLD_RANK"]
    out = out.replace("RANK", process)
  if int(processes) > 1:
    jax.distributed.initialize(
        f"127.0.0.1:{port}", int(processes), int(process),
        heartbeat_timeout_seconds=100)
  results = globals()[case]()
  shards = {}
  for name, array in results.items():
    for shard in array.addressable_shards:
      data = np.asarray(shard.data)
      shards[f"{name}@{shard.device.id}"] = data.reshape(-1).view(np.uint8)
  np.savez(out, **shards)
  print("DONE", flush=True)


if __name__ == "__main__":
  main()
