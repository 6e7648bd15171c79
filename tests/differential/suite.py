"""Runs tables of cases on XLA:CPU and on differential_tool and compares.

A case is a few programs with one op and one element type. xla_refuses.json
lists what XLA:CPU does not accept, with the reason; `python3 SOMETHING_test.py
--discover` writes it, except for entries "by hand". For these programs Tessera
must give a result or a clean error. Where the two differ on purpose,
differs.json gives the reason by the name of the program, op/type#number; the
suite checks that they do differ.
"""

import dataclasses
import fnmatch
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

import numpy as np

import compare
import harness
import programs
import values
import xla_worker

FOLDER = pathlib.Path(__file__).parent
REFUSES = FOLDER / "xla_refuses.json"
DIFFERS = FOLDER / "differs.json"
BY_HAND = "by hand: "
BATCH = 48  # programs per XLA module; more compile slower


@dataclasses.dataclass
class Case:
  """`name` is op/type. If given, `reference` replaces XLA: it computes results
  from the arguments of a program. XLA:CPU's results may depend on the processor
  or on its version: `alternative` computes other valid results from the
  arguments and XLA's results; each element must equal one of the two."""
  name: str
  programs: list
  tolerance: compare.Tolerance = compare.EXACT
  reference: object = None
  flush: bool = True  # whether 0 is accepted for subnormals
  alternative: object = None


def generator(name):
  """Random numbers that depend only on the case's name."""
  return np.random.default_rng(zlib.crc32(name.encode()))


@dataclasses.dataclass
class Job:
  """A program of a case, and its results."""
  case: Case
  index: int
  program: programs.Program
  refused: str = ""
  want: object = None  # arrays per device, or an error text
  got: object = None

  @property
  def name(self):
    return f"{self.case.name}#{self.index}"


def run_xla(jobs, worker):
  """Fills `want`: compiles all programs as one module, or as halves if XLA
  rejects it."""
  if not jobs:
    return
  devices = jobs[0].program.devices
  arguments = [[array for job in jobs for array in
                programs.device_arguments(job.program, device)]
               for device in range(devices)]
  answer = worker.run(programs.xla_text([job.program for job in jobs]),
                      arguments)
  if isinstance(answer, str):
    if len(jobs) == 1:
      jobs[0].want = answer
      return
    middle = len(jobs) // 2
    run_xla(jobs[:middle], worker)
    run_xla(jobs[middle:], worker)
    return
  for job in jobs:
    count = len(job.program.results)
    job.want = [[programs.part_of_device(job.program, device, array)
                 for array in results[:count]]
                for device, results in enumerate(answer)]
    answer = [results[count:] for results in answer]


