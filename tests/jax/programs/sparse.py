"""jax.experimental.sparse: BCOO, BCSR, COO, CSR and sparsify."""

import jax
import jax.numpy as jnp
from jax.experimental import sparse

from registry import Family

FAMILY = Family("sparse")
program = FAMILY.program
TYPES = ("f32", "f64", "s32", "c64")


def thin(x):
  """A matrix in which about half of the elements are zero."""
  return jnp.where(jnp.abs(x) > 1, x, 0)


def bcoo(x, **options):
  return sparse.BCOO.fromdense(thin(x), nse=x.size, **options)


def bcsr(x, **options):
  return sparse.BCSR.fromdense(thin(x), nse=x.size, **options)


@program("@[4,5]", types=TYPES)
def bcoo_round_trip(x):
  m = bcoo(x)
  return m.todense(), m.data, m.indices, m.T.todense(), m.sum_duplicates(
      nse=20).todense(), m.sort_indices().indices


@program("@[4,5]", "@[5,3]", "@[5]", types=TYPES)
def bcoo_products(x, y, v):
  m = bcoo(x)
  return m @ y, m @ v, y.T @ m.T, (m * 2).todense(), m.T @ x


@program("f32[4,5]", "f32[5,4]")
def bcoo_sparse_product(x, y):
  return (bcoo(x) @ bcoo(y)).todense(), (bcoo(x) + bcoo(y.T)).todense()


@program("f32[2,4,5]", "f32[2,5,3]")
def bcoo_batched(x, y):
  m = bcoo(x, n_batch=1)
  return m.todense(), sparse.bcoo_dot_general(
      m, y, dimension_numbers=(((2,), (1,)), ((0,), (0,)))), jax.vmap(
          lambda a, b: a @ b)(m, y)


@program("f32[4,5,2]")
def bcoo_dense_dimension(x):
  m = bcoo(x, n_dense=1)
  return m.todense(), m.sum(0).todense(), m.data


@program("f32[4,5]")
def bcoo_shapes(x):
  m = bcoo(x)
  return [a.todense() for a in (
      sparse.bcoo_reshape(m, new_sizes=(2, 10)), sparse.bcoo_slice(
          m, start_indices=(1, 0), limit_indices=(3, 4)),
      sparse.bcoo_reduce_sum(m, axes=(0,)), sparse.bcoo_concatenate(
          [m, m], dimension=0), sparse.bcoo_broadcast_in_dim(
              m, shape=(2, 4, 5), broadcast_dimensions=(1, 2)),
      sparse.bcoo_rev(m, dimensions=(0,)), sparse.bcoo_transpose(
          m, permutation=(1, 0)), sparse.bcoo_squeeze(
              sparse.bcoo_reshape(m, new_sizes=(4, 1, 5)), dimensions=(1,)))]


@program("f32[4,5]", "f32[4,5]")
def bcoo_elementwise(x, y):
  m = bcoo(x)
  return (sparse.bcoo_multiply_dense(m, y), (sparse.bcoo_multiply_sparse(
      m, bcoo(y))).todense(), sparse.bcoo_extract(m, y).todense(),
          sparse.bcoo_dynamic_slice(m, (1, 1), (2, 3)).todense())


@program("f32[4,3]", "f32[3,5]", "f32[4,5]")
def sampled_product(x, y, pattern):
  m = bcoo(pattern)
  return sparse.bcoo_dot_general_sampled(
      x, y, m.indices, dimension_numbers=(((1,), (0,)), ((), ())))


@program("f64[4,5]", "f64[5,3]")
def bcoo_gradients(x, y):
  m = bcoo(x)
  def loss(data, dense):
    return jnp.sum(jnp.sin(sparse.BCOO((data, m.indices), shape=(4, 5))
                           @ dense))
  return jax.grad(loss, (0, 1))(m.data, y), jax.jvp(
      lambda d: loss(d, y), (m.data,), (m.data,)), jax.grad(
          lambda d: jnp.sum(sparse.BCOO((d, m.indices), shape=(4, 5))
                            .todense() ** 2))(m.data)


@program("@[4,5]", "@[5,3]", types=("f32", "f64", "c64"))
def bcsr_products(x, y):
  m = bcsr(x)
  return m.todense(), m @ y, m @ y[:, 0], m.indptr, m.indices, m.data


@program("f32[2,4,5]", "f32[2,5,3]")
def bcsr_batched(x, y):
  m = bcsr(x, n_batch=1)
  return m.todense(), sparse.bcsr_dot_general(
      m, y, dimension_numbers=(((2,), (1,)), ((0,), (0,)))), (
          m.to_bcoo().todense()), sparse.bcsr_extract(
              m.indices, m.indptr, x)


@program("f32[4,5]", "f32[5,3]")
def coo_and_csr(x, y):
  out = []
  for kind in (sparse.COO, sparse.CSR, sparse.CSC):
    m = kind.fromdense(thin(x), nse=20)
    out += [m.todense(), m @ y, m @ y[:, 0], m.T.todense()]
  return out


@program("f64[4,5]", "f64[5]")
def csr_gradients(x, v):
  m = sparse.CSR.fromdense(thin(x), nse=20)
  def loss(data, u):
    return jnp.sum(jnp.sin(sparse.csr_matvec_p.bind(
        data, m.indices, m.indptr, u, shape=(4, 5), transpose=False)))
  return jax.grad(loss, (0, 1))(m.data, v)


@program("f32[4,5]", "f32[5]")
def sparsified(x, v):
  @sparse.sparsify
  def f(m, u):
    return jnp.sum(m @ u) * 2 + jnp.sum(m)
  return f(bcoo(x), v), sparse.todense(bcoo(x))


@program("f64[5,5]:spd", "f64[5]", tolerance=10)
def sparse_solvers(x, b):
  m = sparse.BCSR.fromdense(x, nse=25)
  return sparse.linalg.spsolve(m.data, m.indices, m.indptr, b)


@program("f64[24,24]:spd", "f64[24,2]", tolerance=1e7)
def lobpcg(x, start):
  w, _, _ = sparse.linalg.lobpcg_standard(x, start, m=40)
  return w


@program("u32[]:0..9")
def random_sparse(seed):
  m = sparse.random_bcoo(jax.random.key(seed), (4, 6), nse=7)
  return m.todense(), sparse.eye(4).todense(), sparse.empty((3, 2)).todense()


@program("f32[5,4]", eager=True)
def eager_sparse(x):
  m = sparse.BCOO.fromdense(thin(jnp.asarray(x)))
  return m.nse, m.todense(), (m @ x.T).shape, sparse.BCSR.from_bcoo(
      m).todense(), sparse.todense(m)


@program("f32[5]", "f32[3]")
def sparse_convolve(x, w):
  return sparse.bcoo_conv_general_dilated(
      bcoo(x[None, None]), bcoo(w[None, None]), window_strides=(1,),
      padding="VALID").todense()
