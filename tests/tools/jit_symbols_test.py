"""TESSERA_JIT_SYMBOLS: kernels have names in perf's files and in gdb."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

# A kernel for itself, and one that a sort calls, through library code.
PROGRAM = """HloModule named
later {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  x = f32[] multiply(a, a)
  y = f32[] multiply(b, b)
  ROOT lt = pred[] compare(x, y), direction=LT
}
ENTRY e {
  x = f32[300,300]{1,0} parameter(0)
  e = f32[300,300]{1,0} exponential(x)
  ROOT sorted = f32[300,300]{1,0} sort(e), dimensions={1}, to_apply=later
}
"""


def program():
  path = pathlib.Path("named.hlo")
  path.write_text(PROGRAM)
  return path


def run(forms, status=0):
  """Runs the program; returns the number of its process and its errors."""
  process = subprocess.Popen(
      [harness.BIN / "tessera", "run", program(), "--quiet"],
      env=dict(os.environ, TESSERA_JIT_SYMBOLS=forms), text=True,
      stderr=subprocess.PIPE)
  errors = process.communicate(timeout=300)[1]
  harness.equal(process.returncode, status, errors)
  return process.pid, errors


def test_perf_map():
  pid, _ = run("perfmap")
  path = pathlib.Path(f"/tmp/perf-{pid}.map")
  lines = path.read_text().splitlines()
  path.unlink()
  names = {re.fullmatch(r"[0-9a-f]+ [0-9a-f]+ (.+)", line)[1]
           for line in lines}
  harness.equal({"named::e", "named::later"} <= names, True, str(names))


def test_jitdump():
  pid, _ = run("jitdump")
  path = pathlib.Path(f"/tmp/jit-{pid}.dump")
  dump = path.read_bytes()
  path.unlink()
  harness.equal(dump[:4], b"DTiJ")
  harness.equal(b"named::e\0" in dump, True)


def test_an_unknown_form_is_refused():
  _, errors = run("perfmap,all", status=1)
  harness.equal("there is no form all" in errors, True, errors)


def gdb(*commands):
  """What gdb prints for a run of the program that stops in its kernels."""
  if not shutil.which("gdb") or harness.sanitized():
    raise harness.Skip("no gdb here, or a build with sanitizers")
  words = [word for command in commands for word in ("-ex", command)]
  done = subprocess.run(
      ["gdb", "-nx", "-batch", "-ex", "set breakpoint pending on",
       "-ex", "set debuginfod enabled off", *words, "--args",
       harness.BIN / "tessera", "run", program(), "--quiet", "--threads=1"],
      env=dict(os.environ, TESSERA_JIT_SYMBOLS="gdb"), text=True,
      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
      check=False)
  if "ptrace" in done.stdout and "not permitted" in done.stdout:
    raise harness.Skip("gdb may not trace processes here")
  return done.stdout


def test_gdb_names_kernels_and_their_callers():
  output = gdb("break named::later", "run", "backtrace")
  harness.equal(bool(re.search(r"#0 .*named::later", output)), True, output)
  # The stack goes on below the kernel, through library code to main.
  harness.equal(bool(re.search(r"#\d+ .*RunDevices", output)), True, output)
  harness.equal(bool(re.search(r"#\d+ .* main ", output)), True, output)


if __name__ == "__main__":
  harness.main(globals())
