"""Ops that move elements and compute nothing: every bit must be kept."""

import numpy as np

import programs
import suite
import values
from programs import braces
from programs import shape_text

XLA_MODE = "old"


def broadcast(rng, t, program):
  shape = values.dims(rng)
  order = sorted(rng.choice(len(shape), rng.integers(0, len(shape) + 1),
                            replace=False).tolist())
  x = program.arg(values.values(rng, t, [shape[i] for i in order], "bits"))
  return program.out(shape_text(t, shape), "broadcast", x,
                     dimensions=braces(order))


def concatenate(rng, t, program):
  rank = int(rng.integers(1, 4))
  at = int(rng.integers(0, rank))
  shape = list(values.dims(rng, rank))
  parts = []
  for _ in range(rng.integers(1, 4)):
    part = list(shape)
    part[at] = int(rng.integers(0, 4))
    parts.append(part)
  names = [program.arg(values.values(rng, t, part, "bits")) for part in parts]
  shape[at] = sum(part[at] for part in parts)
  return program.out(shape_text(t, shape), "concatenate", *names,
                     dimensions=braces([at]))


def iota(rng, t, program):
  shape = values.dims(rng, int(rng.integers(1, 4)), high=9)
  return program.out(shape_text(t, shape), "iota",
                     iota_dimension=int(rng.integers(0, len(shape))))


def pad(rng, t, program):
  shape = values.dims(rng)
  result, config = [], []
  for size in shape:
    interior = int(rng.integers(0, 3))
    full = size + max(size - 1, 0) * interior
    low, high = (int(x) for x in rng.integers(-2, 4, 2))
    if full + low + high < 0:
      low, high = abs(low), abs(high)
    result.append(full + low + high)
    config.append(f"{low}_{high}_{interior}")
  x = program.arg(values.values(rng, t, shape, "bits"))
  value = program.arg(values.values(rng, t, (), "bits"))
  extra = {"padding": "x".join(config)} if config else {}
  if not config:
    return reshape(rng, t, program)
  return program.out(shape_text(t, result), "pad", x, value, **extra)


def bitcast(rng, t, program):
  return reshape(rng, t, program, "bitcast")


def reshape(rng, t, program, op="reshape"):
  shape = values.dims(rng)
  count = int(np.prod(shape, dtype=np.int64))
  result, rest = [], count
  while rest > 1 and len(result) < 4:
    divisors = [d for d in range(2, rest + 1) if rest % d == 0]
    result.append(int(rng.choice(divisors)))
    rest //= result[-1]
  result.append(rest)
  x = program.arg(values.values(rng, t, shape, "bits"))
  return program.out(shape_text(t, result), op, x)


def reverse(rng, t, program):
  shape = values.dims(rng)
  along = [i for i in range(len(shape)) if rng.integers(0, 2)]
  x = program.arg(values.values(rng, t, shape, "bits"))
  return program.out(shape_text(t, shape), "reverse", x,
                     dimensions=braces(along))


