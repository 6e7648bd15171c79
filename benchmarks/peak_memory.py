#!/usr/bin/env python3
"""Measures the memory of running JAX programs on Tessera and on XLA:CPU.

    peak_memory.py --plugin libpjrt_tessera.so [--programs FILE]... [--json FILE]

The measure is the growth of the process's resident memory during a run: results
and temporary memory, without arguments. Neither side may keep freed memory, and
malloc first returns the pages of earlier work, so each run shows everything
that it takes. Linux only.
"""

import argparse
import ctypes
import gc
import json
import os
import pathlib
import sys

import compare

RUNS = 3  # the least counts: noise only adds

# The plugin and malloc read these when the process starts.
SETTINGS = {"TESSERA_KEEP_BYTES": "0", "MALLOC_MMAP_THRESHOLD_": "65536",
            "MALLOC_TRIM_THRESHOLD_": "65536", "MALLOC_ARENA_MAX": "1"}


def status_bytes(name):
  """A size in bytes from /proc/self/status."""
  for text in pathlib.Path("/proc/self/status").read_text().splitlines():
    if text.startswith(name + ":"):
      return int(text.split()[1]) * 1024
  raise RuntimeError(f"/proc/self/status has no {name}")


def growth_bytes(compiled):
  """The peak growth of the process during a run, in bytes."""
  import jax

  give_back = getattr(ctypes.CDLL(None), "malloc_trim", lambda keep: None)
  least = None
  compiled.run()
  for _ in range(RUNS):
    arguments = compiled.fresh_arguments()
    gc.collect()
    give_back(0)
    # Resets the high-water mark to the current resident size.
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    before = status_bytes("VmRSS")
    results = jax.block_until_ready(compiled.executable(*arguments))
    growth = max(0, status_bytes("VmHWM") - before)
    del results, arguments
    least = growth if least is None else min(least, growth)
  return least


def measure(devices, files, only):
  """{name: [XLA's bytes, ours]}; programs that fail are left out."""
  found = {}
  for _, program in compare.selected(files, only):
    try:
      found[program.name] = [
          growth_bytes(compare.Compiled(program, device, compiles=1))
          for device in devices]
    except Exception as error:  # A program that fails does not end the others.
      print(f"{program.name}: {error}", file=sys.stderr)
  return found


def main():
  if any(os.environ.get(name) != value for name, value in SETTINGS.items()):
    os.execve(sys.executable, [sys.executable, *sys.argv],
              dict(os.environ, **SETTINGS))
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--plugin", required=True, help="libpjrt_tessera.so")
  parser.add_argument("--programs", action="append", metavar="FILE")
  parser.add_argument("--only", default="", metavar="REGEX")
  parser.add_argument("--json", help="write the bytes to this file")
  options = parser.parse_args()
  found = measure(compare.start_jax(options.plugin),
                  options.programs or compare.DEFAULT_FILES, options.only)
  for name, (reference, ours) in found.items():
    print(f"{name:30} {reference / 1e6:9.2f} MB {ours / 1e6:9.2f} MB")
  if options.json:
    pathlib.Path(options.json).write_text(json.dumps(found, indent=1))
  return 0 if found else 1


if __name__ == "__main__":
  sys.exit(main())
