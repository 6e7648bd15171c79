#!/usr/bin/env python3
"""docs/cost-model.md: predicted against measured times of kernels.

    costs.py [--build DIR] [--out FILE] [--only REGEX] [--times FILE]

Runs the kernels of cost_kernels.py on one thread each, through `tessera
bench`, and sets the times beside what the compiler's cost model predicts.
`--times` keeps measured times in a file of JSON: programs that it has are only
compiled, not timed again, which is what a change of the model needs.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

import cost_kernels

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 0.15  # of one kernel


def run_kernel(tessera, text, timed, threads=1):
  """The JSON of `tessera bench` of one program.

  Errors: RuntimeError with what the command says.
  """
  command = [tessera, "bench", "-", "--json", "--no-limits",
             f"--threads={threads}"]
  command += [f"--seconds={SECONDS}"] if timed else ["--repeat=1"]
  done = subprocess.run(command, input=text, capture_output=True, text=True)
  if done.returncode != 0:
    raise RuntimeError(f"{done.stderr.strip()}\n{text}")
  return json.loads(done.stdout)


def measure(tessera, kernels, times, log=sys.stderr):
  """Rows (group, name, predicted s, measured s); fills in `times`."""
  known = [f"{k.group}: {k.name}" in times for k in kernels]
  # One at a time where something is measured.
  workers = 1 if not all(known) else 2
  with concurrent.futures.ThreadPoolExecutor(workers) as pool:
    results = pool.map(lambda each: run_kernel(tessera, each[0].text,
                                               not each[1]),
                       zip(kernels, known))
    rows = []
    for kernel, is_known, result in zip(kernels, known, results):
      key = f"{kernel.group}: {kernel.name}"
      if not is_known:
        # What else the machine does only adds to a time.
        times[key] = result["run"]["lower_quartile"]
      rows.append((kernel.group, kernel.name,
                   result["predicted"] or math.nan, times[key]))
      print(f"{rows[-1][2] * 1e6:12.2f} {rows[-1][3] * 1e6:12.2f} "
            f"{rows[-1][2] / rows[-1][3]:6.2f}  {key}", file=log, flush=True)
  return rows


def error(row):
  return abs(row[2] - row[3]) / row[3]


def quantiles(errors):
  if len(errors) == 1:
    return errors * 3
  return statistics.quantiles(errors, method="inclusive")


def percent(value):
  return "unknown" if math.isnan(value) else f"{value:.0%}"


def time_text(seconds):
  if math.isnan(seconds):
    return "unknown"
  for unit, scale in (("ms", 1e-3), ("us", 1e-6)):
    if seconds >= scale:
      return f"{seconds / scale:.2f} {unit}"
  return f"{seconds / 1e-9:.0f} ns"


def page(rows, machine):
  groups = collections.defaultdict(list)
  for row in rows:
    groups[row[0]].append(row)
  lines = [
      "# The cost model against the clock", "",
      "`CpuCostModel` (`xla/backends/cpu/cost`) predicts the time of a program "
      "on one",
      "thread before it is compiled. `./dev bench costs` writes this page: it "
      f"runs {len(rows)}",
      "programs of one kernel each (`benchmarks/cost_kernels.py`) and sets the "
      "lower",
      "quartile of their times, arrays where the run before left them, beside "
      "the",
      "prediction. The error is |predicted - measured| / measured.", "",
      f"Machine: {machine}.", "",
      "| group | kernels | lower quartile | median | upper quartile | worst |",
      "| --- | --- | --- | --- | --- | --- |"]
  for name, part in list(groups.items()) + [("**all**", rows)]:
    errors = [error(row) for row in part]
    low, middle, high = quantiles(errors)
    lines.append(f"| {name} | {len(part)} | {percent(low)} | "
                 f"{percent(middle)} | {percent(high)} | "
                 f"{percent(max(errors))} |")
  for name, part in groups.items():
    lines += ["", f"## {name}", "",
              "| kernel | predicted | measured | error |",
              "| --- | --- | --- | --- |"]
    lines += [f"| {row[1]} | {time_text(row[2])} | {time_text(row[3])} | "
              f"{percent(error(row))} |" for row in part]
  return "\n".join(lines) + "\n"


def machine_name():
  for line in open("/proc/cpuinfo", encoding="utf-8"):
    if line.startswith(("model name", "CPU implementer")):
      return line.split(":", 1)[1].strip()
  return "unknown"


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument("--build", default=str(ROOT / "build-release"))
  parser.add_argument("--out", default=str(ROOT / "docs/cost-model.md"))
  parser.add_argument("--only", default="", help="kernels that this matches")
  parser.add_argument("--times", help="JSON file of measured times")
  arguments = parser.parse_args()
  kernels = [k for k in cost_kernels.kernels()
             if re.search(arguments.only, f"{k.group}: {k.name}")]
  times_file = pathlib.Path(arguments.times) if arguments.times else None
  times = {}
  if times_file is not None and times_file.exists():
    times = json.loads(times_file.read_text(encoding="utf-8"))
  rows = measure(f"{arguments.build}/bin/tessera", kernels, times)
  if times_file is not None:
    times_file.write_text(json.dumps(times, indent=1), encoding="utf-8")
  text = page(rows, machine_name())
  pathlib.Path(arguments.out).write_text(text, encoding="utf-8")
  print("\n".join(line for line in text.splitlines()
                  if line.startswith("| **all**")))


if __name__ == "__main__":
  main()
