"""Several devices: shard_map with its collectives, sharded arrays, meshes. Each
program takes the devices to run on."""

import functools

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from registry import Family

FAMILY = Family("sharding")
COUNT = 4
DATA = np.arange(48, dtype=np.float32).reshape(8, 6) * 0.25 - 3


def program(function):
  FAMILY.add(function.__name__.strip("_"), function, devices=COUNT, eager=True)
  return function


def placed(mesh, array, *spec):
  return jax.device_put(array, NamedSharding(mesh, P(*spec)))


def mapped(body, array, ins, outs, shape=(COUNT,), names=("i",), check=True):
  """A program that runs `body` with shard_map over a mesh of devices."""
  def run(devices):
    mesh = Mesh(np.array(devices).reshape(shape), names)
    f = jax.shard_map(body, mesh=mesh, in_specs=ins, out_specs=outs,
                      check_vma=check)
    return jax.jit(f)(placed(mesh, array, *ins))
  return run


def collective(name, body, outs=P("i"), array=DATA, **options):
  FAMILY.add(name, mapped(body, array, P("i"), outs, **options),
             devices=COUNT, eager=True)


RING = [(i, (i + 1) % COUNT) for i in range(COUNT)]
PAIRS = [[0, 1], [2, 3]]


def fill():
  collective("psum", lambda x: lax.psum(x, "i"), P())
  collective("psum_of_tree", lambda x: lax.psum({"a": x, "b": 2 * x}, "i"), P())
  collective("pmean", lambda x: lax.pmean(x, "i"), P())
  collective("pmax", lambda x: lax.pmax(x, "i"), P())
  collective("pmin", lambda x: lax.pmin(x, "i"), P())
  collective("psum_groups", lambda x: lax.psum(
      x, "i", axis_index_groups=PAIRS), check=False)
  collective("all_gather", lambda x: lax.all_gather(x, "i", tiled=True),
             P(), check=False)
  collective("all_gather_stacked", lambda x: lax.all_gather(x, "i"),
             P(None, "i"), check=False)
  collective("all_gather_axis", lambda x: lax.all_gather(
      x, "i", axis=1, tiled=True))
  collective("all_gather_groups", lambda x: lax.all_gather(
      x, "i", axis_index_groups=PAIRS, tiled=True), check=False)
  collective("psum_scatter", lambda x: lax.psum_scatter(
      jnp.tile(x, (2, 1)), "i", tiled=True))
  collective("psum_scatter_stacked", lambda x: lax.psum_scatter(
      jnp.tile(x, (2, 1)), "i"), check=False)
  collective("all_to_all", lambda x: lax.all_to_all(
      jnp.tile(x, (2, 1)), "i", 0, 1, tiled=True))
  collective("all_to_all_split", lambda x: lax.all_to_all(
      jnp.tile(x, (2, 1)), "i", 0, 0))
  collective("ppermute", lambda x: lax.ppermute(x, "i", RING))
  collective("ppermute_partial", lambda x: lax.ppermute(
      x, "i", [(0, 2), (3, 1)]))
  collective("pshuffle", lambda x: lax.pshuffle(x, "i", (2, 0, 3, 1)))
  collective("axis_index", lambda x: x + lax.axis_index("i"))
  collective("axis_size", lambda x: x * lax.axis_size("i"))
  collective("no_collective", jnp.sin)
  collective("in_scan", lambda x: lax.scan(
      lambda c, _: (lax.ppermute(c, "i", RING) + 1, None), x, None,
      length=3)[0])
  collective("in_loop", lambda x: lax.fori_loop(
      0, 3, lambda i, v: v * 0.5 + lax.pmean(v, "i"), x), check=False)
  collective("in_cond", lambda x: lax.cond(
      lax.axis_index("i") % 2 == 0, jnp.sin, jnp.cos, x))
  collective("gradient", lambda x: jax.grad(
      lambda v: jnp.sum(lax.psum(jnp.sin(v), "i") ** 2))(x))
  collective("pcast", lambda x: x + lax.pcast(
      jnp.ones(()), "i", to="varying"))
  collective("two_collectives", lambda x: lax.psum(x, "i") * lax.axis_index(
      "i") + lax.pmax(x, "i"), check=False)
  for dtype in ("bfloat16", "float64", "int32", "int8", "complex64", "bool"):
    collective(f"gather_and_sum_{dtype}", lambda x, d=dtype: (
        lax.all_gather(x.astype(d), "i", tiled=True), lax.psum(
            x.astype(d).astype(jnp.float32 if d == "bool" else d), "i")),
               P(), check=False)
  FAMILY.add("two_axes", mapped(
      lambda x: (lax.psum(x, "i"), lax.psum(x, "j"), lax.psum(x, ("i", "j")),
                 lax.all_gather(x, "j", tiled=True)), DATA, P("i", "j"),
      P("i", "j"), shape=(2, 2), names=("i", "j"), check=False),
             devices=COUNT, eager=True)


