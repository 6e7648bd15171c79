"""Tests what the package adds to JAX's lowering: rules of platform cpu, linear
algebra, sparse products, platform_dependent, export, DLPack, the cache."""

import os
import tempfile

import harness
import numpy as np
import tessera_jax as tj


def matrix(complex_values=False):
  rng = np.random.default_rng(0)
  a = rng.standard_normal((5, 5))
  return a + 1j * rng.standard_normal((5, 5)) if complex_values else a


def symmetric():
  return matrix() @ matrix().T + 5 * np.eye(5)


def linear_algebra():
  """Functions without arguments, by name, whose results have no arbitrary
  signs."""
  jax = tj.jax()
  import jax.scipy.linalg as scipy
  linalg = jax.numpy.linalg
  lax = jax.lax.linalg
  a, s, z = matrix(), symmetric(), matrix(True)
  return {
      "cholesky": lambda: linalg.cholesky(s),
      "eigh": lambda: linalg.eigh(s)[0],
      "eigh_complex": lambda: linalg.eigh(z + z.conj().T)[0],
      "eig": lambda: jax.numpy.sort(abs(linalg.eig(a)[0])),
      "svd": lambda: linalg.svd(a)[1],
      "svd_complex": lambda: linalg.svd(z)[1],
      "qr": lambda: abs(linalg.qr(a)[1]),
      "qr_pivoting": lambda: abs(scipy.qr(a, pivoting=True)[1]),
      "lu": lambda: scipy.lu(a)[2],
      "schur": lambda: scipy.schur(s)[0],
      "hessenberg": lambda: abs(scipy.hessenberg(a)),
      "tridiagonal": lambda: abs(lax.tridiagonal(s)[1]),
      "tridiagonal_solve": lambda: lax.tridiagonal_solve(
          np.ones(4), 3 * np.ones(4), np.ones(4), np.ones((4, 2))),
      "triangular_solve": lambda: scipy.solve_triangular(s, a, lower=True),
      "solve": lambda: linalg.solve(a, s),
      "det": lambda: linalg.det(a),
      "pinv": lambda: linalg.pinv(a),
      "rank": lambda: linalg.matrix_rank(a),
      "expm": lambda: scipy.expm(a),
      "sqrtm": lambda: scipy.sqrtm(s),
      "gradient_of_svd": lambda: jax.grad(
          lambda m: linalg.svd(m, compute_uv=False).sum())(a),
      "batched": lambda: jax.vmap(linalg.inv)(np.stack([a, s])),
  }


def check_linear_algebra(function):
  np.testing.assert_allclose(function(), tj.on_cpu(function), rtol=1e-8,
                             atol=1e-8)


def test_linear_algebra():
  try:
    functions = linear_algebra()
  except harness.Skip as skip:
    reason = skip

    def missing():
      raise reason

    yield "all", missing
    return
  for name, function in functions.items():
    yield name, check_linear_algebra, function


def test_later_rules_count():
  jax = tj.jax()
  jax.devices()
  from jax._src.interpreters import mlir
  from jax.extend import core
  primitive = core.Primitive("added_later")
  primitive.def_abstract_eval(lambda x: x)
  program = jax.jit(lambda x: primitive.bind(x))
  twice = mlir.lower_fun(lambda x: 2 * x, multiple_results=False)
  thrice = mlir.lower_fun(lambda x: 3 * x, multiple_results=False)
  mlir.register_lowering(primitive, twice, platform="cpu")
  harness.equal(float(program(1.0)), 2.0)
  mlir.register_lowering(primitive, thrice, platform="tessera")
  jax.clear_caches()
  harness.equal(float(program(1.0)), 3.0)


def test_platform_dependent():
  jax = tj.jax()

  def choose(**branches):
    branches = {name: lambda x, v=v: x + v for name, v in branches.items()}
    return int(jax.jit(
        lambda x: jax.lax.platform_dependent(x, **branches))(0))

  harness.equal(choose(cpu=1, default=2), 1)
  harness.equal(choose(cpu=1, tessera=3, default=2), 3)
  harness.equal(choose(cuda=1, default=2), 2)
  harness.equal(choose(cpu=1, cuda=2), 1)


