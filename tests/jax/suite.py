"""Runs families of programs in a worker process and reports each program.

If a program ends the worker, or takes longer than the limit, only this program
fails: a new worker continues after it. differs.json lists the programs that
differ on purpose, and why; one that agrees after all fails until its line is
removed.
"""

import json
import os
import pathlib
import queue
import re
import sys
import tempfile

import older_jax
import platforms

FOLDER = pathlib.Path(__file__).parent
# Last in the path: tests/jax is not the package jax.
sys.path.append(str(FOLDER.parent))
import worker_process

DIFFERS = FOLDER / "differs.json"
HALF_CONVERSIONS = re.compile(r"Symbols not found: .*__(extendhfsf2|truncsfhf2)")
PRIMITIVES = FOLDER / "primitives.json"
LIMIT_SECONDS = float(os.environ.get("TESSERA_PROGRAM_SECONDS", "60"))
START_SECONDS = 120


def run_worker(families, done, only, devices, seen):
  """Yields (name, failure text or None, note) until the worker ends; the
  generator returns True if it completed. Adds the primitives that it lowers to
  `seen`."""
  with tempfile.NamedTemporaryFile("w", suffix=".txt") as skip:
    skip.write("\n".join(done))
    skip.flush()
    worker = worker_process.WorkerProcess(
        [sys.executable, str(FOLDER / "worker.py"), families,
         "--skip", skip.name, "--only", only, "--devices", str(devices)])
    running, text = None, []
    try:
      while True:
        try:
          line = worker.line(LIMIT_SECONDS if running else START_SECONDS)
        except queue.Empty:
          if not running:
            raise AssertionError("the worker did not start") from None
          yield running, f"took longer than {LIMIT_SECONDS:g} s", ""
          return False
        if line is None:
          how = f"the process ended with status {worker.process.wait()}"
          if running is None:
            raise AssertionError("\n".join(text)[-4000:] + "\n" + how)
          yield running, "\n".join(text)[-4000:] + "\n" + how, ""
          return False
        word, _, rest = line.partition(" ")
        if word == "@start":
          running, text = rest, []
        elif word == "@pass":
          name, _, note = rest.partition(" ")
          yield name, None, note
          running = None
        elif word == "@fail":
          yield rest, "\n".join(text), ""
          running, text = None, []
        elif word == "@primitives":
          seen.update(rest.split())
        elif word == "@done":
          return True
        else:
          text.append(line)
    finally:
      worker.close()


def results(families, only="*", devices=1, seen=None):
  """Yields (name, failure text or None, note) of each program as it
  finishes."""
  seen = set() if seen is None else seen
  return worker_process.run_all(
      lambda done: run_worker(families, done, only, devices, seen),
      lambda result: result[0])


def known_differences():
  """The reason of each program that is known to differ, by name."""
  return json.loads(DIFFERS.read_text())


def judge(name, failure, differs):
  """Returns the failure text, considering the known differences."""
  why = differs.get(name)
  if why is None:
    return failure
  if failure is None:
    return f"agrees with cpu; the list of differences says: {why}"
  return None


def raise_failure(failure):
  if failure is None:
    return
  import harness
  if failure.startswith("on cpu already:") and older_jax.is_older():
    raise harness.Skip("cpu cannot run it with this version of JAX")
  # XLA_FLAGS also limit the built-in platform, whose library lacks functions
  # for halves that processors without F16C need.
  if "on cpu already:" in failure and HALF_CONVERSIONS.search(failure):
    raise harness.Skip("cpu has no conversions of halves at this level")
  raise AssertionError(failure)


def check_primitives(families, seen):
  """Fails if no program contained a primitive that primitives.json lists for
  these families."""
  lists = json.loads(PRIMITIVES.read_text())
  import importlib.metadata
  if importlib.metadata.version("jax") != lists["jax"]:
    return  # Names change from version to version.
  missing = sorted(set(lists["families"].get(families, "").split()) - seen)
  if missing:
    raise AssertionError(f"in no program: {', '.join(missing)}")


def cases(families, devices=1):
  """Yields cases for the harness, one per program, and one for the
  primitives."""
  differs = known_differences()
  only = os.environ.get("TESSERA_CASE", "*")
  seen = set()
  for name, failure, _ in results(families, only, devices, seen):
    label = f"{name} (differs: {differs[name]})" if name in differs else name
    yield label, raise_failure, judge(name, failure, differs)
  if only == "*":
    yield "primitives", check_primitives, families, seen


def main(families, devices=1):
  """The body of each test of this folder."""
  import harness
  why = platforms.missing()
  if why:
    print(f"SKIP {families}: {why}")
    sys.exit(0)

  def programs():
    yield from cases(families, devices)

  harness.main({"test_jax": programs})
