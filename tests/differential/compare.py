"""Decides whether two arrays agree: exactly, or within units in the last
place."""

import dataclasses

import ml_dtypes
import numpy as np

import values


@dataclasses.dataclass(frozen=True)
class Tolerance:
  """How far floats may be apart. Integers must always be equal."""
  ulps: float = 0
  relative: float = 0  # relative to the greatest finite magnitude
  absolute: float = 0
  zero_sign: bool = True  # -0 differs from 0 (only where ulps is 0)
  bits: bool = False  # requires equal bits, for all types
  nan: bool = True  # requires NaN for NaN; False skips these elements


EXACT = Tolerance()
ROUNDED = Tolerance(ulps=1)


def ordinals(array):
  """Maps the values of a float type to integers that count them in order."""
  dtype = array.dtype
  bits = values.BITS[values.NAMES[dtype]]
  unsigned = array.view(f"u{dtype.itemsize}").astype(np.uint64)
  if dtype == values.TYPES["f8e8m0fnu"]:
    return unsigned.astype(np.int64)
  sign = unsigned >> np.uint64(bits - 1) & np.uint64(1)
  magnitude = (unsigned & np.uint64((1 << bits - 1) - 1)).astype(np.int64)
  return np.where(sign == 1, -magnitude, magnitude)


def flushed(array):
  """Replaces subnormal numbers of types that XLA:CPU computes in f32 or f64 by
  0."""
  if array.dtype in (np.float32, np.float64, values.TYPES["bf16"]):
    tiny = ml_dtypes.finfo(array.dtype).tiny
    with np.errstate(all="ignore"):
      small = (np.abs(array.astype(np.float64)) < float(tiny))
    array = array.copy()
    array[small] = array[small] * array.dtype.type(0)
  return array


def float_differences(got, want, tolerance, flush):
  """Returns a mask of the elements that are too far apart."""
  dtype = got.dtype
  with np.errstate(all="ignore"):
    got_nan, want_nan = np.isnan(got), np.isnan(want)
    if flush:
      got, want = flushed(got), flushed(want)
    a, b = ordinals(got), ordinals(want)
    # Exact where the distance may be small; a - b would overflow across zero.
    distance = np.where((a < 0) == (b < 0), np.abs(a - b).astype(np.float64),
                        np.abs(a.astype(np.float64) - b))
    got_wide, want_wide = got.astype(np.float64), want.astype(np.float64)
    near = distance <= tolerance.ulps
    if not tolerance.zero_sign or tolerance.ulps:
      near |= got_wide == want_wide
    finite = np.isfinite(want_wide)
    scale = np.max(np.abs(want_wide[finite]), initial=0)
    slack = tolerance.absolute + tolerance.relative * scale
    if slack:
      near |= np.isfinite(got_wide) & finite & (
          np.abs(got_wide - want_wide) <= slack)
    bad = ~near & ~got_nan & ~want_nan
    if flush and dtype == values.TYPES["f8e8m0fnu"]:
      # XLA:CPU flushes these to 0, which the type lacks, so the result is NaN.
      want_nan &= ~(got_wide <= 2.0**-126)
    if tolerance.nan:
      bad |= got_nan != want_nan
  return bad


def bits_of(array):
  """The bits of the elements as unsigned integers."""
  bits = values.BITS[values.NAMES[array.dtype]]
  unsigned = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
  return (unsigned & unsigned.dtype.type(15 if bits == 4 else 3)
          if bits < 8 else unsigned).reshape(array.shape)


def differences(got, want, tolerance, flush):
  """Returns a mask of the elements that do not agree."""
  name = values.NAMES[want.dtype]
  if name in values.FLOATS:
    return float_differences(got, want, tolerance, flush)
  if name not in values.COMPLEX:
    return np.asarray(got != want)
  both = [float_differences(getattr(got, part).copy(),
                            getattr(want, part).copy(), tolerance, flush)
          for part in ("real", "imag")]
  if not (tolerance.ulps or tolerance.relative):
    return both[0] | both[1]
  # A small part of a complex number may be off by the error of a large one.
  with np.errstate(all="ignore"):
    epsilon = np.finfo(want.dtype).eps
    size = np.abs(want.astype(np.complex128))
    slack = (tolerance.ulps * epsilon + tolerance.relative) * size
    near = np.abs(got.astype(np.complex128) - want) <= slack
  return (both[0] | both[1]) & ~near


def check(got, want, tolerance, flush=True, also=None):
  """Raises AssertionError with a few elements where `got` differs from `want`
  and, if given, from `also`."""
  if tolerance.bits:
    got, want = bits_of(got), bits_of(want)
    also = None if also is None else bits_of(also)
  if got.shape != want.shape or got.dtype != want.dtype:
    raise AssertionError(f"{got.dtype}{list(got.shape)}, XLA:CPU has "
                         f"{want.dtype}{list(want.shape)}")
  bad = differences(np.ascontiguousarray(got).reshape(-1),
                    np.ascontiguousarray(want).reshape(-1), tolerance, flush)
  if also is not None:
    assert also.shape == want.shape and also.dtype == want.dtype
    bad &= differences(np.ascontiguousarray(got).reshape(-1),
                       np.ascontiguousarray(also).reshape(-1), tolerance, flush)
  where = np.flatnonzero(bad)
  if not len(where):
    return
  text = [f"{len(where)} of {bad.size} elements differ"]
  for i in where[:6]:
    index = [int(x) for x in np.unravel_index(i, want.shape)]
    text.append(f"  at {index}: {got.reshape(-1)[i]!r}, XLA:CPU has "
                f"{want.reshape(-1)[i]!r}")
  raise AssertionError("\n".join(text))
