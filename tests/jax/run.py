#!/usr/bin/env python3
"""Runs the programs by hand: prints a line for each that fails, then the count.

    run.py                        all, in two processes
    run.py 'linalg/*' 'fft/*'     those whose names match a pattern
    TESSERA_JAX_PLUGIN=other.so run.py

Prints `FAILED NAME` and why, `worst` with --worst, `N programs, F failed`.
"""

import argparse
import concurrent.futures
import fnmatch
import pathlib
import re
import sys

import platforms
import suite

FOLDER = pathlib.Path(__file__).parent
ENTRY = re.compile(r'suite\.main\("([\w,.]+)"(?:, devices=(\d+))?\)')


def groups():
  """(families, devices) of each test of this folder."""
  found = [ENTRY.search(path.read_text())
           for path in sorted(FOLDER.glob("*_test.py"))]
  return [(match[1], int(match[2] or 1)) for match in found if match]


def wanted(families, patterns):
  """True if a pattern may match programs of these families. Names begin with
  the name of a Family, which can be shorter than its module's."""
  return not patterns or any(
      family.startswith(pattern.split("/")[0].rstrip("*"))
      or pattern.split("/")[0] in family
      for pattern in patterns for family in families.split(","))


def run_group(families, devices, patterns):
  """[(name, failure or None, note)] of the programs that match."""
  only = patterns[0] if len(patterns) == 1 else "*"
  return [result for result in suite.results(families, only, devices)
          if not patterns or any(fnmatch.fnmatch(result[0], pattern)
                                 for pattern in patterns)]


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("patterns", nargs="*")
  parser.add_argument("--jobs", type=int, default=2)
  parser.add_argument("--worst", action="store_true",
                      help="the ten largest errors, of what is allowed")
  options = parser.parse_args()
  why = platforms.missing()
  if why:
    print(f"cannot run: {why}")
    return 2
  differs = suite.known_differences()
  results = []
  with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    futures = [pool.submit(run_group, families, devices, options.patterns)
               for families, devices in groups()
               if wanted(families, options.patterns)]
    for future in concurrent.futures.as_completed(futures):
      for name, failure, note in future.result():
        failure = suite.judge(name, failure, differs)
        results.append((name, failure, note))
        if failure is not None:
          print(f"FAILED {name}\n{failure}", flush=True)
  if options.worst:
    errors = [(float(note.split()[0]), name) for name, _, note in results
              if note]
    for error, name in sorted(errors, reverse=True)[:10]:
      print(f"{error:.3f} {name}")
  failed = sum(failure is not None for _, failure, _ in results)
  print(f"{len(results)} programs, {failed} failed")
  return 1 if failed or not results else 0


if __name__ == "__main__":
  sys.exit(main())
