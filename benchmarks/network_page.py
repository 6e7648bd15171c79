#!/usr/bin/env python3
"""Makes docs/performance-networks.md: whole networks on Tessera, XLA:CPU, and
on ONNX Runtime and OpenVINO where these are installed.

    network_page.py --build build-release [--only REGEX] [--out FILE]

All run in one process, turn by turn, on the same arrays, after a comparison of
their results.
"""

import argparse
import gc
import importlib.metadata
import pathlib
import statistics
import sys
import textwrap
import time

import numpy as np

import compare
import networks
import page
import peers
from networks import network as network_module

OUT = page.HERE.parent / "docs" / "performance-networks.md"
# Each round gives each side some time. Threads of ONNX Runtime spin for a while
# after a run, hence the pauses.
ROUNDS = 4
PAUSE_S = 0.06
# A run that takes longer needs no run before it that is not counted.
LONG_S = 0.2

INTRODUCTION = """# Performance of networks

Made by `./dev bench networks`; do not edit.

Whole networks of `benchmarks/networks`, with random weights: forward runs whose
weights are constants, as servers have them, or arguments, as in most JAX code,
and training steps (`train`), which donate their weights. Networks of images run
in both layouts. All sides run in one process, turn by turn, after a comparison
of their results; times are medians, from the call until the results are ready.
Ratios are a time divided by Tessera's, the median of {rounds} rounds: above 1
Tessera is faster. The best peer is the fastest of the others.

ONNX Runtime and OpenVINO run an ONNX model of the same arithmetic, in NCHW and
with weights as constants, with their usual settings but for the number of
threads, which is that of CPUs, and for arithmetic in f32."""


def check(want, got, before, tolerance):
  """Compares results, or what they differ from `before` by.

  Errors: AssertionError if they differ by more than `tolerance` times the
  largest element.
  """
  import jax

  want, got = jax.tree.leaves(want), jax.tree.leaves(got)
  if before is None:
    compare.check_close(want, got, tolerance)
  else:
    check_changes(want, got, before, tolerance)


def check_changes(want, got, before, tolerance):
  """Compares what arrays changed by.

  Some gradients are zero but for roundings, as that of a shift that a batch
  norm takes away again or that of the biases of keys. So the least scale of an
  array is a thousandth of the largest change of all, and what rounding it adds.
  """
  wanted, found = ([np.asarray(new) - old
                    for new, old in zip(side, before, strict=True)]
                   for side in (want, got))
  largest = [float(np.max(np.abs(change), initial=0)) for change in wanted]
  scales = []
  for own, old in zip(largest, before, strict=True):
    size = float(np.max(np.abs(old), initial=0))
    rounding = 16 * float(np.finfo(np.float32).eps) * size
    scales.append(max(own, max(largest) / 1000, rounding / tolerance) or 1)
  compare.check_equal([x / s for x, s in zip(wanted, scales, strict=True)],
                      [x / s for x, s in zip(found, scales, strict=True)],
                      tolerance)


class Sides:
  """What runs a network: functions that take the time of a run in seconds."""

  def __init__(self, network, devices, compiles):
    """Errors: AssertionError if results differ."""
    arrays = network.weight_arrays()
    plain = network_module.made_weights(arrays)
    weights = [each.from_onnx(value) for each, value in zip(arrays, plain)]
    inputs, onnx_inputs = network.made_inputs()
    compiled = [compare.Compiled(_program(network, weights, inputs), device,
                                 compiles) for device in devices]
    self.compile_s = [each.compile_s for each in compiled]
    self.seconds = {"XLA:CPU": compiled[0].seconds,
                    "Tessera": compiled[1].seconds}
    want = compiled[0].run()
    before = weights if network.training else None
    check(want, compiled[1].run(), before, network.tolerance)
    if network.has_onnx_model and peers.installed():
      self._add_peers(network, plain, onnx_inputs, want)

  def _add_peers(self, network, weights, inputs, want):
    import jax

    from networks import onnx_layers
    model, feed = onnx_layers.onnx_model(network.model, weights,
                                         network.onnx_inputs(*inputs))
    want = [np.asarray(each) for each in jax.tree.leaves(want)]
    if network.gives_image and network.layout == "NHWC":
      want = [np.moveaxis(each, -1, 1) for each in want]
    for name, run in peers.runners(model, feed).items():
      check(want, run(), None, network.tolerance)
      self.seconds[name] = _timer(run)


def _program(network, weights, inputs):
  if network.training:
    function, arguments, donated = network.step, (weights, *inputs), (0,)
  elif network.constants:
    function = lambda *inputs: network.forward(weights, *inputs)
    arguments, donated = inputs, network.donated
  else:
    function, arguments = network.forward, (weights, *inputs)
    donated = tuple(i + 1 for i in network.donated)
  return compare.Program(network.name, function, arguments, network.tolerance,
                         donated)


def _timer(run):
  def seconds():
    start = time.perf_counter()
    run()
    return time.perf_counter() - start

  return seconds


