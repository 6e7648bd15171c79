"""Elementwise ops, whose operands and results have the same shape."""

import numpy as np

import compare
import programs
import suite
import values

EXACT = compare.EXACT
ROUNDED = compare.ROUNDED

REAL_FLOATS = values.FLOATS
FLOATS = values.FLOATS + values.COMPLEX

# op: (types, domain, units in the last place for f32 and wider)
UNARY = {
    "abs": (values.SIGNED + FLOATS, "any", 0),
    "negate": (values.NUMBERS, "any", 0),
    "sign": (values.SIGNED + FLOATS, "any", 0),
    "ceil": (REAL_FLOATS, "any", 0),
    "floor": (REAL_FLOATS, "any", 0),
    "round-nearest-afz": (REAL_FLOATS, "any", 0),
    "round-nearest-even": (REAL_FLOATS, "any", 0),
    "not": (values.PRED + values.INTS, "any", 0),
    "popcnt": (values.INTS, "any", 0),
    "count-leading-zeros": (values.INTS, "any", 0),
    "cbrt": (REAL_FLOATS, "any", 128),
    "cosine": (FLOATS, "finite", 4),
    "sine": (FLOATS, "finite", 4),
    "tan": (FLOATS, "finite", 6),
    "erf": (REAL_FLOATS, "any", 8),
    "exponential": (FLOATS, "any", 4),
    "exponential-minus-one": (FLOATS, "any", 8),
    "log": (FLOATS, "any", 4),
    "log-plus-one": (FLOATS, "any", 64),
    "logistic": (FLOATS, "any", 8),
    "rsqrt": (FLOATS, "any", 4),
    "sqrt": (FLOATS, "any", 1),
    "tanh": (FLOATS, "any", 12),
    "copy": (values.ALL, "bits", 0),
}

BINARY = {
    "add": (values.ALL, "any", 1),
    "subtract": (values.NUMBERS, "any", 1),
    "multiply": (values.ALL, "any", 1),
    "divide": (values.NUMBERS, "any", 1),
    "remainder": (values.REALS, "any", 1),
    "maximum": (values.PRED + values.REALS, "any", 0),
    "minimum": (values.PRED + values.REALS, "any", 0),
    "power": (values.NUMBERS, "any", 8),
    "atan2": (FLOATS, "any", 8),
    "and": (values.PRED + values.INTS, "any", 0),
    "or": (values.PRED + values.INTS, "any", 0),
    "xor": (values.PRED + values.INTS, "any", 0),
    "shift-left": (values.INTS, "any", 0),
    "shift-right-arithmetic": (values.INTS, "any", 0),
    "shift-right-logical": (values.INTS, "any", 0),
}

# Types whose subnormals are normal in the type in which they are computed.
SUBNORMAL_TOO = [t for t in values.SMALL_FLOATS
                 if t != "f8e8m0fnu"] + ["f16"]

# Ops for which XLA:CPU has no code; NumPy's functions are the reference.
NUMPY_ONLY = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin,
    "asinh": np.arcsinh, "atanh": np.arctanh, "cosh": np.cosh, "sinh": np.sinh,
}

DIRECTIONS = ["EQ", "NE", "LT", "LE", "GT", "GE"]


# Ops on complex numbers that XLA:CPU computes with a few roundings.
COMPLEX_INEXACT = ("abs", "sign", "multiply", "divide", "sqrt", "rsqrt")
COMPLEX_EXACT = ("negate", "add", "subtract", "copy")


def tolerance(op, t, ulps):
  if t in values.COMPLEX and op not in COMPLEX_EXACT:
    if op in COMPLEX_INEXACT:
      return compare.Tolerance(ulps=8)
    # exp(y log x) and similar functions; where they overflow, XLA:CPU has NaN
    # parts.
    return compare.Tolerance(ulps=512, nan=False,
                             absolute=4 * np.finfo(values.TYPES[t]).eps)
  if ulps == 0:
    return EXACT
  if t in ("f32", "f64"):
    return compare.Tolerance(ulps=ulps)
  # Narrow floats are rounded from f32 or f16, in the second case twice.
  if t in values.SMALL_FLOATS:
    return ROUNDED
  return compare.Tolerance(ulps=2) if ulps > 1 else EXACT


