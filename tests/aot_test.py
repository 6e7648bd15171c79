"""Programs compiled ahead of time as users have them: the command, CMake, C
without a heap, Python without JAX."""

import os
import pathlib
import shutil
import subprocess
import sys

import harness

RUNTIME = harness.BUILD / "lib" / "libtessera_aot.a"
ADD = """HloModule add
ENTRY e {
  x = f32[4] parameter(0)
  c = f32[4] constant({1, 2, 3, 4})
  ROOT s = f32[4] add(x, c)
}
"""
# Native code, a product with an epilogue, chains that run side by side, a sort.
NET = """HloModule net
ENTRY e {
  x = f32[64,96] parameter(0)
  w = f32[96,128] parameter(1)
  xx = f32[64,96] sine(x)
  c = f32[64,96] cosine(x)
  d1 = f32[64,128] dot(xx, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d2 = f32[64,128] dot(c, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t1 = f32[64,128] tanh(d1)
  t2 = f32[64,128] tanh(d2)
  s = f32[64,128] sort(t2), dimensions={1}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT lt = pred[] compare(a, b), direction=LT
  }
  ROOT r = f32[64,128] add(t1, s)
}
"""
WITHOUT_JAX = """
import sys
import numpy as np
from tessera import aot
program = aot.load("exported", "model")
result = program({"x": np.arange(6, dtype=np.float32).reshape(2, 3)},
                 np.float32(2))
assert "jax" not in sys.modules
np.testing.assert_array_equal(result["twice"], [[0, 2, 4], [6, 8, 10]])
np.testing.assert_array_equal(result["sums"][0], [3, 12])
try:
  program({"x": np.zeros((3, 2), np.float32)}, np.float32(2))
except TypeError as error:
  assert "[2, 3]" in str(error), error
else:
  raise AssertionError("wrong shapes were taken")
"""


def needs_archive():
  if harness.sanitized() or not RUNTIME.exists():
    raise harness.Skip("this build has no libtessera_aot.a")


def python(code):
  env = dict(os.environ, PYTHONPATH=str(harness.SRC / "python"))
  done = subprocess.run([sys.executable, "-c", code], env=env, check=False,
                        text=True, capture_output=True)
  harness.equal(done.returncode, 0, done.stdout + done.stderr)
  return done.stdout


def error_of(*flags):
  """The message of `tessera compile` with flags that are wrong."""
  pathlib.Path("add.hlo").write_text(ADD)
  done = subprocess.run([harness.BIN / "tessera", "compile", *flags],
                        check=False, text=True, capture_output=True)
  harness.equal(done.returncode != 0, True, done.stdout)
  return done.stdout + done.stderr


def test_the_archive_exports_its_interface_alone():
  needs_archive()
  names = subprocess.run(["nm", "--defined-only", "--extern-only", RUNTIME],
                         check=True, text=True, capture_output=True).stdout
  symbols = [line.split()[-1] for line in names.splitlines() if " " in line]
  harness.equal([s for s in symbols if not s.startswith("tessera_aot_")], [])
  assert "tessera_aot_run" in symbols
  needed = subprocess.run(
      ["readelf", "-d", harness.BUILD / "lib" / "libtessera_aot.so"],
      check=True, text=True, capture_output=True).stdout
  libraries = [line.split("[")[1].rstrip("]") for line in needed.splitlines()
               if "(NEEDED)" in line]
  harness.equal([name for name in libraries if not name.startswith(
      ("libc.", "libm.", "ld-linux"))], [])


def test_digits_without_a_heap():
  """examples/aot, built with CMake in the build folder's package."""
  needs_archive()
  if not shutil.which("cmake"):
    raise harness.Skip("no cmake here")
  shutil.rmtree("digits", ignore_errors=True)
  for command in (
      ["cmake", "-S", harness.SRC / "examples" / "aot", "-B", "digits",
       "-G", "Ninja", f"-DTessera_DIR={harness.BUILD}"],
      ["cmake", "--build", "digits"]):
    done = subprocess.run(command, check=False, text=True,
                          capture_output=True)
    harness.equal(done.returncode, 0, done.stdout + done.stderr)
  output = subprocess.run(["digits/digits"], check=True, text=True,
                          capture_output=True).stdout
  assert "is a 9;" in output, output


