"""Reductions over dimensions and windows, map and batch normalization."""

import ml_dtypes
import numpy as np

import compare
import programs
import suite
import values
from ops_contraction import SPREAD
from ops_contraction import values_of
from ops_contraction import window_size
from programs import braces
from programs import shape_text

XLA_MODE = "old"

INFINITE = values.WIDE_FLOATS + ["f8e3m4", "f8e4m3", "f8e5m2"]
NO_ZERO_SIGN = compare.Tolerance(zero_sign=False)


def reductions(t):
  """The ops that make sense for a type, and their neutral value."""
  if t == "pred":
    return {"and": True, "or": False, "xor": False, "maximum": False}
  if t in values.COMPLEX:
    return {"add": 0, "multiply": 1}
  if t in values.INTS:
    low, high = values.limits(t)
    return {"add": 0, "multiply": 1, "maximum": low, "minimum": high,
            "and": high if t in values.UNSIGNED else -1, "or": 0, "xor": 0}
  if t == "f8e8m0fnu":  # has no zero
    return {"multiply": 1, "maximum": 2.0**-127, "minimum": 2.0**127}
  end = np.inf if t in INFINITE else float(
      ml_dtypes.finfo(values.TYPES[t]).max)
  return {"add": 0, "multiply": 1, "maximum": -end, "minimum": end}


def scalar(value, t):
  with np.errstate(all="ignore"):
    if t in values.INTS:
      return values.from_ints([value], t).reshape(())
    return np.array(value).astype(values.TYPES[t])


def operand(rng, t, op, shape):
  if t in values.INTS or t == "pred" or op in ("maximum", "minimum"):
    array = values.values(rng, t, shape, "finite")
    return array
  if op == "multiply" and t in values.FLOATS and t != "f8e8m0fnu":
    return rng.choice([1.0, -1.0, 2.0, 0.5], shape).astype(values.TYPES[t])
  return values_of(rng, t, shape)


def reduce(rng, t, program, op, neutral, spread=False):
  shape = values.dims(rng)
  along = sorted(rng.permutation(len(shape)).tolist()
                 [:rng.integers(0, len(shape) + 1)])
  result = [size for i, size in enumerate(shape) if i not in along]
  array = values.values(rng, t, shape, "unit") if spread else operand(
      rng, t, op, shape)
  x = program.arg(array)
  init = program.arg(scalar(neutral, t))
  return program.out(shape_text(t, result), "reduce", x, init,
                     dimensions=braces(along),
                     to_apply=program.reducer(op, t))


def reduce_cases():
  for t in values.ALL:
    rng = suite.generator(f"reduce/{t}")
    built = []
    for op, neutral in reductions(t).items():
      built += [reduce(rng, t, programs.Program(), op, neutral)
                for _ in range(2)]
    yield suite.Case(f"reduce/{t}", built, NO_ZERO_SIGN)
  for t, slack in SPREAD.items():
    rng = suite.generator(f"reduce-spread/{t}")
    yield suite.Case(f"reduce-spread/{t}",
                     [reduce(rng, t, programs.Program(), "add", 0, True)
                      for _ in range(3)],
                     compare.Tolerance(ulps=4, relative=slack, absolute=slack))


def arg_max(rng, t, program):
  """The greatest element and its first index: reduce of two arrays."""
  shape = values.dims(rng, int(rng.integers(1, 4)))
  along = int(rng.integers(0, len(shape)))
  result = [size for i, size in enumerate(shape) if i != along]
  x = program.arg(values.values(rng, t, shape, "finite"))
  index = program.add(shape_text("s32", shape), "iota", iota_dimension=along)
  init = program.arg(scalar(reductions(t)["maximum"], t))
  zero = program.add("s32[]", "constant", "0")
  body = program.computation(f"""{{
  @a = {t}[] parameter(0)
  @i = s32[] parameter(1)
  @b = {t}[] parameter(2)
  @j = s32[] parameter(3)
  @more = pred[] compare(@a, @b), direction=GT
  @same = pred[] compare(@a, @b), direction=EQ
  @first = pred[] compare(@i, @j), direction=LT
  @tie = pred[] and(@same, @first)
  @left = pred[] or(@more, @tie)
  @v = {t}[] select(@left, @a, @b)
  @k = s32[] select(@left, @i, @j)
  ROOT @r = ({t}[], s32[]) tuple(@v, @k)
}}""")
  return program.tuple_out(
      [shape_text(t, result), shape_text("s32", result)], "reduce", x, index,
      init, zero, dimensions=braces([along]), to_apply=body)


class RandomWindow:
  """A window over an array of rank 1 to 4, dilations and padding included."""

  def __init__(self, rng, dilate=True):
    rank = int(rng.integers(1, 5))
    self.shape, self.result = [], []
    fields = {key: [] for key in ("size", "stride", "pad", "lhs_dilate",
                                  "rhs_dilate")}
    for _ in range(rank):
      size, window = (int(x) for x in (rng.integers(1, 7), rng.integers(1, 4)))
      stride, base, dilation = (int(x) for x in rng.choice([1, 1, 2, 3], 3))
      low, high = (int(x) for x in rng.integers(0, 3, 2))
      if not dilate:
        base = dilation = 1
      self.shape.append(size)
      self.result.append(
          window_size(size, window, stride, low, high, base, dilation))
      for key, value in zip(fields, (window, stride, f"{low}_{high}", base,
                                     dilation)):
        fields[key].append(str(value))
    if not dilate:
      del fields["lhs_dilate"], fields["rhs_dilate"]
    self.text = "{" + " ".join(f"{key}={'x'.join(parts)}"
                               for key, parts in fields.items()) + "}"


