"""The programs of benchmarks/ lower, and the pages of results are made from
them."""

import json
import pathlib
import re
import subprocess
import sys

import harness

BENCHMARKS = harness.SRC / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
sys.path.insert(0, str(harness.SRC / "tests" / "python"))

import tessera_jax  # pylint: disable=wrong-import-position

PROGRAMS = """
import numpy as np

def _refuse(x):
  raise ValueError("no | such program")

def programs():
  x = np.ones((8, 16), np.float32)
  return [("double", lambda v: v * 2, (x,), 0),
          ("product", lambda a, b: a @ b.T, (x, x), 1e-6),
          ("refused", _refuse, (x,), 0)]

def donating_programs():
  return [("add_in_place", lambda v: v + 1, (np.ones(4096, np.float32),), 0,
           (0,))]
"""


def run(script, *flags):
  """Returns the exit status and both output streams of a script of
  benchmarks/."""
  done = subprocess.run(
      [sys.executable, str(BENCHMARKS / script), *map(str, flags)], text=True,
      check=False, timeout=300, stdout=subprocess.PIPE,
      stderr=subprocess.STDOUT)
  return done.returncode, done.stdout


def test_page():
  harness.require("jax")
  pathlib.Path("few.py").write_text(PROGRAMS)
  status, output = run(
      "page.py", "--build", harness.BUILD, "--plugin", tessera_jax.plugin(),
      "--programs", "few.py", "--seconds", "0.01", "--compiles", "1",
      "--out", "page.md", "--json", "figures.json")
  harness.equal(status, 1, output)  # since one is refused
  page = pathlib.Path("page.md").read_text()
  for text in ("## Run time", "`benchmarks/few.py`:", "GB/s", "planned",
               "| refused | failed: no / such program |"):
    tessera_jax.holds(page, text)
  # Each program has a row for its times, and one for compiling and memory.
  for name in ("double", "product", "add_in_place"):
    harness.equal(page.count(f"\n| {name} |"), 2, page)
  rows = {row["name"]: row
          for row in json.loads(pathlib.Path("figures.json").read_text())["rows"]}
  harness.equal(rows["product"]["flops"], 2 * 8 * 8 * 16)
  harness.equal(rows["double"]["bytes"], 2 * 8 * 16 * 4)
  harness.equal(rows["add_in_place"]["bytes"], 4096 * 4, "in place")


def test_says_that_there_is_no_plugin():
  for script in ("compare.py", "page.py"):
    flags = ["--build", harness.BUILD] if script == "page.py" else []
    status, output = run(script, *flags, "--plugin", "nowhere.so")
    harness.equal(status, 2, output)
    tessera_jax.holds(output, "there is no plugin nowhere.so")


def test_cost_page():
  kernels = r"^(dot: f32 8|reduce rows: add f32.32|sort: s32.1000)"
  flags = ("--build", harness.BUILD, "--only", kernels, "--out", "costs.md",
           "--times", "times.json")
  status, output = run("costs.py", *flags)
  harness.equal(status, 0, output)
  times = json.loads(pathlib.Path("times.json").read_text())
  harness.equal(len(times), 3, output)
  page = pathlib.Path("costs.md").read_text()
  for text in ("| **all** | 3 |", "## dot", "## reduce rows", "## sort"):
    tessera_jax.holds(page, text)
  harness.equal("unknown" in page, False, page)
  # Times that are known are kept.
  status, output = run("costs.py", *flags)
  harness.equal(status, 0, output)
  harness.equal(json.loads(pathlib.Path("times.json").read_text()), times)


def test_cost_kernels_have_names_of_their_own():
  import cost_kernels
  kernels = cost_kernels.kernels()
  harness.equal(len(kernels) >= 200, True, str(len(kernels)))
  harness.equal(len({(each.group, each.name) for each in kernels}),
                len(kernels))


def test_tables_have_the_ops_that_are_measured():
  import machine
  folder = harness.SRC / "xla/backends/cpu/cost/machines"
  tables = sorted(folder.glob("*.inc"))
  harness.equal(len(tables) >= 2, True, str(folder))
  for table in tables:
    found = re.findall(r'^    {"([a-z0-9-]+)", ', table.read_text(), re.M)
    harness.equal(found, [op for op, _ in machine.OPS], table.name)


def lowers(program):
  import jax
  lowered = jax.jit(program.function, donate_argnums=program.donated).lower(
      *program.arguments)
  assert lowered.out_info is not None


def sets(rows):
  import page
  counts = [sum(bool(belongs(row)) for row in rows)
            for _, belongs in page.SETS]
  harness.equal(counts, [55, 27, 4, 8], "programs in the page's sets")


def test_programs_lower():
  harness.require("jax")
  import compare
  rows = []
  for group, program in compare.selected(compare.DEFAULT_FILES, ""):
    rows.append({"name": program.name, "group": group})
    yield program.name, lowers, program
  yield "sets", sets, rows


if __name__ == "__main__":
  harness.main(globals())
