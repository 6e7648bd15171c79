"""Ctrl-C in JAX: KeyboardInterrupt, and a process that goes on."""

import harness
import tessera_jax as tj

# A loop of some minutes at most, so that a child that nobody interrupts ends;
# and a thread that sends a real SIGINT once the loop may run.
BEGIN = """
import os, signal, threading, time
import jax, jax.numpy as jnp
from jax import lax

@jax.jit
def count(n):
  return lax.while_loop(lambda s: s[0] < n,
                        lambda s: (s[0] + 1, s[1] * 0.5 + 0.5),
                        (jnp.int32(0), jnp.float32(3)))[1]

def interrupt():
  threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

LONG = 2 ** 31 - 1
jax.config.update("jax_traceback_filtering", "off")
assert jax.default_backend() == "tessera"
# Compiled, and known to be long: it does not run on the thread of the caller.
count(2 ** 25).block_until_ready()
"""

# The client can only run one program at a time here: what comes after an
# interrupt shows that the one before is gone.
CHECK_AFTER = "assert float(count(100)) == 1, count(100)"


def interrupted(wait, **more):
  """Interrupts the statement `wait`, which must raise KeyboardInterrupt."""
  code = BEGIN + f"""
for attempt in range(2):
  interrupt()
  try:
    for _ in range(100):  # each takes seconds
      {wait}
    print("nothing was interrupted")
  except KeyboardInterrupt:
    print("interrupted")
  {CHECK_AFTER}
print("alive")
"""
  out = tj.child(code, TESSERA_NUM_THREADS="2", **more)
  harness.equal(out, "interrupted\ninterrupted\nalive\n")


def test_block_until_ready():
  interrupted("count(LONG).block_until_ready()")


def test_conversions():
  interrupted("float(count(LONG))")
  interrupted("import numpy as np; np.asarray(count(LONG))")


def test_queued_programs_end_too():
  interrupted("[count(LONG) + i for i in range(20)][-1].block_until_ready()")


def test_programs_on_the_thread_of_the_caller():
  # After a short run, a program whose loop may be of any length runs on the
  # caller's thread.
  interrupted("count(3).block_until_ready(); count(LONG).block_until_ready()")


def test_several_devices():
  interrupted("""jax.block_until_ready(jax.pmap(
          lambda n: lax.psum(count(n), "i"), axis_name="i")(
              jnp.array([LONG, 1, 1, LONG])))""", TESSERA_NUM_DEVICES="4")


def test_as_cpu():
  code = BEGIN.replace('"tessera"', '"cpu"') + f"""
interrupt()
try:
  for _ in range(100): count(LONG).block_until_ready()
except KeyboardInterrupt:
  print("interrupted")
{CHECK_AFTER}
"""
  out = tj.child(code, TESSERA_AS_CPU="1")
  tj.holds(out, "interrupted\n")


def test_cancel_from_another_thread():
  out = tj.child(BEGIN + """
from jax_plugins import tessera
threading.Timer(0.2, tessera.cancel).start()
try:
  for _ in range(100): count(LONG).block_until_ready()
except jax.errors.JaxRuntimeError as error:
  print(error)
""" + CHECK_AFTER)
  tj.holds(out, "CANCELLED")
  tj.holds(out, "run of jit_count cancelled at ")


def test_the_handlers_of_python_stay():
  out = tj.child(BEGIN + """
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
from jax_plugins import tessera
print(tessera.problems())
""")
  harness.equal(out, "True\n{}\n")


HANDLER = """
import signal
signals = []
signal.signal(signal.SIGINT, lambda *_: signals.append(1))
""" + BEGIN


def test_other_handlers_decide():
  # The program's own handler may want to finish a step, so nothing is
  # cancelled.
  out = tj.child(HANDLER + """
interrupt()
x = count(2 ** 29)
x.block_until_ready()
while not signals: pass
print(float(x), signals)
""")
  harness.equal(out, "1.0 [1]\n")


def test_interruptible_asks_for_it():
  out = tj.child(HANDLER + """
from jax_plugins import tessera
tessera.interruptible()
interrupt()
try:
  for _ in range(100): count(LONG).block_until_ready()
except jax.errors.JaxRuntimeError as error:
  print("CANCELLED" in str(error), signals)
""" + CHECK_AFTER)
  harness.equal(out, "True [1]\n")


def test_cells_of_notebooks():
  # IPython's kernels set Python's handler before each cell.
  out = tj.child("""
import sys, types
calls = []
events = types.SimpleNamespace(register=lambda *call: calls.append(call))
shell = types.SimpleNamespace(events=events)
sys.modules["IPython"] = types.SimpleNamespace(
    get_ipython=lambda: shell, version_info=(8, 0))
""" + BEGIN + """
signal.signal(signal.SIGINT, signal.default_int_handler)
(event, call), = calls
call(None)
print(event)
interrupt()
try:
  for _ in range(100): count(LONG).block_until_ready()
except KeyboardInterrupt:
  print("interrupted")
""" + CHECK_AFTER)
  harness.equal(out, "pre_run_cell\ninterrupted\n")


def test_signals_that_nobody_handles():
  out = tj.child("""
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
""" + BEGIN + """
from jax_plugins import tessera
try:
  tessera.interruptible()
except RuntimeError as error:
  print(error)
""")
  tj.holds(out, "has no handler: it is ignored")


def test_the_environment_forbids_it():
  code = BEGIN + """
x = count(2 ** 29)
interrupt()
try:
  while True: x.block_until_ready(); time.sleep(0.01)
except KeyboardInterrupt:
  print("interrupted", float(x))
"""
  harness.equal(tj.child(code, TESSERA_INTERRUPTS="0"), "interrupted 1.0\n")
  out = tj.child(code.replace("jax.config.update",
                              "jax.devices(); jax.config.update"),
                 TESSERA_INTERRUPTS="maybe")
  tj.holds(out, "TESSERA_INTERRUPTS must be 0 or 1, not 'maybe'")


def test_before_the_plugin_is_there():
  out = tj.child("""
from jax_plugins import tessera
for function in (tessera.cancel, tessera.interruptible):
  try:
    function()
  except RuntimeError as error:
    print(error)
""")
  harness.equal(out.count("JAX has not loaded the plugin yet"), 2, out)


if __name__ == "__main__":
  harness.main(globals())
