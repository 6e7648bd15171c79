"""Programs compiled ahead of time as users have them: the command, CMake, C
without a heap, Python without JAX."""

import os
import pathlib
import platform
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
# Tables of a transform of prime length, and a constant that is packed.
WEIGHTS = ", ".join("{%s}" % ", ".join(str(i * j % 7 - 3) for j in range(96))
                    for i in range(256))
TABLES = """HloModule tables
ENTRY e {
  x = c128[2,97] parameter(0)
  a = f32[64,256] parameter(1)
  f = c128[2,97] fft(x), fft_type=FFT, fft_length={97}
  w = f32[256,96] constant({WEIGHTS})
  d = f32[64,96] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (c128[2,97], f32[64,96]) tuple(f, d)
}
""".replace("WEIGHTS", WEIGHTS)
# Prints how often loading with less and less memory fails, and the status.
LESS_MEMORY = """
#include <stdio.h>
#include <string.h>
#include "tables.h"
static _Alignas(64) char memory[TABLES_LOAD_BYTES];
int main(void) {
  tessera_aot_instance* instance;
  tessera_aot_options options;
  memset(&options, 0, sizeof(options));
  options.struct_size = sizeof(options);
  options.memory = memory;
  options.memory_bytes = sizeof(memory);
  if (tables_load(&options, &instance) != TESSERA_AOT_OK) return 1;
  const size_t needed = tessera_aot_load_bytes(instance);
  tessera_aot_unload(instance);
  for (size_t bytes = 1; bytes < needed; bytes += 61) {
    options.memory_bytes = bytes;
    if (tables_load(&options, &instance) != TESSERA_AOT_RESOURCE_EXHAUSTED) {
      printf("%zu of %zu bytes\\n", bytes, needed);
      return 1;
    }
  }
  puts("refused");
  return 0;
}
"""
# Keywords, types, macros and the program's own names.
NAMES = ["int", "decltype", "static_assert", "and_eq", "_Bool", "nullptr",
         "uint8_t", "int64_t", "NULL", "EOF", "linux", "INT64_MAX", "I",
         "typeof", "co_await", "requires", "arena", "instance", "arguments",
         "results", "result", "names", "names_run", "names_load",
         "names_program", "tessera_aot_status", "NAMES_ARENA_BYTES", "x.y-z",
         "x_y_z", "__x", "W", "W1"]
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


def python(code, **variables):
  env = dict(os.environ, PYTHONPATH=str(harness.SRC / "python"), **variables)
  done = subprocess.run([sys.executable, "-c", code], env=env, check=False,
                        text=True, capture_output=True)
  harness.equal(done.returncode, 0, done.stdout + done.stderr)
  return done.stdout


def compile_c(source, *flags):
  """Compiles C, or C++, with the generated headers of this folder."""
  compiler = (os.environ.get("CXX", "c++") if source.endswith(".cc") else
              os.environ.get("CC", "cc"))
  done = subprocess.run(
      [compiler, "-I.", f"-I{harness.SRC}/xla/backends/cpu/aot/runtime", source,
       *flags], check=False, text=True, capture_output=True)
  harness.equal((done.returncode, done.stderr), (0, ""))


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


def test_the_runtime_is_below_three_megabytes():
  needs_archive()
  library = harness.BUILD / "lib" / "libtessera_aot.so"
  out = subprocess.run(["size", library], check=True, text=True,
                       capture_output=True).stdout
  # Code with constants, and data; what a stripped library has.
  text, data = map(int, out.splitlines()[1].split()[:2])
  assert text + data < 3_000_000, out


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


def test_memory_for_loading():
  """What the header says suffices, and less is an error wherever it ends."""
  needs_archive()
  pathlib.Path("tables.hlo").write_text(TABLES)
  pathlib.Path("less_memory.c").write_text(LESS_MEMORY)
  harness.run("tessera", "compile", "tables.hlo", "-o", "tables.o",
              "--header=tables.h")
  compile_c("less_memory.c", "-std=c11", "tables.o", RUNTIME, "-lm",
            "-lpthread", "-o", "less_memory")
  done = subprocess.run(["./less_memory"], check=False, text=True,
                        capture_output=True)
  harness.equal((done.returncode, done.stdout), (0, "refused\n"))


def test_headers_compile_without_warnings():
  needs_archive()
  lines = [f"  {name} = f32[4] parameter({i})" for i, name in enumerate(NAMES)]
  pathlib.Path("names.hlo").write_text(
      "\n".join(["HloModule names", "ENTRY e {", *lines,
                 "  ROOT sum = f32[4] add(int, W)", "}", ""]))
  harness.run("tessera", "compile", "names.hlo", "-o", "names.o",
              "--header=names.h")
  header = pathlib.Path("names.h").read_text()
  for name in ("W", "W1", "int_", "NULL_", "x_y_z_2", "names_run_2"):
    assert f"const float* {name}," in header, (name, header)
  includes = ("#include <complex.h>\n#include <errno.h>\n#include <stdio.h>\n"
              "#include \"names.h\"\nint unused;\n")
  pathlib.Path("names.c").write_text(includes)
  pathlib.Path("names.cc").write_text(
      includes + "#include \"tessera_aot.hpp\"\n")
  flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "-o", "names_c.o"]
  for standard in ("c99", "c11", "gnu17"):
    compile_c("names.c", f"-std={standard}", *flags)
  for standard in ("c++17", "gnu++20"):
    compile_c("names.cc", f"-std={standard}", *flags)


