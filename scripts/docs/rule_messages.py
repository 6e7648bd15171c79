#!/usr/bin/env python3
"""Keeps the messages that C++ tests get for the rules which they break.

    rule_messages.py --bin build/bin

runs the tests that name a label, which record what their matcher BreaksRule saw
(tests/hlo/rule_matcher.h), and writes the messages that the error index shows
to rule_messages.txt. The site is built from that file, so that it needs no test
program; tests/docs compares the two.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import rules
from command import ROOT, Command

HEADING = """\
# The messages of the C++ examples of the error index, as the tests got them.
# python3 scripts/docs/rule_messages.py --bin build/bin writes this file.
"""
ESCAPE = re.compile(r"\\(?:([0-7]{3})|(.))")
ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def unescape(text):
  """The text that absl::CEscape made `text` of."""
  raw = ESCAPE.sub(lambda match: chr(int(match[1], 8)) if match[1]
                   else ESCAPED.get(match[2], match[2]), text)
  return raw.encode("latin-1").decode()


def escape(text):
  return text.replace("\\", "\\\\").replace("\n", "\\n")


def program(path):
  """The test program of a source below tests/."""
  folder = pathlib.Path(path).relative_to(ROOT / "tests").parent
  return "_".join(folder.parts) + "_test"


def recorded(bin_folder, tests):
  """Maps each pair of a label and the name of a test to the messages that the
  test got. Runs `tests`. Errors: FileNotFoundError without a test program,
  RuntimeError if one fails."""
  filters = {}
  for test in tests:
    filters.setdefault(program(test.path), set()).add(f"*.{test.name}")
  found = {}
  with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "messages"
    file.touch()
    for name, names in filters.items():
      done = subprocess.run(
          [str(pathlib.Path(bin_folder).resolve() / name),
           "--gtest_filter=" + ":".join(sorted(names))],
          cwd=folder, env=os.environ | {"TESSERA_RULE_MESSAGES": str(file)},
          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
          stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
      if done.returncode != 0:
        raise RuntimeError(f"{name}: {done.stdout}")
    for line in file.read_text().splitlines():
      label, test, message = line.split("\t")
      found.setdefault((label, test), []).append(unescape(message))
  return found


def messages(bin_folder, tests):
  """Maps the labels of `tests`, a map of labels to tests, to the first message
  that the test got. Errors: as `recorded`, and LookupError for a label without
  a message."""
  found, made = recorded(bin_folder, tests.values()), {}
  for label, test in tests.items():
    if (label, test.name) not in found:
      raise LookupError(f"{test.path}: {test.name} does not check "
                        f"BreaksRule(\"{label}\")")
    made[label] = found[label, test.name][0]
  return made


def text_of(made):
  return HEADING + "".join(f"{label}: {escape(message)}\n"
                           for label, message in made.items())


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--bin", default=str(ROOT / "build/bin"),
                      help="the folder with the command and the test programs")
  options = parser.parse_args()
  tests = rules.in_cpp(Command(options.bin))
  rules.MESSAGES.write_text(text_of(messages(options.bin, tests)))
  return 0


if __name__ == "__main__":
  sys.exit(main())
