#!/usr/bin/env python3
"""Writes abi_0_114.json, the layout facts that abi_test.py compares with.

They come from the Python package pypjrt, whose authors extracted them from the
vendors' headers with libclang. Keeps only structs and enumerators that our
headers declare. Needs pypjrt; the test does not.
"""

import ctypes
import importlib
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]


def main():
  abi = importlib.import_module("pypjrt._abi.pjrt_0_114")
  headers = (ROOT / "xla/pjrt/c").rglob("pjrt_c_api*.h")
  text = "".join(path.read_text() for path in sorted(headers))
  words = set(re.findall(r"\w+", text))
  structs, values = {}, {}
  for name, value in vars(abi).items():
    if isinstance(value, int) and re.match("(PJRT|PLUGIN|JAX)_", name):
      if name in words or name.removesuffix("_STRUCT_SIZE") in structs:
        values[name] = value
    elif (isinstance(value, type) and issubclass(value, ctypes.Structure)
          and re.search(rf"\bstruct {name}\b", text)):
      # Members of anonymous unions are members of the struct.
      members = [field[0] for field in value._fields_
                 if not field[0].startswith("_")]
      structs[name] = {"size": ctypes.sizeof(value), "members": {
          member: getattr(value, member).offset for member in members}}
  for name in structs:
    size = getattr(abi, name + "_STRUCT_SIZE", None)
    # Sizes that the headers do not define for plain structs.
    if size is not None and (name + "_STRUCT_SIZE" in words
                             or f"STRUCT_TRAITS({name}," in text.replace(
                                 "(\n    ", "(")):
      values[name + "_STRUCT_SIZE"] = size
  path = pathlib.Path(__file__).with_name("abi_0_114.json")
  path.write_text(json.dumps(
      {"version": [abi.PJRT_API_MAJOR, abi.PJRT_API_MINOR],
       "functions": list(abi.FUNCTIONS), "structs": structs, "values": values},
      indent=1) + "\n")


if __name__ == "__main__":
  main()
