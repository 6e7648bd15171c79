"""Sparse matrix products without custom calls.

On platform cpu, jaxlib's C++ code multiplies CSR matrices. Here the product is
a gather, a multiplication and a scatter, which any consumer of StableHLO can
run.
"""

import jax.numpy as jnp
from jax._src.interpreters import mlir

from jax_plugins.tessera import _lowering


def _csr_product(data, second, third, x, **params):
  """[m,n] x [n] -> [m] or [m,n] x [n,k] -> [m,k], for a CSR matrix with values
  `data`. Which of the other two arrays has the row starts (m + 1) depends on
  the caller: if `shape` is given, they come last."""
  shape = params.get("shape")
  transpose = params.get("transpose", False)
  columns, starts = (second, third) if shape else (third, second)
  rows = starts.shape[0] - 1
  entries = jnp.arange(data.shape[0], dtype=starts.dtype)
  row = jnp.searchsorted(starts, entries, side="right") - 1
  into, out_of, size = row, columns, rows
  if transpose:
    into, out_of, size = columns, row, shape[1]
  terms = data.reshape(-1, *[1] * (x.ndim - 1)) * x[out_of]
  return jnp.zeros((size, *x.shape[1:]), x.dtype).at[into].add(terms)


def _entry(primitive):
  del primitive
  rule = mlir.lower_fun(_csr_product, multiple_results=False)
  make = getattr(mlir, "LoweringRuleEntry", None)
  return make(rule, True) if make else rule


def install(platform):
  """Sets the rules of csr_spmv and csr_spmm; the common rule of
  bcsr_dot_general needs no change."""
  del platform
  for name in ("csr_spmv", "csr_spmm"):
    _lowering.set_late_rule(name, _entry)