def start_tool(folder, first=0):
  return subprocess.Popen(
      [str(harness.BIN / "differential_tool"), "modules.hlo", "arguments.npz",
       "results.npz", str(first)], cwd=folder, text=True,
      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def write_jobs(jobs, folder):
  texts, arrays = [], {}
  for i, job in enumerate(jobs):
    texts.append(programs.module_text([job.program]))
    for device in range(job.program.devices):
      for j, array in enumerate(
          programs.device_arguments(job.program, device)):
        shape = programs.shape_text(values.NAMES[array.dtype], array.shape)
        arrays[f"{i}.{device}.{j} {shape}"] = programs.raw(array)
  (folder / "modules.hlo").write_text("\n// -----\n".join(texts))
  np.savez(folder / "arguments.npz", **arrays)


def read_results(jobs, folder, status):
  """Fills `got` of the jobs whose status is "ok"."""
  with np.load(folder / "results.npz") as arrays:
    for i, job in enumerate(jobs):
      if status.get(i) != "ok":
        continue
      types = programs.result_types(job.program)
      job.got = [[programs.unraw(arrays[f"{i}.{device}.{j}"], dtype)
                  for j, dtype in enumerate(types)]
                 for device in range(job.program.devices)]


def finish_tool(jobs, folder, process):
  """Waits for the tool; restarts it after a program that ended it."""
  while True:
    lines = process.communicate()[0].splitlines()
    status, running = {}, None
    for line in lines:
      number, _, rest = line.partition(" ")
      if not number.isdigit():
        continue
      if rest == "start":
        running = int(number)
      else:
        status[int(number)] = rest
        running = None
    for i, rest in status.items():
      if rest.startswith("error "):
        jobs[i].got = rest.removeprefix("error ")
    if process.returncode == 0:
      read_results(jobs, folder, status)
      return
    if running is None:
      raise AssertionError("differential_tool failed: " +
                           "\n".join(lines)[-2000:])
    jobs[running].got = f"ended with {process.returncode}: {lines[-1]}"
    # The results of earlier programs are lost with the process: run them again.
    before = jobs[:running]
    if any(job.got is None for job in before):
      with tempfile.TemporaryDirectory() as other:
        run_tool(before, pathlib.Path(other))
    process = start_tool(folder, running + 1)


def run_tool(jobs, folder):
  write_jobs(jobs, folder)
  finish_tool(jobs, folder, start_tool(folder))


def refused_text(got):
  """True if `got` is a clean error."""
  return isinstance(got, str) and got.startswith(
      ("INVALID_ARGUMENT", "UNIMPLEMENTED", "RESOURCE_EXHAUSTED",
       "OUT_OF_RANGE", "FAILED_PRECONDITION", "ABORTED"))


def check_job(job):
  """Raises AssertionError unless the job's results agree."""
  text = programs.module_text([job.program])
  if job.refused and not job.case.reference:
    if isinstance(job.got, str) and not refused_text(job.got):
      raise AssertionError(f"program {job.index}: {job.got}\n{text}")
    return
  if isinstance(job.want, str):
    raise AssertionError(f"program {job.index}: XLA:CPU refuses: {job.want}\n"
                         f"ours: {job.got if isinstance(job.got, str) else ''}"
                         f"\n{text}")
  if isinstance(job.got, str):
    raise AssertionError(f"program {job.index}: {job.got}\n{text}")
  tolerance = getattr(job.program, "tolerance", job.case.tolerance)
  for device, (got, want) in enumerate(zip(job.got, job.want)):
    also = [None] * len(want)
    if job.case.alternative:
      with np.errstate(all="ignore"):
        also = job.case.alternative(
            programs.device_arguments(job.program, device), want)
    for i, (ours, theirs) in enumerate(zip(got, want)):
      try:
        compare.check(ours, theirs, tolerance, job.case.flush, also[i])
      except AssertionError as error:
        raise AssertionError(
            f"program {job.index}, device {device}, result {i}: {error}\n"
            f"{text}") from None


def check_case(jobs, why):
  """Checks all programs of a case; `why` lists those that are known to
  differ."""
  problems = []
  for job in jobs:
    try:
      check_job(job)
      if job.name in why:
        problems.append(f"program {job.index} agrees; {DIFFERS.name} says: "
                        + why[job.name])
    except AssertionError as error:
      if job.name not in why:
        problems.append(str(error))
  if problems:
    raise AssertionError("\n".join(problems[:3])[:6000])


def discover(jobs):
  """Writes the programs that XLA:CPU rejects to xla_refuses.json."""
  known = json.loads(REFUSES.read_text()) if REFUSES.exists() else {}
  for case, mine in itertools.groupby(jobs, lambda job: job.case):
    mine = list(mine)
    if known.get(case.name, "").startswith(BY_HAND):
      continue
    for job in mine:
      known.pop(job.name, None)
    known.pop(case.name, None)
    bad = [job for job in mine if isinstance(job.want, str)]
    for job in bad:
      known[job.name] = " ".join(job.want.split())[:110]
    if len(bad) == len(mine):
      known = {key: reason for key, reason in known.items()
               if key.partition("#")[0] != case.name}
      known[case.name] = " ".join(bad[0].want.split())[:110]
  REFUSES.write_text(json.dumps(dict(sorted(known.items())), indent=0) + "\n")
  print(sum(isinstance(job.want, str) for job in jobs), "of", len(jobs),
        "programs refused")


def make_jobs(cases, refuses):
  jobs = []
  for case in cases:
    for index, program in enumerate(case.programs):
      job = Job(case, index, program)
      job.refused = refuses.get(case.name, refuses.get(job.name, ""))
      jobs.append(job)
      if job.refused and case.reference:
        with np.errstate(all="ignore"):
          job.want = [case.reference(*program.arguments)]
  return jobs


def run(cases, devices=1, mode="quick"):
  """Runs the cases; yields (name, check, its arguments) for each."""
  only = os.environ.get("TESSERA_CASE", "*")
  cases = [case for case in cases if fnmatch.fnmatch(case.name, only)]
  discovering = "--discover" in sys.argv
  refuses, differs = (json.loads(path.read_text()) if path.exists() else {}
                      for path in (REFUSES, DIFFERS))
  if discovering:
    refuses = {name: why for name, why in refuses.items()
               if why.startswith(BY_HAND)}
  jobs = make_jobs(cases, refuses)
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    if discovering:
      run_all_xla(jobs, devices, mode)
      discover(jobs)
      return
    write_jobs(jobs, folder)
    process = start_tool(folder)
    run_all_xla(jobs, devices, mode)
    finish_tool(jobs, folder, process)
  for case, mine in itertools.groupby(jobs, lambda job: job.case):
    mine = list(mine)
    name = case.name
    if all(job.refused for job in mine):
      name += f" (XLA:CPU refuses: {mine[0].refused[:60]})"
    why = {job.name: differs[job.name] for job in mine if job.name in differs}
    if why:
      name += f" (differs: {'; '.join(sorted(set(why.values())))})"
    yield name, check_case, mine, why


def run_all_xla(jobs, devices, mode):
  """Fills `want` of all jobs that XLA:CPU accepts, in batches."""
  workers = {key: xla_worker.Worker(devices, key) for key in (mode, "quick")}
  groups = {}
  for job in jobs:
    if job.want is None and not job.refused:
      # The older code generator flushes subnormals of these types.
      key = (job.program.replicas, job.program.partitions,
             "quick" if "fnuz" in job.name else mode)
      groups.setdefault(key, []).append(job)
  for key, group in groups.items():
    for i in range(0, len(group), BATCH):
      run_xla(group[i:i + BATCH], workers[key[2]])
  for worker in workers.values():
    worker.close()


def main(table, devices=1):
  """The body of each test: runs the cases of the module `table`."""
  def cases():
    yield from run(list(table.cases()), devices,
                   getattr(table, "XLA_MODE", "quick"))

  harness.main({"test_" + table.__name__.removeprefix("ops_"): cases})
