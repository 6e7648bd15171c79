"""Element types and random arrays of them, with critical values: NaN,
infinities, -0, subnormals, least and greatest numbers, zero sizes."""

import ml_dtypes
import numpy as np

# XLA's s1 and u1 are left out: they become pred before they reach XLA:CPU.
TYPES = {name: np.dtype(dtype) for name, dtype in {
    "pred": np.bool_,
    "s2": ml_dtypes.int2, "s4": ml_dtypes.int4,
    "s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64,
    "u2": ml_dtypes.uint2, "u4": ml_dtypes.uint4,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "f4e2m1fn": ml_dtypes.float4_e2m1fn,
    "f8e3m4": ml_dtypes.float8_e3m4, "f8e4m3": ml_dtypes.float8_e4m3,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn,
    "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e5m2": ml_dtypes.float8_e5m2, "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "f8e8m0fnu": ml_dtypes.float8_e8m0fnu,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128}.items()}
NAMES = {dtype: name for name, dtype in TYPES.items()}

PRED = ["pred"]
SIGNED = ["s2", "s4", "s8", "s16", "s32", "s64"]
UNSIGNED = ["u2", "u4", "u8", "u16", "u32", "u64"]
INTS = SIGNED + UNSIGNED
WIDE_FLOATS = ["f16", "bf16", "f32", "f64"]
SMALL_FLOATS = [name for name in TYPES if name.startswith(("f4", "f8"))]
FLOATS = SMALL_FLOATS + WIDE_FLOATS
COMPLEX = ["c64", "c128"]
NUMBERS = INTS + FLOATS + COMPLEX
REALS = INTS + FLOATS
ALL = PRED + NUMBERS
# One type per way of computing, for tests where the type matters little.
FEW = ["pred", "s4", "s8", "s32", "u64", "f8e5m2", "bf16", "f32", "f64", "c64"]

BITS = {name: dtype.itemsize * 8 for name, dtype in TYPES.items()}
for _name in TYPES:
  if _name[0] in "su" and _name[1:] in "24":
    BITS[_name] = int(_name[1:])
BITS |= {"pred": 1, "f4e2m1fn": 4}


def limits(t):
  """Least and greatest value of an integer type."""
  bits = BITS[t]
  if t in SIGNED:
    return -(1 << bits - 1), (1 << bits - 1) - 1
  return 0, (1 << bits) - 1


def from_ints(numbers, t):
  """Python integers in range as an array of the integer type t."""
  wide = np.array(numbers, dtype=np.uint64 if t == "u64" else np.int64)
  if TYPES[t].kind == "V":
    wide = wide.astype(np.int8)
  return wide.astype(TYPES[t])


def ints(rng, t, count, domain):
  low, high = limits(t)
  small = rng.integers(max(low, -4), min(high, 4), count, endpoint=True)
  if domain in ("small", "finite", "unit", "positive"):
    if domain == "positive":
      small = np.maximum(small, min(1, high))
    return from_ints(small, t)
  wide = rng.integers(0, 1 << 63, count, dtype=np.uint64)
  wide = [int(x) * 2 + int(y) for x, y in zip(wide, rng.integers(0, 2, count))]
  values = [x % (high - low + 1) + low for x in wide]
  if domain == "any":
    special = [low, high, 0, min(1, high), max(low, -1)]
    kind = rng.integers(0, 4, count)
    values = [int(s) if k < 2 else special[v % 5] if k == 2 else v
              for v, s, k in zip(values, small, kind)]
  return from_ints(values, t)


def special_floats(t):
  """Special values of a float type, without subnormals, since XLA:CPU treats
  them as zero in computations."""
  info = ml_dtypes.finfo(TYPES[t])
  return np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan,
                   float(info.max), float(info.min), float(info.tiny),
                   -float(info.tiny), 0.5, -0.5, 1.5, 2.5, -2.5, 3.5, 1e3,
                   2.0**31, -2.0**31, 2.0**63, 1e-3, np.pi, -np.pi / 2])


def floats(rng, t, count, domain):
  dtype = TYPES[t]
  if domain == "bits":
    raw = rng.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
    if t == "f4e2m1fn":
      raw &= 15
    return raw.view(dtype).copy()
  small = rng.integers(-4, 4, count, endpoint=True).astype(np.float64)
  unit = rng.uniform(-1, 1, count)
  with np.errstate(all="ignore"):
    if t == "f8e8m0fnu":
      small, unit = 2.0 ** small, 2.0 ** np.round(unit * 8)
    if domain == "small":
      return small.astype(dtype)
    if domain == "unit":
      return unit.astype(dtype)
    spread = unit * 10.0 ** rng.uniform(-3, 3, count)
    if domain == "positive":
      return np.maximum(np.abs(spread), 0.0625).astype(dtype)
    kind = rng.integers(0, 8, count)
    values = np.where(kind < 2, small, np.where(kind < 3, unit, spread))
    greatest = float(ml_dtypes.finfo(dtype).max)
    values = np.clip(values, -greatest, greatest)
    if domain == "any":
      special = rng.choice(special_floats(t), count)
      values = np.where(kind < 6, values, special)
    if t == "f8e8m0fnu":  # the least one is subnormal in f32
      values = np.maximum(values, 2.0**-126)
    return values.astype(dtype)


def values(rng, t, shape=(), domain="any"):
  """A random array. Domains: "any" (specials included), "bits" (any pattern),
  "small" (integers whose sums are exact), "finite", "unit" (-1 to 1) and
  "positive"."""
  count = int(np.prod(shape, dtype=np.int64))
  if t == "pred":
    flat = rng.integers(0, 2, count).astype(bool)
  elif t in INTS:
    flat = ints(rng, t, count, domain)
  elif t in FLOATS:
    flat = floats(rng, t, count, domain)
  else:
    part = {"c64": "f32", "c128": "f64"}[t]
    flat = np.empty(count, TYPES[t])
    flat.real = floats(rng, part, count, domain)
    flat.imag = floats(rng, part, count, domain)
  return flat.reshape(shape)


def dims(rng, rank=None, low=0, high=6):
  """Random sizes; size 0 is rare."""
  if rank is None:
    rank = int(rng.integers(0, 5))
  sizes = rng.integers(max(low, 1), high, rank)
  if low == 0 and rank and rng.integers(0, 12) == 0:
    sizes[rng.integers(0, rank)] = 0
  return tuple(int(size) for size in sizes)
