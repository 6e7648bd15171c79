"""Every collective over every group of a mesh and for several types, against
the same collective written in numpy over the list of parts."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from sharded_program import ShardedFamily

FAMILY = ShardedFamily("sharded/collectives")
MESH = {"x": 2, "y": 4}
COUNT = 8
SUMMED = ("f32", "f64", "bf16", "s32", "s8", "u64", "c64")
ORDERED = ("f32", "bf16", "f16", "s32", "u8", "s64")
MOVED = ("f32", "bf16", "s32", "u8", "s64", "c64", "pred", "f8e4m3fn", "c128")
# Names of axes, or groups of positions along all axes.
GROUPS = {"x": "x", "y": "y", "xy": ("x", "y"), "yx": ("y", "x"),
          "pairs": [[0, 3], [1, 2], [4, 5], [6, 7]],
          "one_group": [[7, 6, 5, 4, 3, 2, 1, 0]]}
TOTAL = ("x", "y")


def groups(where):
  """The devices of each group, in the order of their positions in it."""
  if isinstance(where, list):
    return where
  names = (where,) if isinstance(where, str) else where
  grid = np.arange(COUNT).reshape(tuple(MESH.values()))
  kept = [i for i, name in enumerate(MESH) if name not in names]
  order = kept + [list(MESH).index(name) for name in names]
  size = int(np.prod([MESH[name] for name in names]))
  return grid.transpose(order).reshape(-1, size).tolist()


def how(where):
  """The arguments of lax's collectives: the axes, and groups of positions."""
  if isinstance(where, list):
    return TOTAL, {"axis_index_groups": where}
  return where, {}


def per_group(where, function):
  """A function over all parts that gives the members of each group what
  `function` makes of the list of their parts: a part for each member."""
  def run(parts):
    out = [None] * COUNT
    for group in groups(where):
      for device, part in zip(group, function([parts[d] for d in group])):
        out[device] = part
    return out
  return run


def add(name, where, types, body, reference, shape="16,8", **options):
  """One program for all types: `body` of a part of each array, divided by rows
  over all devices, against `reference` of the parts of each group."""
  def mapped(*arrays):
    return jax.shard_map(lambda *parts: [body(part) for part in parts],
                         in_specs=P(TOTAL), out_specs=P(TOTAL),
                         check_vma=False)(*arrays)
  def whole(*arrays):
    return [np.concatenate(per_group(where, reference)(
        np.split(array, COUNT))).astype(array.dtype) for array in arrays]
  FAMILY.add(name, mapped, *((f"{kind}[{shape}]", TOTAL) for kind in types),
             whole=whole, **options)


def summed(parts):
  wide = {"bfloat16": np.float32, "float16": np.float32}.get(
      parts[0].dtype.name, parts[0].dtype)
  return sum(part.astype(wide) for part in parts).astype(parts[0].dtype)


def same(function):
  """Each member of the group gets the same part."""
  return lambda parts: [function(parts)] * len(parts)


def reductions(label, where):
  axes, options = how(where)
  add(f"psum_{label}", where, SUMMED, lambda x: lax.psum(x, axes, **options),
      same(summed), tolerance=2)
  add(f"pmax_{label}", where, ORDERED, lambda x: (
      lax.pmax(x, axes, **options)), same(lambda p: np.max(p, 0)))
  add(f"pmin_{label}", where, ORDERED, lambda x: (
      lax.pmin(x, axes, **options)), same(lambda p: np.min(p, 0)))
  size = len(groups(where)[0])
  add(f"psum_scatter_{label}", where, SUMMED, lambda x: lax.psum_scatter(
      jnp.tile(x, (size, 1)), axes, tiled=True, **options) + jnp.zeros_like(x),
      same(summed), tolerance=2)
  add(f"psum_scatter_columns_{label}", where, SUMMED, lambda x:
      lax.psum_scatter(x, axes, scatter_dimension=1, tiled=True, **options),
      lambda p: np.split(summed(p), len(p), 1), tolerance=2)


def movements(label, where):
  axes, options = how(where)
  size = len(groups(where)[0])
  add(f"all_gather_{label}", where, MOVED, lambda x: lax.all_gather(
      x, axes, tiled=True, **options), same(np.concatenate), exact=True)
  add(f"all_gather_columns_{label}", where, MOVED, lambda x: lax.all_gather(
      x, axes, axis=1, tiled=True, **options),
      same(lambda p: np.concatenate(p, 1)), exact=True)
  add(f"all_gather_stacked_{label}", where, MOVED, lambda x: lax.all_gather(
      x, axes, axis=1, **options), same(lambda p: np.stack(p, 1)), exact=True)
  def exchange(parts):
    pieces = [np.split(part, size, 1) for part in parts]
    return [np.concatenate([p[i] for p in pieces], 0) for i in range(size)]
  add(f"all_to_all_{label}", where, MOVED, lambda x: lax.all_to_all(
      x, axes, 1, 0, tiled=True, **options), exchange, exact=True)
  def rows(parts):
    pieces = [np.split(part, size) for part in parts]
    return [np.concatenate([p[i] for p in pieces]) for i in range(size)]
  add(f"all_to_all_rows_{label}", where, MOVED, lambda x: lax.all_to_all(
      x, axes, 0, 0, tiled=True, **options), rows, shape="64,2", exact=True)


def permutations(label, where):
  axes, _ = how(where)
  size = len(groups(where)[0])
  def permute(name, pairs):
    def reference(parts):
      out = [np.zeros_like(parts[0])] * size
      for source, target in pairs:
        out[target] = parts[source]
      return out
    # JAX counts positions in a group by device number, not in the order of
    # its axes.
    in_order = [sorted(group) for group in groups(where)]
    add(f"ppermute_{name}_{label}", in_order, MOVED, lambda x: lax.ppermute(
        x, axes, pairs), reference, exact=True)
  permute("ring", [(i, (i + 1) % size) for i in range(size)])
  permute("partial", [(0, size - 1)])
  permute("reversed", [(i, size - 1 - i) for i in range(size)])
  add(f"axis_index_{label}", where, ("s32", "f32"), lambda x: (
      x * 0 + jnp.asarray(lax.axis_index(axes), x.dtype)),
      lambda p: [part * 0 + i for i, part in enumerate(p)])


def fill():
  for label, where in GROUPS.items():
    reductions(label, where)
    movements(label, where)
    if not isinstance(where, list):
      permutations(label, where)
  add("in_order", TOTAL, ("f32", "s32"), lambda x: lax.psum(
      lax.all_gather(x, "y", tiled=True) * (1 + lax.axis_index("x")), "x")[:2],
      lambda p: [p[0] + 2 * p[4]] * COUNT)


fill()
