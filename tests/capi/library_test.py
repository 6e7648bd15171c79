"""libtessera_c.so as a file: its exports and their versions, its header in C and
C++, and the C programs that call every function."""

import re
import shutil
import subprocess

import harness

LIBRARY = harness.BUILD / "lib" / "libtessera_c.so"
INCLUDE = harness.SRC / "xla" / "capi" / "include"
HEADER = INCLUDE / "tessera" / "tessera.h"
MAP = harness.SRC / "cmake" / "libtessera_c.map"
TESTS = harness.SRC / "tests" / "capi"


def command(*words, **options):
  done = subprocess.run(list(map(str, words)), text=True, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        **options)
  if done.returncode:
    raise AssertionError(f"{' '.join(map(str, words))}\n{done.stdout}")
  return done.stdout


def require_program(name):
  if not shutil.which(name):
    raise harness.Skip(f"no {name} here")


def functions():
  """The names of the functions of the header."""
  text = re.sub(r"//.*|#define.*", "", HEADER.read_text())
  return re.findall(r"\b(tessera_\w+)\(", text)


def api_version():
  return ".".join(re.findall(r"#define TESSERA_API_M\w+ (\d+)",
                             HEADER.read_text()))


def test_exports_the_functions_of_the_header():
  require_program("nm")
  exported = {}
  for line in command("nm", "-D", "--defined-only", LIBRARY).splitlines():
    _, kind, name = line.split()
    if kind != "A":  # a version node
      name, node = name.split("@@")
      exported[name] = node
  harness.equal(sorted(exported), sorted(functions()))
  # No node is of a later version than the header's.
  for node in set(exported.values()):
    version = node.removeprefix("TESSERA_C_")
    assert (tuple(map(int, version.split("."))) <=
            tuple(map(int, api_version().split(".")))), node


def test_nodes_of_the_first_version_are_as_they_were():
  """Released nodes do not change: this one has 46 functions for ever."""
  node = re.search(r"TESSERA_C_1\.0 \{(.*?)\}", MAP.read_text(), re.S)[1]
  harness.equal(len(re.findall(r"tessera_\w+;", node)), 46)


def test_name_has_the_major_version_alone():
  require_program("readelf")
  text = command("readelf", "-d", LIBRARY)
  name = re.search(r"SONAME\).*\[(.+)\]", text)[1]
  harness.equal(name, "libtessera_c.so." + api_version().split(".")[0])


def test_functions_are_documented():
  """By a comment before them, or before the struct that they fill in; the head
  of the file says what destructors do."""
  text = HEADER.read_text()
  harness.equal([name for name in functions()
                 if not name.endswith("_destroy") and "//" not in
                 text[:re.search(rf"\b{name}\(", text).start()].rpartition("\n\n")[2]], [])


def test_functions_are_tested():
  calls = "".join(path.read_text() for path in TESTS.glob("*.c"))
  harness.equal([name for name in functions() if name + "(" not in calls],
                [])


def header_in(compiler, *flags, language):
  require_program(compiler)
  suffix = {"c": "c", "c++": "cc"}[language]
  with open(f"header.{suffix}", "w", encoding="utf-8") as source:
    source.write("#include <tessera/tessera.h>\n"
                 "#include <tessera/tessera.h>\n"
                 "int main(void) {\n"
                 "  tessera_compile_options options =\n"
                 "      TESSERA_INIT(tessera_compile_options);\n"
                 "  return options.struct_size != sizeof options;\n"
                 "}\n")
  command(compiler, "-x", language, *flags, "-Wall", "-Wextra", "-Wpedantic",
          "-Werror", "-fsyntax-only", f"-I{INCLUDE}", f"header.{suffix}")


def test_header():
  for compiler in ("gcc", "clang-19"):
    for standard in ("c99", "c11", "c17"):
      yield (f"{compiler}_{standard}", header_in_c, compiler, standard)
  for compiler in ("g++", "clang++-19"):
    for standard in ("c++11", "c++20"):
      yield (f"{compiler}_{standard}", header_in_cxx, compiler, standard)


def header_in_c(compiler, standard):
  header_in(compiler, f"-std={standard}", language="c")


def header_in_cxx(compiler, standard):
  header_in(compiler, f"-std={standard}", language="c++")


def test_includes_only_what_c_has():
  harness.equal(re.findall(r"#include (.+)", HEADER.read_text()),
                ["<stdbool.h>", "<stddef.h>", "<stdint.h>"])


def test_life():
  print(harness.run("capi_life_program"))


def test_errors():
  print(harness.run("capi_errors_program"))


def test_threads():
  print(harness.run("capi_threads_program"))


def test_versions():
  print(harness.run("capi_versions_program"))


if __name__ == "__main__":
  harness.main(globals())
