"""Tests that clients in the styles of real ones build as docs/cpp.md says: with
find_package, installed or in the build folder, with pkg-config, and with one
line for the compiler."""

import concurrent.futures
import functools
import os
import pathlib
import shutil
import subprocess

import harness

CLIENTS = harness.SRC / "tests" / "package"
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


if __name__ == "__main__":
  harness.main(globals())
