"""Tests the LAPACK that the wheel carries (python/lapack.py): it has what the
plugin calls and no more, and its results are right for each kind of processor
that this one can be."""

import functools
import os
import pathlib
import platform
import shutil
import subprocess
import sys

import harness
import tessera_jax as tj

sys.path.insert(0, str(tj.PACKAGE))

import lapack  # pylint: disable=wrong-import-position

# Kinds of OpenBLAS, and the flag in /proc/cpuinfo that says a processor can run
# the code that they have in the wheel.
KINDS = {"Opteron": "pni", "Prescott": "pni", "Barcelona": "pni",
         "Bobcat": "pni", "Core2": "pni", "Nehalem": "pni",
         "Sandybridge": "avx", "Bulldozer": "avx", "Haswell": "avx2",
         "Zen": "avx2", "Excavator": "avx2", "SkylakeX": "avx512vl"}
SOLVE = """
import ctypes, sys
import numpy as np
library = ctypes.CDLL(sys.argv[1])
n = 150
a = np.asfortranarray(np.cos(np.arange(n * n, dtype=np.float64)).reshape(n, n))
a += n * np.eye(n)
factors, pivots = a.copy(order="F"), np.zeros(n, np.int32)
integer = ctypes.c_int(n)
info = ctypes.c_int(-1)
pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)
library.dgetrf_(ctypes.byref(integer), ctypes.byref(integer), pointer(factors),
                ctypes.byref(integer), pointer(pivots), ctypes.byref(info))
assert info.value == 0, info
lower, upper = np.tril(factors, -1) + np.eye(n), np.triu(factors)
order = np.arange(n)
for row, pivot in enumerate(pivots - 1):
  order[[row, pivot]] = order[[pivot, row]]
error = abs(lower @ upper - a[order]).max()
assert error < 1e-10, error
# Concatenates a name of two characters in Fortran.
values, work = np.zeros(n), np.zeros(64 * n * n)
vectors = np.asfortranarray(a + a.T)
whole = vectors.copy()
kind, fill, size = (ctypes.c_char_p(b"V"), ctypes.c_char_p(b"L"),
                    ctypes.c_int(work.size))
integers = np.zeros(64 * n, np.int32)
count = ctypes.c_int(integers.size)
library.dsyevd_(kind, fill, ctypes.byref(integer), pointer(vectors),
                ctypes.byref(integer), pointer(values), pointer(work),
                ctypes.byref(size), pointer(integers), ctypes.byref(count),
                ctypes.byref(info), ctypes.c_size_t(1), ctypes.c_size_t(1))
assert info.value == 0, info
error = abs(whole @ vectors - vectors * values).max()
assert error < 1e-9, error
"""


def run(*command, **options):
  done = subprocess.run([str(part) for part in command], text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        check=False, **options)
  harness.equal(done.returncode, 0, f"{command}\n{done.stdout}")
  return done.stdout


def folders():
  return [pathlib.Path(f"/usr/lib/{platform.machine()}-linux-gnu")]


@functools.cache
def linked():
  machine = platform.machine()
  for tool in (f"{machine}-linux-gnu-gcc", "llvm-nm-19", "llvm-objcopy-19"):
    if not shutil.which(tool):
      raise harness.Skip(f"no {tool} here")
  if not lapack.archive(folders()):
    raise harness.Skip("no static OpenBLAS here")
  work = pathlib.Path("linked").resolve()
  shutil.rmtree(work, ignore_errors=True)
  work.mkdir()
  return lapack.link(pathlib.Path(tj.plugin()), machine, folders(),
                     pathlib.Path("/"), work, run) / lapack.NAME


def test_has_what_the_plugin_calls():
  library = lapack.archive(folders()).with_name(lapack.NAME)
  names = lapack.routines(tj.plugin(), library, run)
  assert "dgetrf_" in names and "strsm_" in names, names
  exported = run("llvm-nm-19", "-D", "--defined-only", linked())
  harness.equal(sorted(line.split()[2] for line in exported.splitlines()),
                names)


def test_needs_no_runtime_of_fortran():
  needed = run("llvm-readelf-19", "--needed-libs", linked())
  assert "gfortran" not in needed, needed
  assert linked().stat().st_size < 16 * 2**20


def check_kind(kind):
  environment = dict(os.environ)
  environment.pop("OPENBLAS_CORETYPE", None)
  if kind:
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    if KINDS[kind] not in flags.split():
      raise harness.Skip(f"the processor lacks {KINDS[kind]}")
    environment["OPENBLAS_CORETYPE"] = kind
  run(sys.executable, "-c", SOLVE, linked(), env=environment)


def test_results():
  harness.require("numpy")
  yield "own", check_kind, ""
  if platform.machine() == "x86_64":
    for kind in KINDS:
      yield kind, check_kind, kind


if __name__ == "__main__":
  harness.main(globals())
