"""Sorts, top-k, sets and orders."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import COMPLEX, FLOATS, Family, INTS

FAMILY = Family("sorting")
program = FAMILY.program


@program("@[5,7]:any", types=FLOATS + INTS)
def sort(x):
  return lax.sort(x), jnp.sort(x, axis=0), jnp.sort(x, descending=True)


@program("@[9]", types=COMPLEX)
def sort_complex(x):
  return jnp.sort(x), jnp.sort_complex(x), jnp.argsort(x)


@program("@[4,9]:ties", types=("f32", "bf16"))
def argsort(x):
  return (jnp.argsort(x), jnp.argsort(x, axis=0, stable=True), jnp.argsort(
      x, descending=True, stable=True))


@program("s32[4,9]:0..3")
def argsort_integers(x):
  return jnp.argsort(x), jnp.argsort(x, axis=0, stable=True)


@program("s32[13]:0..3", "f32[13]:ties", "s8[13]", "f64[13]")
def sort_many_operands(a, b, c, d):
  return (lax.sort((a, b, c, d), num_keys=1), lax.sort(
      (a, b, c, d), num_keys=2), lax.sort((a, b, d), num_keys=3),
          lax.sort_key_val(a, d))


@program("s32[4,3]:0..2", "f32[4,3]")
def sort_dimension(a, b):
  return lax.sort((a, b), dimension=0, num_keys=1), lax.sort(
      (a, b), dimension=1, is_stable=True)


@program("s32[9]:0..2", "s32[9]:0..3")
def lexsort(a, b):
  return jnp.lexsort((a, b)), jnp.lexsort((b, a))


@program("@[3,11]", types=("f32", "f64", "bf16", "s32", "u8", "f16"))
def top_k(x):
  return lax.top_k(x, 4), lax.top_k(x[0], 1)


@program("f32[2,9]:any")
def top_k_of_nan(x):
  return lax.top_k(x, 9)


@program("f64[3,8]")
def top_k_gradient(x):
  return jax.grad(lambda v: jnp.sum(lax.top_k(v, 3)[0] ** 2))(x), jax.vmap(
      lambda v: lax.top_k(v, 2))(x)


@program("f32[3,40]")
def approx_top_k(x):
  return (lax.approx_max_k(x, 4), lax.approx_min_k(x, 3, recall_target=0.99),
          lax.approx_max_k(x, 2, reduction_dimension=0))


@program("f64[5,6]")
def sort_gradient(x):
  return (jax.grad(lambda v: jnp.sum(jnp.sort(v, axis=1) * jnp.arange(6.0)))(
      x), jax.jvp(lambda v: jnp.sort(v, axis=0), (x,), (x * 3,)))


@program("f32[3,7]")
def partition(x):
  return (jnp.sort(jnp.partition(x, 3)[:, :3]), jnp.sort(
      jnp.argpartition(x, 2)[:, :2]))


@program("s32[12]:0..5", "s32[7]:2..8")
def sets(x, y):
  return (jnp.unique(x, size=7, fill_value=-1), jnp.unique(
      x, size=7, return_index=True, return_inverse=True, return_counts=True),
          jnp.isin(x, y), jnp.intersect1d(x, y, size=5, fill_value=-1),
          jnp.union1d(x, y, size=9, fill_value=-1), jnp.setdiff1d(
              x, y, size=6, fill_value=-1), jnp.setxor1d(
                  x, y, size=9, fill_value=-1))


@program("s32[6,2]:0..2")
def unique_rows(x):
  return jnp.unique(x, axis=0, size=6, fill_value=9, return_counts=True), (
      jnp.unique_counts(x, size=3), jnp.unique_inverse(x, size=3),
      jnp.unique_all(x, size=3), jnp.unique_values(x, size=3))


@program("s32[12]:0..5", eager=True)
def unique_eager(x):
  x = jnp.asarray(x)
  return jnp.unique(x), jnp.nonzero(x > 2), x[x > 2], jnp.argwhere(x == 1), (
      jnp.trim_zeros(jnp.array([0, 0, 3, 1, 0])))


@program("f32[21]")
def median_by_sort(x):
  s = jnp.sort(x)
  return s[10], jnp.median(x), jnp.flip(s)[:3]


@program("f32[3,5]")
def vmap_of_sort(x):
  return jax.vmap(jnp.sort)(x), jax.vmap(jnp.argsort, in_axes=1)(x)
