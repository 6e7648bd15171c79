"""Decides whether the results of a program on two platforms agree."""

import jax
import numpy as np

import registry


def plain(leaf):
  """Converts a leaf of a result to an array; leaves text and the like
  unchanged."""
  if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(
      leaf.dtype, jax.dtypes.prng_key):
    leaf = jax.random.key_data(leaf)
  if isinstance(leaf, (jax.Array, np.ndarray, np.generic)):
    return np.asarray(leaf)
  return leaf


def real_error(got, want, strict, wide):
  """The greatest relative error of real numbers; infinite if only one of two is
  NaN or if an infinity differs."""
  got, want = got.astype(wide), want.astype(wide)
  if np.any(np.isnan(got) != np.isnan(want)):
    return np.inf
  finite = np.isfinite(want)
  if np.any(got[~finite & ~np.isnan(want)] != want[~finite & ~np.isnan(want)]):
    return np.inf
  got, want = got[finite], want[finite]
  if not np.all(np.isfinite(got)):
    return np.inf
  if not want.size:
    return 0.0
  scale = np.max(np.abs(want))
  size = np.abs(want) if strict else scale
  # If results are tiny compared with 1, errors of their arguments dominate.
  size = np.maximum(size, 1e-2 if strict else 1e-3 * min(1.0, scale))
  return float(np.max(np.abs(got - want) / np.maximum(size, 1e-30)))


def leaf_error(got, want, program):
  """(error, allowed) of two arrays of one shape and type."""
  name = registry.NAMES.get(want.dtype)
  tolerance = registry.TOLERANCES.get(name)
  if tolerance is None or program.exact:
    same = np.ascontiguousarray(got).view(np.uint8) == np.ascontiguousarray(
        want).view(np.uint8) if want.ndim else np.asarray(
            got.tobytes() == want.tobytes())
    return (0.0 if np.all(same) else np.inf), 0.0
  wide = np.float64
  if want.dtype.kind == "c":
    # An infinity or NaN in either part has more than one correct form.
    odd = [~np.isfinite(x.real) | ~np.isfinite(x.imag) for x in (got, want)]
    if np.any(odd[0] != odd[1]):
      return np.inf, tolerance
    got, want = got[~odd[0]], want[~odd[0]]
    if not want.size:
      return 0.0, tolerance
    size = np.abs(want) if program.strict else np.max(np.abs(want))
    size = np.maximum(size, 1e-2 if program.strict else 1e-30)
    return float(np.max(np.abs(got - want) / size)), tolerance
  return real_error(got, want, program.strict, wide), tolerance


def describe(got, want):
  """The first elements where two arrays differ."""
  with np.errstate(all="ignore"):
    differ = np.flatnonzero(~((got == want) | ((got != got) & (want != want))))
  lines = []
  for i in differ[:4]:
    at = [int(n) for n in np.unravel_index(i, want.shape)]
    lines.append(f"  at {at}: {got.reshape(-1)[i]!r}, "
                 f"cpu has {want.reshape(-1)[i]!r}")
  return "\n".join(lines)


def check(got, want, program):
  """Returns the worst error relative to the allowed one. Raises AssertionError
  if structure, types, shapes or values differ."""
  got, tree = jax.tree.flatten(got)
  want, other = jax.tree.flatten(want)
  if tree != other:
    raise AssertionError(f"result {tree}, cpu has {other}")
  worst = 0.0
  for i, (ours, theirs) in enumerate(zip(map(plain, got), map(plain, want))):
    if not isinstance(theirs, np.ndarray):
      if ours != theirs:
        raise AssertionError(f"result {i}: {ours!r}, cpu has {theirs!r}")
      continue
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
      raise AssertionError(f"result {i}: {ours.dtype}{list(ours.shape)}, "
                           f"cpu has {theirs.dtype}{list(theirs.shape)}")
    with np.errstate(all="ignore"):
      error, tolerance = leaf_error(ours, theirs, program)
    allowed = tolerance * program.tolerance
    if error > allowed:
      raise AssertionError(
          f"result {i}, {theirs.dtype}{list(theirs.shape)}: error {error:.3g}, "
          f"allowed {allowed:.3g}\n{describe(ours, theirs)}")
    if allowed:
      worst = max(worst, error / allowed)
  return worst
