"""Runs one program on two devices: measures the difference of its results, and
the times of its first call and of later ones."""

import math
import statistics
import time

import jax
import numpy as np

REPEATS = 500


def plain(leaf):
  """Converts a leaf of a result to a numpy array."""
  if isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(
      leaf.dtype, jax.dtypes.prng_key):
    leaf = jax.random.key_data(leaf)
  return np.asarray(leaf)


def is_array(leaf):
  """True if a leaf is compared; functions in a result, for example, are not."""
  return isinstance(leaf, (jax.Array, np.ndarray, np.generic, bool, int, float,
                           complex))


def leaf_error(got, want, program):
  """The greatest error of an array relative to its magnitude; infinite if
  values that must be equal are not."""
  if want.dtype.kind not in "fcV":
    return 0.0 if np.array_equal(got, want) else math.inf
  wide = np.complex128 if want.dtype.kind == "c" else np.float64
  got, want = got.astype(wide), want.astype(wide)
  special = ~np.isfinite(want)
  if not np.array_equal(got[special], want[special], equal_nan=True):
    return math.inf
  got, want = got[~special], want[~special]
  if not want.size:
    return 0.0
  if not np.all(np.isfinite(got)):
    return math.inf
  scale = max(float(np.max(np.abs(want))), program.unit)
  worst = float(np.max(np.abs(got - want)))
  return worst / scale if worst else 0.0


def compare(got, want, program):
  """Returns the worst error relative to the tolerance. Errors: AssertionError
  if the results have different forms, have nothing to compare, or differ."""
  got, want = (jax.tree_util.tree_flatten_with_path(side)[0]
               for side in (got, want))
  got, want = ([(jax.tree_util.keystr(path), leaf) for path, leaf in side
                if is_array(leaf)] for side in (got, want))
  if [path for path, _ in got] != [path for path, _ in want]:
    raise AssertionError("the results have different trees")
  if not want:
    raise AssertionError("the result holds no array")
  worst, informative = 0.0, False
  for (path, ours), (_, theirs) in zip(got, want):
    ours, theirs = plain(ours), plain(theirs)
    if (ours.shape, ours.dtype) != (theirs.shape, theirs.dtype):
      raise AssertionError(f"result{path}: {ours.dtype}{list(ours.shape)} "
                           f"where cpu has {theirs.dtype}{list(theirs.shape)}")
    error = leaf_error(ours, theirs, program)
    if error > program.tolerance:
      raise AssertionError(f"result{path} of {theirs.dtype}"
                           f"{list(theirs.shape)} differs by {error:.3g}, "
                           f"{program.tolerance:g} allowed\n"
                           f"  tessera {short(ours)}\n"
                           f"  cpu     {short(theirs)}")
    worst = max(worst, error / program.tolerance)
    informative |= bool(np.any(np.isfinite(theirs.astype(np.complex128))
                               if theirs.dtype.kind in "fcV" else True))
  if not informative:
    raise AssertionError("cpu's result is not finite: it shows nothing")
  return worst


def short(array):
  """The array's text, in a few lines."""
  return np.array2string(array, threshold=12, precision=6).replace(
      "\n", "\n          ")


class Side:
  """A program made for one device."""

  def __init__(self, program, device):
    self.program, self.device = program, device
    with jax.default_device(device):
      function, *self.arguments = program.make()
      jax.block_until_ready(self.arguments)
    self.function = jax.jit(function) if program.jit else function

  def __call__(self):
    """(result, seconds) of one call."""
    with jax.default_device(self.device):
      start = time.perf_counter()
      result = jax.block_until_ready(self.function(*self.arguments))
      return result, time.perf_counter() - start

  def first(self):
    """(result, seconds) of the first call: tracing, compilation, one run."""
    jax.clear_caches()
    result, seconds = self()
    if self.program.jit:
      for leaf in jax.tree.leaves(result):
        if isinstance(leaf, jax.Array) and leaf.devices() != {self.device}:
          raise AssertionError(
              f"a result on {leaf.devices()}, not on {self.device}")
    return jax.tree.map(
        lambda leaf: plain(leaf) if is_array(leaf) else leaf, result), seconds


def steady_ratio(ours, theirs, seconds):
  """The median over turns of cpu's time divided by tessera's."""
  ratios, end = [], time.perf_counter() + seconds
  while len(ratios) < 3 or (time.perf_counter() < end
                            and len(ratios) < REPEATS):
    ratios.append(theirs()[1] / ours()[1])
    if ratios and time.perf_counter() > end + 10:
      break
  return statistics.median(ratios)


def measure(program, devices, seconds, ours_first):
  """Returns a row of the table: the error relative to the tolerance, seconds of
  the first calls and, unless `seconds` is 0, the ratio of the later ones.
  Errors: AssertionError if results differ, and the program's exceptions."""
  order = devices if ours_first else devices[::-1]
  sides, results = {}, {}
  for device in order:
    # One side is made and called before the other, as in a process of its own.
    try:
      sides[device] = Side(program, device)
      results[device] = sides[device].first()
    except Exception as error:
      error.add_note(f"on {device}")
      raise
  (got, ours_first_s), (want, theirs_first_s) = (
      results[device] for device in devices)
  row = {"name": program.name, "tolerance": program.tolerance,
         "error": compare(got, want, program), "ours_first_s": ours_first_s,
         "theirs_first_s": theirs_first_s,
         "first": theirs_first_s / ours_first_s}
  if seconds:
    # The caches of the makers were cleared, so one call warms up.
    for device in devices:
      sides[device]()
    row["steady"] = steady_ratio(*(sides[d] for d in devices), seconds)
  return row
