"""Every public name of XLA's headers of ring 1 is used by a program.

names/names.txt, which scripts/api_names.py made from XLA's own headers, has the
names of each header. For each header there is a program in names/ that includes
it and uses its names; a name that Tessera leaves out on purpose stands in
docs/api.md, with the reason.
"""

import collections
import re

import harness

NAMES = harness.SRC / "tests" / "compat" / "names"


def listed_names():
  """Maps each header to its names."""
  names, header = collections.OrderedDict(), None
  for line in (NAMES / "names.txt").read_text().splitlines():
    if line.startswith("  "):
      names[header].append(line.strip())
    else:
      header = line
      names[header] = []
  return names


def left_out():
  """Returns the names of docs/api.md's table; `X::*` stands for all below X."""
  text = (harness.SRC / "docs" / "api.md").read_text()
  section = text.split("## What is left out on purpose")[1].split("\n## ")[0]
  names = [line.split("|")[1] for line in section.splitlines()
           if line.startswith("|")]
  return set(re.findall(r"`([^`]+)`", "".join(names)))


def is_left_out(name, excluded):
  parts = name.split("::")
  prefixes = {"::".join(parts[:i]) + "::*" for i in range(1, len(parts))}
  return name in excluded or bool(prefixes & excluded)


def words_by_header():
  """Maps each header to the words of the programs that include it."""
  words = collections.defaultdict(set)
  for path in sorted(NAMES.rglob("*_test.cc")):
    text = re.sub(r"//.*", "", path.read_text())
    for header in re.findall(r'#include "([^"]+)"', text):
      words[header] |= set(re.findall(r"\w+", text))
  return words


def test_programs_use_every_name():
  excluded, words = left_out(), words_by_header()
  unused = [
      f"{header}: {name}"
      for header, names in listed_names().items() for name in names
      if name.split("::")[-1] not in words[header]
      and not is_left_out(name, excluded)
  ]
  harness.equal(unused, [], "no program uses them")


def test_names_that_are_left_out_exist():
  names = {name for names in listed_names().values() for name in names}
  stale = [
      name for name in left_out()
      if name not in names and not (
          name.endswith("::*") and
          any(other.startswith(name[:-1]) for other in names))
  ]
  harness.equal(sorted(stale), [], "XLA has no such names")


if __name__ == "__main__":
  harness.main(globals())
