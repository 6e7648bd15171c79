#!/usr/bin/env python3
"""Checks every #include below xla/ against xla/LAYERS."""

import re
import sys

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def room_problem(rooms, layer, place, name):
  """Describes what is wrong with an include within one layer; None if it is
  fine."""
  inside = rooms.get(layer)
  if inside is None:
    return None
  room, other = (tree.folder_of(path, inside) for path in (place, name))
  for path, folder in ((place, room), (name, other)):
    if str(path).rpartition("/")[0] != folder:
      return f"no line below {layer} in xla/LAYERS covers {path}"
  if other not in inside[room]:
    return f"{room} may not include {other} ({name})"
  return None


def problems():
  """Returns one text per include that its folder's line does not allow."""
  allowed = tree.layers()
  rooms = tree.rooms()
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
      elif other == folder:
        problem = room_problem(rooms, folder, place, name)
        if problem:
          yield f"{where}: {problem}"


if __name__ == "__main__":
  sys.exit(tree.report(list(problems())))
