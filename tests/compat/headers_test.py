"""Every header of compat/ is compiled: headers_test.cc includes it."""

import pathlib
import re

import harness


def test_every_header_is_included():
  source = harness.SRC / "tests" / "compat" / "headers_test.cc"
  included = set(re.findall(r'#include "([^"]+)"', source.read_text()))
  compat = harness.SRC / "compat"
  there = {str(path.relative_to(compat)) for path in compat.rglob("*.h")}
  harness.equal(sorted(there - included), [], "not in headers_test.cc")


def test_every_forward_leads_somewhere():
  missing = []
  compat = harness.SRC / "compat"
  for path in sorted(compat.rglob("*.h")):
    for name in re.findall(r'#include "(xla/[^"]+)"', path.read_text()):
      places = (harness.SRC / name, compat / name)
      if not name.endswith(".pb.h") and not any(p.exists() for p in places):
        missing.append(f"{path.relative_to(compat)}: {name}")
  harness.equal(missing, [])


def test_library_headers_have_their_older_path():
  path = pathlib.Path("xla", "hlo", "builder", "lib")
  folders = (harness.SRC / path, harness.SRC / "compat" / path)
  older = harness.SRC / "compat" / "xla" / "client" / "lib"
  harness.equal(sorted(p.name for p in older.glob("*.h")),
                sorted(p.name for f in folders for p in f.glob("*.h")))


if __name__ == "__main__":
  harness.main(globals())
