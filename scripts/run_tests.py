#!/usr/bin/env python3
"""Runs every test of the tree and sums up: GoogleTest, Python and lit.

GoogleTest programs are those that CMake lists in gtest_programs.txt of the
build folder. Python tests (tests/**/*_test.py) print `PASS name`, `FAIL name`
or `SKIP name: reason` per case. lit runs the .hlo and .mlir files with RUN
lines. Ends with `N passed, N failed`; the exit status is 1 when any failed or
none ran.

Suites that compare values run once for the processor and some of them again for
lesser ones, limited by XLA's flag xla_cpu_max_isa: `ops_test at AVX2`. --isa
LEVEL runs only these suites, all of them at that level; `--isa all` runs them
at every level that the processor has; `--isa host` runs everything, without
levels. A level that the processor lacks, or that equals its own, is skipped
with the reason.

The folder of a build for another processor has emulator.txt, the command that
runs its programs. Then only those Python tests run that need nothing but
programs.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import fnmatch
import importlib.util
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

from progress_line import ProgressLine

ROOT = pathlib.Path(__file__).resolve().parent.parent
GTEST_LINE = re.compile(
    r"\[ RUN      \] (?P<run>\S+)|"
    r"\[(?P<end>       OK |  FAILED  |  SKIPPED )\] (?P<name>[^\s,]+).*\(\d+ ms\)")
PYTHON_LINE = re.compile(r"^(PASS|FAIL|SKIP) (.+)$")
GTEST_END = {"       OK ": "PASS", "  FAILED  ": "FAIL", "  SKIPPED ": "SKIP"}
LIT_CODES = {"PASS": "PASS", "XFAIL": "PASS", "FLAKYPASS": "PASS",
             "UNSUPPORTED": "SKIP", "SKIPPED": "SKIP", "EXCLUDED": "SKIP"}

# Suites whose results come from generated code and library kernels, as patterns
# of their names.
VALUE_SUITES = (
    "backends_cpu_*test", "base_test", "corpus/*", "differential/*",
    "fuzz/contractions/*", "fuzz/program_fuzz_test.py", "jax/*", "ops_test",
    "pjrt/c/corpus_test.py")
# The suites that also run at lesser levels without --isa: those that reach the
# most code in their time. Tests of code generation cover all levels by
# themselves.
LEVEL_SUITES = (
    "backends_cpu_jit_test", "backends_cpu_kernels_test", "backends_cpu_test",
    "base_test", "corpus/*", "fuzz/contractions/*", "fuzz/program_fuzz_test.py",
    "ops_test")
LEVELS = ("AVX2", "AVX512", "AVX512_BF16")
# Python tests that only start programs, which an emulator can run.
PROGRAM_SUITES = (
    "base/*", "core/*", "corpus/*", "differential/*", "fuzz/contractions/*",
    "fuzz/program_fuzz_test.py",
    "hlo/*", "spec/*", "stablehlo/*", "tools/command_test.py")
# OpenBLAS's name for a processor of the level; it has none below SSE3.
OPENBLAS_CORES = {
    "SSE2": "Prescott", "SSE4_2": "Nehalem", "AVX": "Sandybridge",
    "AVX2": "Haswell", "AVX512": "SkylakeX", "AVX512_VNNI": "SkylakeX",
    "AVX512_BF16": "Cooperlake", "AVX512_FP16": "Sapphirerapids",
    "AMX": "Sapphirerapids", "AMX_FP16": "Sapphirerapids"}


@dataclasses.dataclass
class Item:
  """One process to run: a program, a Python file, or lit."""
  kind: str
  name: str
  command: list[str]
  isa: str = ""  # instruction set level; empty: the processor's

  def at(self, isa):
    return dataclasses.replace(self, name=f"{self.name} at {isa}", isa=isa)

  def environment(self, env):
    """Returns `env` with the item's changes."""
    if not self.isa:
      return env
    flags = f"{env.get('XLA_FLAGS', '')} --xla_cpu_max_isa={self.isa}"
    env = dict(env, XLA_FLAGS=flags.strip())
    if self.isa in OPENBLAS_CORES:
      env["OPENBLAS_CORETYPE"] = OPENBLAS_CORES[self.isa]
    return env


