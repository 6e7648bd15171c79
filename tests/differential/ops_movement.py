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
       "constant": constant}


def cases():
  for op, build in OPS.items():
    for t in values.NUMBERS if op == "iota" else values.ALL:
      rng = suite.generator(f"{op}/{t}")
      count = 1 if op in ("constant", "opt-barrier") else 3
      yield suite.Case(f"{op}/{t}", [build(rng, t, programs.Program())
                                     for _ in range(count)], flush=False)
