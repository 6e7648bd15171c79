"""Shared by the checks: the layers of xla/LAYERS and walks over the tree."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def layers(path=ROOT / "xla" / "LAYERS"):
  """Maps each folder to the set of folders that it may include, itself among
  them.

  Errors: ValueError for a line that names what no line above it defines.
  """
  allowed = {}
  for number, line in enumerate(path.read_text().splitlines(), 1):
    if not line.strip() or line[0] in "# ":
      continue
    folder, _, names = line.partition(":")
    names = names.split()
    closure = names[:1] == ["+"]
    reach = {folder}
    for name in names[closure:]:
      if name not in allowed:
        raise ValueError(f"{path}:{number}: {name} is not a line above")
      reach |= allowed[name] if closure else {name}
    allowed[folder] = reach
  return allowed


def rooms(path=ROOT / "xla" / "LAYERS"):
  """The includes that are allowed between folders of one layer.

  Maps each layer that has indented lines to a map from its folders, itself
  among them, to the sets of its folders that they may include, themselves
  among them.
  Errors: ValueError for a line that names what no line above it defines.
  """
  found = {}
  layer = None
  for number, line in enumerate(path.read_text().splitlines(), 1):
    if not line.strip() or line.startswith("#"):
      continue
    if not line.startswith(" "):
      layer = line.partition(":")[0]
      continue
    allowed = found.setdefault(layer, {})
    name, _, names = line.strip().partition(":")
    names = names.split()
    closure = names[:1] == ["+"]
    folder = layer if name == "." else f"{layer}/{name}"
    allowed[folder] = {folder}
    for other in names[closure:]:
      other = layer if other == "." else f"{layer}/{other}"
      if other not in allowed:
        raise ValueError(f"{path}:{number}: {other} is not a line above")
      allowed[folder] |= allowed[other] if closure else {other}
  for layer, allowed in found.items():
    allowed.setdefault(layer, {layer, *allowed})
  return found


def folder_of(path, folders):
  """The most specific of `folders` that holds `path` (under xla/), or None."""
  holding = [f for f in folders if str(path).startswith(f + "/")]
  return max(holding, key=len, default=None)


def sources(*tops, suffixes=(".h", ".cc")):
  """Files below the named folders of the tree, sorted."""
  for top in tops:
    for path in sorted((ROOT / top).rglob("*")):
      if path.suffix in suffixes and path.is_file():
        yield path


def report(problems):
  """Prints one problem a line; returns the exit status."""
  for problem in problems:
    print(problem)
  return 1 if problems else 0
