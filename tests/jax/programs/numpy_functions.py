"""Functions of jax.numpy that are elementwise or small and in no other
family."""

import jax.numpy as jnp

from registry import Family, WIDE

FAMILY = Family("numpy")
program = FAMILY.program

FLOAT_ONE = ("absolute", "fabs", "acos", "arcsin", "arctan", "arctanh", "atan",
             "asin", "atanh", "arccos", "tan", "sin", "cos", "sinc", "deg2rad",
             "rad2deg", "degrees", "radians", "exp2", "expm1", "i0", "cbrt",
             "rint", "trunc", "floor", "ceil", "sign", "signbit", "square",
             "negative", "positive", "spacing", "isfinite", "isnan", "isinf",
             "isposinf", "isneginf", "iscomplex", "isreal", "nan_to_num",
             "arcsinh", "asinh", "sinh", "cosh", "tanh", "real", "imag", "conj",
             "conjugate", "angle", "logical_not", "unwrap", "ediff1d", "diff",
             "gradient", "round", "around", "exp")
POSITIVE_ONE = ("log", "log2", "log10", "log1p", "sqrt", "reciprocal")
ABOVE_ONE = ("arccosh", "acosh")
FLOAT_TWO = ("add", "subtract", "multiply", "divide", "true_divide", "power",
             "pow", "float_power", "maximum", "minimum", "fmax", "fmin",
             "fmod", "mod", "remainder", "floor_divide", "divmod", "arctan2",
             "atan2", "hypot", "logaddexp", "logaddexp2", "copysign",
             "nextafter", "heaviside", "equal", "not_equal", "less",
             "less_equal", "greater", "greater_equal", "logical_and",
             "logical_or", "logical_xor", "isclose", "allclose", "array_equal",
             "array_equiv", "ldexp")
INTEGER_TWO = ("gcd", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor", "mod",
               "floor_divide", "remainder", "divmod", "fmod", "power",
               "maximum", "left_shift", "right_shift", "bitwise_left_shift",
               "bitwise_right_shift", "add", "multiply", "subtract",
               "true_divide")
INTEGER_ONE = ("bitwise_not", "bitwise_invert", "invert", "bitwise_count",
               "abs", "sign", "negative", "square", "exp", "isfinite")
WINDOWS = ("bartlett", "blackman", "hamming", "hanning")


def fill():
  for i, name in enumerate(FLOAT_ONE):
    domain = ":unit" if name.startswith(("a", "f")) else ""
    dtype = WIDE[i % 2]
    FAMILY.add(name, getattr(jnp, name), f"{dtype}[11]{domain}", tolerance=5)
  for name in POSITIVE_ONE:
    FAMILY.add(name, getattr(jnp, name), "f32[11]:pos", tolerance=5)
  for name in ABOVE_ONE:
    FAMILY.add(name, getattr(jnp, name), "f64[11]:1..5", tolerance=5)
  for i, name in enumerate(FLOAT_TWO):
    dtype = WIDE[i % 2]
    second = "s32[9]:-3..3" if name == "ldexp" else f"{dtype}[9]:pos"
    FAMILY.add(f"{name}", getattr(jnp, name), f"{dtype}[9]:pos", second,
               tolerance=5)
  for i, name in enumerate(INTEGER_TWO):
    dtype = ("s32", "u8", "s64", "s8")[i % 4]
    FAMILY.add(f"{name}/{dtype}", getattr(jnp, name), f"{dtype}[9]:1..20",
               f"{dtype}[9]:1..6")
  for i, name in enumerate(INTEGER_ONE):
    dtype = ("s32", "u8", "s8")[i % 3]
    FAMILY.add(f"{name}/{dtype}", getattr(jnp, name), f"{dtype}[9]:0..9")


fill()


@program()
def windows():
  return [getattr(jnp, name)(7) for name in WINDOWS] + [jnp.kaiser(7, 3.0)]


@program("f64[7]:any", "f32[7]")
def frexp_modf(x, y):
  return jnp.frexp(y), jnp.modf(y), jnp.isfinite(x), jnp.nan_to_num(
      x, nan=1.0, posinf=2.0, neginf=-2.0)


