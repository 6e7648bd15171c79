"""Compiled programs in files, read by another process: the plugin's cache,
JAX's own persistent one, serialized executables and exported programs."""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness
import tessera_jax as tj

# Trains and asks the transformer of text_model.py, in which jit, the gradient
# and many small programs of jax.numpy take part.
TRANSFORMER = """
import json, sys
sys.path.insert(0, {folder!r})
import jax, numpy as np, text_model
from jax_plugins import tessera
rows = np.random.default_rng(0)
def weights(*shape):
  return jax.numpy.asarray(rows.normal(size=shape, scale=0.1), "float32")
width, vocab = 32, 20
layer = lambda: dict(qkv=weights(width, 3 * width), proj=weights(width, width),
                     up=weights(width, 64), down=weights(64, width),
                     g1=weights(width), g2=weights(width))
parameters = dict(embed=weights(vocab, width), out=weights(width, vocab),
                  position=weights(text_model.CONTEXT, width),
                  layers=[layer(), layer()])
zeros = jax.tree.map(jax.numpy.zeros_like, parameters)
state = (parameters, zeros, zeros, jax.numpy.float32(0))
batch = jax.numpy.asarray(rows.integers(vocab, size=(4, 17)))
step, losses = jax.jit(text_model.train_step), []
for _ in range(3):
  state, loss = step(state, batch)
  losses.append(float(loss))
text = jax.jit(text_model.generate, static_argnums=2)(
    state[0], jax.numpy.asarray([1, 2, 3]), 20)
print("RESULT", json.dumps([losses, np.asarray(text).tolist(),
                            tessera.compilation_cache_statistics()]))
"""


def result(output):
  [line] = [line for line in output.splitlines() if line.startswith("RESULT")]
  return json.loads(line.removeprefix("RESULT"))


def transformer(**environment):
  code = TRANSFORMER.format(folder=str(pathlib.Path(__file__).parent))
  return result(tj.child(code, **environment))


def test_a_second_start_of_the_transformer_compiles_nothing():
  with tempfile.TemporaryDirectory() as folder:
    first = transformer(TESSERA_CACHE_DIR=folder)
    second = transformer(TESSERA_CACHE_DIR=folder)
  *values, counters = first
  *again, counters_again = second
  harness.equal(again, values)
  harness.equal(counters["stores"], counters["misses"])
  harness.equal(counters["misses"] > 5, True, counters)
  harness.equal(counters_again["misses"], 0, counters_again)
  harness.equal(counters_again["hits"], counters["hits"] + counters["misses"])
  for name in "uncached", "errors", "evictions", "stores":
    harness.equal(counters_again[name], 0, name)


def test_without_a_folder_nothing_is_counted():
  *_, counters = transformer(TESSERA_CACHE_DIR="")
  harness.equal(set(counters.values()), {0})


OPTIONS = """
from jax_plugins import tessera
try:
  tessera.compilation_cache_statistics()
except RuntimeError as error:
  assert "has not loaded the plugin" in str(error), error
for wrong in 0, -1, "x", 1.5:
  try:
    tessera.configure(cache_max_bytes=wrong)
    raise AssertionError(wrong)
  except ValueError as error:
    assert "cache_max_bytes" in str(error), error
tessera.configure(cache_dir={folder!r}, cache_max_bytes=20_000)
import jax, jax.numpy as jnp, json, os
for i in range(8):
  jax.jit(lambda x: jnp.sin(x) * i)(1.0)
print("RESULT", json.dumps([tessera.compilation_cache_statistics()]))
"""


def test_options_in_python_precede_the_environment():
  with tempfile.TemporaryDirectory() as folder:
    code = OPTIONS.format(folder=folder)
    [counters] = result(tj.child(code, TESSERA_CACHE_DIR="/not/used"))
    size = sum(path.stat().st_size
               for path in pathlib.Path(folder).glob("*.program"))
  harness.equal(counters["errors"], 0)
  harness.equal(counters["evictions"] > 0, True, counters)
  harness.equal(0 < size <= 20_000, True, size)


