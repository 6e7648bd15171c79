"""jax.image."""

import jax
import jax.numpy as jnp

from registry import FLOATS, Family

FAMILY = Family("image")
program = FAMILY.program
METHODS = ("nearest", "linear", "cubic", "lanczos3", "lanczos5")


def fill():
  for method in METHODS:
    for size in ((7, 9), (3, 2), (5, 11)):
      FAMILY.add(f"resize_{method}_{size[0]}x{size[1]}",
                 lambda x, s=size, m=method: jax.image.resize(
                     x, s + (2,), m), "f32[5,6,2]")


fill()


@program("@[4,5]", types=FLOATS)
def resize(x):
  return jax.image.resize(x, (6, 3), "linear", antialias=False), (
      jax.image.resize(x, (8, 10), "nearest"))


@program("f32[2,4,5]", "f32[2]:pos", "f32[2]")
def scale_and_translate(x, scale, shift):
  return [jax.image.scale_and_translate(
      x, (2, 6, 7), (1, 2), scale, shift, method) for method in METHODS[1:]]


@program("f64[4,5]")
def gradient(x):
  return jax.grad(lambda v: jnp.sum(jax.image.resize(v, (7, 3), "cubic") ** 2))(
      x)


@program("u8[4,5]:any")
def of_integers(x):
  return jax.image.resize(x, (6, 6), "nearest")


@program("f32[3,4,5]")
def batched(x):
  return jax.vmap(lambda v: jax.image.resize(v, (6, 6), "linear"))(x)