def reduce_window_cases():
  for t in values.ALL:
    rng = suite.generator(f"reduce-window/{t}")
    built = []
    for op, neutral in reductions(t).items():
      window = RandomWindow(rng)
      program = programs.Program()
      x = program.arg(operand(rng, t, op, window.shape))
      init = program.arg(scalar(neutral, t))
      built.append(program.out(
          shape_text(t, window.result), "reduce-window", x, init,
          window=window.text, to_apply=program.reducer(op, t)))
    yield suite.Case(f"reduce-window/{t}", built, NO_ZERO_SIGN)


def select_and_scatter_cases():
  for t in values.REALS:
    rng = suite.generator(f"select-and-scatter/{t}")
    built = []
    for _ in range(3):
      window = RandomWindow(rng, dilate=False)
      program = programs.Program()
      x = program.arg(values.values(rng, t, window.shape, "finite"))
      source = program.arg(values_of(rng, t, window.result))
      op, neutral = ("add", 0) if t != "f8e8m0fnu" else ("multiply", 1)
      init = program.arg(scalar(neutral, t))
      select = program.computation(
          f"{{\n  @a = {t}[] parameter(0)\n  @b = {t}[] parameter(1)\n"
          "  ROOT @c = pred[] compare(@a, @b), direction=GE\n}")
      built.append(program.out(
          shape_text(t, window.shape), "select-and-scatter", x, source, init,
          window=window.text, select=select, scatter=program.reducer(op, t)))
    yield suite.Case(f"select-and-scatter/{t}", built, NO_ZERO_SIGN)


def map_cases():
  for t in values.ALL:
    rng = suite.generator(f"map/{t}")
    shape = values.dims(rng)
    program = programs.Program()
    x, y = (program.arg(values.values(rng, t, shape, "finite"))
            for _ in range(2))
    op = "multiply" if t not in values.FLOATS else "add"
    program.out(shape_text(t, shape), "map", x, y,
                dimensions=braces(range(len(shape))),
                to_apply=program.reducer(op, t))
    yield suite.Case(f"map/{t}", [program], compare.Tolerance(ulps=1))


def scan_cases():
  """Running (carry op x, op) with one element per step, with the operands in
  either order."""
  for t in values.ALL:
    rng = suite.generator(f"scan/{t}")
    op = "multiply" if t not in values.FLOATS else "maximum"
    if t.startswith("c"):
      op = "add"
    made = []
    for reverse in ("false", "true"):
      rows, columns = (int(n) for n in rng.integers(1, 6, 2))
      row, whole = shape_text(t, (columns,)), shape_text(t, (rows, columns))
      program = programs.Program()
      x = program.arg(values.values(rng, t, (rows, columns), "finite"))
      start = program.arg(values.values(rng, t, (columns,), "finite"))
      step = program.computation(
          f"{{\n  @a = {row} parameter(0)\n  @b = {row} parameter(1)\n"
          f"  @c = {row} {op}(@a, @b)\n"
          f"  ROOT @t = ({row}, {row}) tuple(@c, @c)\n}}")
      made.append(program.tuple_out([whole, row], "scan", x, start,
                                    dimensions=braces([0]), num_carries=1,
                                    is_reverse=reverse, to_apply=step))
    yield suite.Case(f"scan/{t}", made, compare.Tolerance(ulps=8))


def batch_norm(rng, t, program, op):
  shape = values.dims(rng, int(rng.integers(2, 5)), low=1)
  feature = int(rng.integers(0, len(shape)))
  features = (shape[feature],)
  per_feature = shape_text(t, features)
  extra = {"epsilon": 0.125, "feature_index": feature}

  def of_features(domain="unit"):
    return program.arg(values.values(rng, t, features, domain))

  x = program.arg(values.values(rng, t, shape, "unit"))
  if op == "batch-norm-training":
    return program.tuple_out([shape_text(t, shape), per_feature, per_feature],
                             op, x, of_features(), of_features(), **extra)
  if op == "batch-norm-inference":
    return program.out(shape_text(t, shape), op, x, of_features(),
                       of_features(), of_features(), of_features("positive"),
                       **extra)
  scale, mean, variance = (of_features(), of_features(),
                           of_features("positive"))
  gradient = program.arg(values.values(rng, t, shape, "unit"))
  return program.tuple_out([shape_text(t, shape), per_feature, per_feature],
                           op, x, scale, mean, variance, gradient, **extra)


def batch_norm_cases():
  for op in ("batch-norm-training", "batch-norm-inference",
             "batch-norm-grad"):
    for t in values.WIDE_FLOATS:
      rng = suite.generator(f"{op}/{t}")
      slack = SPREAD[t] * 8
      yield suite.Case(f"{op}/{t}",
                       [batch_norm(rng, t, programs.Program(), op)
                        for _ in range(2)],
                       compare.Tolerance(ulps=4, relative=slack,
                                         absolute=slack))


def cases():
  yield from reduce_cases()
  for t in values.REALS:
    rng = suite.generator(f"reduce-argmax/{t}")
    yield suite.Case(f"reduce-argmax/{t}",
                     [arg_max(rng, t, programs.Program()) for _ in range(2)],
                     NO_ZERO_SIGN)
  yield from reduce_window_cases()
  yield from select_and_scatter_cases()
  yield from map_cases()
  yield from scan_cases()
  yield from batch_norm_cases()
