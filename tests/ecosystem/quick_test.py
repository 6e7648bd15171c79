"""The quickest programs of tests/ecosystem, of libraries that .venv has; all
others are ./dev ecosystem's."""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness
import platforms
import run

# Pure Python on NumPy and SciPy: installed in seconds. Flax brings orbax and
# tensorstore, the others more; they stay in .venv-ecosystem.
LIBRARIES = ("optax", "equinox", "lineax", "optimistix", "diffrax",
             "diffrax_adjoints")
OPTIONS = argparse.Namespace(only="*", quick=True, seconds=0.0, timeout=180.0)


def judge(outcome):
  """Raises what the outcome says, if it is not that the program was right."""
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
