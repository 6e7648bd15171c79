"""Dot and convolution. Small integer values keep float sums exact, so that the
order of summation does not matter; a case with spread values uses the error
bound of the summation."""

import numpy as np

import compare
import programs
import suite
import values
from programs import braces
from programs import shape_text

XLA_MODE = "old"

# One side rounds sums in f32 to narrow floats, the other sums narrow floats:
# only exact sums are compared there.
SPREAD = {"f32": 1e-6, "f64": 1e-14, "c64": 2e-6, "c128": 1e-14, "f16": 2e-3,
          "bf16": 2e-2}


def values_of(rng, t, shape, domain="small"):
  """Values whose sums stay exact: 0, 1 and -1, in narrow floats mostly 0. For
  these XLA:CPU rounds each addition, Tessera only the sum."""
  if domain == "small" and t in values.SMALL_FLOATS and t != "f8e8m0fnu":
    few = rng.choice([0.0] * 8 + [1.0, -1.0], shape)
    return few.astype(values.TYPES[t])
  if domain == "small" and t in values.WIDE_FLOATS:
    return rng.integers(-1, 2, shape).astype(np.float64).astype(values.TYPES[t])
  return values.values(rng, t, shape, domain)


def dot(rng, t, program, result=None, other=None, domain="small"):
  batch = values.dims(rng, int(rng.integers(0, 3)), high=4)
  inner = values.dims(rng, int(rng.integers(0, 3)), high=4)
  left = values.dims(rng, int(rng.integers(0, 3)), high=4)
  right = values.dims(rng, int(rng.integers(0, 3)), high=4)

  def side(free):
    names = ([("b", i) for i in range(len(batch))] +
             [("k", i) for i in range(len(inner))] +
             [("f", i) for i in range(len(free))])
    free_order = [name for name in names if name[0] == "f"]
    mixed = [names[i] for i in rng.permutation(len(names))]
    # The free dimensions keep their order.
    order = iter(free_order)
    mixed = [next(order) if name[0] == "f" else name for name in mixed]
    sizes = {"b": batch, "k": inner, "f": free}
    shape = [sizes[kind][i] for kind, i in mixed]
    where = {name: i for i, name in enumerate(mixed)}
    return (shape, [where["b", i] for i in range(len(batch))],
            [where["k", i] for i in range(len(inner))])

  a_shape, a_batch, a_inner = side(left)
  b_shape, b_batch, b_inner = side(right)
  a = program.arg(values_of(rng, t, a_shape, domain))
  b = program.arg(values_of(rng, other or t, b_shape, domain))
  extra = {}
  if batch:
    extra = {"lhs_batch_dims": braces(a_batch),
             "rhs_batch_dims": braces(b_batch)}
  if inner:
    extra |= {"lhs_contracting_dims": braces(a_inner),
              "rhs_contracting_dims": braces(b_inner)}
  return program.out(shape_text(result or t, [*batch, *left, *right]), "dot",
                     a, b, **extra)


def dot_cases():
  for t in values.ALL:
    rng = suite.generator(f"dot/{t}")
    yield suite.Case(f"dot/{t}", [dot(rng, t, programs.Program())
                                  for _ in range(4)],
                     compare.Tolerance(zero_sign=False))
  for t, slack in SPREAD.items():
    rng = suite.generator(f"dot-spread/{t}")
    yield suite.Case(
        f"dot-spread/{t}",
        [dot(rng, t, programs.Program(), domain="unit") for _ in range(3)],
        compare.Tolerance(ulps=2, relative=slack, absolute=slack))
  for t, other, result in (
      ("s8", "s8", "s32"), ("u8", "u8", "s32"), ("s8", "u8", "s32"),
      ("s4", "s4", "s32"), ("s4", "s8", "s8"), ("bf16", "bf16", "f32"),
      ("f16", "f16", "f32"), ("bf16", "f32", "f32"), ("f32", "bf16", "f32"),
      ("f8e4m3fn", "f8e5m2", "f32"), ("f8e4m3fn", "f8e4m3fn", "bf16"),
      ("s16", "s16", "s64"), ("f32", "f32", "f64"), ("s8", "s8", "f32"),
      ("s8", "bf16", "f32"), ("f32", "f32", "bf16")):
    name = f"dot-mixed/{t}-{other}-{result}"
    rng = suite.generator(name)
    yield suite.Case(name, [dot(rng, t, programs.Program(), result, other)
                            for _ in range(2)],
                     compare.Tolerance(zero_sign=False))


