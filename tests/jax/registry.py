"""Programs as data: a function, the types of its arguments, its tolerance.

An argument is written `f32[3,5]`, or `f32[3,5]:pos` with a domain. Values are
random numbers that depend only on the program's name.
"""

import dataclasses
import re
import zlib

import ml_dtypes
import numpy as np

TYPES = {
    "pred": np.bool_, "s4": ml_dtypes.int4, "u4": ml_dtypes.uint4,
    "s8": np.int8, "s16": np.int16, "s32": np.int32, "s64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
    "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
    "f8e4m3fn": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2,
    "f8e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
    "f8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "f8e5m2fnuz": ml_dtypes.float8_e5m2fnuz, "f8e4m3": ml_dtypes.float8_e4m3,
    "f8e3m4": ml_dtypes.float8_e3m4, "f4e2m1fn": ml_dtypes.float4_e2m1fn,
    "f8e8m0fnu": ml_dtypes.float8_e8m0fnu,
}
NAMES = {np.dtype(dtype): name for name, dtype in TYPES.items()}

FLOATS = ("f32", "f64", "bf16", "f16")
WIDE = ("f32", "f64")
COMPLEX = ("c64", "c128")
SIGNED = ("s8", "s32", "s64")
UNSIGNED = ("u8", "u32")
INTS = SIGNED + UNSIGNED
LINEAR = ("f32", "f64", "c64", "c128")

# How much results may differ, relative to the greatest magnitude of the array
# or, in a strict program, to each element.
TOLERANCES = {"f16": 4e-3, "bf16": 3e-2, "f32": 2e-5, "f64": 1e-12,
              "c64": 2e-5, "c128": 1e-12}

SPEC = re.compile(r"(\w+)\[([\d,]*)\](?::(\S+))?$")


@dataclasses.dataclass(frozen=True)
class Program:
  """Calls `function` with the arguments that `specs` describe, under jit unless
  `eager`. `tolerance` is a factor on the tolerance of the type; `exact`
  requires equal bits, `strict` compares each element relative to its own
  magnitude. With several `devices` the function takes these instead of
  arguments. A program that is `alone` runs only on the platform under test and
  raises an exception if something is wrong. One that `may_refuse` may raise
  UNIMPLEMENTED instead."""
  name: str
  function: object
  specs: tuple = ()
  eager: bool = False
  strict: bool = False
  exact: bool = False
  tolerance: float = 1.0
  devices: int = 1
  alone: bool = False
  may_refuse: bool = False

  def arguments(self):
    rng = np.random.default_rng(zlib.crc32(self.name.encode()))
    return [array(spec, rng) for spec in self.specs]


def is_float(dtype):
  return dtype.kind == "f" or dtype in NAMES and NAMES[dtype][:2] in (
      "bf", "f8", "f4")


def reals(rng, shape, domain):
  """float64 values of a domain."""
  if domain == "pos":
    return rng.uniform(0.2, 3.0, shape)
  if domain == "unit":
    return rng.uniform(-0.95, 0.95, shape)
  if domain == "prob":
    return rng.uniform(0.05, 0.95, shape)
  if domain == "big":
    return rng.normal(size=shape) * 50
  if domain == "sorted":
    return np.sort(rng.normal(size=shape), axis=-1)
  if domain == "ties":
    return rng.integers(-3, 4, shape).astype(np.float64)
  if ".." in domain:
    low, high = map(float, domain.split(".."))
    return rng.uniform(low, high, shape)
  if domain not in ("", "any", "spd", "tri", "simplex"):
    raise ValueError(f"no domain {domain!r}")
  return rng.normal(size=shape) * 1.5


def integers(rng, shape, domain, dtype):
  if dtype == np.bool_:
    return rng.integers(0, 2, shape)
  name = NAMES[dtype]
  bits = int(name[1:])
  low, high = (0, 2**bits) if name[0] == "u" else (-2**(bits - 1),
                                                  2**(bits - 1))
  if domain == "any":
    wide = rng.integers(low, high, shape, dtype=np.uint64 if low == 0
                        else np.int64, endpoint=False)
    edges = np.array([low, high - 1, 0, 1], wide.dtype)
    wide.reshape(-1)[:4] = edges[:min(4, wide.size)]
    return wide
  if domain == "perm":
    return rng.permutation(int(np.prod(shape))).reshape(shape)
  if domain == "sorted":
    return np.sort(rng.integers(0, 10, shape), axis=-1)
  if domain == "pos":
    return rng.integers(1, min(high, 12), shape)
  if ".." in domain:
    first, last = map(int, domain.split(".."))
    return rng.integers(first, last + 1, shape)
  return rng.integers(max(low, -9), min(high, 10), shape)


def special(values, dtype):
  """Replaces the first elements by special values."""
  flat = values.reshape(-1)
  hard = [np.inf, -np.inf, np.nan, -0.0, 0.0, 1.0, -1.0, 0.5, 2.5, 3.5]
  flat[:len(hard)] = hard[:flat.size]
  return values


def matrices(values, domain):
  """Square matrices for factorizations."""
  count = values.shape[-1]
  if domain == "spd":
    return (values @ np.conj(np.swapaxes(values, -1, -2)) / count
            + np.eye(count))
  return values + 3 * np.eye(count)


def array(spec, rng):
  """Makes the array that `spec` describes."""
  match = SPEC.match(spec)
  if not match:
    raise ValueError(f"not an argument: {spec!r}")
  dtype = np.dtype(TYPES[match[1]])
  shape = tuple(int(n) for n in match[2].split(",") if n)
  domain = match[3] or ""
  if dtype.kind == "c":
    values = reals(rng, shape, domain) + 1j * reals(rng, shape, domain)
  elif is_float(dtype):
    values = reals(rng, shape, domain)
    if domain == "any":
      values = special(np.asarray(values), dtype)
  else:
    return np.asarray(integers(rng, shape, domain, dtype)).astype(dtype)
  if domain in ("spd", "tri"):
    values = matrices(values, domain)
  if domain == "simplex":
    values = np.abs(values) / np.abs(values).sum(-1, keepdims=True)
  with np.errstate(all="ignore"):
    return np.asarray(values).astype(dtype)


class Family:
  """The programs of one module, in order of definition."""

  def __init__(self, name):
    self.name = name
    self.programs = []

  def add(self, name, function, *specs, **options):
    name = f"{self.name}/{name}"
    if any(program.name == name for program in self.programs):
      raise ValueError(f"two programs named {name}")
    self.programs.append(Program(name, function, specs, **options))

  def each(self, name, function, types, *specs, **options):
    """Adds one program per type, which replaces `@` in the arguments."""
    for dtype in types:
      self.add(f"{name}/{dtype}", function,
               *(spec.replace("@", dtype) for spec in specs), **options)

  def program(self, *specs, types=None, **options):
    """Decorator: adds the function under its own name."""
    def decorate(function):
      name = function.__name__.strip("_")
      if types:
        self.each(name, function, types, *specs, **options)
      else:
        self.add(name, function, *specs, **options)
      return function
    return decorate
