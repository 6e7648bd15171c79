#!/usr/bin/env python3
"""Times JAX programs on few and on many more threads than there are CPUs, and
compares the bytes of their results.

    thread_counts.py --command build-release/bin/tessera [--only REGEX]

Prints a line per program: the median time on 2 threads, then the other times
relative to it (2.00: twice as long), and whether all results had the same
bytes. The exit status is 1 if some had not.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import compare
import numpy as np

COUNTS = (2, 1, 3, 7, 16, 64)  # the first is the reference


def write(program, folder):
  """The program as StableHLO and its arguments, in files."""
  import jax

  lowered = jax.jit(program.function, keep_unused=True).lower(
      *program.arguments)
  text = folder / "program.mlir"
  text.write_text(lowered.as_text())
  inputs = folder / "inputs.npz"
  np.savez(inputs, **{f"arg{i}": np.asarray(leaf) for i, leaf in
                      enumerate(jax.tree.leaves(program.arguments))})
  return text, inputs


def run(command, *arguments):
  done = subprocess.run([command, *map(str, arguments)], text=True,
                        capture_output=True)
  if done.returncode:
    raise RuntimeError(done.stderr.strip()[-500:])
  return done.stdout


def measure(command, program, seconds):
  """({threads: seconds}, whether results are equal to the last bit)."""
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    text, inputs = write(program, folder)
    times, results = {}, []
    for threads in COUNTS:
      flags = (text, "--inputs", inputs, "--threads", threads)
      outputs = folder / "outputs.npz"
      run(command, "run", *flags, "--quiet", "--outputs", outputs)
      with np.load(outputs) as arrays:
        results.append({key: arrays[key].tobytes() for key in arrays})
      report = run(command, "bench", *flags, "--seconds", seconds, "--json")
      times[threads] = json.loads(report)["run"]["median"]
  return times, all(result == results[0] for result in results)


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--command", required=True, help="the tessera command")
  parser.add_argument("--programs", action="append", metavar="FILE",
                      help="instead of programs.py and loops.py")
  parser.add_argument("--only", default="", metavar="REGEX")
  parser.add_argument("--seconds", type=float, default=0.5)
  options = parser.parse_args()
  others = COUNTS[1:]
  print(f"{'program':28} {'2 threads':>10}"
        + "".join(f"{count:>7}" for count in others))
  worst, same = 0, True
  for _, program in compare.selected(options.programs or compare.DEFAULT_FILES,
                                     options.only):
    try:
      times, equal = measure(options.command, program, options.seconds)
    except (RuntimeError, subprocess.SubprocessError, TypeError) as error:
      print(f"{program.name:28} not run: {error}", flush=True)
      continue
    base = times[COUNTS[0]]
    ratios = [times[count] / base for count in others]
    # One thread may take twice as long: it uses half of the machine.
    worst = max([worst] + ratios[1:])
    same &= equal
    print(f"{program.name:28} {base * 1e6:8.1f}us"
          + "".join(f"{ratio:7.2f}" for ratio in ratios)
          + ("" if equal else "  RESULTS DIFFER"), flush=True)
  print(f"worst with more threads: {worst:.2f} times the time of 2")
  return 0 if same else 1


if __name__ == "__main__":
  sys.exit(main())
