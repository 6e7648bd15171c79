"""Convert of every element type to every other, and bitcast-convert."""

import ml_dtypes
import numpy as np

import compare
import programs
import suite
import values


def ties(source, target):
  """Numbers half way between two of the target type, and numbers next to these,
  if the source type has them."""
  dtype = values.TYPES[target]
  bits = values.BITS[target]
  shift = max(bits - 8, 0)
  codes = (np.arange((1 << min(bits, 8)) - 1) << shift) + (shift > 0)
  numbers, after = (
      (codes + i).astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)
      for i in (0, 1))
  with np.errstate(all="ignore"):
    middles = (numbers + after) / 2
    middles = middles[np.isfinite(middles)]
    near = [middles, middles * (1 + 2.0**-20), middles * (1 - 2.0**-20),
            np.nextafter(middles, np.inf), np.nextafter(middles, -np.inf)]
    return np.concatenate(near).astype(values.TYPES[source])


def to_odd(exact, dtype):
  """Rounds to a narrower float type, not to the nearest number but, of two
  neighbors, to the one whose last bit is set: rounding that to fewer bits
  equals rounding the exact number. `exact` is an array of floats or of Python
  integers."""
  rounded = exact.astype(dtype)
  if dtype == np.float64:  # Python compares integers with floats exactly
    sign = np.array([(int(r) > e) - (int(r) < e) if np.isfinite(r) else 0
                     for r, e in zip(rounded.tolist(), exact.tolist())])
    up = np.array([(r > 0) == (s < 0) for r, s in zip(rounded, sign)])
  else:
    back = rounded.astype(exact.dtype)
    sign = np.where(np.isfinite(exact), np.sign(back - exact), 0)
    sign = np.where(np.isinf(back) & np.isfinite(exact), np.sign(exact), sign)
    up = np.abs(back) < np.abs(exact)
  bits = rounded.view(f"u{rounded.dtype.itemsize}")
  one = bits.dtype.type(1)
  neighbour = np.where(up, bits + one, bits - one)
  keep = (sign == 0) | (bits & one == 1) | np.isnan(rounded)
  return np.where(keep, bits, neighbour).view(rounded.dtype)


def rounded_once(target):
  """Correct conversions to the float type `target`. If the processor has no
  instruction for a conversion, XLA:CPU converts through f32 or f16 and rounds
  twice."""
  def alternative(arguments, _):
    numbers = arguments[0]
    source = values.NAMES[numbers.dtype]
    if source in values.INTS:
      numbers = to_odd(np.array([int(x) for x in numbers.reshape(-1)],
                                dtype=object), np.float64)
    else:
      numbers = numbers.astype(np.float64)
    if target not in ("f32", "f64"):
      numbers = to_odd(numbers, np.float32)
    return [numbers.astype(values.TYPES[target])]
  return alternative


def tie_cases():
  for source in values.FLOATS:
    for target in values.FLOATS:
      if (source == "f8e8m0fnu" or target == "f64"
          or values.BITS[target] >= values.BITS[source]):
        continue
      program = programs.Program()
      numbers = ties(source, target)
      # XLA:CPU treats subnormals as 0.
      tiny = max([float(ml_dtypes.finfo(values.TYPES[t]).tiny)
                 for t in (source, target)
                 if t in ("bf16", "f32", "f64")] + [0.0])
      numbers = numbers[np.abs(numbers.astype(np.float64)) >= tiny]
      x = program.arg(numbers)
      program.out(programs.shape_text(target, numbers.shape), "convert", x)
      yield suite.Case(f"convert-ties/{source}-{target}", [program],
                       alternative=rounded_once(target))


def convert_cases():
  for source in values.ALL:
    for target in values.ALL:
      rng = suite.generator(f"convert/{source}-{target}")
      program = programs.Program()
      x = program.arg(values.values(rng, source, (64,)))
      program.out(programs.shape_text(target, (64,)), "convert", x)
      built = [program]
      if source in values.SMALL_FLOATS + ["f16"]:
        program = programs.Program()
        x = program.arg(values.values(rng, source, (256,), "bits"))
        built.append(program.out(programs.shape_text(target, (256,)),
                                 "convert", x))
      rounds = (target in values.FLOATS and source != "pred"
                and source not in values.COMPLEX)
      yield suite.Case(f"convert/{source}-{target}", built,
                       alternative=rounded_once(target) if rounds else None)


def bitcast_shape(shape, source, target):
  """The shape after a bitcast-convert of an array whose last dimension is a
  multiple of the number of elements in a wider element."""
  ratio = values.BITS[source] / values.BITS[target]
  if ratio == 1:
    return shape
  return shape + (int(ratio),) if ratio > 1 else shape[:-1]


def bitcast_cases():
  types = [t for t in values.ALL if t != "pred"]
  for source in types:
    for target in types:
      if (source in values.COMPLEX) != (target in values.COMPLEX):
        continue
      rng = suite.generator(f"bitcast-convert/{source}-{target}")
      wider = values.BITS[target] // values.BITS[source]
      shape = (3, 4) + ((wider,) if wider > 1 else ())
      program = programs.Program()
      x = program.arg(values.values(rng, source, shape, "bits"))
      result = bitcast_shape(shape, source, target)
      program.out(programs.shape_text(target, result), "bitcast-convert", x)
      yield suite.Case(f"bitcast-convert/{source}-{target}", [program],
                       compare.EXACT, flush=False)


def cases():
  yield from convert_cases()
  yield from tie_cases()
  yield from bitcast_cases()
