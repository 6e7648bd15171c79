#!/usr/bin/env python3
"""Times JAX programs on Tessera and on XLA:CPU, alternately, in one process.

    compare.py --plugin libpjrt_tessera.so [--programs FILE]... [--only REGEX]
               [--before PLUGIN]

Both compile each program, its results are compared, and then both run
alternately, A B A B, so that a slow moment of the machine affects both. Ratios
are XLA's time divided by ours: above 1 Tessera is faster. A program that fails
gets a row that says so. `measure` returns the data of the page of results
(page.py).
"""

import argparse
import dataclasses
import importlib.util
import json
import math
import os
import pathlib
import re
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from progress_line import ProgressLine

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT_FILES = (HERE / "programs.py", HERE / "loops.py")
# Bounds of the pairs of runs that time a program.
MOST_PAIRS = 2000
LEAST_PAIRS = 5


@dataclasses.dataclass
class Program:
  """One line of a file's programs() or donating_programs()."""
  name: str
  function: object
  arguments: tuple
  tolerance: float
  donated: tuple = ()  # numbers of arguments that the program may overwrite


def load(path):
  """The programs of one file, as Program.

  A file may enable 64-bit types, until the next file is loaded.
  """
  import jax

  jax.config.update("jax_enable_x64", False)
  spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
  module = importlib.util.module_from_spec(spec)
  spec.loader.exec_module(module)
  found = [Program(*each) for each in module.programs()]
  if hasattr(module, "donating_programs"):
    found += [Program(*each) for each in module.donating_programs()]
  return found


def start_jax(plugin, before=None):
  """Returns devices (XLA's, ours), or those of two builds of Tessera.

  Call it before anything else imports jax. `before` is the plugin of an older
  build, which takes XLA's place.
  Errors: RuntimeError if a plugin is missing or JAX rejects it.
  """
  plugins = {"tessera": plugin} | ({"before": before} if before else {})
  for path in plugins.values():
    if not os.path.exists(path):
      raise RuntimeError(f"there is no plugin {path}: ./dev build makes it")
  os.environ["JAX_PLATFORMS"] = ",".join(["cpu", *plugins])
  os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "false"
  os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
  try:
    import jax
    from jax._src import xla_bridge
    from jax._src.interpreters import mlir
  except ImportError as error:
    raise RuntimeError(f"no jax here ({error}): ./dev setup installs it "
                       "into .venv") from None
  # Registers the plugin without the Python package, which lowers ops like cpu
  # if it can, for example to LAPACK calls: here the compiler must do the work.
  for name, path in plugins.items():
    xla_bridge.register_plugin(name, library_path=os.path.abspath(path),
                               options={"platform_name": name})
    mlir._platforms_with_donation.append(name)
  reference = "before" if before else "cpu"
  return jax.devices(reference)[0], jax.devices("tessera")[0]