def domain_of(t, domain):
  # Each op treats NaN and infinite parts of complex numbers in its own way.
  return "finite" if t in values.COMPLEX and domain == "any" else domain


def one(rng, op, t, shape, operands, domain, result=None):
  program = programs.Program()
  names = [program.arg(values.values(rng, t, shape, domain_of(t, domain)))
           for _ in range(operands)]
  return program.out(programs.shape_text(result or t, shape), op, *names)


def plain_cases():
  for table, operands in ((UNARY, 1), (BINARY, 2)):
    for op, (types, domain, ulps) in table.items():
      for t in types:
        rng = suite.generator(f"{op}/{t}")
        result = None
        if op == "abs" and t in values.COMPLEX:
          result = {"c64": "f32", "c128": "f64"}[t]
        if op == "power" and t in values.INTS:
          continue
        built = [one(rng, op, t, shape, operands, domain, result)
                 for shape in ((160,), values.dims(rng))]
        if t in SUBNORMAL_TOO:
          built.append(one(rng, op, t, (200,), operands, "bits", result))
        yield suite.Case(f"{op}/{t}", built, tolerance(op, t, ulps))


def integer_power(rng, t, bound):
  """Exponents up to `bound`, some negative."""
  low, high = values.limits(t)
  program = programs.Program()
  x = program.arg(values.values(rng, t, (160,)))
  y = program.arg(values.from_ints(
      rng.integers(max(low, -5), min(high, bound), 160, endpoint=True), t))
  return program.out(programs.shape_text(t, (160,)), "power", x, y)


def integer_power_cases():
  for t in values.INTS:
    rng = suite.generator(f"power/{t}")
    yield suite.Case(f"power/{t}", [integer_power(rng, t, 63)])
  for t in ("s32", "u8", "u64"):
    rng = suite.generator(f"power-large/{t}")
    yield suite.Case(f"power-large/{t}", [integer_power(rng, t, 1000)])


def mulhi_reference(x, y):
  """The high half of the double-width product."""
  t = values.NAMES[x.dtype]
  products = [int(a) * int(b) >> values.BITS[t] for a, b in zip(x, y)]
  return [values.from_ints(products, t)]


def mulhi_cases():
  for t in values.INTS:
    rng = suite.generator(f"mulhi/{t}")
    yield suite.Case(f"mulhi/{t}", [one(rng, "mulhi", t, (160,), 2, "any")],
                     reference=mulhi_reference)


def numpy_cases():
  for op, function in NUMPY_ONLY.items():
    for t in values.WIDE_FLOATS + values.COMPLEX:
      rng = suite.generator(f"{op}/{t}")

      def reference(x, function=function, t=t):
        wide = np.complex128 if t in values.COMPLEX else np.float64
        return [function(x.astype(wide)).astype(values.TYPES[t])]

      slack = compare.Tolerance(ulps=8)
      if t in values.COMPLEX:
        slack = compare.Tolerance(ulps=64, relative=0)
      yield suite.Case(f"{op}/{t}",
                       [one(rng, op, t, (64,), 1, "finite")],
                       slack, reference=reference)


def compare_cases():
  for t in values.ALL:
    rng = suite.generator(f"compare/{t}")
    directions = DIRECTIONS[:2] if t in values.COMPLEX else DIRECTIONS
    types = [None, "TOTALORDER"] if t in values.FLOATS else [None]
    cases = []
    for shape in ((100,), values.dims(rng)):
      program = programs.Program()
      x = program.arg(values.values(rng, t, shape))
      y = program.arg(values.values(rng, t, shape))
      for direction in directions:
        for kind in types:
          extra = {"type": kind} if kind else {}
          program.out(programs.shape_text("pred", shape), "compare", x, y,
                      direction=direction, **extra)
      cases.append(program)
    yield suite.Case(f"compare/{t}", cases)


def is_finite_cases():
  for t in values.FLOATS:
    rng = suite.generator(f"is-finite/{t}")
    yield suite.Case(f"is-finite/{t}",
                     [one(rng, "is-finite", t, (100,), 1, "any", "pred")])


