#!/usr/bin/env python3
"""Runs random JAX functions natively and on a reference, and compares.

    jax_programs.py --count N --seed S [--against evaluator|cpu|sharded]
                    [--out DIR]

Functions have the seeds S to S + N - 1 (jax_functions.py). Each side is a
process of its own: platform tessera by default, and tessera's evaluator, JAX's
own cpu, or tessera with arguments that are divided over a random mesh. A failure, be it a wrong element, an error, a crash or a hang, is
printed with its seed; with --out the program is written to DIR/SEED.mlir and
its arguments to DIR/SEED.npz, which `tessera run` takes. The exit status is 1
if there were failures.
"""

import argparse
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent / "jax"))
import platforms

SECONDS = 120  # time limit of one function
# The allowed difference of two correct executions, relative to the greatest
# element, or to 1: derivatives of long programs enlarge roundings.
ALLOWED = {"float64": 1e-10, "float32": 1e-3}


def say(*words):
  print(*words, flush=True)


# The process that runs functions.


def set_environment(side):
  """Call before jax is imported. Options for JAX's cpu are not for tessera."""
  flags = os.environ.get("XLA_FLAGS")
  platforms.set_environment(devices=8 if side == "sharded" else 1)
  if side == "cpu":
    os.environ["JAX_PLATFORMS"] = "cpu"
    return
  os.environ.pop("XLA_FLAGS")
  if flags is not None:
    os.environ["XLA_FLAGS"] = flags
  os.environ["TESSERA_BACKEND"] = (
      "evaluator" if side == "evaluator" else "cpu")


def divide(arguments, seed):
  """Puts arguments on a mesh; an axis divides a dimension evenly, or none."""
  import random

  import jax
  import numpy as np
  from jax.sharding import Mesh, NamedSharding, PartitionSpec
  choices = random.Random(seed)
  sizes = choices.choice([(2,), (3,), (4,), (8,), (2, 2), (2, 3), (4, 2),
                          (2, 2, 2)])
  names = ("x", "y", "z")[:len(sizes)]
  devices = jax.devices(platforms.NAME)[:np.prod(sizes)]
  mesh = Mesh(np.array(devices).reshape(sizes), names)
  placed = []
  for array in arguments:
    axes = [[] for _ in array.shape]
    left = list(array.shape)
    for name, size in zip(names, sizes):
      d = choices.randrange(array.ndim) if array.ndim else None
      if d is not None and left[d] % size == 0:
        axes[d].append(name)
        left[d] //= size
    spec = PartitionSpec(*(tuple(a) or None for a in axes))
    placed.append(jax.device_put(array, NamedSharding(mesh, spec)))
  return placed


def work(side, first, last, out):
  """Prints `@start SEED`, then `@done SEED`; results go to OUT/SEED.npz."""
  set_environment(side)
  import jax
  import jax_functions
  import numpy as np
  device = jax.devices("cpu" if side == "cpu" else platforms.NAME)[0]
  for seed in range(first, last):
    say("@start", seed)
    with jax.default_device(device):
      function, arguments, _ = jax_functions.make(seed)
      if side == "sharded":
        arguments = divide(arguments, seed)
      results = jax.tree.leaves(jax.jit(function)(*arguments))
      arrays = [np.asarray(leaf) for leaf in results]
    np.savez(out / f"{seed}.npz", *arrays)
    jax.clear_caches()
    say("@done", seed)


def save(seed, out):
  """Saves the program and its arguments, for tools."""
  set_environment("native")
  import jax
  import jax_functions
  import numpy as np
  with jax.default_device(jax.devices(platforms.NAME)[0]):
    function, arguments, _ = jax_functions.make(seed)
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
  (out / f"{seed}.mlir").write_text(lowered.as_text())
  np.savez(out / f"{seed}.npz",
           **{f"arg{i}": np.asarray(x) for i, x in enumerate(arguments)})


# The process that compares.


class Side(threading.Thread):
  """Runs all seeds on one side; reports each through `ended`."""

  def __init__(self, name, seeds, out, ended):
    super().__init__(daemon=True)
    self.name, self.seeds, self.out, self.ended = name, seeds, out, ended

  def run(self):
    first = self.seeds.start
    while first < self.seeds.stop:
      first = self.run_from(first)

  def run_from(self, first):
    """Runs a process; returns the seed with which to continue after its end."""
    environment = dict(os.environ, PYTHONUNBUFFERED="1")
    process = subprocess.Popen(
        [sys.executable, __file__, "--worker", self.name, "--seed", str(first),
         "--count", str(self.seeds.stop - first), "--out", str(self.out)],
        text=True, errors="replace", stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env=environment)
    running, text = first, []
    late = threading.Timer(SECONDS, process.kill)
    late.start()
    for line in process.stdout:
      words = line.split()
      if words[:1] == ["@start"]:
        running, text = int(words[1]), []
        late.cancel()
        late = threading.Timer(SECONDS, process.kill)
        late.start()
      elif words[:1] == ["@done"]:
        self.ended.put((self.name, running, ""))
        running += 1
      else:
        text.append(line)
    late.cancel()
    status = process.wait()
    if running >= self.seeds.stop:
      return running
    why = "".join(text)[-2000:] + f"the process ended with status {status}"
    self.ended.put((self.name, running, why))
    return running + 1


