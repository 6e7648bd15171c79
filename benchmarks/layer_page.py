#!/usr/bin/env python3
"""Makes docs/performance-layers.md: every distinct dot and convolution of the
networks, forward and backward, beside XLA:CPU.

    layer_page.py --build build-release [--only REGEX] [--out FILE]
                  [--networks REGEX]

--only selects layers by kind and name, --networks those of some networks.
"""

import argparse
import pathlib
import re
import statistics
import sys

import compare
import contractions
import networks
import page

OUT = page.HERE.parent / "docs" / "performance-layers.md"
LEAST_PAIRS = 3
SLOW = 0.9  # a ratio under which a layer counts as slow
AGAIN = 10  # how many times as long a slow one is measured again
WORST = 10
TOLERANCES = {"float32": 1e-3, "bfloat16": 3e-2, "int32": 0}

INTRODUCTION = """# Performance of layers

Made by `./dev bench layers`; do not edit.

Every distinct dot and convolution of the networks in `benchmarks/networks`, as
`benchmarks/contractions.py` finds them in their programs: those of forward runs
with a batch of one, and those of gradients by weights and inputs, each in f32
and in bf16. Each is a program of its own whose operands are arguments. Tessera
and XLA:CPU run them alternately in one process, after a comparison of their
results. A ratio is XLA's time divided by ours, the median of a few pairs: above
1 Tessera is faster. Layers under 0.9 were measured again, ten times as long,
since one busy moment of the machine makes a ratio of two short times. Times
include some 5 us that JAX takes for a call, which is most of the time of the
smallest ones."""


def median_ratio(times):
  return statistics.median(a / b for a, b in zip(*times))


def measure_layer(layer, devices, seconds):
  """A row: a dict of plain numbers and texts."""
  row = {"name": layer.name, "kind": layer.kind, "networks": layer.networks,
         "dtype": layer.operands()[0][1]}
  try:
    program = compare.Program(layer.name, layer.function, layer.arguments(), 0)
    reference, ours = (compare.Compiled(program, device, 1)
                       for device in devices)
    want = reference.run()
    compare.check_close(want, ours.run(), TOLERANCES[str(want.dtype)])
    for each in (reference, ours):
      each.seconds()
    times = compare.time_pairs(reference, ours, seconds, LEAST_PAIRS)
    if median_ratio(times) < SLOW:
      times = compare.time_pairs(reference, ours, AGAIN * seconds, LEAST_PAIRS)
    medians = [statistics.median(side) for side in times]
    return row | {"reference_s": medians[0], "ours_s": medians[1],
                  "ratio": median_ratio(times), "flops": reference.flops()}
  except Exception as error:  # One that fails does not end the others.
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return row | {"error": lines[0][:200]}


def line(row):
  if "error" in row:
    return f"FAILED  {row['name']}: {row['error'][:120]}"
  return (f"{row['ratio']:6.2f} {row['reference_s'] * 1e6:10.1f} us "
          f"{row['ours_s'] * 1e6:10.1f} us  {row['kind']:30} {row['name']}")


def kind_rows(rows):
  """A row for all, for each type and for each kind."""
  sets = [("all", rows)]
  for key in ("dtype", "kind"):
    for value in sorted({row[key] for row in rows}):
      sets.append((value, [row for row in rows if row[key] == value]))
  for name, chosen in sets:
    slow = [row for row in chosen if row["ratio"] < SLOW]
    least = min(chosen, key=lambda row: row["ratio"])
    yield [name, str(len(chosen)),
           f"{compare.geometric_mean(r['ratio'] for r in chosen):.2f}",
           f"{100 * len(slow) / len(chosen):.1f}%",
           page.ratio_text(least["ratio"]),
           f"{sum(r['reference_s'] for r in chosen):.2f} s",
           f"{sum(r['ours_s'] for r in chosen):.2f} s"]


def layer_rows(rows):
  for row in rows:
    yield [f"`{row['name']}`", row["kind"],
           row["networks"][0], page.time_text(row["reference_s"]),
           page.time_text(row["ours_s"]), page.ratio_text(row["ratio"]),
           f"{row['flops'] / row['ours_s'] / 1e9:.3g}"]


def layer_page(rows, limits):
  """The text of docs/performance-layers.md."""
  good = [row for row in rows if "error" not in row]
  lines = [INTRODUCTION, "", page.machine_text(limits), "", "## In short", ""]
  lines += page.table(
      ["layers", "number", "geometric mean", f"under {SLOW}", "least",
       "XLA:CPU in all", "Tessera in all"], kind_rows(good))
  header = ["layer", "kind", "of network", "XLA:CPU", "Tessera", "ratio",
            "GFLOP/s"]
  lines += ["", f"## The {WORST} least ratios", ""]
  lines += page.table(
      header, layer_rows(sorted(good, key=lambda r: r["ratio"])[:WORST]))
  lines += ["", f"## The {WORST} that lose most time", ""]
  lines += page.table(header, layer_rows(sorted(
      good, key=lambda r: r["reference_s"] - r["ours_s"])[:WORST]))
  failed = [row for row in rows if "error" in row]
  if failed:
    lines += ["", "## Failed", ""]
    lines += [f"- `{row['name']}`: {row['error']}" for row in failed]
  return "\n".join(lines) + "\n"


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
  parser.add_argument("--build", type=pathlib.Path, required=True,
                      help="folder of a build, with the plugin and tessera")
  parser.add_argument("--plugin", help="libpjrt_tessera.so")
  parser.add_argument("--out", type=pathlib.Path, default=OUT)
  page.add_row_flags(parser)
  parser.add_argument("--only", default="", metavar="REGEX",
                      help="layers whose kind and name it matches")
  parser.add_argument("--networks", default="", metavar="REGEX",
                      help="layers of these networks")
  parser.add_argument("--every", type=int, default=1, metavar="N",
                      help="only each N-th layer")
  parser.add_argument("--seconds", type=float, default=0.05,
                      help="measuring time of each layer")
  options = parser.parse_args()
  start = page.started(options)
  if start is None:
    return 2
  devices, limits = start
  layers = [layer for layer in
            contractions.contractions(networks.selected(options.networks))
            if re.search(options.only, f"{layer.kind}: {layer.name}")]
  rows = page.measured_rows(
      options, layers[::options.every],
      lambda layer: measure_layer(layer, devices, options.seconds), line)
  if not any("error" not in row for row in rows):
    return 1
  options.out.write_text(layer_page(rows, limits))
  print(f"wrote {options.out}")
  return 1 if any("error" in row for row in rows) else 0


if __name__ == "__main__":
  sys.exit(main())
