#!/usr/bin/env python3
"""Checks that each rule label has a negative test, and the reverse.

A rule is a comment `// pad_c3: what holds` or an error that ends in `(pad_c3)`
below xla/hlo/. A test names it the same way: in a comment, in parentheses or
in quotes, in any file below tests/.
"""

import re
import sys

import tree

RULE = re.compile(r"// ([a-z][a-z0-9_]*_c\d+):|\(([a-z][a-z0-9_]*_c\d+)\)")
WORD = re.compile(r"\b[a-z][a-z0-9_]*_c\d+\b")
NAMED = re.compile(
    r"(?://|#) *([a-z][a-z0-9_]*_c\d+)\b|[(\"']([a-z][a-z0-9_]*_c\d+)[)\"']")
TEST_SUFFIXES = (".cc", ".h", ".hlo", ".py", ".txt")


def labels(pattern, paths):
  """Maps each label that `pattern` finds to the first place that has it."""
  found = {}
  for path in paths:
    text = path.read_text(errors="replace")
    if "_c" not in text:
      continue
    for match in pattern.finditer(text):
      label = next((group for group in match.groups() if group), match[0])
      if label not in found:
        line = text.count("\n", 0, match.start()) + 1
        found[label] = f"{path.relative_to(tree.ROOT)}:{line}"
  return found


def problems():
  """Returns one text per rule without a test and per test without a rule."""
  rules = labels(RULE, tree.sources("xla/hlo"))
  tests = list(tree.sources("tests", suffixes=TEST_SUFFIXES))
  mentioned = labels(WORD, tests)
  named = labels(NAMED, tests)
  for label, place in rules.items():
    if label not in mentioned:
      yield f"{place}: no test names rule {label}"
  for label, place in named.items():
    if label not in rules:
      yield f"{place}: no rule is called {label}"


if __name__ == "__main__":
  sys.exit(tree.report(list(problems())))
