"""Runs the test functions of a Python test and prints a line for each.

    import harness

    def test_sum():
      harness.equal(1 + 1, 2)

    if __name__ == "__main__":
      harness.main(globals())

scripts/run_tests.py counts these lines: `PASS name`, `FAIL name` or `SKIP name:
reason`. A test with many cases reports each with `case`.
"""

import os
import pathlib
import subprocess
import sys
import traceback

SRC = pathlib.Path(
    os.environ.get("TESSERA_SRC", pathlib.Path(__file__).parents[1]))
BIN = pathlib.Path(os.environ.get("TESSERA_BIN", SRC / "build" / "bin"))
BUILD = pathlib.Path(os.environ.get("TESSERA_BUILD", BIN.parent))

_failed = False
_reported = False


class Skip(Exception):
  """Raised by a test that cannot run here; the text says why."""


def require(module):
  """Imports and returns `module`; raises Skip if it is missing."""
  try:
    return __import__(module)
  except ImportError as error:
    raise Skip(f"no {module} here ({error})") from None


def sanitized():
  """True if the build has sanitizers, so that Python cannot load its shared
  objects."""
  cache = BUILD / "CMakeCache.txt"
  return cache.exists() and any(
      line.startswith("TESSERA_SANITIZE:") and bool(line.partition("=")[2])
      for line in cache.read_text().splitlines())


def equal(got, want, what=""):
  """Fails unless got == want."""
  if got != want:
    raise AssertionError(f"{what}\n  got  {got!r}\n  want {want!r}")


def run(*command, status=0, **options):
  """Runs a program of the build folder; returns its standard output."""
  program = str(BIN / command[0])
  done = subprocess.run([program, *map(str, command[1:])], text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        timeout=options.pop("timeout", 300), check=False,
                        **options)
  if done.returncode != status:
    raise AssertionError(
        f"{' '.join(map(str, command))}: exit status {done.returncode}, "
        f"expected {status}\n{done.stdout}{done.stderr}")
  return done.stdout


def case(name, function, *arguments):
  """Runs function(*arguments) as the case `name` and prints its line."""
  global _failed, _reported
  _reported = True
  try:
    function(*arguments)
  except Skip as skip:
    print(f"SKIP {name}: {skip}", flush=True)
  except Exception:  # Any exception is a failure of the test.
    _failed = True
    traceback.print_exc(file=sys.stdout)
    print(f"FAIL {name}", flush=True)
  else:
    print(f"PASS {name}", flush=True)


def main(namespace):
  """Runs each function named test_* as a case. A generator function yields a
  tuple (name, function, arguments...) for each of several cases instead."""
  import inspect
  for name, function in list(namespace.items()):
    if not name.startswith("test_") or not callable(function):
      continue
    if inspect.isgeneratorfunction(function):
      for sub, *call in function():
        case(f"{name}/{sub}", *call)
    else:
      case(name, function)
  sys.exit(1 if _failed or not _reported else 0)
