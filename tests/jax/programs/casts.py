"""Conversions between types: every pair, bit casts, 8-bit floats, 4-bit
integers, weak types."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import Family, TYPES

FAMILY = Family("casts")
program = FAMILY.program

COMMON = ("pred", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f16",
          "bf16", "f32", "f64")
FLOAT8 = ("f8e4m3fn", "f8e5m2", "f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2fnuz",
          "f8e4m3", "f8e3m4")


def to_all(types):
  def cast(x):
    return [lax.convert_element_type(x, TYPES[name]) for name in types]
  return cast



def fill():
  for dtype in COMMON:
    FAMILY.add(f"from_{dtype}", to_all(COMMON), f"{dtype}[3,5]", exact=True)
    FAMILY.add(f"complex_from_{dtype}", to_all(("c64", "c128")),
               f"{dtype}[7]", exact=True)
  for dtype in ("c64", "c128"):
    FAMILY.add(f"from_{dtype}", to_all(("c64", "c128")), f"{dtype}[7]",
               exact=True)
  for small in FLOAT8:
    for dtype in ("f32", "f16", "bf16"):
      FAMILY.add(f"{dtype}_to_{small}",
                 lambda x, t=TYPES[small]: [x.astype(t), x.astype(t).astype(
                     jnp.float32)], f"{dtype}[31]", exact=True)
    FAMILY.add(f"{small}_to_wide",
               to_all(("f32", "f64", "bf16", "f16", "s32")),
               f"{small}[21]", exact=True)
    FAMILY.add(f"{small}_to_{'f8e5m2' if small != 'f8e5m2' else 'f8e4m3fn'}",
               to_all(("f8e5m2" if small != "f8e5m2" else "f8e4m3fn",)),
               f"{small}[21]", exact=True)
  for small in ("s4", "u4"):
    FAMILY.add(f"{small}_to_wide", to_all(("s8", "s32", "u8", "f32", "pred")),
               f"{small}[15]:any", exact=True)
    FAMILY.add(f"wide_to_{small}",
               lambda x, y, t=TYPES[small]: [
                   x.astype(t).astype(jnp.int32), y.astype(t).astype(
                       jnp.int32)], "s32[15]:any", "u8[9]:any", exact=True)


fill()


@program("@[2,4]:any", types=("f32", "s32", "u32"))
def bitcast_32(x):
  return [lax.bitcast_convert_type(x, t)
          for t in (jnp.float32, jnp.int32, jnp.uint32, jnp.uint8,
                    jnp.int16, jnp.bfloat16)]


@program("f64[3]", "u8[3,4]:any", "u16[2,2]:any", exact=True)
def bitcast_widths(x, y, z):
  return (lax.bitcast_convert_type(x, jnp.uint64),
          lax.bitcast_convert_type(x, jnp.uint16),
          lax.bitcast_convert_type(y, jnp.uint32),
          lax.bitcast_convert_type(z, jnp.int32),
          lax.bitcast_convert_type(z, jnp.int8))


@program("f16[5]:any", "bf16[5]:any", "f8e4m3fn[5]", exact=True)
def bitcast_narrow(x, y, z):
  return (lax.bitcast_convert_type(x, jnp.uint16),
          lax.bitcast_convert_type(y, jnp.int16),
          lax.bitcast_convert_type(z, jnp.uint8))


@program("c64[3]")
def view_complex(x):
  return x.view(jnp.float32), x.real.view(jnp.int32)


@program("s32[4]", "f32[4]", "s8[4]", "pred[4]")
def promotion(i, f, b, p):
  return i + f, i + b, p + b, p + f, i * 1.5, b * 2, f + 1j, p & True


@program("f32[6]:any", "f64[6]:any")
def saturating(x, y):
  x = jnp.where(jnp.isnan(x), 0, x) * 3e9
  return x.astype(jnp.int32), x.astype(jnp.int8), x.astype(jnp.uint32), (
      jnp.nan_to_num(y).astype(jnp.float32))


@program("f32[4]")
def astype_copy(x):
  return jnp.astype(x, jnp.float64), jnp.asarray(x, jnp.bfloat16), jnp.array(
      x, jnp.complex64)


@program("f32[3,4]")
def grad_through_cast(x):
  def f(v):
    return jnp.sum((v.astype(jnp.bfloat16) * 2).astype(jnp.float32) ** 2)
  return jax.grad(f)(x)


@program("f8e4m3fn[4,6]", "f8e4m3fn[6,3]")
def dot_of_float8(x, y):
  return lax.dot_general(x, y, (((1,), (0,)), ((), ())),
                         preferred_element_type=jnp.float32)


@program("s8[4,6]", "s8[6,3]")
def dot_of_int8(x, y):
  return lax.dot_general(x, y, (((1,), (0,)), ((), ())),
                         preferred_element_type=jnp.int32)


@program("f32[3]")
def stored_small_types(x):
  return x.astype(jnp.float8_e8m0fnu), x.astype(jnp.float4_e2m1fn).astype(
      jnp.float32)


@program("f32[3,5]")
def quantise_and_back(x):
  scale = jnp.max(jnp.abs(x)) / 127
  q = jnp.round(x / scale).astype(jnp.int8)
  return q, q.astype(jnp.float32) * scale
