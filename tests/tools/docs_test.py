"""Checks that the generated pages of docs/ are what the command prints."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness


def check(page):
  file = harness.SRC / "docs" / f"{page}.md"
  printed = harness.run("tessera", "docs", page)
  harness.equal(file.read_text(), printed,
                f"docs/{page}.md is old: tessera docs {page} > {file}")


def test_page():
  for page in ("ops", "passes"):
    yield page, check, page


if __name__ == "__main__":
  harness.main(globals())
