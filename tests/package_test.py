"""Tests that a client finds Tessera with find_package, installed or in the
build folder."""

import os
import pathlib
import shutil
import subprocess

import harness

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


def build_client(where, package_dir):
  """Builds tests/package against a Tessera package and runs it."""
  shutil.rmtree(where, ignore_errors=True)
  flags = cached("TESSERA_SANITIZE") and "-fsanitize=" + cached(
      "TESSERA_SANITIZE")
  command("cmake", "-G", "Ninja", "-S", harness.SRC / "tests" / "package",
          "-B", where, f"-DTessera_DIR={package_dir}",
          f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}",
          f"-DCMAKE_CXX_FLAGS={flags}")
  command("cmake", "--build", where)
  harness.equal(command(where / "client").strip(), "all checks passed")


def test_build_folder():
  build_client(pathlib.Path("client-build").resolve(), BUILD)


def test_installation():
  prefix = pathlib.Path("prefix").resolve()
  shutil.rmtree(prefix, ignore_errors=True)
  command("cmake", "--install", BUILD, "--prefix", prefix)
  [config] = prefix.rglob("TesseraConfig.cmake")
  build_client(pathlib.Path("client-installed").resolve(), config.parent)


if __name__ == "__main__":
  harness.main(globals())
