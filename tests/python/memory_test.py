"""Programs that need more memory than the process may have raise an exception
that says so, and the next program runs."""

import harness
import tessera_jax

PROGRAMS = r'''
import resource
import jax, jax.numpy as jnp
from jax import lax

def wide(v, n):
  return jnp.broadcast_to(v, (n,))

programs = {
    "broadcast": lambda v: wide(v, 2**28),
    "sort": lambda v: lax.sort(wide(v, 2**26))[0],
    "sort of two": lambda v: lax.sort((wide(v, 2**26), wide(v, 2**26)))[1][0],
    "dot": lambda v: wide(v, 2**14)[:, None] @ wide(v, 2**14)[None],
    "fft": lambda v: jnp.sum(jnp.fft.fft(wide(v, 2**25)).real),
    "gather": lambda v: jnp.cos(wide(v, 9))[lax.iota(jnp.int32, 2**28)],
    "loop": lambda v: lax.fori_loop(0, 2, lambda i, a: a + i, wide(v, 2**28)),
}
one = jnp.float32(1)
double = jax.jit(lambda v: lax.fori_loop(0, 2, lambda i, a: a * 2, v))
jax.block_until_ready((double(one), jnp.ones(9)[lax.iota(jnp.int32, 9)]))
with open("/proc/self/statm") as file:
  used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 600 * 2**20,) * 2)
for name, function in programs.items():
  try:
    jax.block_until_ready(jax.jit(function)(one))
  except jax.errors.JaxRuntimeError as error:
    assert "RESOURCE_EXHAUSTED" in str(error), (name, error)
  else:
    raise AssertionError(f"{name} fits into memory")
  assert float(double(one)) == 4
print("all told")
'''


def test_end_of_memory():
  tessera_jax.holds(tessera_jax.child(PROGRAMS), "all told")


if __name__ == "__main__":
  harness.main(globals())