class Compiled:
  """A program on one device, with its arguments there."""

  def __init__(self, program, device, compiles):
    """Compiles from scratch several times; `compile_s` is the best time in
    seconds."""
    import jax

    self.donated = program.donated
    self.arguments = jax.tree.map(lambda a: jax.device_put(a, device),
                                  program.arguments)
    self.compile_s = math.inf
    for _ in range(compiles):
      jax.clear_caches()
      jitted = jax.jit(program.function, donate_argnums=program.donated)
      lowered = jitted.trace(*self.arguments).lower()
      start = time.perf_counter()
      self.executable = lowered.compile()
      self.compile_s = min(self.compile_s, time.perf_counter() - start)
    # JAX refuses arrays of 4 bits that it made itself as arguments of what
    # XLA:CPU compiled ahead of the call.
    self.run_function = self.executable
    if any(leaf.dtype.name in ("int4", "uint4")
           for leaf in jax.tree.leaves(self.arguments)):
      self.run_function = jitted

  def fresh_arguments(self):
    """The arguments, with copies of those that a run overwrites."""
    import jax
    import jax.numpy as jnp

    arguments = list(self.arguments)
    for i in self.donated:
      arguments[i] = jax.tree.map(lambda a: jnp.array(a, copy=True),
                                  arguments[i])
    return jax.block_until_ready(arguments)

  def run(self):
    import jax
    return jax.block_until_ready(self.run_function(*self.fresh_arguments()))

  def seconds(self):
    """Time of one run, from the call until the results are ready."""
    import jax

    arguments = self.fresh_arguments() if self.donated else self.arguments
    start = time.perf_counter()
    jax.block_until_ready(self.run_function(*arguments))
    return time.perf_counter() - start

  def memory_bytes(self):
    """The memory of a run without its arguments, as the executable planned it;
    libraries may allocate more while they run."""
    stats = self.executable.memory_analysis()
    return (stats.output_size_in_bytes - stats.alias_size_in_bytes +
            stats.temp_size_in_bytes)

  def needed_bytes(self):
    """Size of arguments and results, each counted once: every such program
    moves at least these bytes."""
    stats = self.executable.memory_analysis()
    return (stats.argument_size_in_bytes + stats.output_size_in_bytes -
            stats.alias_size_in_bytes)

  def flops(self):
    costs = self.executable.cost_analysis() or {}
    return max(0.0, costs.get("flops", 0.0))

  def works_on_f64(self):
    import jax
    return any(str(a.dtype) in ("float64", "complex128")
               for a in jax.tree.leaves(self.arguments))


def check_equal(reference, ours, tolerance):
  """Errors: AssertionError if results differ by more, or in type or shape."""
  import jax
  import numpy as np

  pairs = list(zip(jax.tree.leaves(reference), jax.tree.leaves(ours),
                   strict=True))
  for i, (want, got) in enumerate(pairs):
    want, got = np.asarray(want), np.asarray(got)
    if want.dtype != got.dtype or want.shape != got.shape:
      raise AssertionError(f"result {i} is {got.dtype}{got.shape}, "
                           f"not {want.dtype}{want.shape}")
    want, got = want.astype(np.complex128), got.astype(np.complex128)
    if not np.allclose(want, got, rtol=tolerance, atol=tolerance,
                       equal_nan=True):
      raise AssertionError(
          f"result {i} differs by up to {np.nanmax(np.abs(want - got)):.3g}")


def check_close(reference, ours, tolerance):
  """Errors: AssertionError if leaves differ by more than `tolerance` times
  the largest element of the reference's, or in shape."""
  import jax
  import numpy as np

  def scaled(values, scales):
    return [np.asarray(value).astype(np.float32) / scale
            for value, scale in zip(values, scales, strict=True)]

  want, got = jax.tree.leaves(reference), jax.tree.leaves(ours)
  scales = []
  for each in want:
    largest = np.max(np.abs(np.asarray(each).astype(np.float32)), initial=0)
    scales.append(largest if 0 < largest < np.inf else 1)
  check_equal(scaled(want, scales), scaled(got, scales), tolerance)


def time_pairs(reference, ours, seconds, least=LEAST_PAIRS):
  """(XLA's times, our times) of alternating runs, for about `seconds`, but at
  least so many pairs."""
  pairs, end = [], time.perf_counter() + seconds
  while len(pairs) < least or (len(pairs) < MOST_PAIRS and
                                     time.perf_counter() < end):
    pairs.append((reference.seconds(), ours.seconds()))
  return tuple(zip(*pairs))