def test_cmake_names_and_processors():
  """Programs whose files are no C identifiers, lists of processors, and
  compiling again when the command has changed."""
  needs_archive()
  if not shutil.which("cmake"):
    raise harness.Skip("no cmake here")
  folder = pathlib.Path("cmake_names").resolve()
  shutil.rmtree(folder, ignore_errors=True)
  folder.mkdir()
  (folder / "my-net.v2.hlo").write_text(ADD)
  (folder / "calls.cmake").write_text("""
function(add_custom_command)
  message(STATUS "command: ${ARGN}")
endfunction()
function(target_sources)
endfunction()
""")
  for name, isa in (("spaces", "SSE2 AVX2"), ("commas", "SSE2,AVX2"),
                    ("list", '"SSE2;AVX2"')):
    (folder / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.25)
project(names LANGUAGES NONE)
include(calls.cmake)
include({harness.SRC}/cmake/TesseraCompile.cmake)
add_library({name} INTERFACE)
add_library(Tessera::aot_runtime INTERFACE IMPORTED)
function(target_include_directories)
endfunction()
function(target_link_libraries)
endfunction()
tessera_compile(TARGET {name} PROGRAM my-net.v2.hlo ISA {isa})
""")
    done = subprocess.run(["cmake", "-S", folder, "-B", folder / name],
                          check=False, text=True, capture_output=True)
    harness.equal(done.returncode, 0, done.stdout + done.stderr)
    for text in ("--name;my_net_v2;--isa;SSE2,AVX2;",
                 "my-net.v2.hlo;Tessera::command;VERBATIM"):
      assert text in done.stdout, (text, done.stdout)


def test_programs_come_and_go():
  """Libraries that Python has loaded are unloaded; several may be there."""
  needs_archive()
  harness.require("numpy")
  pathlib.Path("add.hlo").write_text(ADD)
  harness.run("tessera", "compile", "add.hlo", "--shared=add.so",
              "--header=shared_add.h")
  assert "add_load(" in pathlib.Path("shared_add.h").read_text()
  python("""
import gc, tempfile
import numpy as np
from tessera import aot
x = np.float32([1, 1, 1, 1])
def libraries():
  with open("/proc/self/maps") as maps:
    names = {line.split(None, 5)[5] for line in maps if len(line.split()) > 5}
  return {name for name in names if ".so" in name}
before = libraries()
programs = [aot.Program("add.so") for _ in range(3)]
assert all(program(x).tolist() == [2, 3, 4, 5] for program in programs)
assert len(libraries() - before) == 3
del programs
gc.collect()
assert libraries() == before, libraries() - before
tempfile.tempdir = "no/such/folder"
assert aot.Program("add.so")(x).tolist() == [2, 3, 4, 5]
try:
  aot.Program("add.so", name="other")
except ValueError as error:
  assert "add.so has no program called 'other'" in str(error), error
else:
  raise AssertionError("loaded a program that is not there")
""")


def test_processors_are_chosen():
  """By the process's limit, which the error names."""
  needs_archive()
  if platform.machine() != "x86_64":
    raise harness.Skip("levels of x86-64")
  harness.require("numpy")
  pathlib.Path("add.hlo").write_text(ADD)
  harness.run("tessera", "compile", "add.hlo", "--shared=level.so",
              "--isa=AMX")
  harness.run("tessera", "compile", "add.hlo", "--shared=levels.so",
              "--isa=SSE2,AMX")
  message = python("""
from tessera import aot
aot.Program("levels.so")
try:
  aot.Program("level.so")
except RuntimeError as error:
  print(error)
""", XLA_FLAGS="--xla_cpu_max_isa=SSE2")
  harness.equal(message,
                "add needs AMX, which --xla_cpu_max_isa excludes\n")


def test_structures_are_compared():
  harness.require("numpy")
  python("""
import numpy as np
from tessera import aot
skeleton = ["tuple", [0, None, ["list", [1, 2]]]]
leaves = [None] * 3
aot._flatten((1, None, [2, 3]), skeleton, leaves)
assert leaves == [1, 2, 3], leaves
for tree, text in (((1, 5, [2, 3]), "expected None"),
                   ((1, None, np.zeros((2, 3))), "expected a list of 2"),
                   ((1, None), "expected 3 values")):
  try:
    aot._flatten(tree, skeleton, leaves)
  except TypeError as error:
    assert text in str(error), error
  else:
    raise AssertionError(text)
""")


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
                      name="model", isa="native",
                      command=harness.BIN / "tessera")
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
  pathlib.Path("bare.hlo").write_text(
      "HloModule none\nENTRY e {\n  ROOT x = f32[4] parameter(0)\n}\n")
  harness.run("tessera", "compile", "bare.hlo", "--shared=bare.so",
              "--constants=bare.bin")
  python("""
import numpy as np
from tessera import aot
x = np.float32([1, 2, 3, 4])
assert aot.Program("bare.so", constants="bare.bin")(x).tolist() == x.tolist()
""")


def test_wrong_usage():
  for flags, text in (
      (["add.hlo"], "say where the program goes"),
      (["add.hlo", "--header=a.h"], "say where the program goes"),
      (["add.hlo", "-o", "a.o", "--header=./a.o"], "are one file"),
      (["add.hlo", "-o", "float.o"], "a keyword of C or C++; --name"),
      (["add.hlo", "-o", "a.o", "--name=main"], "where a C program begins"),
      (["add.hlo", "-o", "tessera_aot_x.o"], "names of the runtime begin"),
      (["add.hlo", "-o", "my-net.o"], "--name gives it another name"),
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
  other = "x86-64" if platform.machine() == "aarch64" else "armv8-a"
  message = error_of("add.hlo", "--shared=a.so", f"--isa={other}")
  assert "needs --linker" in message, message


if __name__ == "__main__":
  harness.main(globals())
