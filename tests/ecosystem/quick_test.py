"""Runs the quickest programs of tests/ecosystem, for libraries in .venv; ./dev
ecosystem runs all others."""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness
import platforms
import run

# Pure Python libraries on NumPy and SciPy, which install in seconds. Flax
# depends on orbax and tensorstore, the others on more; they stay in
# .venv-ecosystem.
LIBRARIES = ("optax", "equinox", "lineax", "optimistix", "diffrax",
             "diffrax_adjoints")
OPTIONS = argparse.Namespace(only="*", quick=True, seconds=0.0, timeout=180.0)


def judge(outcome):
  """Raises the failure or the skip of the outcome, unless the program
  passed."""
  if outcome.aside:
    raise harness.Skip(outcome.aside)
  if outcome.failure:
    raise AssertionError(outcome.failure)


def main():
  if platforms.missing():
    print(f"SKIP ecosystem: {platforms.missing()}")
    return 0
  failed = False
  for library in LIBRARIES:
    for outcome in run.outcomes(library, OPTIONS):
      harness.case(outcome.name, judge, outcome)
      failed |= bool(outcome.failure)
  return 1 if failed else 0


if __name__ == "__main__":
  sys.exit(main())
