"""lax's elementwise functions, one by one, over their types."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import COMPLEX, FLOATS, Family, INTS, SIGNED, WIDE

FAMILY = Family("elementwise")

# name: (types, domain, factor on the tolerance)
UNARY = {
    "abs": (FLOATS + SIGNED + COMPLEX, "any", 1),
    "neg": (FLOATS + INTS + COMPLEX, "any", 1),
    "sign": (FLOATS + INTS + COMPLEX, "any", 1),
    "floor": (FLOATS, "any", 1),
    "ceil": (FLOATS, "any", 1),
    "is_finite": (FLOATS, "any", 1),
    "exp": (FLOATS + COMPLEX, "any", 1),
    "exp2": (FLOATS + ("c64",), "", 1),
    "expm1": (FLOATS + COMPLEX, "", 1),
    "log": (FLOATS + COMPLEX, "any", 1),
    "log1p": (FLOATS + COMPLEX, "pos", 1),
    "tanh": (FLOATS + COMPLEX, "", 1),
    "logistic": (FLOATS + COMPLEX, "", 1),
    "sin": (FLOATS + COMPLEX, "big", 4),
    "cos": (FLOATS + COMPLEX, "", 1),
    "tan": (FLOATS + COMPLEX, "", 4),
    "asin": (WIDE + COMPLEX + ("f16",), "unit", 1),
    "acos": (WIDE + COMPLEX + ("bf16",), "unit", 1),
    "atan": (FLOATS + COMPLEX, "", 1),
    "sinh": (FLOATS + COMPLEX, "", 1),
    "cosh": (FLOATS + COMPLEX, "", 1),
    "asinh": (WIDE + COMPLEX, "", 1),
    "acosh": (WIDE + COMPLEX, "1..9", 1),
    "atanh": (WIDE + COMPLEX, "unit", 1),
    "sqrt": (FLOATS + COMPLEX, "pos", 1),
    "rsqrt": (FLOATS + COMPLEX, "pos", 1),
    "cbrt": (WIDE + ("bf16",), "", 1),
    "square": (FLOATS + SIGNED + COMPLEX, "", 1),
    "reciprocal": (WIDE + COMPLEX, "pos", 1),
    "bitwise_not": (INTS + ("pred",), "any", 1),
    "population_count": (INTS, "any", 1),
    "clz": (INTS, "any", 1),
    "real": (COMPLEX, "", 1),
    "imag": (COMPLEX, "", 1),
    "conj": (COMPLEX + ("f32",), "", 1),
    "erf": (FLOATS, "", 1),
    "erfc": (WIDE + ("bf16",), "", 4),
    "erf_inv": (WIDE + ("f16",), "unit", 4),
    "lgamma": (WIDE + ("bf16",), "pos", 50),
    "digamma": (WIDE, "pos", 50),
    "bessel_i0e": (WIDE, "", 4),
    "bessel_i1e": (WIDE, "", 4),
}

# name: (types, domain of the first, of the second, factor)
BINARY = {
    "add": (FLOATS + INTS + COMPLEX, "any", "", 1),
    "sub": (FLOATS + INTS + COMPLEX, "any", "", 1),
    "mul": (FLOATS + INTS + COMPLEX, "", "", 1),
    "div": (FLOATS + INTS + COMPLEX, "", "pos", 1),
    "rem": (FLOATS + INTS, "big", "pos", 1),
    "max": (FLOATS + INTS + ("pred", "c64"), "any", "", 1),
    "min": (FLOATS + INTS + ("pred", "c64"), "any", "", 1),
    "pow": (FLOATS + COMPLEX, "pos", "", 4),
    "atan2": (WIDE + ("bf16", "c64"), "", "", 1),
    "nextafter": (WIDE + ("f16",), "", "", 1),
    "bitwise_and": (INTS + ("pred",), "any", "any", 1),
    "bitwise_or": (INTS + ("pred",), "any", "any", 1),
    "bitwise_xor": (INTS + ("pred",), "any", "any", 1),
    "shift_left": (INTS, "any", "0..9", 1),
    "shift_right_logical": (INTS, "any", "0..9", 1),
    "shift_right_arithmetic": (INTS, "any", "0..9", 1),
    "eq": (FLOATS + INTS + ("pred",) + COMPLEX, "ties", "ties", 1),
    "ne": (("f32", "s32", "c64"), "ties", "ties", 1),
    "lt": (FLOATS + INTS + ("pred",), "any", "ties", 1),
    "le": (("f32", "s64", "u32"), "ties", "ties", 1),
    "gt": (("f64", "s8", "u8"), "any", "ties", 1),
    "ge": (("bf16", "s32"), "ties", "ties", 1),
    "complex": (WIDE, "", "", 1),
    "igamma": (WIDE, "pos", "pos", 50),
    "igammac": (WIDE, "pos", "pos", 50),
    "zeta": (WIDE, "2..5", "pos", 50),
    "mulhi": (("s32", "u32", "s64"), "any", "any", 1),
    "random_gamma_grad": (("f32",), "pos", "pos", 100),
    "igamma_grad_a": (("f32", "f64"), "pos", "pos", 100),
}

STRICT = {"nextafter"}
WHOLE = {"", "big", "ties"}  # domains that mean nothing for integers


def spec(dtype, domain, shape):
  if dtype[0] in "su" and domain in WHOLE:
    domain = ""
  if dtype == "pred":
    domain = ""
  return f"{dtype}{shape}" + f":{domain}" * bool(domain)


def fill():
  for name, (types, domain, factor) in UNARY.items():
    for dtype in types:
      FAMILY.add(f"{name}/{dtype}", getattr(lax, name),
                 spec(dtype, domain, "[3,7]"), strict=dtype not in COMPLEX,
                 tolerance=factor)
  for name, (types, first, second, factor) in BINARY.items():
    for dtype in types:
      FAMILY.add(f"{name}/{dtype}", getattr(lax, name),
                 spec(dtype, first, "[3,7]"), spec(dtype, second, "[3,7]"),
                 strict=dtype not in COMPLEX, tolerance=factor,
                 exact=name in STRICT)


fill()
program = FAMILY.program


@program("@[4,5]:any", types=FLOATS + COMPLEX[:1])
def integer_pow(x):
  return [lax.integer_pow(x, n) for n in (-3, -1, 0, 2, 3, 7)]


@program("@[3,9]:big", types=FLOATS)
def round(x):
  return (lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
          lax.round(x * 2 + 0.5, lax.RoundingMethod.TO_NEAREST_EVEN))


@program("@[4,5]:any", types=("f32", "f64", "bf16"))
def reduce_precision(x):
  return [lax.reduce_precision(x, e, m) for e, m in ((5, 10), (8, 7), (4, 3))]


@program("f32[5]:-2..0", "f32[5]:0..2", "f32[5]")
def clamp(low, high, x):
  return lax.clamp(low, x, high), lax.clamp(
      jnp.float32(-0.5), x, jnp.float32(0.5))


@program("s32[5,3]:any")
def clamp_integers(x):
  return lax.clamp(jnp.int32(-100), x, jnp.int32(1000)), jnp.clip(x, 0, 9)


@program("f64[6]:pos", "f64[6]:pos", "f64[6]:prob", tolerance=50)
def betainc(a, b, x):
  return lax.betainc(a, b, x)


@program("s32[6]:0..4", "f32[6]:pos", tolerance=50)
def polygamma(n, x):
  return lax.polygamma(n.astype(jnp.float32), x)


@program("pred[3,4]", "@[3,4]", "@[3,4]", types=("f32", "s8", "c64", "pred"))
def select(p, x, y):
  return lax.select(p, x, y), lax.select(p, y, x)


@program("s32[7]:0..2", "f32[7]", "f32[7]", "f32[7]")
def select_n(which, x, y, z):
  return lax.select_n(which, x, y, z)


@program("f32[3,4]", "f32[3,4]", "f32[3,4]")
def fused_chain(x, y, z):
  a = jnp.tanh(x * y + z)
  b = jnp.exp(-a * a) / (1 + jnp.abs(z))
  return a, b, jnp.where(a > b, a, b)


@program("f32[5]")
def optimization_barrier(x):
  y, z = lax.optimization_barrier((x * 2, x + 1))
  return y * z


@program("f32[4]:any")
def nan_classes(x):
  return jnp.isnan(x), jnp.isinf(x), jnp.isposinf(x), jnp.signbit(x)


@program("f32[6]:pos")
def accuracy_modes(x):
  return [f(x, accuracy=lax.AccuracyMode.DEFAULT)
          for f in (lax.exp, lax.log, lax.tanh, lax.sin)]


@program("f32[5]", "f64[5]")
def broadcast_scalars(x, y):
  return x * 2, 3 - x, y / 7, x ** 2, 2.0 ** y, jnp.float32(1) + x


@program("u32[4]:any", "s64[4]:any")
def integer_overflow(x, y):
  return x + x, x * x, y * 3, -y, x - jnp.uint32(7), y // 5, y % 5


@program("s32[4]", "u8[5]")
def division_by_zero(x, y):
  return lax.div(x, x * 0), lax.rem(x, x * 0), lax.div(y, y - y)


@program("f32[0]", "s32[0,4]", "c64[3,0]")
def empty_arrays(x, y, z):
  return jnp.exp(x), y + 1, jnp.conj(z), jnp.sum(x), jnp.sum(y, axis=0)


@program("f32[5]", "f32[5]")
def copysign_and_friends(x, y):
  return (jnp.copysign(x, y), jnp.hypot(x, y), jnp.logaddexp(x, y),
          jnp.fmod(x, y), jnp.remainder(x, y), jnp.heaviside(x, y))


@program("s8[7]:any", "s8[7]")
def narrow_integers(x, y):
  return x + y, x * y, jnp.abs(x), x >> 1, jax.lax.shift_left(x, jnp.int8(3))


@program("s4[9]:-3..3", "u4[9]:0..3")
def four_bit_integers(x, y):
  return (x.astype(jnp.int8) + 1, y.astype(jnp.uint8) * 3, (x + x).astype(
      jnp.int8), (y * y).astype(jnp.uint8), (x < 0), jnp.max(x).astype(
          jnp.int8))


@program("s4[9]:any", "u4[9]:any")
def four_bit_overflow(x, y):
  return (x + x).astype(jnp.int8), (y * y).astype(jnp.uint8)