def measure_program(program, devices, seconds, compiles):
  """A row: a dict of plain numbers and texts, with only `error` if it
  failed."""
  row = {"name": program.name}
  try:
    reference, ours = (Compiled(program, device, compiles)
                       for device in devices)
    check_equal(reference.run(), ours.run(), program.tolerance)
    for each in (reference, ours):
      each.seconds()
    times = time_pairs(reference, ours, seconds)
    medians = [statistics.median(side) for side in times]
    # The ratio of pairs: a temporary slowdown of the machine affects both of a
    # pair.
    low, middle, high = statistics.quantiles([a / b for a, b in zip(*times)])
    return row | {
        "reference_s": medians[0], "ours_s": medians[1],
        "ratio": middle, "ratio_quartiles": [low, high],
        "pairs": len(times[0]),
        "reference_compile_s": reference.compile_s,
        "ours_compile_s": ours.compile_s,
        "compile_ratio": reference.compile_s / ours.compile_s,
        "reference_plan_bytes": reference.memory_bytes(),
        "ours_plan_bytes": ours.memory_bytes(),
        "flops": ours.flops(), "bytes": ours.needed_bytes(),
        "is_f64": ours.works_on_f64(),
    }
  except Exception as error:  # A program that fails does not end the others.
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return row | {"error": lines[0][:200]}


def selected(files, only):
  """(file's stem, Program) for all programs whose name matches `only`."""
  for path in files:
    for program in load(path):
      if re.search(only, program.name):
        yield pathlib.Path(path).stem, program


def geometric_mean(values):
  """The geometric mean of positive numbers; nan if there are none."""
  values = list(values)
  if not values:
    return math.nan
  return math.exp(statistics.fmean(math.log(value) for value in values))


def line(row):
  """One line of text for a row."""
  if "error" in row:
    return f"{row['name']:30} FAILED: {row['error'][:120]}"
  low, high = row["ratio_quartiles"]
  return (f"{row['name']:30} {row['reference_s'] * 1e6:10.1f} us "
          f"{row['ours_s'] * 1e6:10.1f} us {row['ratio']:6.2f} "
          f"({low:.2f} to {high:.2f})  compile "
          f"{row['reference_compile_s'] * 1e3:6.1f} ms "
          f"{row['ours_compile_s'] * 1e3:6.1f} ms {row['compile_ratio']:6.2f}")


def measure(devices, files=DEFAULT_FILES, only="", seconds=1.5, compiles=3,
            report=print):
  """Rows of all programs, each with its file's stem as `group`; calls `report`
  with a line for each as it finishes."""
  rows = []
  programs = list(selected(files, only))
  with ProgressLine(len(programs), "programs") as progress:
    for group, program in programs:
      failed = sum("error" in row for row in rows)
      progress.show(len(rows), failed, program.name)
      row = measure_program(program, devices, seconds, compiles)
      rows.append(row | {"group": group})
      progress.erase()
      report(line(row))
  return rows


def add_flags(parser):
  parser.add_argument("--plugin", help="libpjrt_tessera.so")
  parser.add_argument("--programs", action="append", metavar="FILE",
                      help="instead of programs.py and loops.py")
  parser.add_argument("--only", default="", metavar="REGEX",
                      help="programs whose name it matches")
  parser.add_argument("--seconds", type=float, default=1.5,
                      help="measuring time of each program")
  parser.add_argument("--compiles", type=int, default=3)


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  add_flags(parser)
  parser.add_argument("--json", help="write the rows to this file")
  parser.add_argument("--before", metavar="PLUGIN",
                      help="an older build of Tessera instead of XLA:CPU: what "
                      "has become of each program since")
  options = parser.parse_args()
  if not options.plugin:
    parser.error("--plugin is missing")
  try:
    devices = start_jax(options.plugin, options.before)
  except RuntimeError as error:
    print(f"compare.py: {error}", file=sys.stderr)
    return 2
  rows = measure(devices, options.programs or DEFAULT_FILES, options.only,
                 options.seconds, options.compiles,
                 lambda text: print(text, flush=True))
  if options.json:
    pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))
  good = [row for row in rows if "error" not in row]
  print(f"run {geometric_mean(r['ratio'] for r in good):.2f}x, "
        f"compile {geometric_mean(r['compile_ratio'] for r in good):.2f}x, "
        f"{len(good)} programs, {len(rows) - len(good)} failed")
  return 0 if good and len(good) == len(rows) else 1


if __name__ == "__main__":
  sys.exit(main())
