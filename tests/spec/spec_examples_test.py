"""docs/spec-examples.md and the tests of worked examples name each other."""

import collections
import functools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

TESTS = harness.SRC / "tests"
Row = collections.namedtuple("Row", "section example tests")


def rows():
  """Returns the rows of all tables; tests as (path, name)."""
  page = (harness.SRC / "docs" / "spec-examples.md").read_text()
  for line in page.splitlines():
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if not line.startswith("| ") or cells[0] in ("Section", "---"):
      continue
    tests = []
    for part in cells[2].split(";"):
      path, names = re.fullmatch(r"`([^`]+)` (.+)", part.strip()).groups()
      tests += [(path, name) for name in names.split(", ")]
    yield Row(cells[0], cells[1], tests)


@functools.lru_cache(maxsize=None)
def op_cases(path):
  """Returns {name: section of its DOC line or None} of a file of tests/ops."""
  texts = re.split(r"^// -----.*\n", path.read_text(), flags=re.MULTILINE)
  cases = {}
  for number, text in enumerate(texts, 1):
    doc = re.search(r"^// DOC: (.+)$", text, flags=re.MULTILINE)
    cases[f"{path.stem}_{number}"] = doc and doc[1].strip()
  return cases


@functools.lru_cache(maxsize=None)
def google_tests(path):
  """Returns the names of the GoogleTest cases in a file."""
  found = re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", path.read_text(),
                     flags=re.MULTILINE)
  return {f"{suite}.{name}" for suite, name in found}


def check_row(row):
  if not row.tests:
    raise AssertionError("no test")
  for file, name in row.tests:
    path = TESTS / file
    if path.suffix == ".hlo":
      harness.equal(op_cases(path).get(name), row.section,
                    f"// DOC: of {name} in {file}")
    elif name not in google_tests(path):
      raise AssertionError(f"no test {name} in {file}")


def test_named_tests_exist():
  for number, row in enumerate(rows(), 1):
    yield f"{number} {row.section}: {row.example}", check_row, row


def test_documented_cases_are_named():
  named = {name for row in rows() for _, name in row.tests}
  missing = [name for path in sorted((TESTS / "ops").glob("*.hlo"))
             for name, section in op_cases(path).items()
             if section and name not in named]
  missing += [name for path in sorted((TESTS / "spec").glob("*_test.cc"))
              for name in sorted(google_tests(path)) if name not in named]
  harness.equal(missing, [], "not in docs/spec-examples.md")


if __name__ == "__main__":
  harness.main(globals())