fill()


@program
def matmul_by_reduce_scatter(devices):
  mesh = Mesh(np.array(devices), ("i",))
  f = jax.shard_map(lambda x, y: lax.psum(x @ y, "i"), mesh=mesh,
                    in_specs=(P(None, "i"), P("i", None)), out_specs=P())
  y = DATA[:, :3].copy()
  return jax.jit(f)(DATA[:5, :].repeat(2, 1)[:, :8].copy(), y)


@program
def data_parallel_step(devices):
  mesh = Mesh(np.array(devices), ("i",))
  def step(w, x):
    loss, g = jax.value_and_grad(lambda p: jnp.mean((x @ p) ** 2))(w)
    return w - 0.01 * lax.pmean(g, "i"), lax.pmean(loss, "i")
  f = jax.jit(jax.shard_map(step, mesh=mesh, in_specs=(P(), P("i")),
                            out_specs=P(), check_vma=False))
  w = np.ones((6, 2), np.float32)
  for _ in range(3):
    w, loss = f(w, DATA)
  return w, loss


@program
def placement(devices):
  mesh = Mesh(np.array(devices).reshape(2, 2), ("i", "j"))
  out = []
  for spec in ((), ("i",), (None, "j"), ("i", "j"), (("i", "j"),)):
    x = placed(mesh, DATA, *spec)
    out += [x, [np.asarray(s.data) for s in x.addressable_shards],
            x.is_fully_replicated]
  return out


@program
def transfers(devices):
  mesh = Mesh(np.array(devices), ("i",))
  x = placed(mesh, DATA, "i")
  y = jax.device_put(x, NamedSharding(mesh, P(None)))
  z = jax.device_put(x, devices[2])
  return y, z, jax.device_put(z, NamedSharding(mesh, P("i"))), [
      jax.device_put(DATA, d) + 1 for d in devices]


@program
def each_device_alone(devices):
  f = jax.jit(lambda v: jnp.cumsum(v, 0))
  outs = [f(jax.device_put(DATA * i, d)) for i, d in enumerate(devices)]
  return outs, [o.devices() == {d} for o, d in zip(outs, devices)]


@program
def pmap(devices):
  f = jax.pmap(lambda v: v - lax.pmean(v, "i"), axis_name="i", devices=devices)
  return f(DATA.reshape(4, 2, 6))


@program
def replicated_jit(devices):
  mesh = Mesh(np.array(devices), ("i",))
  return jax.jit(lambda v: jnp.sin(v) @ v.T)(placed(mesh, DATA)), jax.jit(
      lambda v: v + 1, out_shardings=NamedSharding(mesh, P()))(DATA)


@program
def built_from_shards(devices):
  mesh = Mesh(np.array(devices), ("i",))
  sharding = NamedSharding(mesh, P("i"))
  return jax.make_array_from_callback(
      DATA.shape, sharding, lambda i: DATA[i]), (
      jax.make_array_from_single_device_arrays(
          DATA.shape, sharding, [jax.device_put(DATA[2 * k:2 * k + 2], d)
                                 for k, d in enumerate(devices)]))