def select_cases():
  for t in values.ALL:
    rng = suite.generator(f"select/{t}")
    cases = []
    for shape in ((50,), values.dims(rng)):
      for scalar in (False, True):
        program = programs.Program()
        predicate = program.arg(
            values.values(rng, "pred", () if scalar else shape))
        x, y = (program.arg(values.values(rng, t, shape, "bits"))
                for _ in range(2))
        cases.append(program.out(programs.shape_text(t, shape), "select",
                                 predicate, x, y))
    yield suite.Case(f"select/{t}", cases)


def clamp_cases():
  for t in values.REALS:
    rng = suite.generator(f"clamp/{t}")
    cases = []
    for shape in ((120,), values.dims(rng)):
      for scalar in (False, True):
        program = programs.Program()
        bounds = () if scalar else shape
        low = program.arg(values.values(rng, t, bounds))
        x = program.arg(values.values(rng, t, shape))
        high = program.arg(values.values(rng, t, bounds))
        cases.append(program.out(programs.shape_text(t, shape), "clamp", low,
                                 x, high))
    yield suite.Case(f"clamp/{t}", cases)


def complex_cases():
  for t, part in (("c64", "f32"), ("c128", "f64")):
    rng = suite.generator(f"complex/{t}")
    builds, splits = [], []
    for shape in ((60,), values.dims(rng)):
      program = programs.Program()
      x, y = (program.arg(values.values(rng, part, shape)) for _ in range(2))
      builds.append(program.out(programs.shape_text(t, shape), "complex", x, y))
      program = programs.Program()
      z = program.arg(values.values(rng, t, shape))
      for op in ("real", "imag"):
        program.out(programs.shape_text(part, shape), op, z)
      splits.append(program)
    yield suite.Case(f"complex/{part}", builds)
    yield suite.Case(f"real-imag/{t}", splits)
  for t in values.WIDE_FLOATS:
    rng = suite.generator(f"real/{t}")
    program = programs.Program()
    x = program.arg(values.values(rng, t, (20,)))
    for op in ("real", "imag"):
      program.out(programs.shape_text(t, (20,)), op, x)
    yield suite.Case(f"real-imag/{t}", [program])


def without_nan(arguments, results):
  """For formats without mantissa bits, XLA:CPU's newer code generator keeps
  NaN; the older one gives infinity, which is correct."""
  infinite = np.array(np.inf).astype(results[0].dtype)
  return [np.where(np.isnan(arguments[0]), infinite, results[0])]


def reduce_precision_cases():
  for t in values.FLOATS:
    rng = suite.generator(f"reduce-precision/{t}")
    cases, no_mantissa = [], []
    for exponent, mantissa in ((5, 10), (8, 7), (4, 3), (5, 2), (2, 0), (1, 1),
                               (3, 0), (8, 23), (11, 52)):
      program = programs.Program()
      x = program.arg(values.values(rng, t, (80,)))
      program.out(programs.shape_text(t, (80,)), "reduce-precision", x,
                  exponent_bits=exponent, mantissa_bits=mantissa)
      (cases if mantissa else no_mantissa).append(program)
    yield suite.Case(f"reduce-precision/{t}", cases)
    yield suite.Case(f"reduce-precision-exponent/{t}", no_mantissa,
                     alternative=without_nan)


def stochastic_convert_cases():
  for t in values.WIDE_FLOATS:
    random = {"f16": "u16", "bf16": "u16", "f32": "u32", "f64": "u64"}[t]
    for to in ("s8", "s32", "u8", "bf16", "f16", "f8e5m2"):
      rng = suite.generator(f"stochastic-convert/{t}-{to}")
      program = programs.Program()
      x = program.arg(values.values(rng, t, (40,), "finite"))
      bits = program.arg(values.values(rng, random, (40,), "bits"))
      program.out(programs.shape_text(to, (40,)), "stochastic-convert", x, bits)
      yield suite.Case(f"stochastic-convert/{t}-{to}", [program])


def cases():
  yield from plain_cases()
  yield from integer_power_cases()
  yield from mulhi_cases()
  yield from numpy_cases()
  yield from compare_cases()
  yield from is_finite_cases()
  yield from select_cases()
  yield from clamp_cases()
  yield from complex_cases()
  yield from reduce_precision_cases()
  yield from stochastic_convert_cases()
