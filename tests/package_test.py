"""Tests that a client builds as docs/cpp.md says: with find_package, installed
or in the build folder, with pkg-config, and with one line for the compiler."""

import functools
import os
import pathlib
import shutil
import subprocess

import harness

CLIENT = harness.SRC / "tests" / "package"
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


def build_client(where, package_dir):
  """Builds tests/package against a Tessera package and runs it."""
  shutil.rmtree(where, ignore_errors=True)
  command("cmake", "-G", "Ninja", "-S", CLIENT, "-B", where,
          f"-DTessera_DIR={package_dir}",
          f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}",
          f"-DCMAKE_CXX_FLAGS={' '.join(sanitizer())}")
  command("cmake", "--build", where)
  harness.equal(command(where / "client").strip(), "all checks passed")


@functools.cache
def installation():
  """Installs Tessera and returns the prefix."""
  prefix = pathlib.Path("prefix").resolve()
  shutil.rmtree(prefix, ignore_errors=True)
  command("cmake", "--install", BUILD, "--prefix", prefix)
  return prefix


def compile_client(name, word):
  """Builds the client with the line of docs/cpp.md that has this word, and runs
  it."""
  [line] = [line for line in (harness.SRC / "docs/cpp.md").read_text().split("\n")
            if line.startswith("g++ ") and word in line]
  compiler = " ".join([cached("CMAKE_CXX_COMPILER"), *sanitizer()])
  program = pathlib.Path(name).resolve()
  line = (line.replace("g++", compiler, 1)
          .replace("app.cc", str(CLIENT / "client.cc"))
          .replace("-o app", f"-o {program}"))
  libraries = installation() / "lib"
  command("env", f"PREFIX={installation()}",
          f"PKG_CONFIG_PATH={libraries / 'pkgconfig'}", "sh", "-c", line)
  harness.equal(command("env", f"LD_LIBRARY_PATH={libraries}",
                        program).strip(), "all checks passed")


def test_build_folder():
  build_client(pathlib.Path("client-build").resolve(), BUILD)


def test_installation():
  [config] = installation().rglob("TesseraConfig.cmake")
  build_client(pathlib.Path("client-installed").resolve(), config.parent)


def test_pkg_config():
  compile_client("client-pkg-config", "pkg-config")


def test_one_line():
  compile_client("client-line", "--copy-dt-needed-entries")


if __name__ == "__main__":
  harness.main(globals())