@dataclasses.dataclass
class Case:
  """One counted test; `text` is shown when it failed or was skipped."""
  name: str
  result: str  # PASS, FAIL or SKIP
  text: str = ""


def gtest_cases(output):
  """The cases of a GoogleTest run, parsed from its standard output."""
  cases, running, start = [], None, 0
  for match in GTEST_LINE.finditer(output):
    if match["run"]:
      if running:
        cases.append(Case(running, "FAIL", output[start:match.start()]))
      running, start = match["run"], match.start()
    elif running == match["name"]:
      cases.append(Case(running, GTEST_END[match["end"]],
                        output[start:match.end()]))
      running = None
  if running:
    cases.append(Case(running, "FAIL", output[start:]))
  return cases


def python_cases(output):
  """The cases of a Python test; a case's text is the output before its line."""
  cases, before = [], []
  for line in output.splitlines():
    match = PYTHON_LINE.match(line)
    before.append(line)
    if match:
      cases.append(Case(match[2], match[1], "\n".join(before)))
      before = []
  return cases, "\n".join(before)


def lit_cases(report):
  """The cases of a lit run, from its JSON report."""
  if not report.exists():
    return []
  with open(report, encoding="utf-8") as file:
    tests = json.load(file)["tests"]
  return [Case(test["name"].removeprefix("tessera :: "),
               LIT_CODES.get(test["code"], "FAIL"), test.get("output", ""))
          for test in tests]


def matches(name, patterns):
  return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def isa_levels(bin_folder):
  """The answer of isa_levels_tool for each level: "runs", "same", "lacks X"."""
  try:
    done = subprocess.run([str(bin_folder / "isa_levels_tool")], text=True,
                          stdout=subprocess.PIPE, check=True)
  except (OSError, subprocess.CalledProcessError) as problem:
    print(f"no levels of instruction sets: {problem}")
    return {}
  return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def emulated_programs(build):
  """The folder of programs that tests start: bin, or, for another processor, a
  folder of scripts that run bin's programs under the emulator."""
  programs = build / "bin"
  emulator = build / "emulator.txt"
  if not emulator.exists():
    return programs
  prefix = shlex.join(emulator.read_text().splitlines())
  scripts = build / "emulated"
  scripts.mkdir(exist_ok=True)
  for program in programs.iterdir():
    script = scripts / program.name
    script.write_text(
        f'#!/bin/sh\nexec {prefix} {shlex.quote(str(program))} "$@"\n')
    script.chmod(0o755)
  return scripts


def run_process(item, env, cwd, timeout):
  """Returns the output and an error text, which is empty if the status was
  0."""
  process = subprocess.Popen(
      item.command, env=env, cwd=cwd, text=True, errors="replace",
      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
      stderr=subprocess.STDOUT, start_new_session=True)
  try:
    output, _ = process.communicate(timeout=timeout)
  except subprocess.TimeoutExpired:
    # Kills the whole group: a Python test may have started programs.
    os.killpg(process.pid, signal.SIGKILL)
    output, _ = process.communicate()
    return output, f"ran longer than {timeout} s"
  if process.returncode < 0:
    return output, f"ended by signal {signal.Signals(-process.returncode).name}"
  return output, f"exit status {process.returncode}" * bool(process.returncode)


def as_they_end(futures, line):
  """Yields the futures in the order in which they end, and shows meanwhile on
  `line` how many have, and in how many a case failed."""
  pending, failed = set(futures), 0
  while pending:
    line.show(len(futures) - len(pending), failed)
    ended, pending = concurrent.futures.wait(
        pending, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED)
    line.erase()
    for future in ended:
      failed += any(case.result == "FAIL" for case in future.result())
      yield future


