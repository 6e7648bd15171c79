#!/usr/bin/env python3
"""Runs programs of libraries of the JAX ecosystem on tessera and on cpu.

    run.py                     all libraries
    run.py optax diffrax       some
    run.py --only '*/vmap*'    programs of some names

Each library runs in a process of its own; if a program ends the process, or
takes longer than the limit, only this program fails. Prints a table: the error
relative to the program's tolerance, and cpu's time divided by tessera's for the
first call (tracing, compiling, running once) and for later ones; above 1
tessera is faster. Ends in `N passed, N failed`.
"""

import argparse
import dataclasses
import json
import math
import pathlib
import queue
import sys
import tempfile
import time

# Last in the path: tests/jax is not the package jax.
sys.path.append(str(pathlib.Path(__file__).parents[1]))
import platforms
import worker_process

FOLDER = pathlib.Path(__file__).parent
START_SECONDS = 300


@dataclasses.dataclass
class Outcome:
  """The outcome of a program: a row of figures, the reason why it failed, or
  why it (or, without a name, its library) did not run."""
  name: str
  row: dict = dataclasses.field(default_factory=dict)
  failure: str = ""
  aside: str = ""


def run_worker(library, options, done):
  """Yields outcomes until the worker ends; the generator returns True if it
  completed."""
  with tempfile.NamedTemporaryFile("w", suffix=".txt") as skip:
    skip.write("\n".join(done))
    skip.flush()
    worker = worker_process.WorkerProcess(
        [sys.executable, str(FOLDER / "worker.py"), library,
         "--skip", skip.name, "--only", options.only,
         "--seconds", str(options.seconds)] + ["--quick"] * options.quick)
    running, text = None, []
    try:
      while True:
        try:
          line = worker.line(options.timeout if running else START_SECONDS)
        except queue.Empty:
          line, text = None, text + ["took too long"]
        word, _, rest = (line or "").partition(" ")
        if line is None:
          text = "\n".join(text)[-4000:]
          status = worker.close()
          yield Outcome(running or f"{library}/(import)",
                        failure=f"{text}\nthe process ended with {status}")
          return running is None
        if word == "@start":
          running, text = rest, []
        elif word == "@result":
          yield Outcome(running, row=json.loads(rest))
          running, text = None, []
        elif word == "@fail":
          yield Outcome(rest, failure="\n".join(text[-60:]))
          running, text = None, []
        elif word == "@aside":
          name, _, why = rest.partition(": ")
          yield Outcome(name, aside=why)
        elif word == "@absent":
          yield Outcome(f"{library}/(all)", aside=rest)
          return True
        elif word == "@done":
          return True
        else:
          text.append(line)
    finally:
      worker.close()


def outcomes(library, options):
  """Yields the outcomes of the library's programs as they finish."""
  return worker_process.run_all(
      lambda done: run_worker(library, options, done),
      lambda outcome: outcome.name)


def mean(rows, key):
  """The geometric mean of a ratio, as text; a dash if there is none."""
  values = [row[key] for row in rows if row.get(key)]
  if not values:
    return "-"
  return f"{math.exp(sum(map(math.log, values)) / len(values)):.2f}"


def show(outcome):
  """Prints a line of the table, with the text of a failure below it."""
  if outcome.failure:
    print(f"{outcome.name:44} FAILED\n  "
          + outcome.failure.strip().replace("\n", "\n  "), flush=True)
  elif outcome.aside:
    print(f"{outcome.name:44} not run: {outcome.aside}", flush=True)
  else:
    row = outcome.row
    steady = f"{row['steady']:8.2f}" if "steady" in row else f"{'-':>8}"
    print(f"{outcome.name:44} {row['error']:7.3f} {row['tolerance']:9.0e}"
          f" {row['first']:8.2f} {steady}", flush=True)


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("libraries", nargs="*", metavar="LIBRARY")
  parser.add_argument("--only", default="*", help="pattern of program names")
  parser.add_argument("--quick", action="store_true",
                      help="those that ./dev test runs")
  parser.add_argument("--seconds", type=float, default=0.5,
                      help="measuring time for a program; 0 for none")
  parser.add_argument("--timeout", type=float, default=600,
                      help="seconds that a program may take")
  parser.add_argument("--json", help="write all figures here")
  options = parser.parse_args()
  unknown = sorted(set(options.libraries) - set(platforms.LIBRARIES))
  if unknown:
    parser.error(f"no programs for {', '.join(unknown)}; there are "
                 + ", ".join(platforms.LIBRARIES))
  if platforms.missing():
    parser.error(platforms.missing())
  start = time.monotonic()
  print(f"{'program':44} {'error':>7} {'tolerance':>9} {'first x':>8} "
        f"{'steady x':>8}")
  found, rows = [], []
  for library in options.libraries or platforms.LIBRARIES:
    ours = []
    for outcome in outcomes(library, options):
      show(outcome)
      ours.append(outcome)
    found += ours
    good = [outcome.row for outcome in ours if outcome.row]
    rows += good
    print(f"-- {library}: {len(good)} of {len(ours)} right, first call "
          f"{mean(good, 'first')} x, steady {mean(good, 'steady')} x",
          flush=True)
  if options.json:
    pathlib.Path(options.json).write_text(
        json.dumps([dataclasses.asdict(outcome) for outcome in found],
                   indent=1))
  failed = [outcome for outcome in found if outcome.failure]
  aside = [outcome for outcome in found if outcome.aside]
  for outcome in failed:
    print(f"FAILED {outcome.name}")
  print(f"first call {mean(rows, 'first')} x, steady {mean(rows, 'steady')} x, "
        f"{time.monotonic() - start:.0f} s")
  print(f"{len(rows)} passed, {len(failed)} failed"
        + f", {len(aside)} not run" * bool(aside))
  return 0 if rows and not failed else 1


if __name__ == "__main__":
  sys.exit(main())