def sparse_products():
  """(got, expected) of products with a sparse matrix, by name."""
  jax = tj.jax()
  from jax.experimental import sparse
  dense = np.array([[1.0, 0, 2], [0, 0, 3], [4, 5, 0]])
  v, m = np.arange(3.0), np.arange(6.0).reshape(3, 2)
  for kind in (sparse.BCOO, sparse.BCSR, sparse.CSR, sparse.COO):
    s = kind.fromdense(dense)
    times = jax.jit(lambda s, x: s @ x)
    yield f"{kind.__name__} vector", times(s, v), dense @ v
    yield f"{kind.__name__} matrix", times(s, m), dense @ m
  try:
    from jax.experimental.sparse._lowerings import csr_spmm_p, csr_spmv_p
  except ImportError:
    return
  s = sparse.CSR.fromdense(dense)
  for transpose in (False, True):
    matrix_ = dense.T if transpose else dense
    for primitive, x in ((csr_spmv_p, v), (csr_spmm_p, m)):
      got = jax.jit(lambda *a: primitive.bind(
          *a, shape=(3, 3), transpose=transpose))(
              s.data, s.indices, s.indptr, x)
      yield f"{primitive.name} {transpose}", got, matrix_ @ x


def test_sparse():
  for name, got, want in sparse_products():
    np.testing.assert_allclose(got, want, err_msg=name)


def test_sparse_solve():
  jax = tj.jax()
  harness.require("scipy")
  from jax.experimental import sparse
  from jax.experimental.sparse.linalg import spsolve
  dense = np.array([[1.0, 0, 2], [0, 0, 3], [4, 5, 0]])
  s = sparse.BCSR.fromdense(dense)
  got = jax.jit(spsolve)(s.data, s.indices, s.indptr, np.arange(3.0))
  np.testing.assert_allclose(got, np.linalg.solve(dense, np.arange(3.0)))


def test_export():
  jax = tj.jax()
  for module in ("flatbuffers", "absl"):  # Old versions log through absl.
    if module == "flatbuffers" or jax.__version_info__ < (0, 7):
      harness.require(module)
  from jax import export
  x = jax.numpy.arange(3.0)
  for platforms in (["tessera"], ["cpu", "tessera"]):
    exported = export.export(jax.jit(jax.numpy.sin), platforms=platforms)(x)
    again = export.deserialize(exported.serialize())
    np.testing.assert_allclose(again.call(x), np.sin(np.arange(3.0)))


def test_dlpack():
  jax = tj.jax()
  x = jax.numpy.arange(4.0)
  y = np.from_dlpack(x)
  harness.equal(y.tolist(), [0, 1, 2, 3])
  harness.equal(y.ctypes.data, x.unsafe_buffer_pointer(), "copied")
  del x
  harness.equal(y.tolist(), [0, 1, 2, 3])
  # A type that NumPy's DLPack lacks, through platform cpu.
  small = jax.dlpack.from_dlpack(jax.numpy.arange(3, dtype="bfloat16"))
  harness.equal(small.tolist(), [0, 1, 2])
  inward = jax.dlpack.from_dlpack(np.arange(3.0), device=jax.devices()[0])
  harness.equal((inward.tolist(), inward.devices()),
                ([0, 1, 2], {jax.devices()[0]}))


def test_compilation_cache():
  code = """
import jax, jax.numpy as jnp, warnings
warnings.simplefilter("error")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
hits = []
jax.monitoring.register_event_listener(
    lambda name, **_: hits.append(name) if "cache_hits" in name else None)
x = jnp.arange(4.0)
print(jax.jit(lambda x: jnp.cos(x) - x)(x).tolist(), len(hits) > 0)
"""
  with tempfile.TemporaryDirectory() as folder:
    first = tj.child(code, JAX_COMPILATION_CACHE_DIR=folder)
    assert os.listdir(folder), "nothing was written"
    second = tj.child(code, JAX_COMPILATION_CACHE_DIR=folder)
  tj.holds(first, "] False")
  harness.equal(second, first.replace("] False", "] True"))


if __name__ == "__main__":
  harness.main(globals())
