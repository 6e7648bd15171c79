#!/usr/bin/env python3
"""The plugin as a file: its exports, C programs that call all functions, copies
of it in one process, pypjrt's conformance run, and jaxlib's own checks."""

import os
import pathlib
import shutil
import subprocess
import sys

import harness

BUILD = harness.BUILD
PLUGIN = BUILD / "lib" / "libpjrt_tessera.so"
LIBRARY = BUILD / "lib" / "libtessera.so"
# The upper limit of the stripped plugin's size, in bytes.
MAX_STRIPPED_BYTES = 45 << 20


def command(*words, **options):
  """Returns the output of a program that must succeed."""
  done = subprocess.run(list(map(str, words)), text=True, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        timeout=300, **options)
  if done.returncode:
    raise AssertionError(f"{' '.join(map(str, words))}: exit status "
                         f"{done.returncode}\n{done.stdout}")
  return done.stdout


def test_exports():
  if not shutil.which("nm"):
    raise harness.Skip("no nm here")
  symbols = command("nm", "-D", "--defined-only", PLUGIN).splitlines()
  harness.equal([line.split()[-1] for line in symbols], ["GetPjrtApi"])


def test_no_symbol_is_missing():
  """Loads the plugin with all symbols bound immediately."""
  command(sys.executable, "-c",
          f"import ctypes, os; ctypes.CDLL({str(PLUGIN)!r}, os.RTLD_NOW)")


def test_size():
  if not shutil.which("strip") or harness.sanitized():
    raise harness.Skip("no strip here, or a build with sanitizers")
  command("strip", "-o", "stripped.so", PLUGIN)
  size = os.path.getsize("stripped.so")
  harness.equal(size < MAX_STRIPPED_BYTES, True, f"{size} bytes")


def run_quiet(*arguments):
  """Like harness.run, but with output that does not look like cases of this
  test."""
  output = harness.run(*arguments)
  print(output.replace("PASS ", "passed ").replace("FAIL ", "failed "))


def test_wrong_calls():
  run_quiet("pjrt_wrong_calls_program", PLUGIN)


def test_right_calls():
  run_quiet("pjrt_right_calls_program", PLUGIN)


def test_copies():
  """Loads two copies of the plugin and libtessera.so, in each order."""
  copy = pathlib.Path("second_plugin.so").resolve()
  shutil.copy(PLUGIN, copy)
  run_quiet("pjrt_copies_program", PLUGIN, copy)
  for files in ((PLUGIN, LIBRARY, copy), (LIBRARY, PLUGIN, copy)):
    run_quiet("pjrt_copies_program", *files)


def test_conformance():
  """Runs pypjrt's conformance tests, none of which may fail."""
  harness.require("pypjrt")
  output = command(sys.executable, "-m", "pypjrt.conform", "-v", PLUGIN)
  print(output)
  harness.equal(" 0 FAIL" in output, True)


def test_beside_jaxlib():
  """Loads the plugin in a process with jaxlib's copies of protobuf and
  Abseil."""
  harness.require("jaxlib")
  env = dict(os.environ, JAX_PLATFORMS="tessera,cpu",
             PJRT_NAMES_AND_LIBRARY_PATHS=f"tessera:{PLUGIN}")
  output = command(
      sys.executable, "-c",
      "import jax, jax.numpy as jnp\n"
      "compiled = jax.jit(lambda x: x @ x.T + 1).lower(\n"
      "    jnp.ones((2, 3))).compile()\n"
      "assert 'HloModule' in compiled.as_text()\n"
      "assert compiled.cost_analysis()['flops'] > 0\n"
      "gelu = jax.jit(lambda x: jax.nn.gelu(x, approximate=False))\n"
      "gelu = gelu.lower(jnp.ones((2, 3))).compile()\n"
      "assert 'exponential' in gelu.as_text()\n"
      "assert compiled.memory_analysis().output_size_in_bytes == 16\n"
      "print(jax.devices()[0].platform,\n"
      "      float(compiled(jnp.ones((2, 3))).sum()))", env=env)
  harness.equal(output.splitlines()[-1], "tessera 16.0")


if __name__ == "__main__":
  harness.main(globals())
