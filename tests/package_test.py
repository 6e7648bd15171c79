"""Tests that clients in the styles of real ones build as docs/cpp.md says: with
find_package, installed or in the build folder, with pkg-config, and with one
line for the compiler; and a client in C as docs/c-api.md says."""

import concurrent.futures
import functools
import os
import pathlib
import shutil
import subprocess

import harness

CLIENTS = harness.SRC / "tests" / "package"
C_PROGRAM = harness.SRC / "examples" / "10_c_api.c"
SINGLE_FILES = sorted(CLIENTS.glob("*.cc"))
BUILD = pathlib.Path(os.environ.get("TESSERA_BUILD", harness.BIN.parent))


def command(*words):
  done = subprocess.run(list(map(str, words)), text=True, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
  if done.returncode:
    raise AssertionError(f"{' '.join(map(str, words))}\n{done.stdout}")
  return done.stdout


def cached(name):
  """Returns a value of the build folder's CMake cache."""
  for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
    if line.startswith(name + ":"):
      return line.partition("=")[2]
  return ""


def sanitizer():
  """Returns the compiler's flags of the build's sanitizers, if it has some."""
  sanitizers = cached("TESSERA_SANITIZE")
  return ["-fsanitize=" + sanitizers] if sanitizers else []


def check(program, libraries):
  """Runs a client, which finds libtessera.so in a folder."""
  harness.equal(command("env", f"LD_LIBRARY_PATH={libraries}",
                        program).strip(), "all checks passed")


def build_with_cmake(where, package_dir, *targets):
  """Builds clients, or all, against a Tessera package and returns their
  folder."""
  where = pathlib.Path(where).resolve()
  shutil.rmtree(where, ignore_errors=True)
  command("cmake", "-G", "Ninja", "-S", CLIENTS, "-B", where,
          f"-DTessera_DIR={package_dir}",
          f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}",
          f"-DCMAKE_C_FLAGS={' '.join(sanitizer())}",
          f"-DCMAKE_CXX_FLAGS={' '.join(sanitizer())}")
  command("cmake", "--build", where, "--target", *(targets or ["all"]))
  return where


@functools.cache
def installation():
  """Installs Tessera and returns the prefix."""
  prefix = pathlib.Path("prefix").resolve()
  shutil.rmtree(prefix, ignore_errors=True)
  command("cmake", "--install", BUILD, "--prefix", prefix)
  return prefix


def build_by_line(word, clients):
  """Builds clients with the line of docs/cpp.md that has this word, and runs
  them."""
  [line] = [line for line in (harness.SRC / "docs/cpp.md").read_text().split("\n")
            if line.startswith("g++ ") and word in line]
  compiler = " ".join([cached("CMAKE_CXX_COMPILER"), *sanitizer()])
  line = line.replace("g++", compiler, 1)
  libraries = installation() / "lib"

  def build(client):
    program = pathlib.Path(client.stem + "-by-line").resolve()
    own = line.replace("app.cc", str(client)).replace("-o app", f"-o {program}")
    command("env", f"PREFIX={installation()}",
            f"PKG_CONFIG_PATH={libraries / 'pkgconfig'}", "sh", "-c", own)
    check(program, libraries)

  with concurrent.futures.ThreadPoolExecutor(2) as workers:
    list(workers.map(build, clients))


def test_build_folder():
  where = build_with_cmake("client-build", BUILD, "client")
  check(where / "client", BUILD / "lib")


def test_installation():
  [config] = installation().rglob("TesseraConfig.cmake")
  where = build_with_cmake("client-installed", config.parent)
  for client in [*SINGLE_FILES, "shim"]:
    check(where / pathlib.Path(client).stem, installation() / "lib")
  # The shim's library shows nothing of Tessera.
  symbols = command("nm", "-D", "--defined-only", where / "libxla_shim.so")
  harness.equal([line for line in symbols.splitlines()
                 if "3xla" in line or "4absl" in line], [])


# The lines get half of the clients each, since they take seconds to compile.
def test_pkg_config():
  build_by_line("pkg-config", SINGLE_FILES[::2])


def test_one_line():
  build_by_line("--copy-dt-needed-entries", SINGLE_FILES[1::2])


def build_c_by_line(program):
  """Builds a program with the line of docs/c-api.md."""
  [line] = [line for line in (harness.SRC / "docs/c-api.md").read_text().split(
      "\n") if line.startswith("cc ")]
  compiler = " ".join([cached("CMAKE_C_COMPILER"), *sanitizer()])
  own = line.replace("cc", compiler, 1).replace("app.c", str(C_PROGRAM))
  path = installation() / "lib" / "pkgconfig"
  command("env", f"PKG_CONFIG_PATH={path}", "sh", "-c",
          own.replace("-o app", f"-o {program}"))


def check_c(program, libraries):
  harness.equal(command("env", f"LD_LIBRARY_PATH={libraries}",
                        program).strip(), "x * x + x = 2 6 12 20")


def test_c_by_pkg_config():
  program = pathlib.Path("c-by-line").resolve()
  build_c_by_line(program)
  check_c(program, installation() / "lib")


def test_c_with_cmake():
  """A project without C++, with the installation and with the build folder."""
  [config] = installation().rglob("TesseraConfig.cmake")
  for package_dir, libraries in ((config.parent, installation() / "lib"),
                                 (BUILD, BUILD / "lib")):
    where = pathlib.Path("c-client").resolve()
    shutil.rmtree(where, ignore_errors=True)
    command("cmake", "-G", "Ninja", "-S", CLIENTS / "c", "-B", where,
            f"-DTessera_DIR={package_dir}", f"-DC_PROGRAM={C_PROGRAM}",
            f"-DCMAKE_C_COMPILER={cached('CMAKE_C_COMPILER')}",
            f"-DCMAKE_C_FLAGS={' '.join(sanitizer())}")
    command("cmake", "--build", where)
    check_c(where / "client", libraries)


def test_c_header_is_where_compilers_look():
  """A prefix that is searched anyway needs no flags but the library's name."""
  program = pathlib.Path("c-by-path").resolve()
  command("env", f"C_INCLUDE_PATH={installation() / 'include'}",
          f"LIBRARY_PATH={installation() / 'lib'}", cached("CMAKE_C_COMPILER"),
          *sanitizer(), C_PROGRAM, "-o", program, "-ltessera_c")
  check_c(program, installation() / "lib")


if __name__ == "__main__":
  harness.main(globals())
