#!/usr/bin/env python3
"""Checks every #include below xla/ against xla/LAYERS."""

import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def problems():
  """One text per include that its folder's line does not allow."""
  allowed = tree.layers()
  xla = tree.ROOT / "xla"
  for path in tree.sources("xla"):
    place = path.relative_to(xla)
    folder = tree.folder_of(place, allowed)
    if folder is None:
      yield f"xla/{place}: no line of xla/LAYERS covers it"
      continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
      match = INCLUDE.match(line)
      if not match or not match[1].startswith("xla/"):
        continue
      name = match[1].removeprefix("xla/")
      where = f"xla/{place}:{number}"
      other = tree.folder_of(name, allowed)
      if other != "proto" and not (xla / name).exists():
        yield f"{where}: {match[1]} is not a file below xla/"
      elif other not in allowed[folder]:
        yield f"{where}: {folder} may not include {other} ({match[1]})"


if __name__ == "__main__":
  sys.exit(tree.report(list(problems())))
