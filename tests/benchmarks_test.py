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
  for script in ("compare.py", "page.py", "network_page.py", "layer_page.py"):
    flags = [] if script == "compare.py" else ["--build", harness.BUILD]
    status, output = run(script, *flags, "--plugin", "nowhere.so")
    harness.equal(status, 2, output)
    tessera_jax.holds(output, "there is no plugin nowhere.so")


def test_network_page():
  harness.require("jax")
  status, output = run(
      "network_page.py", "--build", harness.BUILD, "--plugin",
      tessera_jax.plugin(), "--only", "^(dlrm_128|mobilenet_v3_large_1_nchw)$",
      "--seconds", "0.01", "--out", "networks.md", "--rows", "networks.json")
  harness.equal(status, 0, output)
  page = pathlib.Path("networks.md").read_text()
  for text in ("| XLA:CPU, all | 2 |", "\n| dlrm_128 | constants |",
               "\n| mobilenet_v3_large_1_nchw | constants |"):
    tessera_jax.holds(page, text)
  for row in json.loads(pathlib.Path("networks.json").read_text()):
    harness.equal({"XLA:CPU", "Tessera"} <= set(row["seconds"]), True, row)


def test_layer_page():
  harness.require("jax")
  # Of an earlier run of this test.
  pathlib.Path("layers.json").unlink(missing_ok=True)
  flags = ("--build", harness.BUILD, "--plugin", tessera_jax.plugin(),
           "--networks", "^wavenet", "--every", "20", "--seconds", "0", "--out",
           "layers.md", "--rows", "layers.json")
  status, output = run("layer_page.py", *flags, "--for", "0.001")
  harness.equal(status, 0, output)
  rows = json.loads(pathlib.Path("layers.json").read_text())
  harness.equal(len(rows), 1, output)
  status, output = run("layer_page.py", *flags)
  harness.equal(status, 0, output)
  known = json.loads(pathlib.Path("layers.json").read_text())
  harness.equal(len(known) > 4 and known[0] == rows[0], True, output)
  page = pathlib.Path("layers.md").read_text()
  for text in ("| all |", "| bfloat16 |", "| conv, gradient of kernel |",
               "lose most time"):
    tessera_jax.holds(page, text)


def test_results_that_differ():
  import compare
  import numpy as np
  want = np.array([1000.0, 1.0], np.float32)
  compare.check_close([want], [want + 5], 1e-2)  # of the largest element
  for got in (want + 50, want[:1], want * [1, np.nan]):
    try:
      compare.check_close([want], [got], 1e-2)
    except AssertionError:
      continue
    raise AssertionError(f"{got} passes for {want}")


def test_contractions():
  """Of a small network: each kind once, and nothing twice."""
  harness.require("jax")
  import contractions
  from networks import network

  def model(nn, x):
    for _ in range(2):
      x = nn.conv(x, 8, 3, groups=0)
    return nn.linear(nn.mean(nn.conv(x, 16, 3, stride=2)), 4)

  image = network.Array((1, 8, 6, 6), order=(0, 2, 3, 1))
  found = contractions.contractions([
      network.Network("small", model, (image,)),
      network.Network("trained", model, (image,), training=True)])
  kinds = [f"{op}, {of}" for op in ("grouped conv", "conv")
           for of in ("forward", "gradient of kernel", "gradient of input")]
  kinds += ["dot, forward", "dot, gradient", "dot, gradient"]
  harness.equal(sorted(each.kind for each in found), sorted(2 * kinds))
  harness.equal(len({each.name for each in found}), len(found))
  by_name = {each.name: each for each in found}
  dot = by_name["dot bf16[1,16] bf16[16,4] mk,kn"]
  harness.equal(dot.networks, ["small"])
  harness.equal((dot.terms(), by_name[
      "conv f32[1,6,6,8] f32[3,3,8,16] b01f_01io->b01f stride2x2 "
      "pad0_1x0_1"].terms()), (16, 72))
  harness.equal(str(dot.function(*dot.arguments()).dtype), "bfloat16")


def network_lowers(network):
  import jax
  weights = [each.abstract() for each in network.weight_arrays()]
  function = network.step if network.training else network.forward
  out = jax.eval_shape(function, weights, *network.abstract_inputs())
  assert jax.tree.leaves(out)


def test_networks_have_types():
  harness.require("jax")
  import networks
  names = []
  for network in networks.selected():
    names.append(network.name)
    yield network.name, network_lowers, network
  yield "names", harness.equal, len(set(names)), len(names)


def test_onnx_models_agree_with_jax():
  """On the runtimes that are installed."""
  harness.require("jax")
  harness.require("onnx")
  harness.require("onnxruntime")
  import jax
  import network_page
  import networks
  import peers
  from networks import network as network_module
  from networks import onnx_layers

  for network in networks.selected(
      "^(mobilenet_v3_large_1_nchw|wavenet_1x8000_ncw|dlrm_128)$"):
    arrays = network.weight_arrays()
    plain = network_module.made_weights(arrays)
    weights = [a.from_onnx(value) for a, value in zip(arrays, plain)]
    inputs, onnx_inputs = network.made_inputs()
    want = jax.tree.leaves(network.forward(weights, *inputs))
    model, feed = onnx_layers.onnx_model(network.model, plain,
                                         network.onnx_inputs(*onnx_inputs))
    for run in peers.runners(model, feed).values():
      network_page.check(want, run(), None, network.tolerance)


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
  harness.equal(counts, [55, 27, 4, 13], "programs in the page's sets")


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
