#!/usr/bin/env python3
"""Lists the public names of XLA's headers, for tests/compat/names/names.txt.

  pip install libclang
  scripts/api_names.py ROOT CLANG_RESOURCE_DIR HEADER...

ROOT is a folder of XLA's headers with those that they include, such as
`tensorflow/include` of TensorFlow's wheel; CLANG_RESOURCE_DIR is what
`clang -print-resource-dir` prints. The list has a line `xla/shape.h` for each
HEADER, and below it the names that the header declares for its users, without
the namespace xla: functions, classes and their public members, macros.
Constructors, destructors and operators are not listed: a program that uses
the class uses those.
"""

import pathlib
import re
import sys

import clang.cindex as index

Kind = index.CursorKind
CLASSES = (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE,
           Kind.ENUM_DECL)
MEMBERS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.FUNCTION_TEMPLATE,
           Kind.TYPEDEF_DECL, Kind.TYPE_ALIAS_DECL,
           Kind.TYPE_ALIAS_TEMPLATE_DECL, Kind.VAR_DECL, Kind.FIELD_DECL,
           Kind.ENUM_CONSTANT_DECL, Kind.USING_DECLARATION)
HIDDEN = (index.AccessSpecifier.PRIVATE, index.AccessSpecifier.PROTECTED)
OUTER = ("xla", "tsl", "std")
# Folders below a root of headers that have headers of their own.
INCLUDES = ("", "third_party", "include", "ml_dtypes", "external/highwayhash",
            "external/ml_dtypes", "external/farmhash_archive/src",
            "external/com_google_protobuf/src")


def qualified_name(cursor):
  parts = []
  while cursor is not None and cursor.kind != Kind.TRANSLATION_UNIT:
    outer = cursor.kind == Kind.NAMESPACE and cursor.spelling in OUTER
    if cursor.spelling and cursor.kind != Kind.LINKAGE_SPEC and not outer:
      parts.append(cursor.spelling)
    cursor = cursor.semantic_parent
  return re.sub(r"<.*", "", "::".join(reversed(parts)))


def is_listed(name):
  last = name.split("::")[-1]
  owner = name.split("::")[-2] if "::" in name else ""
  return (last and last != owner and not last.startswith(("operator", "~", "("))
          and not name.startswith("<"))


def collect(cursor, headers, found):
  """Adds pairs of header and name below `cursor` to `found`."""
  for child in cursor.get_children():
    if child.kind in (Kind.NAMESPACE, Kind.LINKAGE_SPEC):
      if "internal" not in child.spelling:
        collect(child, headers, found)
      continue
    place = child.location.file
    header = place and headers.get(pathlib.Path(place.name).resolve())
    if not header or child.access_specifier in HIDDEN:
      continue
    if child.kind in CLASSES:
      if child.is_definition():
        found.add((header, qualified_name(child)))
        collect(child, headers, found)
    elif child.kind in MEMBERS:
      found.add((header, qualified_name(child)))
    elif child.kind == Kind.MACRO_DEFINITION:
      if not child.spelling.endswith("_H_"):
        found.add((header, child.spelling))


def main():
  root, resources = pathlib.Path(sys.argv[1]), sys.argv[2]
  names = sys.argv[3:]
  headers = {(root / name).resolve(): name for name in names}
  arguments = ["-std=c++20", "-x", "c++", "-DNDEBUG", "-Wno-everything",
               "-resource-dir", resources]
  arguments += [f"-I{root / folder}" for folder in INCLUDES]
  text = "".join(f'#include "{name}"\n' for name in names)
  unit = index.Index.create().parse(
      "names.cc", arguments, [("names.cc", text)],
      index.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
  for diagnostic in unit.diagnostics:
    if diagnostic.severity >= index.Diagnostic.Error:
      print(diagnostic, file=sys.stderr)
  found = set()
  collect(unit.cursor, headers, found)
  for name in names:
    print(name)
    for _, declared in sorted(pair for pair in found if pair[0] == name):
      if is_listed(declared):
        print("  " + declared)


if __name__ == "__main__":
  main()