CALLBACK = """
import jax, jax.numpy as jnp, json
from jax_plugins import tessera
jnp.ones(3).block_until_ready()
before = tessera.compilation_cache_statistics()
for factor in 2, 3:
  f = jax.jit(lambda x: jax.pure_callback(
      lambda y: y * factor, jax.ShapeDtypeStruct((3,), "float32"), x))
  assert f(jnp.ones(3)).tolist() == [factor] * 3
after = tessera.compilation_cache_statistics()
print("RESULT", json.dumps([after["uncached"] - before["uncached"],
                            after["stores"] - before["stores"]]))
"""


def test_programs_with_host_callbacks_are_not_kept():
  with tempfile.TemporaryDirectory() as folder:
    for _ in range(2):
      harness.equal(result(tj.child(CALLBACK, TESSERA_CACHE_DIR=folder)),
                    [2, 0])


PERSISTENT = """
import jax, jax.numpy as jnp, json, warnings
warnings.simplefilter("error")
from jax_plugins import tessera
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
events = []
jax.monitoring.register_event_listener(lambda name, **_: events.append(name))
x = jnp.arange(4.0)
value = jax.jit(lambda x: jnp.cos(x) @ jnp.sin(x))(x)
count = lambda name: sum(name in event for event in events)
print("RESULT", json.dumps([float(value), count("cache_hits"),
                            count("cache_misses"),
                            tessera.compilation_cache_statistics()]))
"""


def test_jax_persistent_cache_in_two_processes():
  with tempfile.TemporaryDirectory() as folder:
    own = pathlib.Path(folder) / "own"
    environment = dict(JAX_COMPILATION_CACHE_DIR=folder,
                       TESSERA_CACHE_DIR=str(own))
    first = result(tj.child(PERSISTENT, **environment))
    second = result(tj.child(PERSISTENT, **environment))
  value, hits, misses, counters = first
  harness.equal(hits, 0)
  harness.equal(misses > 0, True, first)
  harness.equal(second[:3], [value, misses, 0])
  # JAX's cache is asked first, and then needs no compiler.
  harness.equal(counters["misses"], misses)
  harness.equal((second[3]["hits"], second[3]["misses"]), (0, 0))


SAVE = """
import jax, jax.numpy as jnp, pickle, sys
from jax.experimental import serialize_executable
f = jax.jit(lambda x, y: {{"sum": jnp.sin(x) + y, "dot": x @ y}})
x, y = jnp.arange(4.0), jnp.ones(4)
with open({folder!r} + "/executable", "wb") as file:
  pickle.dump(serialize_executable.serialize(f.lower(x, y).compile()), file)
with open({folder!r} + "/exported", "wb") as file:
  file.write(jax.export.export(f)(x, y).serialize())
print("RESULT", [v.tolist() for v in jax.tree.leaves(f(x, y))])
"""

LOAD = """
import inspect, jax, jax.numpy as jnp, json, pickle
from jax.experimental import serialize_executable
from jax_plugins import tessera
x, y = jnp.arange(4.0), jnp.ones(4)
before = tessera.compilation_cache_statistics()
with open({folder!r} + "/executable", "rb") as file:
  payload = pickle.load(file)
load = serialize_executable.deserialize_and_load
newer = "execution_devices" in inspect.signature(load).parameters
more = dict(execution_devices=jax.devices()) if newer else {{}}
loaded = load(*payload, backend=jax.devices()[0].client, **more)
values = [v.tolist() for v in jax.tree.leaves(loaded(x, y))]
after = tessera.compilation_cache_statistics()
assert before == after, (before, after)  # nothing was compiled
with open({folder!r} + "/exported", "rb") as file:
  exported = jax.export.deserialize(file.read())
call = jax.jit(exported.call)
assert values == [v.tolist() for v in jax.tree.leaves(call(x, y))]
print("RESULT", json.dumps([values, tessera.compilation_cache_statistics()]))
"""


def test_serialized_and_exported_programs_in_another_process():
  with tempfile.TemporaryDirectory() as folder:
    environment = dict(TESSERA_CACHE_DIR=folder + "/cache")
    want = result(tj.child(SAVE.format(folder=folder), **environment))
    runs = [result(tj.child(LOAD.format(folder=folder), **environment))
            for _ in range(2)]
  for got, _ in runs:
    harness.equal(got, want)
  # The exported program is compiled by the first process that calls it.
  harness.equal(runs[0][1]["misses"] > 0, True, runs)
  harness.equal(runs[1][1]["misses"], 0)


if __name__ == "__main__":
  harness.main(globals())
