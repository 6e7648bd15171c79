"""Dynamic slices, gather and scatter, with indices that may be out of
bounds."""

import programs
import suite
import values
from programs import braces
from programs import shape_text

XLA_MODE = "old"

INDEX_TYPES = ["s32", "s64", "u32", "s8", "u8", "s16", "u64"]


def indices(rng, t, shape, high=7):
  """Indices, mostly within 0..high, some far outside."""
  low, most = values.limits(t)
  array = rng.integers(max(low, -2), high, shape)
  if array.size and rng.integers(0, 3) == 0:
    array = array.astype(object).reshape(-1)
    array[rng.integers(0, array.size)] = int(rng.choice([0, 1])) * (
        most - low) + low
    array = array.reshape(shape)
  return values.from_ints(array.reshape(-1).tolist(), t).reshape(shape)


def starts(rng, program, rank):
  t = str(rng.choice(INDEX_TYPES))
  return [program.arg(indices(rng, t, ())) for _ in range(rank)]


def dynamic_slice(rng, t, program):
  shape = values.dims(rng, high=8)
  sizes = [int(rng.integers(0 if rng.integers(0, 9) == 0 else min(1, size),
                            size + 1)) for size in shape]
  x = program.arg(values.values(rng, t, shape, "bits"))
  return program.out(shape_text(t, sizes), "dynamic-slice", x,
                     *starts(rng, program, len(shape)),
                     dynamic_slice_sizes=braces(sizes))


def dynamic_update_slice(rng, t, program):
  shape = values.dims(rng, high=8)
  sizes = [int(rng.integers(min(1, size), size + 1)) for size in shape]
  x = program.arg(values.values(rng, t, shape, "bits"))
  update = program.arg(values.values(rng, t, sizes, "bits"))
  return program.out(shape_text(t, shape), "dynamic-update-slice", x, update,
                     *starts(rng, program, len(shape)))


class Numbers:
  """Random dimension numbers of a gather; a scatter has the same ones,
  mirrored."""

  def __init__(self, rng):
    rank = int(rng.integers(1, 5))
    self.operand = values.dims(rng, rank, low=1, high=6)
    dims = rng.permutation(rank).tolist()
    batching = sorted(dims[:rng.integers(0, rank)]) if rng.integers(
        0, 2) else []
    rest = [d for d in range(rank) if d not in batching]
    mapped = rng.permutation(rest).tolist()[:rng.integers(0, len(rest) + 1)]
    self.map = mapped
    self.batching = batching
    self.collapsed = sorted(d for d in mapped if rng.integers(0, 2))
    self.sizes = [1 if d in batching or d in self.collapsed
                  else int(rng.integers(1, self.operand[d] + 1))
                  for d in range(rank)]
    self.window = [self.sizes[d] for d in range(rank)
                   if d not in batching and d not in self.collapsed]
    # The indices have batching dimensions, free ones, and the vector.
    free = list(values.dims(rng, int(rng.integers(0, 3)), low=0, high=4))
    entries = [(size, None) for size in free] + [
        (self.operand[d], d) for d in batching]
    entries = [entries[i] for i in rng.permutation(len(entries))]
    implicit = len(mapped) == 1 and rng.integers(0, 2) == 0
    self.vector = len(entries) if implicit else int(
        rng.integers(0, len(entries) + 1))
    self.batch = [size for size, _ in entries]
    if not implicit:
      entries.insert(self.vector, (len(mapped), "vector"))
    self.indices = [size for size, _ in entries]
    where = {d: i for i, (_, d) in enumerate(entries)
             if d not in (None, "vector")}
    self.index_batching = [where[d] for d in batching]
    # The result has its window dimensions at random positions.
    total = len(self.batch) + len(self.window)
    self.offset = sorted(rng.permutation(total).tolist()[:len(self.window)])
    window, batch = iter(self.window), iter(self.batch)
    self.result = [next(window) if i in self.offset else next(batch)
                   for i in range(total)]


