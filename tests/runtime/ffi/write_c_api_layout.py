"""Writes c_api_layout.inc: sizes, offsets and numbers of the XLA FFI C ABI.

Usage: python write_c_api_layout.py HEADER, where HEADER is jaxlib's
include/xla/ffi/api/c_api.h. Compiles a program that includes it and asks the
compiler; c_api_layout_test.cc compares the numbers with our own declaration.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
STRUCT = re.compile(r"struct (XLA_FFI_\w+) \{(.*?)\n\}", re.S)
MEMBER = re.compile(r"(\w+)(?:\)\([^;]*\))?;")
ENUM = re.compile(r"enum (?:\w+ )?\{(.*?)\}", re.S)
ENUMERATOR = re.compile(r"(XLA_FFI_\w+) =")
API_FIELD = re.compile(r"_XLA_FFI_API_STRUCT_FIELD\((\w+)\);")


def lines_of(header):
  """Returns C statements that each print one line of the data."""
  text = COMMENT.sub("", header)
  for struct, body in STRUCT.findall(text):
    yield f'printf("SIZE({struct}, %zu)\\n", sizeof({struct}));'
    for member in MEMBER.findall(API_FIELD.sub(r"\1;", body)):
      yield (f'printf("MEMBER({struct}, {member}, %zu, %zu)\\n", '
             f"offsetof({struct}, {member}), "
             f"sizeof((({struct}*)0)->{member}));")
  for body in ENUM.findall(text):
    for name in ENUMERATOR.findall(body):
      yield f'printf("NUMBER({name}, %lld)\\n", (long long){name});'
  for struct in re.findall(r"TRAITS\((\w+),", text):
    if struct != "sname":
      yield (f'printf("NUMBER({struct}_STRUCT_SIZE, %lld)\\n", '
             f"(long long){struct}_STRUCT_SIZE);")
  for name in ("XLA_FFI_API_MAJOR", "XLA_FFI_API_MINOR"):
    yield f'printf("NUMBER({name}, %lld)\\n", (long long){name});'


def main(path):
  header = pathlib.Path(path).read_text()
  with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder, "layout.cc")
    source.write_text(f'#include "{path}"\n#include <cstdio>\nint main() {{\n'
                      + "\n".join(lines_of(header)) + "\n}\n")
    program = pathlib.Path(folder, "layout")
    subprocess.run(["c++", "-w", "-Wno-invalid-offsetof", source, "-o",
                    program], check=True)
    data = subprocess.run([program], check=True, capture_output=True,
                          text=True).stdout
  out = pathlib.Path(__file__).with_name("c_api_layout.inc")
  out.write_text("// Of a published XLA FFI header, by write_c_api_layout.py.\n"
                 + data)


if __name__ == "__main__":
  main(sys.argv[1])
