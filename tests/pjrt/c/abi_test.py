#!/usr/bin/env python3
"""Compares the layout of our PJRT headers with the recorded one.

abi_0_114.json holds the size and offsets of every struct and the value of every
enumerator (make_abi.py names the source), and abi_cross_host_transfers_5.json
those of an extension that is missing there, in version 5 as jaxlib calls it. A C program prints the facts of our
headers, compiled as C11 and as C++20.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess

import harness

HEADERS = sorted((harness.SRC / "xla" / "pjrt" / "c").rglob("pjrt_c_api*.h"))
FACTS = json.loads(
    pathlib.Path(__file__).with_name("abi_0_114.json").read_text())
_MORE = json.loads(pathlib.Path(__file__).with_name(
    "abi_cross_host_transfers_5.json").read_text())
for _kind in ("structs", "values"):
  FACTS[_kind] |= _MORE[_kind]


def program():
  """C text that prints `name value` for each fact."""
  lines = ["#include <stdio.h>"]
  lines += [f'#include "{header.relative_to(harness.SRC)}"'
            for header in HEADERS]
  lines += ["int main(void) {"]

  def show(name, text):
    lines.append(f'  printf("{name} %lld\\n", (long long)({text}));')

  for name, struct in FACTS["structs"].items():
    show(name, f"sizeof(struct {name})")
    for member in struct["members"]:
      show(f"{name}.{member}", f"offsetof(struct {name}, {member})")
  for name in FACTS["values"]:
    show(name, name)
  return "\n".join(lines + ["  return 0;", "}", ""])


def expected():
  """The facts as `name value` lines."""
  facts = {}
  for name, struct in FACTS["structs"].items():
    facts[name] = struct["size"]
    for member, offset in struct["members"].items():
      facts[f"{name}.{member}"] = offset
  return facts | FACTS["values"]


def compare(compiler, suffix, flags):
  """Compiles and runs the program, and compares its output."""
  command = os.environ.get(compiler) or shutil.which(
      {"CC": "cc", "CXX": "c++"}[compiler])
  if not command:
    raise harness.Skip(f"no {compiler} here")
  source = pathlib.Path(f"abi{suffix}").resolve()
  source.write_text(program())
  binary = source.with_suffix(suffix + ".out")
  subprocess.run([*command.split(), *flags, "-Wall", "-Wextra", "-Werror", "-I",
                  str(harness.SRC), str(source), "-o", str(binary)], check=True)
  output = subprocess.run([str(binary)], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
  got = {name: int(value)
         for name, value in (line.split() for line in output.splitlines())}
  want = expected()
  wrong = [f"{name}: {got[name]}, expected {want[name]}"
           for name in want if got[name] != want[name]]
  harness.equal(wrong, [])


def test_layout_c():
  compare("CC", ".c", ["-std=c11", "-Wpedantic"])


def test_layout_cpp():
  compare("CXX", ".cc", ["-std=c++20"])


def test_functions():
  """Tests that the table declares each function, in order."""
  text = (harness.SRC / "xla" / "pjrt" / "c" / "pjrt_c_api.h").read_text()
  table = text[text.index("typedef struct PJRT_Api {"):]
  harness.equal(re.findall(r"_PJRT_API_STRUCT_FIELD\(\s*(\w+)\s*\)", table),
                FACTS["functions"])


def test_complete():
  """Tests that every struct declared in the headers is compared."""
  declared = set()
  for header in HEADERS:
    declared |= set(re.findall(r"^(?:typedef )?struct (\w+) \{",
                               header.read_text(), re.MULTILINE))
  ours = {name for name in declared if name.startswith("Tessera_")}
  harness.equal(sorted(declared - ours - set(FACTS["structs"])), [])


if __name__ == "__main__":
  harness.main(globals())