def time_in_turns(sides, seconds):
  """{side: [times of a round] for each round}."""
  times = {name: [] for name in sides}
  last = dict.fromkeys(sides, 0.0)
  for _ in range(ROUNDS):
    for name, run in sides.items():
      time.sleep(PAUSE_S)
      if last[name] < LONG_S:
        run()
      found, end = [], time.perf_counter() + seconds / ROUNDS
      while not found or time.perf_counter() < end:
        found.append(run())
      times[name].append(found)
      last[name] = found[-1]
  return times


def measure_network(network, devices, seconds, compiles):
  """A row: a dict of plain numbers and texts, with only `error` if it
  failed."""
  import jax

  row = {"name": network.name}
  try:
    sides = Sides(network, devices, compiles)
    times = time_in_turns(sides.seconds, seconds)
    rounds = {name: [statistics.median(one) for one in found]
              for name, found in times.items()}
    row["weights"] = "constants" if network.constants else "arguments"
    row["seconds"] = {name: statistics.median(sum(found, []))
                      for name, found in times.items()}
    row["ratios"] = {
        name: statistics.median(a / b for a, b in zip(found, rounds["Tessera"]))
        for name, found in rounds.items() if name != "Tessera"}
    row["best"] = min(row["ratios"].values())
    row["compile_s"] = sides.compile_s
  except Exception as error:  # A network that fails does not end the others.
    lines = str(error).strip().splitlines() or [type(error).__name__]
    row = {"name": network.name, "error": lines[0][:200]}
  jax.clear_caches()
  sides = None
  gc.collect()
  return row


def line(row):
  """One line of text for a row."""
  if "error" in row:
    return f"{row['name']:36} FAILED: {row['error'][:120]}"
  times = ", ".join(f"{name} {page.time_text(s)}"
                    for name, s in row["seconds"].items())
  return (f"{row['name']:36} {row['ratios']['XLA:CPU']:5.2f} "
          f"{row['best']:5.2f}  {times}")


def table_rows(rows, names):
  for row in rows:
    if "error" in row:
      yield [row["name"], "failed: " + row["error"].replace("|", "/"),
             *[""] * (len(names) + 4)]
      continue
    seconds = row["seconds"]
    yield [row["name"], row["weights"],
           *(page.time_text(seconds[name]) if name in seconds else ""
             for name in names),
           page.ratio_text(row["ratios"]["XLA:CPU"]),
           page.ratio_text(row["best"]),
           *map(page.time_text, row["compile_s"])]


def summary_rows(rows):
  good = [row for row in rows if "error" not in row]
  with_peers = [row for row in good if len(row["ratios"]) > 1]
  training = [row for row in good if "_train_" in row["name"]]
  forward = [row for row in good if "_train_" not in row["name"]]
  for text, chosen, of in (
      ("XLA:CPU, all", good, lambda r: r["ratios"]["XLA:CPU"]),
      ("XLA:CPU, forward", forward, lambda r: r["ratios"]["XLA:CPU"]),
      ("XLA:CPU, training", training, lambda r: r["ratios"]["XLA:CPU"]),
      ("best peer, where there is an ONNX model", with_peers,
       lambda r: r["best"])):
    if not chosen:
      continue
    least = min(chosen, key=of)
    yield [text, str(len(chosen)),
           f"{compare.geometric_mean(map(of, chosen)):.2f}",
           f"{page.ratio_text(of(least))} ({least['name']})"]


def network_page(rows, limits):
  """The text of docs/performance-networks.md."""
  versions = {"jaxlib": importlib.metadata.version("jaxlib")}
  versions |= peers.installed()
  names = ["XLA:CPU", *(n for n in peers.PACKAGES if n in versions), "Tessera"]
  lines = [INTRODUCTION.format(rounds=ROUNDS), "", page.machine_text(limits)]
  if len(versions) > 1:
    others = (f"{name} {version}" for name, version in versions.items()
              if name != "jaxlib")
    lines += ["", textwrap.fill("Peers: " + ", ".join(others) + ".", 80)]
  lines += ["", "## In short", ""]
  lines += page.table(["beside", "networks", "geometric mean", "least"],
                      summary_rows(rows))
  lines += ["", "## Networks", ""]
  lines += page.table(
      ["network", "weights", *names, "XLA:CPU / ours", "best peer / ours",
       "compile XLA:CPU", "compile Tessera"], table_rows(rows, names))
  return "\n".join(lines) + "\n"


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
  parser.add_argument("--build", type=pathlib.Path, required=True,
                      help="folder of a build, with the plugin and tessera")
  parser.add_argument("--out", type=pathlib.Path, default=OUT)
  page.add_row_flags(parser)
  compare.add_flags(parser)
  parser.set_defaults(compiles=1)
  options = parser.parse_args()
  start = page.started(options)
  if start is None:
    return 2
  devices, limits = start
  rows = page.measured_rows(
      options, networks.selected(options.only),
      lambda network: measure_network(network, devices, options.seconds,
                                      options.compiles), line)
  options.out.write_text(network_page(rows, limits))
  print(f"wrote {options.out}")
  return 0 if rows and not any("error" in row for row in rows) else 1


if __name__ == "__main__":
  sys.exit(main())
