"""Fourier transforms, odd and even, prime and composite."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import COMPLEX, Family, WIDE

FAMILY = Family("fft")
program = FAMILY.program

SIZES = (1, 2, 3, 5, 7, 8, 12, 13, 30)


def fill():
  for size in SIZES:
    for dtype in COMPLEX:
      FAMILY.add(f"fft_{size}/{dtype}", lambda x: (
          jnp.fft.fft(x), jnp.fft.ifft(x)), f"{dtype}[2,{size}]")
    FAMILY.add(f"rfft_{size}", lambda x: (
        jnp.fft.rfft(x), jnp.fft.irfft(jnp.fft.rfft(x), n=x.shape[-1])),
               f"f64[2,{size}]")


fill()


@program("@[2,3,5]", types=COMPLEX)
def many_dimensions(x):
  return (jnp.fft.fft2(x), jnp.fft.ifft2(x), jnp.fft.fftn(x), jnp.fft.ifftn(
      x, axes=(0, 1)), jnp.fft.fft(x, axis=1))


@program("@[2,3,5]", types=WIDE)
def real_dimensions(x):
  y = jnp.fft.rfftn(x)
  return y, jnp.fft.irfftn(y, s=x.shape), jnp.fft.rfft2(x), jnp.fft.irfft2(
      jnp.fft.rfft2(x), s=(3, 5))


@program("f32[6]", "c64[5]")
def sizes_and_norms(x, z):
  return ([jnp.fft.fft(x, norm=n) for n in ("ortho", "forward", "backward")],
          jnp.fft.fft(z, n=3), jnp.fft.fft(z, n=9), jnp.fft.rfft(x, n=5),
          jnp.fft.irfft(z, n=7), jnp.fft.hfft(z), jnp.fft.ihfft(x))


@program("f32[4,5]")
def helpers(x):
  return (jnp.fft.fftshift(x), jnp.fft.ifftshift(x, axes=1), jnp.fft.fftfreq(7),
          jnp.fft.rfftfreq(8, d=0.5))


@program("c128[2,4]")
def lax_fft(x):
  kind = lax.FftType
  return (lax.fft(x, kind.FFT, (4,)), lax.fft(x, kind.IFFT, (2, 4)),
          lax.fft(x.real, kind.RFFT, (4,)), lax.fft(x[:, :3], kind.IRFFT, (5,)))


@program("f64[7]", "c128[5]")
def gradients(x, z):
  return (jax.grad(lambda v: jnp.sum(jnp.abs(jnp.fft.fft(v)) ** 2))(x),
          jax.grad(lambda v: jnp.sum(jnp.fft.rfft(v).real ** 3))(x),
          jax.grad(lambda v: jnp.sum(jnp.abs(jnp.fft.ifft(v)) ** 2))(z),
          jax.grad(lambda v: jnp.sum(jnp.fft.irfft(v, n=8) ** 2))(z),
          jax.jvp(jnp.fft.fft, (z,), (z,)))


@program("c64[3,4]")
def batched(x):
  return jax.vmap(jnp.fft.fft)(x), jax.vmap(jnp.fft.ifft, in_axes=1)(x)


@program("f32[21]", "f32[6]")
def convolution_by_fft(x, y):
  size = 26
  return jnp.fft.irfft(jnp.fft.rfft(x, size) * jnp.fft.rfft(y, size), size)
