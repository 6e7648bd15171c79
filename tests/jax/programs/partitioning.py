"""Programs whose partitioning the compiler chooses. They give cpu's values, or
say UNIMPLEMENTED as long as there is no partitioner."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from registry import Family

FAMILY = Family("partitioning")
DATA = np.arange(48, dtype=np.float32).reshape(8, 6) * 0.25 - 3


def automatic(function, *specs):
  """Runs under jit over sharded arguments."""
  def run(devices):
    mesh = Mesh(np.array(devices).reshape(2, 2), ("i", "j"))
    arguments = [jax.device_put(DATA, NamedSharding(mesh, P(*spec)))
                 for spec in specs]
    return jax.jit(function)(*arguments)
  return run


def fill():
  for name, function, specs in (
      ("elementwise", jnp.sin, [("i", "j")]),
      ("sum", jnp.sum, [("i", "j")]),
      ("sum_rows", lambda v: v.sum(0), [("i",)]),
      ("transpose", lambda v: v.T, [("i", "j")]),
      ("matmul", lambda v, w: v @ w.T, [("i",), ("j",)]),
      ("sort", lambda v: jnp.sort(v, 0), [("i",)]),
      ("gather", lambda v: v[jnp.array([3, 1])], [("i",)]),
      ("gradient", jax.grad(lambda v: jnp.sum(jnp.tanh(v) ** 2)), [("i",)])):
    FAMILY.add(name, automatic(function, *specs), devices=4, eager=True,
               may_refuse=True)


fill()