@program
def donated_shards(devices):
  mesh = Mesh(np.array(devices), ("i",))
  f = jax.jit(jax.shard_map(lambda v: v * 2, mesh=mesh, in_specs=P("i"),
                            out_specs=P("i")), donate_argnums=0)
  x = placed(mesh, DATA, "i")
  return f(x), x.is_deleted()


@program
def random_in_shards(devices):
  mesh = Mesh(np.array(devices), ("i",))
  def body(seed):
    key = jax.random.fold_in(jax.random.key(seed[0]), lax.axis_index("i"))
    return jax.random.normal(key, (3,))
  return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P(
      "i")))(np.arange(4))


@program
def linalg_in_shards(devices):
  mesh = Mesh(np.array(devices), ("i",))
  x = np.stack([np.eye(3, dtype=np.float32) * (k + 1) for k in range(4)])
  return jax.jit(jax.shard_map(
      lambda v: (jnp.linalg.cholesky(v), jnp.linalg.inv(v)), mesh=mesh,
      in_specs=P("i"), out_specs=P("i")))(x)


@program
def callbacks_in_shards(devices):
  mesh = Mesh(np.array(devices), ("i",))
  def body(v):
    return jax.pure_callback(lambda a: np.asarray(a) * 2,
                             jax.ShapeDtypeStruct(v.shape, v.dtype), v)
  return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P(
      "i")))(DATA)


def ragged_all_to_all(devices):
  """Device s sends element d to place s of device d; cpu cannot."""
  mesh = Mesh(np.array(devices), ("i",))
  def body(x):
    ones = jnp.ones(COUNT, jnp.int32)
    at = jnp.arange(COUNT, dtype=jnp.int32)
    me = jnp.full(COUNT, lax.axis_index("i"), jnp.int32)
    return lax.ragged_all_to_all(x, jnp.zeros_like(x), at, ones, me, ones,
                                 axis_name="i")
  x = np.arange(16, dtype=np.float32)
  out = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=P("i"), out_specs=P(
      "i"), check_vma=False))(x)
  np.testing.assert_array_equal(np.asarray(out), x.reshape(4, 4).T.ravel())


FAMILY.add("ragged_all_to_all", ragged_all_to_all, devices=COUNT, alone=True)


@program
def pipeline(devices):
  mesh = Mesh(np.array(devices), ("i",))
  def body(w, x):
    def tick(state, v):
      state = jnp.where(lax.axis_index("i") == 0, v, state)
      state = jnp.tanh(state * w[0])
      return lax.ppermute(state, "i", RING), state
    start = lax.pcast(jnp.zeros(6, jnp.float32), "i", to="varying")
    return lax.scan(tick, start, x)[1][None]
  return jax.jit(jax.shard_map(body, mesh=mesh, in_specs=(P("i"), P()),
                               out_specs=P("i")))(
      np.arange(1, 5, dtype=np.float32), DATA)


@program
def automatic_sharding_constraint(devices):
  mesh = Mesh(np.array(devices), ("i",))
  @functools.partial(jax.jit, out_shardings=NamedSharding(mesh, P()))
  def f(v):
    return lax.with_sharding_constraint(v * 2, NamedSharding(mesh, P())) + 1
  return f(placed(mesh, DATA))


@program
def exported_over_devices(devices):
  mesh = Mesh(np.array(devices), ("i",))
  f = jax.jit(jax.shard_map(lambda v: lax.psum(v, "i"), mesh=mesh, in_specs=P(
      "i"), out_specs=P()))
  platforms = list(dict.fromkeys(["cpu", devices[0].platform]))
  x = placed(mesh, DATA, "i")
  out = jax.export.export(f, platforms=platforms)(x)
  return jax.jit(jax.export.deserialize(out.serialize()).call)(x)
