"""Sort with its orders, several operands and NaN, and top-k."""

import programs
import suite
import values
from programs import braces
from programs import shape_text

XLA_MODE = "old"


def comparator(program, types, t, direction, kind=None):
  """Makes a comparator of the first pair of scalars that a sort passes."""
  lines = []
  for i, each in enumerate(types):
    lines += [f"  @a{i} = {each}[] parameter({2 * i})",
              f"  @b{i} = {each}[] parameter({2 * i + 1})"]
  extra = f", type={kind}" if kind else ""
  lines.append(f"  ROOT @r = pred[] compare(@a0, @b0), direction={direction}"
               f"{extra}")
  return program.computation("{\n" + "\n".join(lines) + "\n}")


def sort(rng, t, program, operands, direction, kind=None):
  shape = values.dims(rng, int(rng.integers(1, 4)), high=12)
  along = int(rng.integers(0, len(shape)))
  # Without a total order NaN may be anywhere.
  domain = "any" if kind or t not in values.FLOATS else "finite"
  types = [t, "s32", "f32"][:operands]
  names = [program.arg(values.values(rng, t, shape, domain))]
  names += [program.arg(values.values(rng, each, shape, "finite"))
            for each in types[1:]]
  shapes = [shape_text(each, shape) for each in types]
  extra = {"dimensions": braces([along]), "is_stable": "true",
           "to_apply": comparator(program, types, t, direction, kind)}
  if operands == 1:
    return program.out(shapes[0], "sort", *names, **extra)
  return program.tuple_out(shapes, "sort", *names, **extra)


def top_k(rng, t, program, largest):
  shape = values.dims(rng, int(rng.integers(1, 3)), low=1, high=9)
  k = int(rng.integers(1, shape[-1] + 1))
  result = [*shape[:-1], k]
  x = program.arg(values.values(rng, t, shape, "finite"))
  return program.tuple_out(
      [shape_text(t, result), shape_text("s32", result)], "topk", x, k=k,
      largest="true" if largest else "false")


def cases():
  for t in values.ALL:
    if t in values.COMPLEX:
      continue
    rng = suite.generator(f"sort/{t}")
    kinds = [None, "TOTALORDER"] if t in values.FLOATS else [None]
    yield suite.Case(
        f"sort/{t}",
        [sort(rng, t, programs.Program(), operands, direction, kind)
         for kind in kinds for direction in ("LT", "GT")
         for operands in (1, 2, 3)])
  for t in values.REALS:
    rng = suite.generator(f"topk/{t}")
    yield suite.Case(f"topk/{t}", [top_k(rng, t, programs.Program(), largest)
                                   for largest in (True, True, False)])
