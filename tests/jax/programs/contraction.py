"""Products: dot_general, einsum, convolutions of all kinds, ragged dots."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import COMPLEX, FLOATS, Family, WIDE

FAMILY = Family("contraction")
program = FAMILY.program
NUMBERS = FLOATS + ("s8", "s32", "u8") + COMPLEX

EINSUMS = {
    "ij,jk->ik": ("[3,4]", "[4,5]"), "ij,kj->ki": ("[3,4]", "[5,4]"),
    "bij,bjk->bik": ("[2,3,4]", "[2,4,5]"), "ii->i": ("[4,4]",),
    "ii->": ("[4,4]",), "ij->ji": ("[3,4]",), "ij->j": ("[3,4]",),
    "i,j->ij": ("[3]", "[4]"), "i,i->": ("[5]", "[5]"),
    "bhqd,bhkd->bhqk": ("[2,2,3,4]", "[2,2,5,4]"),
    "abc,cd,de->abe": ("[2,3,4]", "[4,3]", "[3,2]"),
    "...i,...ij->...j": ("[2,3]", "[2,3,4]"), "ijk,ijk->k": ("[2,3,4]",) * 2,
    "i,i,i->i": ("[4]",) * 3, "ijk,lj->kil": ("[2,3,4]", "[5,3]"),
}


def fill():
  for i, (text, shapes) in enumerate(EINSUMS.items()):
    for dtype in ("f32", "f64") if i % 2 else ("f32", "c64"):
      name = text.replace(",", ".").replace("->", "_to_").replace("...", "E")
      FAMILY.add(f"einsum_{name}/{dtype}",
                 lambda *a, t=text: jnp.einsum(t, *a),
                 *(dtype + shape for shape in shapes))


fill()


@program("@[3,5]", "@[5,4]", types=NUMBERS)
def matmul(x, y):
  return x @ y, lax.dot(x, y), jnp.dot(x, y[:, 0]), jnp.vdot(x[0], x[1])


@program("@[2,3,4]", "@[4,2,5]", types=NUMBERS)
def dot_general(x, y):
  return (lax.dot_general(x, y, (((2,), (0,)), ((0,), (1,)))),
          lax.dot_general(x, y, (((0, 2), (1, 0)), ((), ()))))


@program("@[3,4]", "@[4,2]", types=("bf16", "f16", "s8"))
def preferred_type(x, y):
  wide = jnp.int32 if x.dtype == jnp.int8 else jnp.float32
  return jnp.matmul(x, y, preferred_element_type=wide), lax.dot_general(
      x, y, (((1,), (0,)), ((), ())), preferred_element_type=wide)


@program("f32[4,5]", "f32[5,3]", tolerance=400)
def precisions(x, y):
  return [lax.dot(x, y, precision=p) for p in (
      "default", "highest", lax.Precision.HIGH,
      lax.DotAlgorithmPreset.F32_F32_F32)]


@program("f32[2,3,4]", "f32[4]", "f32[2,4,5]")
def numpy_products(x, v, y):
  return (jnp.matmul(x, y), jnp.inner(x, v), jnp.tensordot(x, y[0], 1),
          jnp.tensordot(x, y, ((0, 2), (0, 1))), jnp.matvec(x, v), jnp.vecmat(
              v, y), jnp.vecdot(x, v), jnp.outer(v, v), jnp.cross(
                  x[:, :, :3], v[:3]), lax.batch_matmul(x, y),
          jnp.linalg.multi_dot([x[0], y[0], y[1].T]))


@program("f64[2,3,4]", "f64[2,4,5]")
def dot_gradients(x, y):
  def loss(a, b):
    return jnp.sum(jnp.sin(jnp.einsum("bij,bjk->bik", a, b)))
  return jax.grad(loss, (0, 1))(x, y), jax.jvp(loss, (x, y), (x, y))


@program("f32[3]", "f32[5]")
def polynomials(x, y):
  return (jnp.polyval(x, y), jnp.polymul(x, y), jnp.polyadd(x, y), jnp.polysub(
      x, y), jnp.polyder(y), jnp.polyint(y), jnp.polydiv(y, x),
          jnp.poly(x))


@program("f64[9]", "f64[9]", tolerance=100)
def polyfit(x, y):
  return jnp.polyfit(x, y, 2), jnp.sort(jnp.abs(jnp.roots(
      y[:4], strip_zeros=False)))


@program("f32[9]", "f32[4]")
def convolve(x, y):
  return [f(x, y, mode=mode) for f in (jnp.convolve, jnp.correlate)
          for mode in ("full", "same", "valid")]


def convolution(x, w, **options):
  spatial = "DHW"[-(x.ndim - 2):]
  numbers = (f"NC{spatial}", f"OI{spatial}", f"NC{spatial}")
  options = {"window_strides": (1,) * (x.ndim - 2), "padding": "SAME",
             "dimension_numbers": numbers} | options
  return lax.conv_general_dilated(x, w, **options)


@program("@[2,3,7]", "@[4,3,3]", types=FLOATS + ("s32", "s8", "c64"))
def conv_1d(x, w):
  return convolution(x, w), convolution(x, w, window_strides=(2,),
                                        padding="VALID")


@program("@[1,2,6,7]", "@[3,2,3,2]", types=("f32", "f64", "bf16"))
def conv_2d(x, w):
  return (convolution(x, w), convolution(x, w, padding=((2, 0), (1, -1))),
          convolution(x, w, window_strides=(2, 3), padding="VALID"))


@program("f32[1,2,4,3,5]", "f32[2,2,2,2,3]")
def conv_3d(x, w):
  return convolution(x, w)


@program("f32[1,2,6,7]", "f32[3,2,3,2]")
def conv_dilated(x, w):
  return (convolution(x, w, rhs_dilation=(2, 2)), convolution(
      x, w, lhs_dilation=(2, 1), padding=((1, 1), (0, 0))), convolution(
          x, w, lhs_dilation=(2, 3), rhs_dilation=(1, 2), padding=(
              (0, 2), (1, 1)), window_strides=(2, 1)))


@program("@[2,4,6]", "@[6,2,3]", types=WIDE)
def conv_grouped(x, w):
  return convolution(x, w, feature_group_count=2)


@program("f32[2,4,5,5]", "f32[8,1,3,3]")
def conv_depthwise(x, w):
  return convolution(x, w, feature_group_count=4)


@program("f32[4,3,6]", "f32[6,3,3]")
def conv_batch_groups(x, w):
  return convolution(x, w, batch_group_count=2)


@program("f32[2,5,6,3]", "f32[3,2,3,4]")
def conv_channels_last(x, w):
  numbers = ("NHWC", "HWIO", "NHWC")
  return (convolution(x, w, dimension_numbers=numbers), lax.conv_transpose(
      x, w, (2, 2), "SAME"), lax.conv_transpose(x, w, (2, 1), "VALID"),
          lax.conv_transpose(x, w.swapaxes(2, 3), (2, 2), "SAME",
                             transpose_kernel=True))


@program("@[2,24,8,9]", "@[32,24,1,1]", "@[32]", "@[2,32,8,9]",
         types=FLOATS + ("s8",))
def conv_pointwise(x, w, b, residual):
  """Features before positions, with what follows, and the gradients."""
  y = lax.conv_general_dilated(x, w, (1, 1), "SAME")
  z = y + b[:, None, None]
  one = lax.conv_general_dilated(x[:1], w, (1, 1), "SAME")
  swapped = jnp.einsum("nip,oi->nop", x.reshape(2, 24, 72), w[:, :, 0, 0])
  if not jnp.issubdtype(x.dtype, jnp.floating):
    return y, z * z + residual, one, swapped
  back = jax.vjp(lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME"),
                 x, w)[1](residual)
  return y, z * jax.nn.sigmoid(z) + residual, one, swapped, back


@program("f32[1,2,6,5]", "f32[3,2,3,2]")
def conv_names(x, w):
  return (lax.conv(x, w, (1, 1), "SAME"), lax.conv_with_general_padding(
      x, w, (1, 2), ((1, 0), (0, 1)), (1, 2), (1, 1)),
          lax.conv_general_dilated_patches(x, (2, 3), (1, 1), "VALID"))


@program("f32[1,2,5]", "f32[3,6,3]")
def conv_local(x, w):
  return lax.conv_general_dilated_local(x, w, (1,), "VALID", (3,))


@program("f32[2,3,6]", "f32[4,3,3]")
def conv_flipped(x, w):
  return lax.conv_general_dilated(
      x, w[:, :, ::-1], (1,), "SAME", precision="highest",
      preferred_element_type=jnp.float32)


@program("f64[2,2,6]", "f64[4,2,3]")
def conv_gradients(x, w):
  def loss(a, b):
    return jnp.sum(jnp.sin(convolution(a, b, window_strides=(2,))))
  return jax.grad(loss, (0, 1))(x, w), jax.jvp(loss, (x, w), (x, w))


@program("f64[4,2,5,5]", "f64[4,1,3,3]")
def conv_grouped_gradients(x, w):
  def grouped(a, b):
    return jnp.sum(convolution(a, b, feature_group_count=2,
                               rhs_dilation=(2, 1)) ** 2)
  def batches(a, b):
    return jnp.sum(convolution(a, b.repeat(2, 1), batch_group_count=2) ** 2)
  return [jax.grad(f, (0, 1))(x, w) for f in (grouped, batches)]


@program("f32[3,2,2,6]", "f32[3,4,2,3]")
def conv_batched(x, w):
  return (jax.vmap(convolution)(x, w), jax.vmap(convolution, (0, None))(
      x, w[0]), jax.vmap(convolution, (None, 0))(x[0], w))


@program("@[7,4]", "@[3,4,5]", types=("f32", "f64", "bf16"))
def ragged_dot(x, w):
  sizes = jnp.array([2, 4, 1], jnp.int32)
  return lax.ragged_dot(x, w, sizes)


@program("f64[7,4]", "f64[7,5]")
def ragged_dot_modes(x, y):
  numbers = lax.RaggedDotDimensionNumbers(
      (((0,), (0,)), ((), ())), [0], [])
  sizes = jnp.array([3, 0, 4], jnp.int32)
  return lax.ragged_dot_general(x, y, sizes, numbers)


@program("f64[6,3]", "f64[2,3,4]")
def ragged_dot_gradients(x, w):
  sizes = jnp.array([4, 2], jnp.int32)
  return jax.grad(lambda a, b: jnp.sum(jnp.sin(lax.ragged_dot(a, b, sizes))),
                  (0, 1))(x, w)


@program("f32[5,5]:spd")
def matrix_powers(x):
  return (jnp.linalg.matrix_power(x, 3), jnp.linalg.matrix_power(x, 0),
          jnp.linalg.matrix_power(x, -2))


@program("f32[3,4]", "f32[4,3]")
def einsum_paths(x, y):
  return jnp.einsum(x, (0, 1), y, (1, 2), (0, 2)), jnp.einsum(
      "ij,jk,kl->il", x, y, x, optimize="optimal")


@program("f8e4m3fn[3,32]", "f8e4m3fn[4,32]", "f32[3,1]:pos", "f32[4,1]:pos")
def scaled_dot(x, y, sx, sy):
  return lax.scaled_dot(x, y.T, lhs_scale=sx.astype(jnp.float8_e8m0fnu),
                        rhs_scale=sy.T.astype(jnp.float8_e8m0fnu),
                        preferred_element_type=jnp.float32)


@program("@[3,256]", "s8[256,160]", "@[160]", types=("f32", "bf16"))
def weights_with_scales(x, w, s):
  wide = w.astype(x.dtype)
  return (x @ (wide * s), x[:1] @ (wide * s), (x @ wide) * s,
          jnp.tile(x, (20, 1)) @ (wide * s), x @ (wide * s + s),
          x[:, :160] @ (wide * s).T)


@program("f32[2,256]", "s4[256,160]", "f8e4m3fn[160,256]", "f8e5m2[256,160]",
         "f32[4,160]", "bf16[160,4]")
def weights_with_blocks(x, w, u, v, s, t):
  by_block = lambda q: (q.astype(s.dtype).reshape(4, 64, 160) *
                        s[:, None]).reshape(256, 160)
  turned = (u.astype(t.dtype).reshape(160, 4, 64) *
            t[:, :, None]).reshape(160, 256)
  return (x @ by_block(w), x @ by_block(v), x.astype(t.dtype) @ turned.T,
          jnp.tile(x, (9, 1)) @ by_block(w), x @ w.astype(s.dtype),
          x @ u.astype(s.dtype).T, x @ v.astype(s.dtype))


@program("f32[3,256]", "u8[128,96]", "f32[2,96]")
def weights_in_halves_of_bytes(x, w, s):
  both = jnp.concatenate([w & 15, w >> 4]).astype(jnp.float32) - 8
  return x @ both, x @ (both.reshape(2, 128, 96) * s[:, None]).reshape(256, 96)


@program("@[2,1,4,64]", "@[2,160,4,64]", "@[2,160,4,64]",
         types=("f32", "bf16"))
def one_token(q, k, v):
  scores = jnp.einsum("bqhd,bkhd->bhqk", q, k,
                      preferred_element_type=jnp.float32)
  return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(v.dtype),
                    v)


@program("f32[2,32]", "s4[3,32,32]:any", "f32[3,32]")
def layers_of_four_bit_weights(x, w, scales):
  # A loop over layers reads the packed weights of one layer at a time.
  def layer(h, weights):
    matrix, scale = weights
    return jnp.tanh(h @ (matrix.astype(h.dtype) * scale / 8)), h

  return lax.scan(layer, x, (w, scales))


@program("@[2,128]", "s4[3,128,128]:any", "s8[3,128,128]", "@[3,128]",
         "@[3,2,128]", types=("f32", "bf16"))
def layers_of_scaled_weights(x, w, v, scales, groups):
  # The weights of one layer and their scales are read in place by kernels.
  def layer(h, weights):
    w, v, scale, group = weights
    grouped = v.astype(h.dtype).reshape(2, 64, 128) * group[:, None]
    h = jnp.tanh(h @ (w.astype(h.dtype) * scale / 8))
    return jnp.tanh(h @ grouped.reshape(128, 128) / 256), (
        h @ (v.astype(h.dtype) * scale[:, None]).T)

  return lax.scan(layer, x, (w, v, scales, groups), reverse=True)


@program("f32[3,66]", "s4[66,34]:any", "s4[34,66]:any", "s4[66,33]:any")
def four_bit_weights(x, w, transposed, odd):
  wide = [v.astype(x.dtype) for v in (w, transposed, odd)]
  scaled = wide[0].reshape(3, 22, 34) * (1 + jnp.arange(3.0)[:, None, None])
  return (x @ wide[0], x @ wide[1].T, x @ wide[2], x @ scaled.reshape(66, 34),
          w.T, odd[1:4], jnp.concatenate([w, odd], axis=1))