def test_runs_allocate_nothing():
  """Neither do loads, with memory of the caller; on one thread and on three."""
  needs_archive()
  pathlib.Path("net.hlo").write_text(NET)
  harness.run("tessera", "compile", "net.hlo", "-o", "net.o", "--header=net.h",
              "--max-threads=3")
  done = subprocess.run(
      [os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-I.",
       f"-I{harness.SRC}/xla/backends/cpu/aot/runtime",
       harness.SRC / "tests" / "package" / "aot" / "no_heap_program.c",
       "net.o", RUNTIME, "-lm", "-lpthread", "-o", "no_heap"],
      check=False, text=True, capture_output=True)
  harness.equal(done.returncode, 0, done.stderr)
  output = subprocess.run(["./no_heap"], check=True, text=True,
                          capture_output=True).stdout
  harness.equal(output, "allocations: 0, 0; results are equal\n")


def test_jax_to_a_process_without_jax():
  needs_archive()
  jax = harness.require("jax")
  import jax.numpy as jnp
  import numpy as np
  sys.path.insert(0, str(harness.SRC / "python"))
  from tessera import aot

  def model(batch, factor):
    return {"twice": factor * batch["x"], "sums": (batch["x"].sum(axis=1),)}

  shutil.rmtree("exported", ignore_errors=True)
  x = np.arange(6, dtype=np.float32).reshape(2, 3)
  program = aot.compile(jax.jit(model), {"x": x}, jnp.float32(2),
                        directory="exported", name="model",
                        command=harness.BIN / "tessera")
  np.testing.assert_array_equal(
      program({"x": x}, np.float32(3))["twice"], 3 * x)
  # Another program in the same files.
  other = aot.compile(jnp.sin, x, directory="exported/other", name="model",
                      command=harness.BIN / "tessera")
  again = aot.compile(jnp.negative, x, directory="exported/other",
                      name="model", command=harness.BIN / "tessera")
  np.testing.assert_array_equal(again(x), -x)
  assert other(x)[0, 1] != again(x)[0, 1]
  python(WITHOUT_JAX)


def test_constants_are_mapped():
  needs_archive()
  harness.require("numpy")
  pathlib.Path("add.hlo").write_text(ADD)
  harness.run("tessera", "compile", "add.hlo", "--shared=add.so",
              "--constants=add.bin", "--isa=native")
  python("""
import numpy as np
from tessera import aot
program = aot.Program("add.so", constants="add.bin")
assert program(np.float32([1, 1, 1, 1])).tolist() == [2, 3, 4, 5]
try:
  aot.Program("add.so")
except RuntimeError as error:
  assert "constants in a file of their own" in str(error), error
else:
  raise AssertionError("loaded without constants")
""")


def test_wrong_usage():
  for flags, text in (
      (["add.hlo"], "say where the program goes"),
      (["add.hlo", "--header=a.h", "--shared=a.so"], "-o is missing"),
      (["none.hlo", "-o", "a.o"], "none.hlo"),
      (["add.hlo", "-o", "no/such/a.o"], "no/such/a.o"),
      (["add.hlo", "-o", "a.o", "--name=a-b"], "no C identifier"),
      (["add.hlo", "-o", "a.o", "--isa=z80"], "no processor is called 'z80'"),
      (["add.hlo", "-o", "a.o", "--isa=x86-64,armv8-a"], "one architecture"),
      (["add.hlo", "-o", "a.o", "--max-threads=0"], "--max-threads"),
      (["add.hlo", "--shared=a.so", "--runtime=none.a"], "cannot link"),
      (["add.hlo", "--shared=a.so", "--linker=false"], "cannot link")):
    message = error_of(*flags)
    assert text in message, (flags, message)


if __name__ == "__main__":
  harness.main(globals())