def difference(got, want):
  """Compares two lists of arrays; returns (the difference or None, the greatest
  error relative to the allowed one)."""
  import numpy as np
  worst = 0.0
  for i, (x, y) in enumerate(zip(got, want, strict=True)):
    if x.shape != y.shape or x.dtype != y.dtype:
      return f"result {i}: {x.dtype}{x.shape}, not {y.dtype}{y.shape}", worst
    allowed = ALLOWED.get(y.dtype.name)
    if allowed is None:
      wrong = x != y
    else:
      finite = np.isfinite(y)
      if not np.array_equal(finite, np.isfinite(x)) or not np.array_equal(
          x[~finite], y[~finite], equal_nan=True):
        return f"result {i}: other infinities and NaNs", worst
      apart = np.abs(np.where(finite, x, 0) - np.where(finite, y, 0))
      size = np.max(np.abs(y), where=finite, initial=1)
      worst = max(worst, float(np.max(apart, initial=0)) / size / allowed)
      wrong = apart > allowed * size
    if np.any(wrong):
      first = np.unravel_index(np.argmax(wrong), wrong.shape)
      return (f"result {i}: {np.sum(wrong)} of {y.size} elements of "
              f"{y.dtype}{list(y.shape)} differ, {list(map(int, first))} is "
              f"{x[first]}, must be {y[first]}"), worst
  return None, worst


def compare(seeds, against, out=None):
  """Yields (seed, failure or None, error relative to the allowed one)."""
  import numpy as np
  with tempfile.TemporaryDirectory() as folder:
    ended = queue.Queue()
    sides = ["native", against]
    for side in sides:
      (pathlib.Path(folder) / side).mkdir()
      Side(side, seeds, pathlib.Path(folder) / side, ended).start()
    told = {}
    for _ in range(2 * len(seeds)):
      side, seed, failure = ended.get()
      told.setdefault(seed, {})[side] = failure
      if len(told[seed]) < 2:
        continue
      failures = [f"{side}: {text}" for side, text in told[seed].items()
                  if text]
      worst = 0.0
      paths = [pathlib.Path(folder) / side / f"{seed}.npz" for side in sides]
      if not failures:
        arrays = []
        for path in paths:
          with np.load(path) as file:
            arrays.append([file[name] for name in file.files])
        text, worst = difference(*arrays)
        failures = [f"differs: {text}"] if text else []
      for path in paths:
        path.unlink(missing_ok=True)
      if failures and out:
        subprocess.run([sys.executable, __file__, "--worker", "save", "--seed",
                        str(seed), "--out", str(out)], check=False,
                       stdout=subprocess.DEVNULL)
      yield seed, "\n".join(failures) or None, worst


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--count", type=int, default=20)
  parser.add_argument("--seed", type=int, default=1)
  parser.add_argument("--against", choices=["evaluator", "cpu", "sharded"],
                      default="evaluator")
  parser.add_argument("--out", type=pathlib.Path)
  parser.add_argument("--worker", help=argparse.SUPPRESS)
  options = parser.parse_args()
  last = options.seed + options.count
  if options.worker == "save":
    save(options.seed, options.out)
    return 0
  if options.worker:
    work(options.worker, options.seed, last, options.out)
    return 0
  why = platforms.missing()
  if why:
    print(f"cannot run: {why}")
    return 2
  if options.out:
    options.out.mkdir(parents=True, exist_ok=True)
  start, failed, greatest = time.monotonic(), 0, 0.0
  for seed, failure, worst in compare(range(options.seed, last),
                                      options.against, options.out):
    greatest = max(greatest, worst)
    if failure:
      failed += 1
      say(f"seed {seed} {failure}")
  say(f"{options.count} functions, {failed} failures, greatest error "
      f"{greatest:.2g} of what is allowed, {time.monotonic() - start:.0f} s")
  return 1 if failed else 0


if __name__ == "__main__":
  sys.exit(main())