def window_size(size, window, stride, low, high, base, dilation):
  full = (size - 1) * base + 1 if size else 0
  full += low + high
  span = (window - 1) * dilation + 1
  return max(0, (full - span) // stride + 1) if full >= span else 0


def convolution(rng, t, program, result=None, domain="small"):
  spatial = int(rng.integers(0, 4))
  groups = int(rng.choice([1, 1, 2, 3]))
  batch_groups = int(rng.choice([1, 2])) if groups == 1 else 1
  inputs = int(rng.integers(1, 3)) * groups
  outputs = int(rng.integers(1, 3)) * groups * batch_groups
  batch = int(rng.integers(1, 3)) * batch_groups
  fields = {key: [] for key in ("size", "stride", "pad", "lhs_dilate",
                                "rhs_dilate", "rhs_reversal")}
  sizes, windows, results = [], [], []
  for _ in range(spatial):
    size, window = (int(x) for x in (rng.integers(1, 7), rng.integers(1, 4)))
    stride, base, dilation = (int(x) for x in rng.choice([1, 1, 2, 3], 3))
    low, high = (int(x) for x in rng.integers(-1, 3, 2))
    full = (size - 1) * base + 1
    if full + low + high < 0:
      low = high = 0
    sizes.append(size)
    windows.append(window)
    results.append(
        window_size(size, window, stride, low, high, base, dilation))
    for key, value in zip(fields, (window, stride, f"{low}_{high}", base,
                                   dilation, int(rng.integers(0, 2)))):
      fields[key].append(str(value))

  def arrange(first, second, spatial_sizes, names):
    labels = list(names) + [str(i) for i in range(spatial)]
    all_sizes = [first, second, *spatial_sizes]
    order = rng.permutation(len(labels))
    return ("".join(labels[i] for i in order), [all_sizes[i] for i in order])

  lhs, lhs_shape = arrange(batch, inputs, sizes, "bf")
  rhs, rhs_shape = arrange(inputs // groups, outputs, windows, "io")
  out, out_shape = arrange(batch // batch_groups, outputs, results, "bf")
  x = program.arg(values_of(rng, t, lhs_shape, domain))
  w = program.arg(values_of(rng, t, rhs_shape, domain))
  extra = {}
  if spatial:
    window = " ".join(f"{key}={'x'.join(parts)}"
                      for key, parts in fields.items())
    extra["window"] = "{" + window + "}"
  extra["dim_labels"] = f"{lhs}_{rhs}->{out}"
  if groups > 1:
    extra["feature_group_count"] = groups
  if batch_groups > 1:
    extra["batch_group_count"] = batch_groups
  return program.out(shape_text(result or t, out_shape), "convolution", x, w,
                     **extra)


def convolution_cases():
  for t in values.NUMBERS:
    rng = suite.generator(f"convolution/{t}")
    count = 10 if t in ("f32", "s32") else 3
    yield suite.Case(f"convolution/{t}",
                     [convolution(rng, t, programs.Program())
                      for _ in range(count)],
                     compare.Tolerance(zero_sign=False))
  for t, slack in SPREAD.items():
    rng = suite.generator(f"convolution-spread/{t}")
    yield suite.Case(
        f"convolution-spread/{t}",
        [convolution(rng, t, programs.Program(), domain="unit")
         for _ in range(3)],
        compare.Tolerance(ulps=2, relative=slack, absolute=slack))
  for t, result in (("s8", "s32"), ("bf16", "f32"), ("f16", "f32"),
                    ("u8", "s32")):
    rng = suite.generator(f"convolution-mixed/{t}-{result}")
    yield suite.Case(f"convolution-mixed/{t}-{result}",
                     [convolution(rng, t, programs.Program(), result)
                      for _ in range(2)],
                     compare.Tolerance(zero_sign=False))


def ragged_dot(rng, t, program):
  """Multiplies groups of rows of the left side by a right matrix of their
  own."""
  m, k, n, g = 7, 3, 4, 3
  a = program.arg(values_of(rng, t, (m, k)))
  b = program.arg(values_of(rng, t, (g, k, n)))
  sizes = program.arg(np.array([2, 0, 4], np.int32))
  return program.out(shape_text(t, (m, n)), "ragged-dot", a, b, sizes,
                     lhs_contracting_dims="{1}", rhs_contracting_dims="{1}",
                     lhs_ragged_dims="{0}", rhs_group_dims="{0}")


def cases():
  yield from dot_cases()
  yield from convolution_cases()
  for t in ("s32", "bf16", "f32", "f64"):
    rng = suite.generator(f"ragged-dot/{t}")
    yield suite.Case(f"ragged-dot/{t}",
                     [ragged_dot(rng, t, programs.Program())],
                     compare.Tolerance(zero_sign=False))