def slices(rng, t, program):
  shape = values.dims(rng, int(rng.integers(1, 5)), high=9)
  ranges, result = [], []
  for size in shape:
    start = int(rng.integers(0, size + 1))
    limit = int(rng.integers(start, size + 1))
    stride = int(rng.integers(1, 4))
    ranges.append(f"[{start}:{limit}:{stride}]")
    result.append(-(-(limit - start) // stride))
  x = program.arg(values.values(rng, t, shape, "bits"))
  return program.out(shape_text(t, result), "slice", x, slice=braces(ranges))


def transpose(rng, t, program):
  shape = values.dims(rng)
  order = rng.permutation(len(shape)).tolist()
  x = program.arg(values.values(rng, t, shape, "bits"))
  return program.out(shape_text(t, [shape[i] for i in order]), "transpose", x,
                     dimensions=braces(order))


def optimization_barrier(rng, t, program):
  x = program.arg(values.values(rng, t, values.dims(rng), "bits"))
  shape = program.lines[0].split(" = ")[1].split(" parameter")[0]
  pair = program.add(f"({shape}, {shape})", "tuple", x, x)
  return program.tuple_out([shape, shape], "opt-barrier", pair)


def pixels(rng, t, program):
  """A few movements of arrays whose last dimension is so short that vectors
  have several of its rows."""
  shape = [2, *rng.integers(5, 13, 1).tolist(), *rng.integers(9, 40, 1).tolist(),
           int(rng.integers(2, 8))]
  x = program.arg(values.values(rng, t, shape, "bits"))

  def add(op, *operands, **attributes):
    return program.add(shape_text(t, shape), op, *operands, **attributes)

  for kind in rng.permutation(["slice", "reverse", "pad", "repeat", "roll",
                               "blocks"])[:rng.integers(1, 4)]:
    n, h, w, c = shape
    if kind == "slice":
      top, left = (int(i) for i in rng.integers(0, 4, 2))
      shape = [n, h - top, w - left, c]
      x = add("slice", x,
              slice=f"{{[0:{n}], [{top}:{h}], [{left}:{w}], [0:{c}]}}")
    elif kind == "reverse":
      along = [i for i in range(4) if rng.integers(0, 2)]
      x = add("reverse", x, dimensions=braces(along))
    elif kind == "pad":
      top, left, right = (int(i) for i in rng.integers(-2, 4, 3))
      shape = [n, h + top, w + left + right, c]
      value = program.arg(values.values(rng, t, (), "bits"))
      x = add("pad", x, value, padding=f"0_0x{top}_0x{left}_{right}x0_0")
    elif kind == "repeat":
      times = int(rng.integers(2, 4))
      shape = [n, h, w, times, c]
      x = add("broadcast", x, dimensions=braces([0, 1, 2, 4]))
      shape = [n, h, w * times, c]
      x = add("reshape", x)
    elif kind == "roll":
      by = int(rng.integers(1, 5))
      parts = []
      for first, last in ((w - by, w), (0, w - by)):
        shape = [n, h, last - first, c]
        parts.append(add(
            "slice", x,
            slice=f"{{[0:{n}], [0:{h}], [{first}:{last}], [0:{c}]}}"))
      shape = [n, h, w, c]
      x = add("concatenate", *parts, dimensions=braces([2]))
    elif h % 2 == 0 and w % 2 == 0:
      shape = [n, h // 2, 2, w // 2, 2, c]
      x = add("reshape", x)
      shape = [n, h // 2, w // 2, 2, 2, c]
      x = add("transpose", x, dimensions=braces([0, 1, 3, 2, 4, 5]))
      shape = [n, h // 2, w // 2, 4 * c]
      x = add("reshape", x)
  program.results.append((x, shape_text(t, shape)))
  return program


def blocks(rng, t, program):
  """A transpose within many short blocks, chosen beside what is not
  transposed."""
  rows, columns = (int(i) for i in rng.integers(2, 6, 2))
  count = int(rng.integers(16, 60))
  text = shape_text(t, (count, columns, rows))
  x = program.arg(values.values(rng, t, (count, rows, columns), "bits"))
  moved = program.add(text, "transpose", x, dimensions=braces([0, 2, 1]))
  if rng.integers(0, 2):
    other = program.arg(values.values(rng, t, (count, columns, rows), "bits"))
    which = program.arg(rng.integers(0, 2, (count, columns, rows)) == 1)
    moved = program.add(text, "select", which, moved, other)
  program.results.append((moved, text))
  return program


def constant(rng, t, program):
  """The text of constants, if it can express the value exactly."""
  array = values.values(rng, t, (4,), "small")
  if t in values.COMPLEX:
    texts = [f"({int(x.real)}, {int(x.imag)})" for x in array]
  elif t == "pred":
    texts = ["true" if x else "false" for x in array]
  else:
    texts = [str(float(x) if t in values.FLOATS else int(x)) for x in array]
  return program.out(shape_text(t, (4,)), "constant",
                     "{" + ", ".join(texts) + "}")


OPS = {"broadcast": broadcast, "concatenate": concatenate, "iota": iota,
       "pad": pad, "reshape": reshape, "reverse": reverse,
       "bitcast": bitcast, "slice": slices,
       "transpose": transpose, "opt-barrier": optimization_barrier,
       "constant": constant, "pixels": pixels, "blocks": blocks}


def cases():
  for op, build in OPS.items():
    for t in values.NUMBERS if op == "iota" else values.ALL:
      rng = suite.generator(f"{op}/{t}")
      count = {"constant": 1, "opt-barrier": 1, "pixels": 8}.get(op, 3)
      yield suite.Case(f"{op}/{t}", [build(rng, t, programs.Program())
                                     for _ in range(count)], flush=False)