def gather(rng, t, program):
  n = Numbers(rng)
  x = program.arg(values.values(rng, t, n.operand, "bits"))
  i = program.arg(indices(rng, str(rng.choice(INDEX_TYPES)), n.indices))
  extra = {}
  if n.batching:
    extra = {"operand_batching_dims": braces(n.batching),
             "start_indices_batching_dims": braces(n.index_batching)}
  return program.out(
      shape_text(t, n.result), "gather", x, i, offset_dims=braces(n.offset),
      collapsed_slice_dims=braces(n.collapsed), start_index_map=braces(n.map),
      **extra, index_vector_dim=n.vector, slice_sizes=braces(n.sizes))


def combiner(rng, t, program):
  """A computation for scatter or reduce that keeps sums exact."""
  if t == "pred":
    op = rng.choice(["and", "or", "xor"])
  elif t in values.COMPLEX:
    op = "add"
  elif t in values.FLOATS:
    op = rng.choice(["add", "maximum", "minimum"])
  else:
    op = rng.choice(["add", "maximum", "multiply", "or"])
  return program.reducer(op, t)


def scatter(rng, t, program):
  n = Numbers(rng)
  while "fnuz" in t and not n.map:
    # Then XLA:CPU's newer code generator, used for these types, updates one
    # window from several threads.
    n = Numbers(rng)
  x = program.arg(values.values(rng, t, n.operand, "small"))
  i = program.arg(indices(rng, str(rng.choice(INDEX_TYPES[:4])), n.indices))
  updates = program.arg(values.values(rng, t, n.result, "small"))
  extra = {}
  if n.batching:
    extra = {"input_batching_dims": braces(n.batching),
             "scatter_indices_batching_dims": braces(n.index_batching)}
  return program.out(
      shape_text(t, n.operand), "scatter", x, i, updates,
      update_window_dims=braces(n.offset),
      inserted_window_dims=braces(n.collapsed),
      scatter_dims_to_operand_dims=braces(n.map), **extra,
      index_vector_dim=n.vector, to_apply=combiner(rng, t, program))


def scatter_pair(rng, t, program):
  """Scatter of two operands at once."""
  x = program.arg(values.values(rng, t, (5, 3), "small"))
  y = program.arg(values.values(rng, "s32", (5, 3), "small"))
  i = program.arg(indices(rng, "s32", (4, 1)))
  u = program.arg(values.values(rng, t, (4, 3), "small"))
  v = program.arg(values.values(rng, "s32", (4, 3), "small"))
  plus = "or" if t == "pred" else "add"
  both = program.computation(
      f"{{\n  @a = {t}[] parameter(0)\n  @b = s32[] parameter(1)\n"
      f"  @c = {t}[] parameter(2)\n  @d = s32[] parameter(3)\n"
      f"  @e = {t}[] {plus}(@a, @c)\n  @f = s32[] maximum(@b, @d)\n"
      f"  ROOT @g = ({t}[], s32[]) tuple(@e, @f)\n}}")
  return program.tuple_out(
      [shape_text(t, (5, 3)), shape_text("s32", (5, 3))], "scatter", x, y, i,
      u, v, update_window_dims="{1}", inserted_window_dims="{0}",
      scatter_dims_to_operand_dims="{0}", index_vector_dim=1, to_apply=both)


OPS = {"dynamic-slice": (dynamic_slice, 3),
       "dynamic-update-slice": (dynamic_update_slice, 3),
       "gather": (gather, 5), "scatter": (scatter, 5),
       "scatter-pair": (scatter_pair, 1)}


def cases():
  for op, (build, count) in OPS.items():
    for t in values.ALL:
      rng = suite.generator(f"{op}/{t}")
      yield suite.Case(f"{op}/{t}", [build(rng, t, programs.Program())
                                     for _ in range(count)])
