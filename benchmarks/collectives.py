#!/usr/bin/env python3
"""Times collectives between the devices of one process, on Tessera and XLA:CPU.

    collectives.py --plugin libpjrt_tessera.so [--only REGEX] [--out FILE]
                   [--devices 2,4,8] [--sizes 1K,64K,1M,16M,64M]

Both run alternately in one process, on the same arguments, after a comparison
of their results. Prints a table, and writes it with an explanation to --out:
docs/performance-collectives.md is made in this way.
"""

import argparse
import os
import re
import statistics
import sys
import time

import compare

UNITS = {"K": 1 << 10, "M": 1 << 20}
# Collectives of at most so many bytes run LOOPED times in a call.
LOOPED_BYTES = 64 << 10
LOOPED = 64
AXIS = "devices"

PAGE = """# Performance of collectives

Made by `benchmarks/collectives.py --out docs/performance-collectives.md`; do
not edit.

This page compares collectives between devices of one process on Tessera and on
XLA:CPU (`--xla_force_host_platform_device_count`), which run alternately in one
process. The machine has {cpus} CPUs, which all devices share; XLA:CPU is that
of jaxlib {jaxlib}. A size is that of the operand on each device, in bytes of
f32 (of the result for an all-gather). Collectives of up to 64 KB run 64 times
in a loop within the program, so that the time is that of a collective; larger
ones run once in a call, with what JAX takes for it. Times are the least of all
runs. GB/s counts operands and results of all devices, each once. Ratios are
XLA's time divided by ours, of the least times and of the medians: above 1
Tessera is faster.

"""


def collectives(count):
  """{name: function of a shard}.

  Shards have shape [rows, columns], where `count` divides `rows`.
  """
  from jax import lax

  ring = [(i, (i + 1) % count) for i in range(count)]
  return {
      "all-reduce": lambda x: lax.psum(x, AXIS),
      "all-gather": lambda x: lax.all_gather(x[:x.shape[0] // count], AXIS,
                                             tiled=True),
      "reduce-scatter": lambda x: lax.psum_scatter(x, AXIS, tiled=True),
      "all-to-all": lambda x: lax.all_to_all(x, AXIS, 0, 0, tiled=True),
      "collective-permute": lambda x: lax.ppermute(x, AXIS, ring),
  }


def looped(function, count):
  """Applies `function` LOOPED times to a value of its operand's shape."""
  import jax
  import jax.numpy as jnp

  def body(_, x):
    result = function(x)
    if result.shape != x.shape:
      result = jnp.tile(result, (x.shape[0] // result.shape[0], 1))
    return result * (1.0 / count)

  return lambda x: jax.lax.fori_loop(0, LOOPED, body, x)


def compiled(function, devices, size_bytes):
  """(executable, its argument) of `function` on a shard of each device."""
  import jax
  import numpy as np
  from jax.sharding import Mesh, NamedSharding, PartitionSpec

  sharding = NamedSharding(Mesh(np.array(devices), (AXIS,)),
                           PartitionSpec(AXIS))
  count = len(devices)
  columns = size_bytes // 4 // count
  whole = np.random.default_rng(0).standard_normal(
      (count * count, columns), dtype=np.float32)
  mapped = jax.shard_map(function, mesh=sharding.mesh,
                         in_specs=sharding.spec, out_specs=sharding.spec,
                         check_vma=False)
  argument = jax.device_put(whole, sharding)
  jitted = jax.jit(mapped, out_shardings=sharding)
  return jitted.lower(argument).compile(), argument


def seconds(program):
  import jax

  executable, argument = program
  start = time.perf_counter()
  jax.block_until_ready(executable(argument))
  return time.perf_counter() - start


def measure(function, platforms, count, size_bytes, least_seconds):
  """([times of XLA], [times of Tessera]) of a collective, in seconds.

  Errors: AssertionError if results differ.
  """
  import numpy as np

  repeats = LOOPED if size_bytes <= LOOPED_BYTES else 1
  if repeats > 1:
    function = looped(function, count)
  programs = [compiled(function, devices[:count], size_bytes)
              for devices in platforms]
  expected, found = [np.asarray(run(x)) for run, x in programs]
  np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
  del expected, found
  times = [], []
  end = time.perf_counter() + least_seconds
  while time.perf_counter() < end or len(times[0]) < 5:
    for program, list_ in zip(programs, times):
      list_.append(seconds(program) / repeats)
  return times


def bytes_of(name, count, size_bytes):
  """The bytes of operands and results of all devices together."""
  parts = {"all-gather": (1 + count) / count,
           "reduce-scatter": (1 + count) / count}
  return count * size_bytes * parts.get(name, 2)


def parse_size(text):
  return int(text[:-1]) * UNITS[text[-1]]


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--plugin", required=True)
  parser.add_argument("--only", default="", metavar="REGEX")
  parser.add_argument("--devices", default="2,4,8")
  parser.add_argument("--sizes", default="1K,64K,1M,16M,64M")
  parser.add_argument("--seconds", type=float, default=1.0)
  parser.add_argument("--out", help="the page to write")
  options = parser.parse_args()
  counts = [int(count) for count in options.devices.split(",")]
  os.environ["XLA_FLAGS"] = (
      os.environ.get("XLA_FLAGS", "") +
      f" --xla_force_host_platform_device_count={max(counts)}")
  compare.start_jax(options.plugin)
  import jax

  platforms = jax.devices("cpu"), jax.devices("tessera")
  lines = ["| collective | devices | size | XLA:CPU | Tessera | GB/s | "
           "ratio of least | of medians |",
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
  print("\n".join(lines))
  for count in counts:
    for name, function in collectives(count).items():
      if not re.search(options.only, name):
        continue
      for size in options.sizes.split(","):
        size_bytes = parse_size(size)
        theirs, ours = measure(function, platforms, count, size_bytes,
                               options.seconds)
        rate = bytes_of(name, count, size_bytes) / min(ours) / 1e9
        lines.append(
            f"| {name} | {count} | {size} | {min(theirs) * 1e6:.1f} us | "
            f"{min(ours) * 1e6:.1f} us | {rate:.1f} | "
            f"{min(theirs) / min(ours):.2f} | "
            f"{statistics.median(theirs) / statistics.median(ours):.2f} |")
        print(lines[-1], flush=True)
  if options.out:
    with open(options.out, "w", encoding="utf-8") as file:
      file.write(PAGE.format(cpus=len(os.sched_getaffinity(0)),
                             jaxlib=jax.lib.__version__))
      file.write("\n".join(lines) + "\n")
  return 0


if __name__ == "__main__":
  sys.exit(main())
