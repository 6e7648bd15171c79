#!/usr/bin/env python3
"""Makes docs/performance.md, which compares Tessera with XLA:CPU and the
machine.

    page.py --build build-release [--out FILE] [--only REGEX]

Takes times from compare.py, memory from peak_memory.py in a process of its own,
limits from `tessera bench`, and calls through the C++ clients from client_bench.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import textwrap
import time

import compare
from progress_line import ProgressLine

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent / "docs" / "performance.md"

# Programs that spend their time in code that the compiler generates, not in
# dots, convolutions, sorts, FFTs or factorizations.
COMPILED = re.compile(
    "dispatch_|saxpy|gelu|exp_|erf_|bf16_scale|adam|sum_|argmax|softmax|"
    "layernorm|cumsum|maxpool|transpose_|concat|gather|scatter|random_normal|"
    "fori|while|lennard_jones|black_scholes|game_of_life")
# Loops that XLA:CPU compiles to one native function, too.
SMALL_LOOPS = re.compile("kalman|rk4|grad_of_scan|update_one")

SETS = (
    ("all of programs.py", lambda r: r["group"] == "programs"),
    ("those without dots, convolutions, sorts, FFTs, factorisations",
     lambda r: r["group"] == "programs" and COMPILED.match(r["name"])),
    ("loops of small bodies",
     lambda r: r["group"] == "loops" and SMALL_LOOPS.match(r["name"])),
    ("other loops",
     lambda r: r["group"] == "loops" and not SMALL_LOOPS.match(r["name"])),
)

VECTORS = (("avx512f", "512-bit vectors (AVX-512)"),
           ("avx2", "256-bit vectors (AVX2)"), ("asimd", "128-bit vectors"))

NO_WORK = """HloModule nothing
ENTRY e { x = f32[] parameter(0) ROOT y = f32[] negate(x) }
"""


def time_text(seconds):
  """Returns the time with three digits and a unit."""
  for unit, size in (("s", 1), ("ms", 1e-3)):
    if seconds >= size:
      return f"{seconds / size:.3g} {unit}"
  return f"{seconds * 1e6:.3g} us"


def bytes_text(count):
  if count < 1e3:
    return f"{count} B"
  if count >= 1e8:
    return f"{count / 1e6:.0f} MB"
  return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.1f} kB"


def ratio_text(ratio):
  """Returns the ratio, in bold if we are slower."""
  return f"{ratio:.2f}" if ratio >= 0.995 else f"**{ratio:.2f}**"


def takes_more(measured):
  """True if we take more memory, beyond the noise of pages and threads."""
  reference, ours = measured
  return ours > 1.02 * reference + 256 * 1024


def memory_texts(measured):
  """[XLA's, ours], in bold if we take more."""
  if measured is None:
    return ["", ""]
  reference, ours = map(bytes_text, measured)
  return [reference, f"**{ours}**" if takes_more(measured) else ours]


def table(header, rows):
  """Lines of a Markdown table; all columns except the first are
  right-aligned."""
  rule = ["---"] + ["---:"] * (len(header) - 1)
  return ["| " + " | ".join(cells) + " |" for cells in [header, rule, *rows]]


def floor_seconds(row, limits):
  """The least time in seconds: the longer of the times for the arithmetic and
  for moving arguments and results."""
  peak = limits["f64_flops_per_second" if row["is_f64"]
                else "f32_flops_per_second"]
  return max(row["flops"] / peak,
             row["bytes"] / limits["stream_bytes_per_second"])


def run_rows(rows, limits):
  for row in rows:
    if "error" in row:
      # A vertical bar in the text would end the cell.
      yield [row["name"], "failed: " + row["error"].replace("|", "/"),
             *[""] * 5]
      continue
    ours = row["ours_s"]
    low, high = row["ratio_quartiles"]
    yield [row["name"], time_text(row["reference_s"]), time_text(ours),
           f"{ratio_text(row['ratio'])} ({low:.2f} to {high:.2f})",
           f"{row['flops'] / ours / 1e9:.3g}",
           f"{row['bytes'] / ours / 1e9:.3g}",
           f"{100 * floor_seconds(row, limits) / ours:.0f}%"]


def cost_rows(rows, memory):
  """Returns rows about compilation and memory, planned and, if possible,
  measured."""
  for row in rows:
    if "error" in row:
      continue
    yield [row["name"], time_text(row["reference_compile_s"]),
           time_text(row["ours_compile_s"]), ratio_text(row["compile_ratio"]),
           *memory_texts(memory.get(row["name"])),
           bytes_text(row["reference_plan_bytes"]),
           bytes_text(row["ours_plan_bytes"])]


def mean_rows(rows):
  for name, belongs in SETS:
    chosen = [row for row in rows if "error" not in row and belongs(row)]
    if not chosen:
      continue
    worst = min(chosen, key=lambda row: row["ratio"])
    slowest = min(chosen, key=lambda row: row["compile_ratio"])
    yield [name, str(len(chosen)),
           f"{compare.geometric_mean(r['ratio'] for r in chosen):.2f}",
           f"{ratio_text(worst['ratio'])} ({worst['name']})",
           f"{compare.geometric_mean(r['compile_ratio'] for r in chosen):.2f}",
           f"{ratio_text(slowest['compile_ratio'])} ({slowest['name']})"]


def machine_text(limits):
  """Returns two sentences about the machine, for comparison with others."""
  flags = ""
  if os.path.exists("/proc/cpuinfo"):
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
  vectors = next((text for flag, text in VECTORS if flag in flags), "vectors")
  cores = len(os.sched_getaffinity(0))
  return textwrap.fill(
      f"The machine: {cores} CPU{'s' * (cores > 1)} ({platform.machine()}, "
      f"{vectors}), measured limits "
      f"{limits['stream_bytes_per_second'] / 1e9:.1f} GB/s (two reads and a "
      f"write, the better of ordinary and streaming stores), "
      f"{limits['f32_flops_per_second'] / 1e9:.0f} GFLOP/s in f32 and "
      f"{limits['f64_flops_per_second'] / 1e9:.0f} in f64 (multiply-adds). "
      f"XLA:CPU is that of jaxlib {importlib.metadata.version('jaxlib')}.", 80)


INTRODUCTION = """# Performance

Made by `./dev bench`; do not edit.

This page compares Tessera with XLA:CPU on the JAX programs of
`benchmarks/programs.py` and `benchmarks/loops.py`. Both run alternately in one
process, on the same arguments, after a comparison of their results. Times are
medians, from the call until the results are ready, so both contain the time
that JAX itself takes for a call (some 5 us, and 0.6 us for each further
result). A ratio is XLA's time divided by that of our next run: the median of
all pairs, and the quartiles. Above 1 Tessera is faster."""

LIMITS = """\
Flops are those of the executable's cost analysis. It counts loops as often as
they run and conditionals as their larger branch each time (too much for
scan_rnn, which computes a block of products in one of eight iterations). Each
arithmetic operation on an element counts as one; exp and similar functions do
not count. Bytes are those of arguments and results, each once. The last column
is the least time that the machine needs for either, in percent of our time.
Small programs are far from it; programs whose data stay in a cache, or that
multiply small types, may exceed 100%."""

COSTS = """\
Compile times are the best of several, without caches, in milliseconds from the
lowered program to the executable. For Tessera they include serialization, which
jaxlib requests from plugins. Memory is what a run takes in addition to its
arguments, including results: measured as the growth of the process, and as
planned by the executable. XLA's plan omits what its libraries allocate while
they work."""


def page(rows, memory, limits, calls):
  """Returns the text of docs/performance.md; `calls` has (text, seconds)."""
  lines = [INTRODUCTION, "", machine_text(limits), "", "## In short", ""]
  lines += table(["geometric means", "programs", "run", "least", "compile",
                  "least"], mean_rows(rows))
  if memory:
    more = [name for name, measured in memory.items() if takes_more(measured)]
    lines += ["", textwrap.fill(
        f"A run takes more memory than XLA's in {len(more)} of {len(memory)} "
        "programs" + (": " if more else "") + ", ".join(more) + ".", 80)]
  if calls:
    lines += ["", "One call from C++, including the wait for its result: " +
              ", ".join(f"{text} {time_text(seconds)}"
                        for text, seconds in calls) + "."]
  lines += ["", "## Run time", "", LIMITS]
  for group in dict.fromkeys(row["group"] for row in rows):
    lines += ["", f"`benchmarks/{group}.py`:", ""]
    lines += table(["program", "XLA:CPU", "Tessera", "ratio", "GFLOP/s",
                    "GB/s", "of the limit"],
                   run_rows([r for r in rows if r["group"] == group], limits))
  lines += ["", "## Compile time and memory", "", COSTS, ""]
  lines += table(["program", "XLA:CPU", "Tessera", "ratio", "memory XLA:CPU",
                  "Tessera", "planned XLA:CPU", "Tessera"],
                 cost_rows(rows, memory))
  return "\n".join(lines) + "\n"


def machine_limits(build):
  """The dict of limits that `tessera bench --json` prints; takes some
  seconds."""
  done = subprocess.run(
      [build / "bin" / "tessera", "bench", "--json", "--seconds", "0", "-"],
      input=NO_WORK, text=True, stdout=subprocess.PIPE, check=True)
  return json.loads(done.stdout)["limits"]


def started(options):
  """Sets options.plugin, if it is not set, and returns JAX's devices and the
  machine's limits; says why there are none and returns None."""
  options.plugin = options.plugin or str(
      options.build / "lib" / "libpjrt_tessera.so")
  try:
    return compare.start_jax(options.plugin), machine_limits(options.build)
  except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
    print(f"{pathlib.Path(sys.argv[0]).name}: {error}", file=sys.stderr)
    return None


def add_row_flags(parser):
  """Flags of measured_rows."""
  parser.add_argument("--rows", type=pathlib.Path, metavar="FILE",
                      help="keep the figures in this file; what it has is not "
                      "measured again")
  parser.add_argument("--for", type=float, default=float("inf"), dest="for_s",
                      metavar="SECONDS",
                      help="stop after so long; with --rows, go on next time")


def measured_rows(options, things, measure, line):
  """Rows of things that have a name, in their order: those of --rows, and
  otherwise what `measure` gives, whose `line` is printed."""
  known = {}
  if options.rows and options.rows.exists():
    known = {row["name"]: row for row in json.loads(options.rows.read_text())}
  rows, end = [], time.perf_counter() + options.for_s
  things = list(things)
  progress = ProgressLine(len(things), "rows")
  for i, thing in enumerate(things):
    if thing.name not in known:
      if time.perf_counter() > end:
        continue
      with progress:
        progress.show(i, what=thing.name)
        known[thing.name] = measure(thing)
      print(line(known[thing.name]), flush=True)
      if options.rows:
        options.rows.write_text(json.dumps(list(known.values()), indent=1))
    rows.append(known[thing.name])
  return rows


def client_calls(build):
  """[(what, seconds)] of client_bench; empty if it was not built."""
  program = build / "bin" / "client_bench"
  if not program.exists():
    return []
  names = {"BM_PjrtAdd/0/real_time": "a scalar add through PjRtClient",
           "BM_LocalClientAdd/real_time": "through LocalClient"}
  done = subprocess.run(
      [program, "--benchmark_format=json", "--benchmark_repetitions=5",
       "--benchmark_min_time=0.1", "--benchmark_filter=BM_PjrtAdd/0|BM_LocalClientAdd"],
      text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
  found = {each["run_name"]: each["real_time"] * 1e-9
           for each in json.loads(done.stdout)["benchmarks"]
           if each.get("aggregate_name") == "median"}
  return [(text, found[name]) for name, text in names.items() if name in found]


def measured_memory(options):
  """The results of peak_memory.py; empty if it cannot measure."""
  with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder) / "memory.json"
    command = [sys.executable, HERE / "peak_memory.py", "--plugin",
               options.plugin, "--only", options.only, "--json", out]
    for path in options.programs or []:
      command += ["--programs", path]
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    if done.returncode or not out.exists():
      print("page.py: no memory measured", file=sys.stderr)
      return {}
    return json.loads(out.read_text())


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--build", type=pathlib.Path, required=True,
                      help="folder of a build, with the plugin and tessera")
  parser.add_argument("--out", type=pathlib.Path, default=OUT)
  parser.add_argument("--json", type=pathlib.Path,
                      help="write all figures to this file")
  compare.add_flags(parser)
  options = parser.parse_args()
  start = started(options)
  if start is None:
    return 2
  devices, limits = start
  calls = client_calls(options.build)
  rows = compare.measure(
      devices, options.programs or compare.DEFAULT_FILES, options.only,
      options.seconds, options.compiles,
      lambda text: print(text, flush=True))
  memory = measured_memory(options)
  # Takes the best measured value of each limit, since the machine may be busy.
  again = machine_limits(options.build)
  limits = {name: max(value, again[name]) for name, value in limits.items()}
  if options.json:
    options.json.write_text(json.dumps(
        {"rows": rows, "memory": memory, "limits": limits, "calls": calls},
        indent=1))
  options.out.write_text(page(rows, memory, limits, calls))
  print(f"wrote {options.out}")
  return 0 if rows and not any("error" in row for row in rows) else 1


if __name__ == "__main__":
  sys.exit(main())
