"""Operations along and across divided dimensions. A name that ends in `_along`
has the dimension divided that the operation works along."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from sharded_program import ShardedFamily

FAMILY = ShardedFamily("sharded/operations")
XY = (None, "x", "y")


def both(name, function, spec="f32[16,8]", more=(), mesh="x=8", **options):
  """`function` works along dimension 0: divides that, and the other one."""
  FAMILY.add(f"{name}_along", function, (spec, "x"), *more, mesh=mesh,
             **options)
  FAMILY.add(f"{name}_across", function, (spec, None, "x"), *more, mesh=mesh,
             **options)


def conv(x, k, stride=1, padding="SAME", **options):
  return lax.conv_general_dilated(
      x, k, (stride, stride), padding,
      dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)


def reductions():
  both("reduce", lambda x: (
      x.sum(0), x.max(0), x.min(0), x.prod(0), (x > 0).any(0), (x > -9).all(0),
      x.mean(0), x.var(0)))
  both("reduce_ints", lambda x: (
      x.sum(0), x.max(0), x.min(0), x.prod(0)), "s32[16,8]")
  FAMILY.add("reduce_bits", lambda x: (
      lax.reduce_xor(x, (0,)), lax.reduce_and(x, (0,)), lax.reduce_or(x, (1,))),
             ("s32[16,8]", "x", "y"),
             not_cpu="no xor, and, or of integers between devices")
  both("argmax", lambda x: (x.argmax(0), x.argmin(0)), "f32[16,8]:ties")
  both("logsumexp", lambda x: (
      jax.nn.softmax(x, 0), jax.scipy.special.logsumexp(x, 0)))
  both("cumsum", lambda x: (
      jnp.cumsum(x, 0), lax.cumsum(x, 0, reverse=True)))
  both("cumsum_ints", lambda x: jnp.cumsum(x, 0), "s32[16,8]")
  both("cummax", lambda x: (lax.cummax(x, 0), lax.cummin(x, 0),
                            lax.cumprod(x, 0), lax.cumlogsumexp(x, 0)),
       not_cpu="0 instead of the neutral element at the edges of parts")
  both("associative_scan", lambda x: lax.associative_scan(
      lambda a, b: a * 0.5 + b, x))
  both("norm", lambda x: (jnp.linalg.norm(x, axis=0), jnp.median(x, axis=0),
                          jnp.quantile(x, 0.3, axis=0)))
  FAMILY.add("reduce_all", lambda x: (x.sum(), x.max(), x.argmax(), x.std()),
             ("f32[16,8]", "x", "y"))
  FAMILY.add("reduce_variadic", lambda x, y: lax.reduce(
      (x, y), (np.float32(0), np.int32(0)),
      lambda a, b: (a[0] + b[0], jnp.maximum(a[1], b[1])), (0,)),
             ("f32[16,8]", "x", "y"), ("s32[16,8]", "x", "y"))
  FAMILY.add("reduce_uneven", lambda x: (
      x[:13].sum(0), x[1:].max(0), jnp.cumsum(x[:11], 0), x[3:14].argmin(0)),
             ("f32[16,8]", "x"), mesh="x=8")


def order():
  both("sort", lambda x: (jnp.sort(x, 0), jnp.argsort(x, 0)),
       "f32[16,8]:ties", exact=True)
  both("sort_pairs", lambda x: lax.sort(
      (x, lax.broadcasted_iota(np.int32, x.shape, 1)), dimension=0,
      is_stable=True, num_keys=1), "s32[16,8]")
  both("top_k", lambda x: lax.top_k(x.T, 3), "f32[16,8]:ties", exact=True)
  both("approx_top_k", lambda x: lax.approx_max_k(
      x, 3, reduction_dimension=0, recall_target=1.0)[0], "f32[32,8]",
       exact=True)
  FAMILY.add("sort_vector", lambda x: (jnp.sort(x), jnp.argsort(-x)),
             ("f32[24]", "x"), mesh="x=8", exact=True)
  FAMILY.add("searchsorted", lambda t, x: jnp.searchsorted(t, x),
             ("f32[16]:sorted", "x"), ("f32[24]", "y"))
  FAMILY.add("unique", lambda x: jnp.unique(x, size=12, fill_value=-1),
             ("s32[16]", "x"), mesh="x=8")


def linear():
  for name, left, right in (
      ("rows", ("x",), ()), ("columns", (), (None, "x")),
      ("contracting", (None, "x"), ("x",)), ("one_axis_twice", ("x",),
                                             (None, "x")),
      ("left_contracting", (None, "x"), ()), ("grid", ("x", "y"), ("y",)),
      ("summa", ("x", "y"), ("x", "y")), ("crossed", ("x", "y"), ("y", "x")),
      ("both_axes", ("x",), ("y",))):
    FAMILY.add(f"dot_{name}", jnp.matmul, ("f32[16,24]", *left),
               ("f32[24,8]", *right))
  FAMILY.add("dot_types", lambda a, b: (
      a @ b, a.astype(jnp.bfloat16) @ b.astype(jnp.bfloat16),
      a.astype(jnp.int32) @ b.astype(jnp.int32),
      (a + 1j * a) @ (b - 1j * b)), ("f32[8,16]", "x", "y"), ("f32[16,8]", "y"),
             tolerance=2)
  FAMILY.add("einsum", lambda a, b, c: (
      jnp.einsum("bij,bjk->bik", a, b), jnp.einsum("bij,bkj,bk->i", a, b, c),
      jnp.einsum("bii->b", a), jnp.einsum("bij,ckl->bclij", a, b)),
             ("f32[4,8,8]", "x", "y"), ("f32[4,8,8]", None, "y"),
             ("f32[4,8]", "y"), tolerance=2)
  FAMILY.add("dot_uneven", lambda a, b: (a[:, :19] @ b[:19], a[:13] @ b[:, 1:]),
             ("f32[16,24]", "x", "y"), ("f32[24,8]", "y"))
  FAMILY.add("ragged_dot", lambda a, b, n: lax.ragged_dot(a, b, n),
             ("f32[16,8]", "x"), ("f32[3,8,8]", None, None, "y"), "s32[3]:5..5")
  matrices = ("f32[8,6,6]:spd", "x")
  FAMILY.add("factorizations_batch", lambda a: (
      jnp.linalg.cholesky(a), jnp.linalg.inv(a), jnp.linalg.det(a),
      jnp.abs(jnp.linalg.qr(a)[1]), jnp.linalg.eigvalsh(a),
      jnp.linalg.svd(a, compute_uv=False), lax.linalg.lu(a)[0]), matrices,
             mesh="x=8", tolerance=8)
  FAMILY.add("solve_batch", lambda a, b: (
      jnp.linalg.solve(a, b), jax.scipy.linalg.cho_solve(
          (jnp.linalg.cholesky(a), True), b),
      lax.linalg.triangular_solve(a, b, left_side=True, lower=True)), matrices,
             ("f32[8,6,2]", "x"), mesh="x=8", tolerance=8)
  FAMILY.add("linalg_gradient", jax.grad(lambda a: jnp.linalg.slogdet(a)[1].sum(
      ) + jnp.linalg.cholesky(a).sum()), matrices, mesh="x=8", tolerance=8)
  FAMILY.add("factorizations_divided", lambda a: (
      jnp.linalg.cholesky(a), jnp.linalg.inv(a), jnp.linalg.eigvalsh(a),
      jnp.abs(jnp.linalg.qr(a)[1])), ("f32[8,8]:spd", "x", "y"), tolerance=8)
  FAMILY.add("triangular_solve_columns", lambda a, b:
             lax.linalg.triangular_solve(a, b, left_side=True, lower=True),
             "f32[6,6]:tri", ("f32[6,16]", None, "x"), tolerance=4)


def windows():
  FAMILY.add("conv_batch", conv, ("f32[8,6,6,3]", "x"), "f32[3,3,3,4]",
             mesh="x=8", tolerance=2)
  FAMILY.add("conv_features", conv, ("f32[2,6,6,8]", "x", None, None, "y"),
             ("f32[3,3,8,8]", None, None, "y"), tolerance=2)
  FAMILY.add("conv_output_features", conv, ("f32[2,6,6,3]", "x"),
             ("f32[3,3,3,8]", None, None, None, "y"), tolerance=2)
  FAMILY.add("conv_halo", conv, ("f32[1,16,8,3]", None, "x", "y"),
             "f32[3,5,3,4]", tolerance=2)
  FAMILY.add("conv_halo_strided", lambda x, k: (
      conv(x, k, 2), conv(x, k, 1, "VALID"), conv(x, k, 3, ((2, 1), (0, 0)))),
             ("f32[1,16,6,3]", None, "x"), "f32[3,3,3,4]", mesh="x=8",
             tolerance=2)
  FAMILY.add("conv_halo_dilated", lambda x, k: (
      conv(x, k, rhs_dilation=(2, 1)), conv(x, k, padding=((1, 1), (1, 1)),
                                            lhs_dilation=(2, 1))),
             ("f32[1,16,6,3]", None, "x"), "f32[3,3,3,4]", mesh="x=8",
             tolerance=2)
  FAMILY.add("conv_depthwise", lambda x, k: conv(
      x, k, feature_group_count=8), ("f32[2,6,6,8]", "x", None, None, "y"),
             ("f32[3,3,1,8]", None, None, None, "y"), tolerance=2)
  FAMILY.add("conv_gradient", jax.grad(
      lambda x, k: jnp.sum(jnp.tanh(conv(x, k, 2))), (0, 1)),
             ("f32[2,16,8,3]", "x", "y"), "f32[3,3,3,4]", tolerance=4)
  def pool(x, size=3, stride=2):
    shape, strides = (1, size, size, 1), (1, stride, stride, 1)
    return (lax.reduce_window(x, -np.inf, lax.max, shape, strides, "SAME"),
            lax.reduce_window(x, 0.0, lax.add, shape, strides, "VALID"))
  FAMILY.add("pool", pool, ("f32[2,16,8,3]", "x", "y"), tolerance=2)
  FAMILY.add("pool_gradient", jax.grad(lambda x: sum(
      jnp.sum(one ** 2) for one in pool(x, 2, 2))),
             ("f32[2,16,8,3]", "x", "y"), tolerance=4)
  FAMILY.add("convolve", lambda x, k: (
      jnp.convolve(x, k, "same"), jnp.convolve(x, k, "full")),
             ("f32[32]", "x"), "f32[5]", mesh="x=8", tolerance=2)
  both("fft", lambda x: (jnp.fft.fft(x, axis=0), jnp.fft.rfft(x, axis=0),
                         jnp.fft.ifft(x + 1j * x[::-1], axis=0)), tolerance=4)
  FAMILY.add("fft2", lambda x: (
      jnp.fft.fft2(x), jnp.fft.irfft(x[..., :5] + 0j)),
             ("f32[4,8,8]", "x", "y"), tolerance=4)


def by_index():
  rows = "s32[12]:0..15"
  both("gather", lambda x, i: x[i], more=(rows,), exact=True)
  FAMILY.add("gather_divided_indices", lambda x, i: x[i], ("f32[16,8]", "x"),
             ("s32[12]:0..15", "y"), exact=True)
  FAMILY.add("gather_out_of_range", lambda x, i: (
      jnp.take(x, i, axis=0, mode="fill", fill_value=-1),
      jnp.take(x, i, axis=0, mode="clip")), ("f32[16,8]", "x"),
             ("s32[12]:-20..20", "y"), exact=True)
  both("take_along_axis", lambda x, i: jnp.take_along_axis(x, i, 0),
       more=(("s32[5,8]:0..15", None, "x"),), exact=True)
  FAMILY.add("gather_points", lambda x, i, j: x[i, j], ("f32[16,8]", "x", "y"),
             ("s32[8]:0..15", "x"), ("s32[8]:0..7", "x"), exact=True)
  both("scatter", lambda x, i, u: (
      x.at[i].add(u), x.at[i].max(u), x.at[i].mul(u)),
       more=(rows, ("f32[12,8]", None, None)))
  FAMILY.add("scatter_divided_updates", lambda x, i, u: (
      x.at[i].add(u), x.at[i].min(u)), ("f32[16,8]", None, "y"),
             ("s32[12]:0..15", "x"), ("f32[12,8]", "x"))
  FAMILY.add("scatter_set", lambda x, i, u: x.at[i].set(u),
             ("f32[16,8]", "x"), ("s32[12]:perm", "y"),
             ("f32[12,8]", "y"), exact=True)
  FAMILY.add("scatter_out_of_range", lambda x, i, u: x.at[i].add(
      u, mode="drop"), ("f32[16,8]", "x"), ("s32[12]:-20..20", "y"),
             ("f32[12,8]", "y"))
  FAMILY.add("segment_sum", lambda x, i: (
      jax.ops.segment_sum(x, i, 6), jnp.bincount(i, length=6)),
             ("f32[16,8]", "x"), ("s32[16]:0..5", "x"))
  FAMILY.add("gather_gradient", jax.grad(
      lambda x, i: jnp.sum(jnp.sin(x[i]) ** 2)), ("f32[16,8]", "x", "y"),
             ("s32[12]:0..15", "y"))
  both("dynamic_slice", lambda x, i: (
      lax.dynamic_slice(x, (i, 0), (5, 8)), lax.dynamic_slice(
          x, (i - 20, 1), (16, 3)), lax.dynamic_index_in_dim(x, i, 0)),
       more=("s64[]:3..12",), exact=True)
  both("dynamic_update_slice", lambda x, u, i: (
      lax.dynamic_update_slice(x, u, (i, 0)), x.at[i].set(2.0)),
       more=("f32[5,8]", "s64[]:3..12"), exact=True)
  FAMILY.add("key_value_cache", lambda c, k, i: lax.fori_loop(
      0, 4, lambda s, c: lax.dynamic_update_slice(
          c, k[:, s][:, None], (0, i + s, 0)), c),
             ("f32[4,16,8]", "x", "y"), ("f32[4,4,8]", "x"), "s64[]:3..11",
             exact=True)


reductions()
order()
linear()
windows()
by_index()
