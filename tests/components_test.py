"""Tests the components of the CMake package (docs/packages.md): each is
installed alone, names what is missing, and `evaluator` needs no LLVM."""

import functools
import os
import pathlib
import re
import shutil
import subprocess

import harness

CLIENT = harness.SRC / "tests" / "package" / "evaluator"
# Each component that has a library or program, and a file of it.
FILES = {
    "compiler": "lib/libtessera.so",
    "evaluator": "lib/libtessera_evaluator.so",
    "command": "bin/tessera",
    "plugin": "lib/libpjrt_tessera.so",
    "python": "lib/python3/dist-packages/jax_plugins/tessera/__init__.py",
}


def run(*words, status=0, **options):
  done = subprocess.run(list(map(str, words)), text=True, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        **options)
  harness.equal(done.returncode, status, f"{words}\n{done.stdout}")
  return done.stdout


def cached(name):
  """A value of the build folder's CMake cache, or an empty text."""
  text = (harness.BUILD / "CMakeCache.txt").read_text()
  found = re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE)
  return found[1] if found else ""


@functools.cache
def prefix(*components):
  """A folder into which these components alone are installed."""
  folder = pathlib.Path("-".join(("prefix", *components))).resolve()
  shutil.rmtree(folder, ignore_errors=True)
  for component in components:
    run("cmake", "--install", harness.BUILD, "--prefix", folder,
        "--component", component)
  return folder


def configure(name, body, *components):
  """The output of CMake for a project with this body, where these components
  are installed, and whether it succeeded."""
  source = pathlib.Path(name).resolve()
  shutil.rmtree(source, ignore_errors=True)
  source.mkdir()
  (source / "CMakeLists.txt").write_text(
      "cmake_minimum_required(VERSION 3.25)\nproject(Client LANGUAGES CXX)\n"
      f"{body}\n")
  done = subprocess.run(
      ["cmake", "-S", str(source), "-B", str(source / "build"),
       f"-DTessera_ROOT={prefix(*components)}",
       f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}"],
      text=True, check=False, stdout=subprocess.PIPE,
      stderr=subprocess.STDOUT)
  # CMake breaks the lines of messages.
  return " ".join(done.stdout.split()), done.returncode == 0


def needed(library):
  """The libraries that a shared object or program needs."""
  return re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", library))


def test_each_component_alone():
  for component, file in FILES.items():
    files = {str(path.relative_to(prefix(component)))
             for path in prefix(component).rglob("*") if not path.is_dir()}
    assert file in files, (component, sorted(files)[:20])
    assert "lib/cmake/Tessera/TesseraConfig.cmake" in files, component
    for other, foreign in FILES.items():
      assert other == component or foreign not in files, (component, foreign)


def test_evaluator_needs_no_llvm():
  library = prefix("evaluator") / FILES["evaluator"]
  names = needed(library)
  assert not [name for name in names if re.search("LLVM|openblas|zstd", name)]
  assert not [name for name in names if name.startswith("libtessera")]
  # Nor is LLVM inside: namespace llvm, and its C API.
  symbols = run("nm", "--demangle", library)
  inside = [line for line in symbols.splitlines()
            if re.search(r" (llvm::|LLVM[A-Z])", line)]
  harness.equal(inside[:5], [])


def test_evaluator_has_its_headers_alone():
  include = prefix("evaluator") / "include" / "tessera" / "xla"
  for path in ("hlo/evaluator/hlo_evaluator.h", "program/program_bytes.h",
               "hlo/builder/xla_builder.h", "proto/xla_data.pb.h"):
    assert (include / path).exists(), path
  for path in ("backends", "client", "pjrt", "hlo/transforms", "tools"):
    assert not (include / path).exists(), path


def client(flags, *line):
  program = pathlib.Path("evaluate").resolve()
  program.unlink(missing_ok=True)
  run(cached("CMAKE_CXX_COMPILER"), "-std=c++20", *flags,
      CLIENT / "evaluate.cc", *line, "-o", program)
  return program


def check_client(program):
  folder = prefix("evaluator") / "lib"
  names = needed(program)
  assert "libtessera.so.0.1" not in names, names
  harness.equal(run("env", f"LD_LIBRARY_PATH={folder}", program).strip(),
                "all checks passed")


def sanitizer():
  return ([f"-fsanitize={cached('TESSERA_SANITIZE')}"]
          if cached("TESSERA_SANITIZE") else [])


def test_evaluator_client_by_cmake():
  build = pathlib.Path("evaluator-build").resolve()
  shutil.rmtree(build, ignore_errors=True)
  run("cmake", "-G", "Ninja", "-S", CLIENT, "-B", build,
      f"-DTessera_ROOT={prefix('evaluator')}",
      f"-DCMAKE_CXX_FLAGS={' '.join(sanitizer())}",
      f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}")
  run("cmake", "--build", build)
  check_client(build / "evaluate")


def test_evaluator_client_by_pkg_config():
  flags = run("pkg-config", "--cflags", "--libs", "tessera-evaluator",
              env=dict(os.environ, PKG_CONFIG_PATH=str(
                  prefix("evaluator") / "lib" / "pkgconfig"))).split()
  check_client(client(sanitizer(), *flags))


def test_unknown_component():
  output, ok = configure(
      "unknown", "find_package(Tessera CONFIG REQUIRED COMPONENTS gpu)",
      "evaluator")
  assert not ok
  assert ("Tessera has no component `gpu`: there are compiler, C, evaluator, "
          in output), output


def test_component_that_is_not_installed():
  output, ok = configure(
      "missing",
      "find_package(Tessera CONFIG REQUIRED COMPONENTS evaluator compiler)",
      "evaluator")
  assert not ok
  assert "The component `compiler` of Tessera" in output, output
  assert "is not installed: there is no" in output, output
  assert "--component compiler` installs it, or Debian's package" in output


def test_without_components_compiler_is_wanted():
  output, ok = configure("default", "find_package(Tessera CONFIG REQUIRED)",
                         "evaluator")
  assert not ok and "The component `compiler`" in output, output


def test_optional_component_may_be_missing():
  output, ok = configure(
      "optional",
      "find_package(Tessera CONFIG REQUIRED COMPONENTS command "
      "OPTIONAL_COMPONENTS plugin)\n"
      "message(STATUS \"plugin: ${Tessera_plugin_FOUND}\")\n"
      "get_target_property(path Tessera::command LOCATION)\n"
      "message(STATUS \"command: ${path}\")", "command")
  assert ok, output
  assert "plugin: FALSE" in output, output
  assert f"command: {prefix('command') / FILES['command']}" in output, output


def test_python_component():
  output, ok = configure(
      "python", "find_package(Tessera CONFIG REQUIRED COMPONENTS python)\n"
      "message(STATUS \"folder: ${Tessera_PYTHON_DIR}\")", "python")
  assert ok, output
  folder = prefix("python") / "lib" / "python3" / "dist-packages"
  assert f"folder: {folder}" in output, output
  [info] = folder.glob("jax_tessera-*.dist-info")
  assert (info / "entry_points.txt").read_text() == (
      "[jax_plugins]\ntessera = jax_plugins.tessera\n")


if __name__ == "__main__":
  harness.main(globals())
