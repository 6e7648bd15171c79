"""jax.profiler.trace: one XSpace with JAX's annotations and Tessera's thunks,
on the same threads and the same clock."""

import pathlib
import shutil

import harness
import tessera_jax

TRACED = r'''
import jax, jax.numpy as jnp, numpy as np, sys

def layer(x, w):
  return jax.nn.softmax(jnp.tanh(x @ w), axis=-1)

x = np.ones((256, 512), np.float32)
w = np.ones((512, 512), np.float32)
step = jax.jit(layer)
step(x, w).block_until_ready()
with jax.profiler.trace(sys.argv[1] if len(sys.argv) > 1 else "trace"):
  with jax.profiler.TraceAnnotation("my annotation"):
    for _ in range(3):
      step(x, w).block_until_ready()
  jax.jit(lambda a: layer(a, w) + 1)(x).block_until_ready()
'''


def planes():
  """The planes of a trace: {name: plane}, as jax.profiler.ProfileData reads
  them."""
  shutil.rmtree("trace", ignore_errors=True)
  tessera_jax.child(TRACED)
  files = list(pathlib.Path("trace").rglob("*.xplane.pb"))
  harness.equal(len(files), 1)
  profiler = tessera_jax.jax().profiler
  data = profiler.ProfileData.from_file(str(files[0]))
  found = {}
  for plane in data.planes:
    harness.equal(plane.name in found, False, plane.name)
    found[plane.name] = plane
  return found


def test_thunks_lie_in_the_annotation():
  host = planes()["/host:CPU"]
  events = [(event, line.name) for line in host.lines for event in line.events]
  annotations = [e for e, _ in events if e.name == "my annotation"]
  harness.equal(len(annotations), 1)
  begin = annotations[0].start_ns
  end = begin + annotations[0].duration_ns
  inside = []
  for event, _ in events:
    stats = dict(event.stats)
    if "thunk_kind" not in stats or stats["hlo_module"] != "jit_layer":
      continue
    harness.equal(begin <= event.start_ns, True, event.name)
    harness.equal(event.start_ns + event.duration_ns <= end, True, event.name)
    inside.append(stats)
  dots = [s for s in inside if s.get("flops", 0) >= 2 * 256 * 512 * 512]
  harness.equal(len(dots), 3)
  harness.equal("dot_general" in dots[0]["tf_op"], True, dots[0])
  harness.equal(dots[0]["source"].startswith("<string>:"), True, dots[0])
  harness.equal(dots[0]["bytes_accessed"] > 0, True)
  harness.equal(dots[0]["roofline_share"] > 0, True)


def test_devices_programs_and_compilations():
  found = planes()
  device = found["/device:TPU:0"]
  lines = {line.name: list(line.events) for line in device.lines}
  modules = [event.name.split("(")[0] for event in lines["XLA Modules"]]
  harness.equal(modules.count("jit_layer"), 3, modules)
  harness.equal(len(lines["XLA Ops"]) >= 4, True)
  harness.equal("/host:metadata" in found, True, str(list(found)))
  names = {event.name for line in found["/host:CPU"].lines
           for event in line.events}
  harness.equal("compile jit__lambda" in names
                or "compile jit__lambda_" in names, True, str(names))


if __name__ == "__main__":
  harness.main(globals())
