"""Shapes: ops that move elements and change none."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import Family

FAMILY = Family("shapes")
program = FAMILY.program
ALL = ("f32", "f64", "bf16", "s8", "s32", "u32", "c64", "pred")


@program("@[2,3,4]", types=ALL)
def transpose(x):
  return (lax.transpose(x, (2, 0, 1)), x.T, jnp.swapaxes(x, 0, 2),
          jnp.moveaxis(x, 0, -1), jnp.matrix_transpose(x))


@program("@[2,35,37,3]", types=("u8", "s8", "bf16", "f32", "c64"))
def transpose_channels(x):
  return [lax.transpose(x, (0, *order)) for order in (
      (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))]


@program("@[4,6]", types=ALL)
def reshape(x):
  return (lax.reshape(x, (3, 8)), x.reshape(-1), x.ravel(order="F"),
          lax.collapse(x, 0, 2), x.reshape(2, 1, 12), lax.reshape(
              x, (2, 12), dimensions=(1, 0)))


@program("@[3,1]", "@[4]", types=ALL)
def broadcast(x, y):
  return (lax.broadcast(y, (2, 3)), lax.broadcast_in_dim(x, (3, 5, 1), (0, 2)),
          jnp.broadcast_to(x, (2, 3, 4)), *jnp.broadcast_arrays(x, y),
          lax.broadcast_in_dim(y, (4, 2), (0,)), lax.broadcast_to_rank(y, 3))


@program("@[3,4]", "@[2,4]", "@[3,2]", types=ALL)
def concatenate(x, y, z):
  return (lax.concatenate([x, y], 0), jnp.concatenate([x, z], axis=1),
          jnp.vstack([x, y]), jnp.hstack([x, z]), jnp.append(x, y))


@program("@[5,6]", types=ALL)
def slices(x):
  return (lax.slice(x, (1, 0), (4, 6), (2, 3)), x[::-1, 1:-1:2], x[2], x[:, -1],
          lax.slice_in_dim(x, 1, 5, 2, axis=1), lax.index_in_dim(x, 3, 1),
          lax.rev(x, (0, 1)))


@program("@[3,4]", types=ALL)
def pad(x):
  zero = jnp.zeros((), x.dtype)
  return (lax.pad(x, zero, ((1, 2, 0), (0, 0, 1))),
          lax.pad(x, zero, ((-1, 1, 1), (2, -2, 0))))


@program("f32[4,5]")
def pad_modes(x):
  return [jnp.pad(x, ((1, 2), (3, 0)), mode=mode) for mode in (
      "constant", "edge", "reflect", "symmetric", "wrap", "maximum", "mean",
      "linear_ramp", "minimum", "median")]


@program("f32[2,3]")
def pad_gradient(x):
  return jax.grad(lambda v: jnp.sum(jnp.sin(lax.pad(
      v, jnp.float32(0.5), ((1, 2, 1), (-1, 1, 0))))))(x)


@program("f32[2,3]", "f32[2,3]")
def stacks(x, y):
  return (jnp.stack([x, y], axis=1), jnp.dstack([x, y]), jnp.column_stack(
      [x, y]), jnp.unstack(x, axis=1), jnp.concat([x, y]), lax.stack([x, y], 0),
          lax.unstack(x, 0))


@program("f32[6,4]")
def splits(x):
  return (jnp.split(x, 3), jnp.split(x, (1, 4)), jnp.array_split(x, 4),
          jnp.hsplit(x, 2), jnp.vsplit(x, 2), lax.split(x, (2, 1, 3)),
          jnp.dsplit(x.reshape(2, 3, 4), 2))


@program("f32[2,3]")
def tiles(x):
  return (jnp.tile(x, (2, 2)), lax.tile(x, (3, 1)), jnp.repeat(x, 3, axis=1),
          jnp.repeat(x, jnp.array([1, 2]), axis=0, total_repeat_length=3),
          jnp.kron(x, x), jnp.resize(x, (3, 5)))


@program("f32[3,4,2]")
def flips(x):
  return (jnp.flip(x), jnp.flip(x, (0, 2)), jnp.fliplr(x), jnp.flipud(x),
          jnp.rot90(x), jnp.rot90(x, k=3, axes=(1, 2)), jnp.roll(x, 2),
          jnp.roll(x, (1, -3), axis=(0, 1)), jnp.rollaxis(x, 2),
          jnp.permute_dims(x, (1, 2, 0)))


@program("s32[]:1..3", "f32[7]")
def dynamic_roll(n, x):
  return jnp.roll(x, n), jnp.roll(x, -n)


@program("f32[1,3,1]")
def squeezes(x):
  return (jnp.squeeze(x), lax.squeeze(x, (2,)), jnp.expand_dims(x, (0, 3)),
          lax.expand_dims(x, (1,)), jnp.atleast_1d(x[0, 0, 0]),
          jnp.atleast_2d(x[0, :, 0]), jnp.atleast_3d(x[0]), x[None, ..., None])


@program()
def iotas():
  return (lax.iota(jnp.int32, 7), lax.broadcasted_iota(jnp.float32, (3, 4), 1),
          jnp.arange(2, 11, 3), jnp.arange(5.0), jnp.arange(9, 0, -2),
          jnp.indices((2, 3)), jnp.mgrid[0:3, 1:4], jnp.ogrid[0:2, 0:3],
          lax.iota(jnp.uint8, 5), lax.iota(jnp.complex64, 3))


@program()
def ranges():
  return (jnp.linspace(0, 1, 7), jnp.linspace(-2, 5, 6, endpoint=False),
          jnp.logspace(0, 2, 5), jnp.geomspace(1, 100, 6),
          jnp.linspace(0, 3, 4, retstep=True), jnp.linspace(0, 9, 4, dtype=int))


@program()
def constants():
  return (jnp.zeros((2, 3)), jnp.ones(4, jnp.int8), jnp.full((2,), 7),
          jnp.eye(3), jnp.eye(3, 4, 1), jnp.identity(2), jnp.tri(3),
          jnp.empty((2,)), jnp.array([[1, 2], [3, 4]], jnp.bfloat16),
          lax.full((2, 2), 1.5), jnp.array(3 + 2j), jnp.array(True))


@program("f32[2,3]")
def constants_like(x):
  return (jnp.zeros_like(x), jnp.ones_like(x, jnp.int32), jnp.full_like(x, 3),
          lax.full_like(x, 2), jnp.empty_like(x) * 0, jnp.copy(x))


@program("f32[3]", "f32[4]", "f32[2]")
def meshgrid(x, y, z):
  return (jnp.meshgrid(x, y), jnp.meshgrid(x, y, z, indexing="ij"),
          jnp.meshgrid(x, y, sparse=True), jnp.ix_(x, y), jnp.outer(x, y))


@program("f32[4,5]")
def diagonals(x):
  return (jnp.diag(x), jnp.diag(x, 2), jnp.diag(x[0], -1), jnp.diagonal(x, 1),
          jnp.diagflat(x[:2, 0]), jnp.trace(x), jnp.tril(x, -1), jnp.triu(x, 1),
          jnp.fill_diagonal(x, 9.0, inplace=False))


@program(eager=True)
def diagonal_indices():
  return (jnp.diag_indices(3), jnp.tril_indices(3, 1), jnp.triu_indices(4, -1),
          jnp.diag_indices_from(jnp.zeros((2, 2))), jnp.tril_indices_from(
              jnp.zeros((3, 2))), jnp.triu_indices_from(jnp.zeros((2, 3))),
          jnp.mask_indices(3, jnp.triu))


@program("f32[2,2]", "f32[2,1]", "f32[1,3]")
def block(x, y, z):
  return jnp.block([[x, y], [z]]), jnp.r_[y[:, 0], z[0]], jnp.c_[x, y]


@program("f32[3]")
def vander(x):
  return jnp.vander(x), jnp.vander(x, 5, increasing=True)


@program("f32[5]", "f32[2,3]")
def insert_delete(x, y):
  return (jnp.insert(x, 2, 9.0), jnp.insert(y, 1, 0.0, axis=1), jnp.delete(
      x, 3), jnp.delete(y, jnp.array([0]), axis=0, assume_unique_indices=True))


@program("u8[3,2]:any", "pred[2,11]")
def bits(x, y):
  return (jnp.unpackbits(x), jnp.unpackbits(x, axis=0, bitorder="little"),
          jnp.packbits(y), jnp.packbits(y, axis=1, bitorder="little"))


@program("f32[4,4]")
def conversions_of_shape(x):
  return (jnp.shape(x), jnp.ndim(x), jnp.size(x), jnp.broadcast_shapes(
      (3, 1), (4,)), jnp.unravel_index(jnp.array([5, 11]), (4, 4)),
          jnp.ravel_multi_index((jnp.array([1, 2]), jnp.array([3, 0])), (4, 4),
                                mode="clip"))


@program("f32[12]")
def apply_along(x):
  x = x.reshape(3, 4)
  return (jnp.apply_along_axis(lambda v: v - v.mean(), 1, x),
          jnp.apply_over_axes(jnp.sum, x, (0,)), jnp.vectorize(
              lambda a, b: a @ b, signature="(n),(n)->()")(x, x),
          jnp.fromfunction(lambda i, j: i * 3 + j, (2, 3)))


@program("f32[3,4]")
def broadcast_like(x):
  return lax.broadcast_in_dim(x, (2, 3, 4), (1, 2)), jnp.broadcast_to(
      x[:, :1], x.shape)


@program("f32[3]")
def frompyfunc_and_ufunc(x):
  add = jnp.frompyfunc(lambda a, b: a + 2 * b, 2, 1, identity=0)
  return (add(x, x), add.outer(x, x), add.reduce(x), add.accumulate(x),
          jnp.add.reduce(x), jnp.add.at(x, jnp.array([0, 0]), 1.0,
                                        inplace=False),
          jnp.multiply.outer(x, x), jnp.maximum.accumulate(x))
