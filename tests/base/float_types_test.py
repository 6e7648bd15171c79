"""Compares every small float type with ml_dtypes, bit for bit.

NaNs need the sign that ml_dtypes gives them, not its payload, except where
the small type has a single NaN per sign.
"""

import subprocess

import harness

SMALL = ("float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn",
         "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
         "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn")
HALVES = ("float16", "bfloat16")


def dtype(name):
  np, ml = harness.require("numpy"), harness.require("ml_dtypes")
  return np.dtype(getattr(np, name, None) or getattr(ml, name, None) or
                  missing(name))


def missing(name):
  raise harness.Skip(f"this ml_dtypes has no {name}")


def bits_of(array):
  return array.view(f"u{array.dtype.itemsize}")


def width(name):
  digits = "".join(c for c in name.split("_")[0] if c.isdigit())
  return int(digits)


def every(name):
  """Returns all bit patterns of a type of at most 16 bits."""
  np = harness.require("numpy")
  kind = dtype(name)
  return np.arange(1 << width(name)).astype(f"u{kind.itemsize}").view(kind)


def convert(array, to):
  np = harness.require("numpy")
  done = subprocess.run(
      [str(harness.BIN / "float_types_tool"), array.dtype.name, to],
      input=array.tobytes(), stdout=subprocess.PIPE, check=True, timeout=300)
  return np.frombuffer(done.stdout, dtype(to))


def compare(source, want):
  np = harness.require("numpy")
  got = convert(source, want.dtype.name)
  harness.equal(got.shape, want.shape, "count of results")
  same = bits_of(got) == bits_of(want)
  if want.dtype.itemsize > 1:
    with np.errstate(all="ignore"):
      nan = np.isnan(want) & np.isnan(got)
    top = 8 * want.dtype.itemsize - 1
    same |= nan & ((bits_of(got) >> top) == (bits_of(want) >> top))
  for i in np.flatnonzero(~same)[:10]:
    print(f"{source[i]!r} (bits {bits_of(source)[i]:#x}): "
          f"got {bits_of(got)[i]:#x}, want {bits_of(want)[i]:#x}")
  harness.equal(int((~same).sum()), 0, "results that differ")


def check_as_ml_dtypes(source, to):
  np = harness.require("numpy")
  with np.errstate(all="ignore"):
    # Convert through float32, which is exact and which all types convert to.
    compare(source, source.astype(np.float32).astype(dtype(to)))


def float32_samples():
  """Returns each upper half of a float with lower halves that decide ties."""
  np = harness.require("numpy")
  upper = np.arange(1 << 16, dtype=np.uint32) << 16
  lower = np.array([0, 1, 0x0fff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001,
                    0xffff], np.uint32)
  return (upper[:, None] | lower).reshape(-1).view(np.float32)


def midpoint_cases(name):
  """Returns float64 around neighbours' midpoints, and the codes they round to.
  Does not use ml_dtypes' conversion from float64, which rounds twice for
  bfloat16. In float8_e8m0fnu ties go up, and everything between its lowest two
  values rounds up."""
  np = harness.require("numpy")
  kind = dtype(name)
  codes = np.arange(1 << (width(name) - (name != "float8_e8m0fnu")))
  with np.errstate(all="ignore"):
    values = codes.astype(f"u{kind.itemsize}").view(kind).astype(np.float64)
  keep = np.isfinite(values)
  keep[:-1] &= np.isfinite(values[1:])
  low = codes[:-1][keep[:-1] & np.isfinite(values[1:])]
  middle = (values[low] + values[low + 1]) / 2
  if name == "float8_e8m0fnu":
    low = low[1:]
    middle = middle[1:]
  even = low + (low & 1 if name != "float8_e8m0fnu" else 1)
  source = np.concatenate([np.nextafter(middle, -np.inf), middle,
                           np.nextafter(middle, np.inf)])
  want = np.concatenate([low, even, low + 1]).astype(f"u{kind.itemsize}")
  return source, want.view(kind)


def check_midpoints(name):
  np = harness.require("numpy")
  source, want = midpoint_cases(name)
  compare(source, want)
  if name == "float8_e8m0fnu":
    return
  # Negative values keep their sign, unless they round to an unsigned zero.
  negative = bits_of(want) | (1 << (width(name) - 1))
  if "uz" in name:
    negative = np.where(bits_of(want) == 0, 0, negative)
  compare(-source, negative.astype(bits_of(want).dtype).view(want.dtype))


def test_to_float32():
  for name in SMALL + HALVES:
    yield name, lambda n=name: compare(every(n),
                                       every(n).astype(dtype("float32")))


def test_from_float32():
  for name in SMALL + HALVES:
    yield name, lambda n=name: check_as_ml_dtypes(float32_samples(), n)


def test_from_float64_midpoints():
  for name in SMALL + HALVES:
    yield name, check_midpoints, name


def test_from_halves():
  for source in HALVES:
    for to in SMALL:
      yield (f"{source}_{to}",
             lambda s=source, t=to: check_as_ml_dtypes(every(s), t))


def test_between_small_types():
  for source in SMALL:
    for to in SMALL + HALVES:
      if source != to:
        yield (f"{source}_{to}",
               lambda s=source, t=to: check_as_ml_dtypes(every(s), t))


if __name__ == "__main__":
  harness.main(globals())
