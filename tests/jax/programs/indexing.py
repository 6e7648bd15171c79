"""Gather, scatter, dynamic slices and NumPy's indexing over them."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import Family

FAMILY = Family("indexing")
program = FAMILY.program
ALL = ("f32", "f64", "bf16", "s8", "s32", "c64", "pred")
MODES = ("clip", "fill", "promise_in_bounds")


@program("@[5,6]", "s32[4]:0..4", types=ALL)
def take_rows(x, i):
  return x[i], x[:, i], x[i, i], x[i[:, None], i[None, :]]


@program("f32[5,6]", "s32[7]:-9..9")
def gather_modes(x, i):
  return [x.at[i].get(mode=mode) for mode in MODES[:2]] + [
      x.at[:, i].get(mode="fill", fill_value=-1), x.at[i].get(mode="clip"),
      x.at[jnp.sort(i % 5)].get(indices_are_sorted=True,
                                mode="promise_in_bounds")]


@program("@[5,6]", "s32[4]:-6..8", "@[4,6]", types=("f32", "s32", "bf16"))
def scatter_modes(x, i, u):
  return [x.at[i].add(u, mode=mode) for mode in ("clip", "drop", "fill")]


@program("@[5,6]", "s32[4]:0..4", "@[4,6]", types=("f32", "s32", "f64", "u8"))
def scatter_ops(x, i, u):
  return (x.at[i].add(u), x.at[i].multiply(u), x.at[i].min(u), x.at[i].max(u),
          x.at[i].subtract(u))


@program("@[7]", "s32[5]:0..6", "@[5]", types=("f32", "f64", "c64"))
def scatter_more(x, i, u):
  return (x.at[i].divide(u), x.at[i].apply(jnp.sin), x.at[i].power(2),
          x.at[2:5].set(u[:3]))


@program("@[7]", "s32[7]:perm", "@[7]", types=ALL)
def scatter_unique(x, i, u):
  return (x.at[i].set(u, unique_indices=True), x.at[i[:3]].set(u[0]),
          x.at[::2].set(u[:4]))


@program("f64[5,6]", "s32[4]:0..4", "f64[4,6]")
def scatter_gradients(x, i, u):
  def total(name):
    return lambda a, b: jnp.sum(jnp.sin(getattr(a.at[i], name)(b)))
  names = ("add", "subtract")
  return [jax.grad(total(name), (0, 1))(x, u) for name in names]


@program("f64[6,3]", "s32[4]:perm", "f64[4,3]")
def scatter_gradients_unique(x, i, u):
  def total(name):
    return lambda a, b: jnp.sum(jnp.sin(getattr(a.at[i], name)(
        b, unique_indices=True)))
  return [jax.grad(total(name), (0, 1))(x, u) for name in (
      "set", "min", "max", "multiply")]


@program("f64[5,6]", "s32[3,2]:0..4")
def gather_gradient(x, i):
  return jax.grad(lambda v: jnp.sum(v[i] ** 2))(x), jax.jvp(
      lambda v: v[i[:, 0], i[:, 1]], (x,), (x * 2,))


@program("f32[3,5,6]", "s32[3,2]:0..4")
def batched_gather(x, i):
  return (jax.vmap(lambda a, b: a[b])(x, i), jax.vmap(
      lambda a, b: a.at[b].add(1.0))(x, i), jax.vmap(
          lambda b: x[0][b])(i))


@program("@[5,6]", "s32[]:1..3", types=ALL)
def dynamic_slice(x, n):
  return (lax.dynamic_slice(x, (n, n * 0), (2, 3)), lax.dynamic_slice(
      x, (n * 4, -n), (2, 3)), lax.dynamic_slice_in_dim(x, n, 3, axis=1),
          lax.dynamic_index_in_dim(x, n, 0, keepdims=False), x[n])


@program("@[5,6]", "@[2,3]", "s32[]:1..3", types=ALL)
def dynamic_update_slice(x, u, n):
  return (lax.dynamic_update_slice(x, u, (n, n)), lax.dynamic_update_slice(
      x, u, (n * 9, -n)), lax.dynamic_update_slice_in_dim(x, u[:, :1].reshape(
          1, 2).repeat(5, 0), n, axis=1), lax.dynamic_update_index_in_dim(
              x, u[0, 0] + jnp.zeros(6, x.dtype), n, 0))


@program("f64[5,6]", "f64[2,3]", "u8[]:1..3")
def dynamic_gradients(x, u, n):
  return (jax.grad(lambda v: jnp.sum(lax.dynamic_slice(v, (n, n), (2, 3))
                                     ** 2))(x),
          jax.grad(lambda v, w: jnp.sum(jnp.cos(lax.dynamic_update_slice(
              v, w, (n, n)))), (0, 1))(x, u))


@program("f32[4,6,5]", "s32[4]:0..3", "f32[2,2]")
def batched_dynamic(x, n, u):
  return (jax.vmap(lambda a, b: lax.dynamic_slice(a, (b, b), (2, 2)))(x, n),
          jax.vmap(lambda a, b: lax.dynamic_update_slice(a, u, (b, b)))(x, n))


@program("f32[5,6]", "s32[3,6]:0..4", "s32[5,2]:0..5")
def take_along_axis(x, i, j):
  return (jnp.take_along_axis(x, i, 0), jnp.take_along_axis(x, j, 1),
          jnp.put_along_axis(x, j, 7.0, 1, inplace=False))


@program("f32[4,5]", "s32[6]:-7..7")
def take(x, i):
  return (jnp.take(x, i, axis=1, mode="clip"), jnp.take(x, i, mode="wrap"),
          jnp.take(x, i, axis=0, mode="fill", fill_value=3.0),
          lax.index_take(x, (i % 4,), (0,)))


@program("f32[7]", "s32[3]:0..6", "f32[3]", "pred[7]")
def put(x, i, v, mask):
  return (jnp.put(x, i, v, inplace=False), jnp.place(
      x, mask, jnp.array([1.0, 2.0]), inplace=False), jnp.choose(
          i % 3, [v, v * 2, v * 3], mode="wrap"))


@program("f32[4,5]:ties", "pred[4,5]")
def where_and_nonzero(x, p):
  return (jnp.where(p, x, 0), jnp.nonzero(x, size=20, fill_value=-1),
          jnp.argwhere(p, size=9), jnp.flatnonzero(x, size=5),
          jnp.where(p, size=6), jnp.extract(p, x, size=7, fill_value=0),
          jnp.compress(jnp.array([True, False, True, True]), x, axis=0, size=3))


@program("f32[4,5]")
def choices(x):
  return (jnp.select([x > 1, x < -1], [x, -x], 0), jnp.piecewise(
      x, [x < 0, x > 1], [-1, lambda v: v * v, 0.5]), jnp.clip(x, -1, 1))


@program("f32[4,5,6]", "s32[3]:0..3", "s32[3]:0..5")
def mixed_indices(x, i, j):
  return (x[i, :, j], x[:, i % 4, j], x[i, 1:4, None, j], x[..., j],
          x[1, :, j], x[i][:, 1::2], x.at[i, :, j].set(0), x.at[..., 0].add(1))


@program("f32[9,4]", "f32[3,2]", "s32[3,1]:0..7")
def scatter_windows(x, u, i):
  numbers = lax.ScatterDimensionNumbers(
      update_window_dims=(1,), inserted_window_dims=(0,),
      scatter_dims_to_operand_dims=(0,))
  return (lax.scatter_add(x, i, u, numbers), lax.scatter(x, i[:1], u[:1],
                                                         numbers),
          lax.scatter_min(x, i, u, numbers), lax.scatter_mul(x, i, u, numbers),
          lax.scatter_sub(x, i, u, numbers), lax.scatter_max(x, i, u, numbers),
          lax.scatter_apply(x, i[:2] * 0 + jnp.array([[1], [3]]), jnp.cos,
                            numbers, update_shape=(2, 2)))


@program("f32[7,5]", "s32[4,2]:0..5")
def gather_windows(x, i):
  numbers = lax.GatherDimensionNumbers(
      offset_dims=(1, 2), collapsed_slice_dims=(), start_index_map=(0, 1))
  collapsed = lax.GatherDimensionNumbers(
      offset_dims=(0,), collapsed_slice_dims=(1,), start_index_map=(1,))
  return (lax.gather(x, i, numbers, (2, 3), mode="clip"),
          lax.gather(x, i, numbers, (2, 3), mode="fill"),
          lax.gather(x, i[:, :1], collapsed, (4, 1), mode="clip"))


@program("f32[3,6]", "s32[3,2]:0..5", "f32[3,2]")
def scatter_batching(x, i, u):
  return (jax.vmap(lambda a, b, c: a.at[b].add(c))(x, i, u),
          jax.vmap(lambda a, b: a.at[b].multiply(2.0))(x, i),
          jax.vmap(lambda b, c: jnp.zeros(6).at[b].max(c))(i, u))


@program("f32[11]", "s32[11]:0..3")
def segment_ops(x, ids):
  return [getattr(jax.ops, f"segment_{name}")(x, ids, num_segments=5)
          for name in ("sum", "prod", "max", "min")]


@program("f64[6]:sorted", "f64[9]")
def searchsorted(x, v):
  return [jnp.searchsorted(x, v, side=side, method=method)
          for side in ("left", "right")
          for method in ("scan", "sort", "compare_all")] + [
              jnp.digitize(v, x), jnp.interp(v, x, x ** 2)]


@program("f32[9]", "s32[]:2..4")
def loop_of_updates(x, n):
  def body(i, v):
    return lax.dynamic_update_slice(v, v[i][None] * 2, (i + 1,))
  return lax.fori_loop(0, n, body, x), lax.fori_loop(
      0, 8, lambda i, v: v.at[i].set(v[i + 1] + 1), x)
