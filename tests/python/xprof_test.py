"""What XProf's own converter makes of a trace of a training step: steps, times,
costs, memory and graphs. Skipped where the package xprof is missing."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import harness
import tessera_jax

STEPS = 3

# Two layers that share nothing, so that thunks may run side by side.
TRACED = r'''
import sys
import jax, jax.numpy as jnp, numpy as np

def loss(weights, x):
  for w in weights:
    x = x + jnp.tanh(x @ w)
  return jnp.mean(jax.nn.log_softmax(x)[:, 0])

@jax.jit
def train_step(weights, x):
  value, gradients = jax.value_and_grad(loss)(weights, x)
  return [w - 0.1 * g for w, g in zip(weights, gradients)], value

weights = [jnp.full((256, 256), 0.01 * i, jnp.float32) for i in (1, 2)]
x = jnp.asarray(np.linspace(-1, 1, 128 * 256).reshape(128, 256), jnp.float32)
jax.block_until_ready(train_step(weights, x))
with jax.profiler.trace("xprof_trace"):
  for step in range(STEPS):
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
      weights, value = train_step(weights, x)
      jax.block_until_ready(value)
'''.replace("STEPS", str(STEPS))

# Its logs are many.
CONVERT = r'''
import json, sys
from xprof.convert import raw_to_tool_data
# The server asks for the tools first, which writes the programs to files.
raw_to_tool_data.xspace_to_tool_names([sys.argv[1]])
data, _ = raw_to_tool_data.xspace_to_tool_data(
    [sys.argv[1]], sys.argv[2], json.loads(sys.argv[3]))
sys.stdout.write(data if isinstance(data, str) else data.decode())
'''


def trace():
  """Records once; returns the file."""
  if not list(pathlib.Path(".").glob("xprof_trace/**/*.xplane.pb")):
    harness.require("xprof")
    tessera_jax.child(TRACED)
  files = list(pathlib.Path(".").glob("xprof_trace/**/*.xplane.pb"))
  harness.equal(len(files), 1)
  return files[0]


def tool(name, **parameters):
  """What XProf's page of this name gets. XProf keeps files beside the trace."""
  path = trace()
  pathlib.Path("xprof_files").mkdir(exist_ok=True)
  copy = shutil.copy(path, "xprof_files")
  done = subprocess.run(
      [sys.executable, "-c", CONVERT, copy, name, json.dumps(parameters)],
      text=True, capture_output=True, timeout=120, check=False,
      env=dict(os.environ))
  harness.equal(done.returncode, 0, done.stderr[-2000:])
  return done.stdout


def rows(table):
  """The rows of a table, as {label: value}."""
  labels = [column["label"] for column in table["cols"]]
  return [dict(zip(labels, (cell and cell.get("v") for cell in row["c"])))
          for row in table["rows"]]


def module():
  modules = json.loads(tool("memory_profile"))["hloModules"]
  harness.equal(len(modules), STEPS)
  return modules[0]["name"]


def test_steps():
  tables = json.loads(tool("overview_page"))
  facts = {}
  for table in tables:
    facts.update(table.get("p") or {})
  harness.equal(facts["device_type"], "CPU")
  harness.equal(float(facts["steptime_ms_average"]) > 0, True, facts)
  harness.equal(
      0 < float(facts["active_steptime_ms_average"])
      <= float(facts["steptime_ms_average"]), True, facts)
  steps = [t for t in json.loads(tool("input_pipeline_analyzer"))
           if any(c["id"] == "stepnum" for c in t["cols"])]
  harness.equal(len(steps[0]["rows"]), STEPS)


def test_operations():
  operations = rows(json.loads(tool("hlo_stats")))
  dots = [o for o in operations if o["HLO op name"].startswith("dot")]
  harness.equal(len(dots) > 0, True, operations)
  for operation in operations:
    harness.equal(operation["#Occurrences"], STEPS, operation)
    total = operation["Total time (us)"]
    harness.equal(operation["Total self time (us)"], total, operation)
    average = operation["Avg. time (us)"]
    harness.equal(abs(average * STEPS - total) < 1e-6 * total, True, operation)
  # GFLOP/s by the time of one execution.
  flops = 2 * 128 * 256 * 256
  for dot in dots:
    rate = dot["Model GFLOP/s"]
    found = rate * dot["Avg. time (us)"] * 1e3
    harness.equal(abs(found - flops) < 0.01 * flops, True, dot)
    harness.equal(dot["Operational intensity (FLOPS/Byte)"] > 1, True, dot)
  share = sum(o["Total self time (%)"] for o in operations)
  # The rest is idle.
  harness.equal(0 < share < 100.01, True, share)


def test_profile_by_program():
  profile = json.loads(tool("op_profile"))["byProgram"]
  programs = {child["name"]: child for child in profile["children"]}
  metrics = programs[module()]["metrics"]
  # Two products forward, and three backward: nobody asks for the gradient of x.
  flops = STEPS * 5 * 2 * 128 * 256 * 256
  harness.equal(flops <= metrics["rawFlops"] < 1.2 * flops, True, metrics)
  harness.equal(metrics["rawBytesAccessedArray"][0] > 0, True, metrics)


def test_roofline():
  tables = json.loads(tool("roofline_model"))
  limits = tables[0]["p"]
  harness.equal(float(limits["peak_flop_rate"]) > 0, True, limits)
  harness.equal(float(limits["peak_hbm_bw"]) > 0, True, limits)
  program = rows(tables[0])[0]
  harness.equal(program["Operation"], "Program")
  harness.equal(program["Normalized FLOP Rate (GFLOP/s)"] > 0, True, program)


def test_memory():
  memory = json.loads(tool("memory_viewer", module_name=module()))
  harness.equal(memory["moduleName"], "jit_train_step")
  parameters = (2 * 256 * 256 + 128 * 256) * 4 / 2**20
  harness.equal(abs(memory["entryComputationParametersMib"] - parameters) < 1e-3,
                True, memory["entryComputationParametersMib"])
  harness.equal(memory["peakHeapMib"] > parameters, True)
  harness.equal(memory["peakHeapMib"] <= memory["totalBufferAllocationMib"]
                + 1e-3, True)
  harness.equal({"Parameter", "Output"} <= {o.get("groupName")
                                            for o in memory["maxHeap"]}, True)


def test_graph():
  text = tool("graph_viewer", graph_viewer_options={
      "module_name": module(), "type": "short_txt"})
  harness.equal(text.startswith("HloModule jit_train_step"), True, text[:200])


def test_trace_viewer():
  events = json.loads(tool("trace_viewer@"))["traceEvents"]
  names = {event.get("name") for event in events}
  harness.equal("DoEnqueueProgram" in names, True)
  harness.equal(any(str(n).startswith("dot") for n in names), True)


if __name__ == "__main__":
  harness.main(globals())
