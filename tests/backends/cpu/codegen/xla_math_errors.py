"""Measures the errors of XLA:CPU's f32 functions, for docs/math-accuracy.md.

    python3 tests/backends/cpu/codegen/xla_math_errors.py [STRIDE] > errors.txt
    math_accuracy_tool ... --xla=errors.txt

Uses every STRIDE-th bit pattern as an operand (random operands for functions of
two, like the tool), and takes f64 functions of NumPy and SciPy as exact. Prints
a line that says so, then "name largest-error operand [operand]" for each
function. Needs jax, numpy and scipy. Leaves out subnormal operands and results,
which XLA:CPU treats as 0.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

BLOCK = 1 << 22
TINY = np.finfo(np.float32).tiny


def logistic(x):
  return 1 / (1 + np.exp(-x))


# name: (JAX's function, f64 function, range of ordinary operands if there are
# two)
FUNCTIONS = {
    "exp": (jnp.exp, np.exp),
    "exp2": (jnp.exp2, np.exp2),
    "expm1": (jnp.expm1, np.expm1),
    "logistic": (jax.lax.logistic, logistic),
    "log": (jnp.log, np.log),
    "log2": (jnp.log2, np.log2),
    "log1p": (jnp.log1p, np.log1p),
    "sin": (jnp.sin, np.sin),
    "cos": (jnp.cos, np.cos),
    "tan": (jnp.tan, np.tan),
    "asin": (jnp.arcsin, np.arcsin),
    "acos": (jnp.arccos, np.arccos),
    "atan": (jnp.arctan, np.arctan),
    "sinh": (jnp.sinh, np.sinh),
    "cosh": (jnp.cosh, np.cosh),
    "tanh": (jnp.tanh, np.tanh),
    "asinh": (jnp.arcsinh, np.arcsinh),
    "acosh": (jnp.arccosh, np.arccosh),
    "atanh": (jnp.arctanh, np.arctanh),
    "erf": (jax.lax.erf, scipy.special.erf),
    "erfinv": (jax.lax.erf_inv, scipy.special.erfinv),
    "sqrt": (jnp.sqrt, np.sqrt),
    "rsqrt": (jax.lax.rsqrt, lambda x: 1 / np.sqrt(x)),
    "cbrt": (jnp.cbrt, np.cbrt),
    "floor": (jnp.floor, np.floor),
    "ceil": (jnp.ceil, np.ceil),
    "trunc": (jnp.trunc, np.trunc),
    "round_even": (lambda x: jax.lax.round(
        x, jax.lax.RoundingMethod.TO_NEAREST_EVEN), np.rint),
    "round_afz": (lambda x: jax.lax.round(
        x, jax.lax.RoundingMethod.AWAY_FROM_ZERO),
                  lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)),
    "sign": (jnp.sign, np.sign),
    "pow": (jnp.power, np.power, -10, 20),
    "atan2": (jnp.arctan2, np.arctan2, -10, 10),
    "fmod": (jax.lax.rem, np.fmod, -100, 100),
}


def ulps(got, want):
  """Distances in units in the last place of f32 at `want`, an f64 array."""
  beyond = 2.0**128
  wide = np.clip(got.astype(np.float64), -beyond, beyond)
  want = np.clip(want, -beyond, beyond)
  _, exponent = np.frexp(np.minimum(np.abs(want), np.finfo(np.float32).max))
  error = np.ldexp(np.abs(wide - want), 24 - np.maximum(exponent, -125))
  error[np.isnan(wide) != np.isnan(want)] = np.inf
  error[np.isnan(wide) & np.isnan(want)] = 0
  error[np.abs(want) < TINY] = 0
  return error


def operand_blocks(stride, bounds):
  """Yields arrays of operands, one or two at a time."""
  if not bounds:
    for first in range(0, 1 << 32, stride * BLOCK):
      last = min(first + stride * BLOCK, 1 << 32)
      yield (np.arange(first, last, stride, dtype=np.uint64).astype(
          np.uint32).view(np.float32),)
    return
  rng = np.random.default_rng(1)
  for _ in range(max(1, (1 << 32) // stride // BLOCK)):
    operands = []
    for every in (2, 4):
      ordinary = rng.uniform(*bounds, BLOCK).astype(np.float32)
      bits = rng.integers(0, 1 << 32, BLOCK, dtype=np.uint32).view(np.float32)
      operands.append(np.where(np.arange(BLOCK) % every == 0, bits, ordinary))
    yield tuple(operands)


def measure(stride, ours, exact, *bounds):
  """Returns the largest error and its operands."""
  function = jax.jit(ours)
  worst, where = 0.0, ()
  for operands in operand_blocks(stride, bounds):
    with np.errstate(all="ignore"):
      got = np.asarray(function(*operands))
      error = ulps(got, exact(*(x.astype(np.float64) for x in operands)))
      for x in operands:
        error[(np.abs(x) < TINY) & (x != 0)] = 0
    at = int(np.argmax(error))
    if error[at] > worst:
      worst, where = float(error[at]), tuple(float(x[at]) for x in operands)
  return worst, where


def main():
  stride = int(sys.argv[1]) if len(sys.argv) > 1 else 61
  jax.config.update("jax_platforms", "cpu")
  print(f"jaxlib {jax.lib.__version__}, one f32 operand in {stride}; of two "
        f"operands {max(1, (1 << 32) // stride // BLOCK) * BLOCK} samples")
  for name, row in FUNCTIONS.workgroups():
    worst, where = measure(stride, *row)
    print(name, f"{worst:.2f}", *(f"{x:.9g}" for x in where), flush=True)


if __name__ == "__main__":
  main()