class Runner:
  """Runs items in parallel and keeps their cases by kind."""

  def __init__(self, options):
    self.options = options
    self.build = pathlib.Path(options.build).resolve()
    self.programs = emulated_programs(self.build)
    self.emulated = self.programs.name != "bin"
    self.work = self.build / "test-work"
    self.logs = self.build / "test-logs"
    self.work.mkdir(parents=True, exist_ok=True)
    self.logs.mkdir(parents=True, exist_ok=True)
    self.times_file = self.build / "test-times.json"
    self.lit_report = self.build / "lit-report.json"
    self.env = dict(
        os.environ, TESSERA_SRC=str(ROOT), TESSERA_BIN=str(self.programs),
        TESSERA_BUILD=str(self.build), PYTHONDONTWRITEBYTECODE="1",
        PYTHONPATH=str(ROOT / "tests"), JAX_PLATFORMS="cpu",
        TESSERA_VERIFY_PLANS="1",
        UBSAN_OPTIONS="print_stacktrace=1",
        TSAN_OPTIONS=f"suppressions={ROOT / 'tests' / 'tsan.supp'}",
        GTEST_COLOR="no")
    if self.emulated:
      self.env["TESSERA_EMULATED"] = "1"
    self.cases = collections.defaultdict(list)
    self.seconds = collections.Counter()

  def items(self):
    """All items that the options select."""
    found = []
    programs = self.build / "gtest_programs.txt"
    if programs.exists():
      for name in programs.read_text().split():
        found.append(Item("gtest", name, [str(self.programs / name)]))
    for path in sorted((ROOT / "tests").rglob("*_test.py")):
      name = str(path.relative_to(ROOT / "tests"))
      if self.emulated and not matches(name, PROGRAM_SUITES):
        continue
      found.append(Item("python", name, [sys.executable, str(path)]))
    if any(b"RUN:" in path.read_bytes()
           for suffix in ("hlo", "mlir")
           for path in (ROOT / "tests").rglob(f"*.{suffix}")):
      found.append(Item("lit", "lit", self.lit_command()))
    return [item for item in self.at_levels(found)
            if self.options.kind in (None, item.kind)
            and self.options.pattern in item.name]

  def at_levels(self, found):
    """Applies --isa to `found`; records the levels that are left out."""
    wanted = self.options.isa
    if wanted == "host":
      return found
    known = isa_levels(self.programs)
    if wanted is None:
      levels, suites, items = LEVELS, LEVEL_SUITES, found
    else:
      levels = list(known) if wanted == "all" else [wanted.upper()]
      suites, items = VALUE_SUITES, []
    suites = [item for item in found if matches(item.name, suites)]
    for isa in levels:
      state = known.get(isa, "unknown here")
      if state == "runs" or state == "same" and wanted not in (None, "all"):
        items = items + [item.at(isa) for item in suites]
        continue
      if state == "same":
        state = "it is what the processor has"
      else:
        state = f"the processor {state}" if state[0] == "l" else state
      self.cases["isa"].append(Case(f"isa {isa}: {state}", "SKIP"))
    return items

  def lit_command(self):
    command = [sys.executable, "/usr/lib/llvm-19/build/utils/lit/lit.py"]
    if importlib.util.find_spec("lit"):
      command = [sys.executable, "-c", "import lit.main; lit.main.main()"]
    if importlib.util.find_spec("psutil"):  # lit needs it for time limits.
      command += ["--timeout", str(self.options.timeout // 2)]
    return command + ["-q", "-j", str(self.options.jobs), "--output",
                      str(self.lit_report), str(ROOT / "tests")]

  def run_item(self, item):
    name = item.name.replace("/", "_").replace(" ", "_").replace(".py", "")
    work = self.work / name
    work.mkdir(exist_ok=True)
    if item.kind == "lit":
      self.lit_report.unlink(missing_ok=True)
    start = time.monotonic()
    timeout = self.options.timeout * (4 if item.kind == "lit" else 1)
    timeout *= 4 if self.emulated else 1
    try:
      output, error = run_process(item, item.environment(self.env), work,
                                  timeout)
    except OSError as problem:
      output, error = "", str(problem)
    self.seconds[item.name] = time.monotonic() - start
    (self.logs / (work.name + ".log")).write_text(output)
    tail = output
    if item.kind == "gtest":
      cases = gtest_cases(output)
    elif item.kind == "python":
      cases, tail = python_cases(output)
    else:
      cases = lit_cases(self.lit_report)
    if not any(case.result == "FAIL" for case in cases):
      # The program crashed after the last case, or never reported one.
      if error:
        cases.append(Case("(whole)", "FAIL", f"{tail[-4000:]}\n{error}"))
      elif not cases:
        cases.append(Case("(whole)", "FAIL", f"{tail[-4000:]}\nran no case"))
    elif error:
      next(c for c in cases[::-1] if c.result == "FAIL").text += f"\n{error}"
    return cases

  def report(self, item, cases):
    """Prints failures in full, and the item's line."""
    count = collections.Counter(case.result for case in cases)
    for case in cases:
      if case.result == "FAIL":
        print(f"--- FAILED {item.name}: {case.name}\n{case.text[-6000:]}")
    line = f"{item.name}: {count['PASS']} passed"
    line += f", {count['FAIL']} FAILED" * bool(count["FAIL"])
    line += f", {count['SKIP']} skipped" * bool(count["SKIP"])
    print(f"{line} ({self.seconds[item.name]:.1f} s)", flush=True)

  def run(self):
    """Runs all items, the slowest of the last run first, so that none is left
    over at the end."""
    try:
      times = json.loads(self.times_file.read_text())
    except (OSError, ValueError):
      times = {}
    items = sorted(self.items(), key=lambda item: -times.get(item.name, 1e9))
    with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
      futures = {pool.submit(self.run_item, item): item for item in items}
      with ProgressLine(len(items), "suites") as line:
        for future in as_they_end(futures, line):
          item = futures[future]
          cases = future.result()
          self.report(item, cases)
          self.cases[item.kind] += [
              dataclasses.replace(case, name=f"{item.name}: {case.name}")
              for case in cases]
    times.update(self.seconds)
    self.times_file.write_text(json.dumps(times, indent=1))

  def summary(self):
    """Prints counts by kind and in all; returns the exit status."""
    skipped = [case for kind in self.cases.values() for case in kind
               if case.result == "SKIP"]
    for case in skipped[:20]:
      print(f"skipped {case.name}")
    if len(skipped) > 20:
      print(f"skipped {len(skipped) - 20} more")
    failed = [case for kind in self.cases.values() for case in kind
              if case.result == "FAIL"]
    for case in failed:
      print(f"FAILED {case.name}")
    total = collections.Counter()
    for kind, cases in sorted(self.cases.items()):
      count = collections.Counter(case.result for case in cases)
      total += count
      print(f"{kind:7} {counts(count)}")
    print(counts(total))
    return 0 if total["PASS"] and not total["FAIL"] else 1


def counts(count):
  text = f"{count['PASS']} passed, {count['FAIL']} failed"
  return text + f", {count['SKIP']} skipped" * bool(count["SKIP"])


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("pattern", nargs="?", default="",
                      help="run only programs and files whose name holds this")
  parser.add_argument("--build", default=str(ROOT / "build"))
  parser.add_argument("--kind", choices=["gtest", "python", "lit"])
  parser.add_argument("--isa", metavar="LEVEL",
                      help="a value of xla_cpu_max_isa, all, or host")
  parser.add_argument("--jobs", type=int, default=max(2, os.cpu_count() or 2))
  parser.add_argument("--timeout", type=int, default=600,
                      help="seconds that one program or lit test may take")
  runner = Runner(parser.parse_args())
  start = time.monotonic()
  runner.run()
  print(f"{time.monotonic() - start:.0f} s")
  return runner.summary()


if __name__ == "__main__":
  sys.exit(main())
