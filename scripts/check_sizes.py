#!/usr/bin/env python3
"""Checks file and folder sizes, READMEs and opening comments.

Sources have at most 800 lines, headers 300, folders below xla/ 30 files and a
README; no folder is more than three below xla/, or four in a backend, which is
a compiler of its own. scripts/size_exemptions.txt
lists exceptions with their reasons, and may list no others.
"""

import sys

import tree

LIMITS = {".cc": 800, ".h": 300}
FILES_PER_FOLDER = 30
DEPTH = 3


def exemptions():
  """Paths that may be larger."""
  text = (tree.ROOT / "scripts" / "size_exemptions.txt").read_text()
  lines = [line for line in text.splitlines() if line and line[0] != "#"]
  return {line.partition(":")[0]: line.partition(":")[2].strip()
          for line in lines}


def file_problems(path, name):
  """(text if too large, text of another problem) of one source, or None for
  each."""
  lines = path.read_text().splitlines()
  limit = LIMITS[path.suffix]
  large = f"{name}: {len(lines)} lines, {limit} allowed"
  opening = None
  if not lines or not lines[0].startswith("//"):
    opening = f"{name}: does not open with a comment on what it does"
  return large if len(lines) > limit else None, opening


def folder_problems(folder, name):
  """(text if too many files, text of another problem) of one folder below
  xla/."""
  files = [path for path in folder.iterdir() if path.is_file()]
  if not files:
    return None, None
  many = f"{name}: {len(files)} files, {FILES_PER_FOLDER} allowed"
  other = None
  if not (folder / "README.md").exists():
    other = f"{name}: no README.md"
  elif name.count("/") > DEPTH + name.startswith("xla/backends/"):
    other = f"{name}: more than {DEPTH} folders below xla/"
  return many if len(files) > FILES_PER_FOLDER else None, other


def problems():
  """Returns one text per file or folder that exceeds a limit."""
  exempt = exemptions()
  used = set()
  found = []
  tops = ("xla", "tests", "benchmarks", "examples")
  paths = [(path, file_problems) for path in tree.sources(*tops)]
  paths += [(path, folder_problems)
            for path in sorted((tree.ROOT / "xla").rglob("*"))
            if path.is_dir()]
  for path, check in paths:
    name = str(path.relative_to(tree.ROOT))
    size, other = check(path, name)
    if size and exempt.get(name):
      used.add(name)
      size = None
    found += [text for text in (size, other) if text]
  found += [f"scripts/size_exemptions.txt: {name} needs no exemption"
            for name in exempt if name not in used]
  return found


if __name__ == "__main__":
  sys.exit(tree.report(problems()))
