#!/usr/bin/env python3
"""Times one call of a jitted scalar add, from Python to Python.

    jax_dispatch.py [--calls N] [--rounds N]

Calls alternate between Tessera and JAX's own cpu platform, so that a slow
moment of the machine affects both. Prints the median time of each and the
difference, with and without waiting for the result. Needs the plugin: the
installed wheel, or TESSERA_LIBRARY_PATH and python/ on PYTHONPATH.
"""

import argparse
import os
import statistics
import time

os.environ["JAX_PLATFORMS"] = "tessera,cpu"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import jax  # pylint: disable=wrong-import-position


def microseconds(function, x, calls):
  """Mean time of one of `calls` calls."""
  start = time.perf_counter_ns()
  for _ in range(calls):
    function(x)
  return (time.perf_counter_ns() - start) / calls / 1e3


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--calls", type=int, default=200, help="in one turn")
  parser.add_argument("--rounds", type=int, default=100)
  options = parser.parse_args()
  add = jax.jit(lambda v: v + 1)
  arguments = {name: jax.device_put(1.0, jax.devices(name)[0])
               for name in ("tessera", "cpu")}
  ways = {"result waited for": lambda v: add(v).block_until_ready(),
          "dispatch alone": add}
  for what, function in ways.items():
    times = {name: [] for name in arguments}
    for x in arguments.values():
      microseconds(function, x, options.calls)
    for _ in range(options.rounds):
      for name, x in arguments.items():
        times[name].append(microseconds(function, x, options.calls))
    medians = {name: statistics.median(t) for name, t in times.items()}
    difference = statistics.median(
        a - b for a, b in zip(times["tessera"], times["cpu"]))
    print(f"{what}: tessera {medians['tessera']:.2f} us, "
          f"cpu {medians['cpu']:.2f} us, difference {difference:+.2f} us")


if __name__ == "__main__":
  main()
