"""Cholesky, triangular solve, FFT and random bits."""

import numpy as np

import compare
import programs
import suite
import values
from programs import braces
from programs import shape_text

XLA_MODE = "old"

SLACK = {"f16": 4e-3, "bf16": 4e-2, "f32": 1e-5, "f64": 1e-12, "c64": 1e-5,
         "c128": 1e-12}


def near(t):
  return compare.Tolerance(ulps=2, relative=SLACK[t], absolute=SLACK[t])


def cholesky(rng, t, program, lower):
  """Compares only the triangle of the result: the other one is undefined."""
  batch = values.dims(rng, int(rng.integers(0, 2)), low=1, high=4)
  n = int(rng.integers(1, 6))
  root = values.values(rng, t, (*batch, n, n), "unit").astype(np.complex128)
  matrix = root @ root.conj().swapaxes(-1, -2) + n * np.eye(n)
  if t not in values.COMPLEX:
    matrix = matrix.real
  shape = shape_text(t, matrix.shape)
  x = program.arg(matrix.astype(values.TYPES[t]))
  result = program.add(shape, "cholesky", x, lower=str(lower).lower())
  mask = np.tril(np.ones((n, n), bool)) if lower else np.triu(
      np.ones((n, n), bool))
  mask = program.arg(np.broadcast_to(mask, matrix.shape).copy())
  zero = program.arg(np.zeros(matrix.shape, values.TYPES[t]))
  return program.out(shape, "select", mask, result, zero)


def triangular_solve(rng, t, program):
  batch = values.dims(rng, int(rng.integers(0, 2)), low=1, high=4)
  n, m = (int(x) for x in rng.integers(1, 6, 2))
  left, lower, unit = (bool(rng.integers(0, 2)) for _ in range(3))
  a = values.values(rng, t, (*batch, n, n), "unit")
  a = a + (2 * n * np.eye(n)).astype(a.dtype)
  b_shape = (*batch, n, m) if left else (*batch, m, n)
  x = program.arg(a.astype(values.TYPES[t]))
  b = program.arg(values.values(rng, t, b_shape, "unit"))
  kinds = ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]
  return program.out(
      shape_text(t, b_shape), "triangular-solve", x, b,
      left_side=str(left).lower(), lower=str(lower).lower(),
      unit_diagonal=str(unit).lower(), transpose_a=str(rng.choice(kinds)))


def fft(rng, kind, t, program):
  part = {"c64": "f32", "c128": "f64"}[t]
  rank = int(rng.integers(1, 4))
  shape = values.dims(rng, rank + int(rng.integers(0, 2)), low=1, high=9)
  lengths = shape[len(shape) - rank:]
  half = (*shape[:-1], shape[-1] // 2 + 1)
  given, result = {"FFT": ((t, shape), (t, shape)),
                   "IFFT": ((t, shape), (t, shape)),
                   "RFFT": ((part, shape), (t, half)),
                   "IRFFT": ((t, half), (part, shape))}[kind]
  x = program.arg(values.values(rng, *given, "unit"))
  return program.out(shape_text(*result), "fft", x, fft_type=kind,
                     fft_length=braces(lengths))


def rng_bits(rng, t, program, algorithm, state):
  shape = values.dims(rng, int(rng.integers(0, 4)), high=8)
  start = values.values(rng, "u64", (state,), "bits")
  if rng.integers(0, 3) == 0:
    start[1] = np.uint64(2**64 - 1)  # the counter overflows
  x = program.arg(start)
  return program.tuple_out([shape_text("u64", (state,)), shape_text(t, shape)],
                           "rng-bit-generator", x, algorithm=algorithm)


def cases():
  for t in values.WIDE_FLOATS + values.COMPLEX:
    rng = suite.generator(f"cholesky/{t}")
    yield suite.Case(f"cholesky/{t}",
                     [cholesky(rng, t, programs.Program(), lower)
                      for lower in (True, False, True)], near(t))
    rng = suite.generator(f"triangular-solve/{t}")
    yield suite.Case(f"triangular-solve/{t}",
                     [triangular_solve(rng, t, programs.Program())
                      for _ in range(8)], near(t))
  for t in values.COMPLEX:
    for kind in ("FFT", "IFFT", "RFFT", "IRFFT"):
      rng = suite.generator(f"fft-{kind}/{t}")
      yield suite.Case(f"fft-{kind}/{t}",
                       [fft(rng, kind, t, programs.Program())
                        for _ in range(5)], near(t))
  for algorithm, state in (("rng_default", 2), ("rng_default", 3),
                           ("rng_three_fry", 2), ("rng_philox", 2),
                           ("rng_philox", 3)):
    for t in values.INTS + values.FLOATS:
      name = f"{algorithm.replace('_', '-')}-{state}/{t}"
      rng = suite.generator(name)
      yield suite.Case(name, [rng_bits(rng, t, programs.Program(), algorithm,
                                       state) for _ in range(3)],
                       # For other types XLA:CPU returns the unsigned bits.
                       compare.Tolerance(bits=True))
