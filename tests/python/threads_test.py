"""Several Python threads compile and run different programs concurrently:
results are right, nothing hangs, and buffers and memory do not grow.

TESSERA_STRESS_SECONDS is the duration of each run, 3 by default.
"""

import harness
import tessera_jax

# The code of each process: threads run programs in turn until the time is up.
STRESS = r'''
import collections, faulthandler, gc, logging, os
import random, resource, sys, threading, time
import numpy as np
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import io_callback

SECONDS = float(os.environ.get("TESSERA_STRESS_SECONDS", "3"))
THREADS = 8
faulthandler.dump_traceback_later(SECONDS * 4 + 120, exit=True)
DEVICES = jax.devices()
seen = threading.Lock()
callbacks = collections.Counter()
logging.getLogger("jax._src.callback").setLevel(logging.CRITICAL)


def small(rng):
  n, k = rng.randrange(1, 40), rng.random()
  x = np.arange(n, dtype=np.float32)
  y = jax.jit(lambda v: jnp.cumsum(v * k) + n)(x)
  np.testing.assert_allclose(y, np.cumsum(x * np.float32(k)) + n, rtol=1e-4)


def loop(rng):
  n, steps = rng.randrange(1, 9), rng.randrange(1, 30)
  f = jax.jit(lambda v: lax.fori_loop(0, steps, lambda i, a: a + i, v))
  np.testing.assert_array_equal(f(np.zeros(n, np.int32)),
                                np.full(n, steps * (steps - 1) // 2))


def scanned(rng):
  n = rng.randrange(2, 20)
  f = jax.jit(jax.grad(lambda v: lax.scan(
      lambda c, a: (c * a, c), jnp.float32(1), v)[0]))
  x = np.linspace(0.5, 1.5, n, dtype=np.float32)
  np.testing.assert_allclose(f(x), np.prod(x) / x, rtol=1e-4)


def pure(rng):
  n, k = rng.randrange(1, 9), rng.randrange(100)
  def host(a):
    return np.asarray(a) + np.float32(k)
  f = jax.jit(lambda v: 2 * jax.pure_callback(
      host, jax.ShapeDtypeStruct((n,), jnp.float32), v))
  np.testing.assert_array_equal(f(np.ones(n, np.float32)),
                                np.full(n, 2.0 * (1 + k)))


def ordered(rng):
  me, steps = threading.get_ident(), rng.randrange(1, 5)
  got = []
  f = jax.jit(lambda: lax.fori_loop(0, steps, lambda i, s: s + io_callback(
      lambda j: (got.append(int(j)), np.int32(j))[1],
      jax.ShapeDtypeStruct((), jnp.int32), i, ordered=True), 0))
  assert int(f()) == steps * (steps - 1) // 2
  jax.effects_barrier()
  assert got == list(range(steps)), got
  with seen:
    callbacks[me] += steps


def solved(rng):
  n = rng.randrange(2, 8)
  a = np.random.default_rng(rng.randrange(9999)).normal(size=(n, n))
  a = (a @ a.T + n * np.eye(n)).astype(np.float32)
  x = jax.jit(lambda m: jnp.linalg.inv(m) @ m)(a)
  np.testing.assert_allclose(x, np.eye(n), atol=1e-3)
  w, v = jax.jit(jnp.linalg.eigh)(a)
  np.testing.assert_allclose(v @ np.diag(w) @ v.T, a, atol=2e-3)


def randomness(rng):
  seed = rng.randrange(1000)
  draw = jax.jit(lambda k: jax.random.normal(k, (17,)))
  with jax.default_device(jax.devices("cpu")[0]):
    want = np.asarray(jax.random.normal(jax.random.key(seed), (17,)))
  np.testing.assert_allclose(draw(jax.random.key(seed)), want, rtol=1e-4,
                             atol=1e-6)


def donated(rng):
  n = rng.randrange(1, 3000)
  step = jax.jit(lambda a: a * 2, donate_argnums=0)
  v = jax.device_put(np.ones(n, np.float32))
  for _ in range(5):
    old, v = v, step(v)
  assert old.is_deleted()
  np.testing.assert_array_equal(v, np.full(n, 32.0))


def moved(rng):
  x = np.arange(rng.randrange(1, 5000), dtype=np.int32)
  v = jax.device_put(x, rng.choice(DEVICES))
  w = jax.device_put(v, rng.choice(DEVICES))
  if w.devices() != v.devices():
    v.delete()  # Else both are one buffer.
  np.testing.assert_array_equal(jax.device_get(w), x)


def on_a_device(rng):
  device = rng.choice(DEVICES)
  x = jax.device_put(np.ones((33, 33), np.float32), device)
  y = jax.jit(lambda a: a @ a)(x)
  assert y.devices() == {device}
  np.testing.assert_array_equal(y, np.full((33, 33), 33.0))


def on_all(rng):
  count = len(DEVICES)
  f = jax.pmap(lambda a: a + lax.psum(a, "d"), axis_name="d")
  x = np.arange(count * 3, dtype=np.float32).reshape(count, 3)
  np.testing.assert_array_equal(f(x), x + x.sum(0))


def dispatched(rng):
  v = KNOWN(jnp.float32(rng.random()))
  for _ in range(50):
    v = KNOWN(v)
  assert 0.5 < float(v) < 1.0


def failing(rng):
  def no(_):
    raise ValueError("stressed")
  f = jax.jit(lambda v: jax.pure_callback(
      no, jax.ShapeDtypeStruct((), jnp.float32), v))
  try:
    f(1.0).block_until_ready()
  except jax.errors.JaxRuntimeError as error:
    assert "stressed" in str(error)
  else:
    raise AssertionError("the error of a callback is lost")


KNOWN = jax.jit(jnp.cos)
PROGRAMS = [small, loop, scanned, pure, ordered, solved, randomness, donated,
            moved, on_a_device, on_all, dispatched, failing]
counts, errors = collections.Counter(), []


def work(seed, until):
  rng = random.Random(seed)
  while time.monotonic() < until and not errors:
    program = rng.choice(PROGRAMS)
    try:
      program(rng)
    except BaseException as error:
      errors.append((program.__name__, error))
      raise
    counts[program.__name__] += 1


def resident():
  with open("/proc/self/statm") as file:
    return int(file.read().split()[1]) * resource.getpagesize() >> 10


def settle():
  """KiB and live arrays once caches are empty."""
  jax.clear_caches()
  gc.collect()
  try:
    import ctypes
    ctypes.CDLL(None).malloc_trim(0)
  except (OSError, AttributeError):
    pass
  return resident(), len(jax.live_arrays())


def run(seconds, seed):
  until = time.monotonic() + seconds
  threads = [threading.Thread(target=work, args=(seed + i, until), daemon=True)
             for i in range(THREADS)]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join(seconds * 2 + 60)
    assert not thread.is_alive(), "a thread hangs"
  assert not errors, errors


for turn in range(4):
  run(SECONDS / 4, turn * 100)
  before = (sum(counts.values()),) + settle()
  print("programs, KiB, arrays:", *before, flush=True)
assert before[2] == 0, jax.live_arrays()
print(dict(counts))
'''


def test_threads():
  print(tessera_jax.child(STRESS))


def test_threads_on_four_devices():
  print(tessera_jax.child(STRESS, TESSERA_NUM_DEVICES="4"))


if __name__ == "__main__":
  harness.main(globals())