@program("c64[5]", "c128[5]")
def complex_names(x, y):
  return (jnp.angle(x), jnp.angle(y, deg=True), jnp.real(x), jnp.imag(y),
          jnp.iscomplex(x), jnp.isreal(y), jnp.abs(x), jnp.sign(x), x * y,
          jnp.conjugate(y), jnp.round(x, 1), jnp.exp(y), jnp.sqrt(x))


@program("f64[7]", "f64[7]")
def differences(x, y):
  return (jnp.diff(x, n=2), jnp.diff(x, prepend=0.0, append=1.0), jnp.gradient(
      x, 0.5), jnp.gradient(jnp.outer(x, y)), jnp.ediff1d(
          x, to_begin=9.0, to_end=1.0), jnp.unwrap(x * 4))


@program("f32[9]:any", "s32[9]")
def rounding(x, i):
  return (jnp.round(x, 2), jnp.round(x * 10, -1), jnp.around(i), jnp.trunc(
      x), jnp.rint(x), jnp.floor(x), jnp.ceil(x))


@program("f32[3]:pos", "f32[3]")
def powers(x, y):
  return x ** y, x ** 0.5, x ** -2, x ** 3, 2 ** y, jnp.float_power(x, 2)


@program("s64[7]:0..12", "s32[7]:-5..5")
def integer_powers(x, y):
  return x ** 3, y ** 2, jnp.power(x, 2), jnp.power(2, x), jnp.square(y)


@program("f32[3,4]")
def methods(x):
  return (x.sum(), x.mean(0), x.max(1), x.argmax(), x.T, x.flatten(), x.astype(
      int), x.round(1), x.clip(-1, 1), x.cumsum(1), x.std(), x.var(0), x.sort(),
          x.argsort(1), x.prod(), x.any(), x.all(), x.ptp() if hasattr(
              x, "ptp") else x, x.dot(x.T), x.trace(), x.diagonal(), x.repeat(
                  2, 0), x.swapaxes(0, 1), x.take(jnp.array([1, 2])), x.conj(),
          x.real, x.nbytes, x.itemsize, x.ravel(), x.squeeze(), abs(x), -x,
          x.compress(jnp.array([True, False, True]), axis=0, size=2))


@program("s32[5]", "s32[5]")
def operators(x, y):
  y = jnp.where(y == 0, 1, y)
  return (x + y, x - y, x * y, x / y, x // y, x % y, divmod(x, y), x & y, x | y,
          x ^ y, ~x, x << 2, x >> 1, x < y, x == y, +x, 3 - x, 2 ** jnp.abs(x),
          7 // y, 7 % y, 1 / y)


@program("f32[3,4]", "f32[4]", eager=True)
def eager_operators(x, y):
  x, y = jnp.asarray(x), jnp.asarray(y)
  return x + y, x @ y, x[1:, ::2], jnp.where(x > 0, x, y), float(x[0, 0]), (
      x.tolist()), bool(y[0] > 0), int(x.shape[0]), repr(x.dtype), len(x)


@program("f32[3,4]", eager=True)
def eager_iteration(x):
  x = jnp.asarray(x)
  return [row * 2 for row in x], list(x[0] + 1), x.at[0].set(1), str(x.shape)


@program("f64[8]", "f64[4]")
def interp(x, y):
  grid = jnp.arange(4.0)
  return (jnp.interp(x, grid, y), jnp.interp(x, grid, y, left=-9, right=9),
          jnp.interp(x, grid, y, period=3.0))


@program("f32[5]")
def types(x):
  return (jnp.finfo(x.dtype).eps, jnp.iinfo(jnp.int8).max, jnp.result_type(
      x, jnp.int64) == jnp.float32, jnp.can_cast(
          jnp.int8, jnp.int32), jnp.issubdtype(x.dtype, jnp.floating),
          jnp.isscalar(3), jnp.iterable(x), jnp.iscomplexobj(x),
          jnp.isrealobj(x))
