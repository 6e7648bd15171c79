"""Reductions, cumulative ops and windows."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import COMPLEX, FLOATS, Family, INTS, WIDE

FAMILY = Family("reductions")
program = FAMILY.program

NUMBERS = FLOATS + INTS + COMPLEX

# jnp name: types
REDUCE = {
    "sum": NUMBERS + ("pred",), "prod": FLOATS + ("s32", "c64"),
    "max": FLOATS + INTS + ("pred",), "min": FLOATS + INTS,
    "mean": FLOATS + ("s32", "c64"), "var": WIDE + ("c64", "s32"),
    "std": WIDE + ("bf16",), "any": ("pred", "s32", "f32"),
    "all": ("pred", "s32"), "argmax": FLOATS + INTS, "argmin": FLOATS + INTS,
    "median": WIDE, "ptp": ("f32", "s32"), "count_nonzero": ("f32", "pred"),
    "nansum": WIDE, "nanprod": ("f32",), "nanmax": WIDE, "nanmin": ("f32",),
    "nanmean": WIDE, "nanstd": ("f32",), "nanvar": ("f64",),
    "nanmedian": ("f32",), "nanargmax": ("f32",), "nanargmin": ("f64",),
    "amax": ("f32",), "amin": ("f64",),
}


def fill():
  for name, types in REDUCE.items():
    def reduce(x, f=getattr(jnp, name)):
      return f(x), f(x, axis=0), f(x, axis=-1, keepdims=True)
    FAMILY.each(f"jnp.{name}", reduce, types, "@[5,3,7]")
  for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
    def cumulative(x, f=getattr(lax, name)):
      return f(x), f(x, axis=1), f(x, axis=0, reverse=True)
    types = WIDE if name == "cumlogsumexp" else WIDE + ("s32", "bf16")
    FAMILY.each(f"lax.{name}", cumulative, types, "@[5,9]")
    FAMILY.add(f"grad_{name}", lambda x, f=getattr(lax, name): jax.grad(
        lambda v: jnp.sum(jnp.sin(f(v))))(x), "f64[9]")


fill()


@program("@[4,6]", types=("f32", "s32"))
def generic_reduce(x):
  return (lax.reduce(x, x.dtype.type(1), lambda a, b: a * b + 1, (1,)),
          lax.reduce((x, x * 2), (x.dtype.type(0), x.dtype.type(0)),
                     lambda a, b: (a[0] + b[0], jnp.maximum(a[1], b[1])), (0,)))


@program("@[4,6]:any", types=("s32", "u8", "pred"))
def bit_reductions(x):
  return (lax.reduce_and(x, (0,)), lax.reduce_or(x, (1,)),
          lax.reduce_xor(x, (0, 1)))


@program("f32[4,6]", "s32[4,6]")
def lax_reductions(x, y):
  return (lax.reduce_sum(x, (0,)), lax.reduce_prod(x, (1,)),
          lax.reduce_max(x, (0,)), lax.reduce_min(y, (0, 1)),
          lax.argmax(x, 1, jnp.int32), lax.argmin(y, 0, jnp.int64))


@program("f32[3,9]:ties", "s32[20]:ties")
def argmax_ties(x, y):
  return jnp.argmax(x, axis=1), jnp.argmin(x, axis=0), jnp.argmax(y), (
      jnp.argmin(y))


@program("f32[3,6]:any")
def reductions_of_nan(x):
  return (jnp.max(x, axis=0), jnp.min(x, axis=1), jnp.argmax(x), jnp.nansum(
      jnp.where(jnp.isinf(x), 0, x)), jnp.any(jnp.isnan(x), axis=0))


@program("f32[5,7]", "pred[5,7]")
def masked(x, where):
  return (jnp.sum(x, where=where), jnp.mean(x, axis=0, where=where),
          jnp.max(x, where=where, initial=-9), jnp.std(x, where=where),
          jnp.all(x > 0, axis=1, where=where))


@program("f32[5,7]", "f32[5,7]:pos")
def averages(x, weights):
  return (jnp.average(x, weights=weights), jnp.average(
      x, axis=0, weights=weights, returned=True), jnp.cov(x), jnp.corrcoef(x),
          jnp.cov(x, rowvar=False, bias=True))


@program("f64[5,7]")
def quantiles(x):
  return (jnp.quantile(x, jnp.array([0.1, 0.5, 0.9])), jnp.percentile(
      x, 30.0, axis=0), [jnp.quantile(x, 0.37, axis=1, method=m) for m in (
          "linear", "lower", "higher", "midpoint", "nearest")],
          jnp.nanquantile(x, 0.2, axis=1), jnp.nanpercentile(x, 70.0))


@program("f32[4,5]")
def logsumexp(x):
  return (jax.nn.logsumexp(x), jax.nn.logsumexp(x, axis=1, keepdims=True),
          jax.nn.logsumexp(x, axis=0, b=jnp.abs(x)), jax.nn.logmeanexp(x))


@program("s32[23]:0..6", "f32[23]", "f64[23]:-3..3")
def histograms(x, w, y):
  return (jnp.bincount(x, length=8), jnp.bincount(x, weights=w, length=7),
          jnp.histogram(y, bins=5), jnp.histogram(y, bins=4, range=(-1, 1),
                                                  density=True),
          jnp.histogram_bin_edges(y, bins=3))


@program("f64[15]:-3..3", "f64[15]:-3..3")
def histograms_2d(x, y):
  return (jnp.histogram2d(x, y, bins=3), jnp.histogramdd(
      jnp.stack([x, y], 1), bins=(2, 3)))


@program("f32[5,7]:any")
def nan_cumulative(x):
  return jnp.nancumsum(x, axis=0), jnp.nancumprod(jnp.abs(x) % 2, axis=1)


@program("f64[4,6]")
def cumulative_names(x):
  return (jnp.cumsum(x), jnp.cumsum(x, axis=1, dtype=jnp.float32), jnp.cumprod(
      x, axis=0), jnp.cumulative_sum(x, axis=1, include_initial=True),
          jnp.cumulative_prod(x, axis=0))


@program("f64[33]")
def associative_scan(x):
  def combine(a, b):
    return a[0] * b[0], a[1] * b[0] + b[1]
  return (lax.associative_scan(jnp.add, x), lax.associative_scan(
      combine, (jnp.tanh(x), x)), lax.associative_scan(jnp.maximum, x,
                                                       reverse=True))


@program("f64[5,9]")
def associative_scan_grad(x):
  return jax.grad(lambda v: jnp.sum(lax.associative_scan(
      lambda a, b: a * b + a, v, axis=1)))(jnp.tanh(x))


def window(x, init, op, **options):
  return lax.reduce_window(x, x.dtype.type(init), op, **options)


@program("@[9,8]", types=("f32", "s32", "bf16"))
def reduce_window(x):
  same = dict(window_dimensions=(3, 2), window_strides=(2, 1), padding="SAME")
  return (window(x, 0, lax.add, **same),
          window(x, -9999, lax.max, **same),
          window(x, 9999, lax.min, **(same | dict(padding="VALID"))),
          window(x, 1, lax.mul, **(same | dict(padding=((1, 2), (0, 1))))))


@program("f32[1,11,9]")
def reduce_window_dilated(x):
  return (window(x, 0, lax.add, window_dimensions=(1, 2, 3),
                 window_strides=(1, 1, 2), padding=((0, 0), (1, 1), (2, 0)),
                 base_dilation=(1, 2, 1), window_dilation=(1, 2, 2)),
          window(x, -jnp.inf, lax.max, window_dimensions=(1, 3, 3),
                 window_strides=(1, 2, 2), padding="VALID",
                 window_dilation=(1, 1, 2)))


@program("f32[6,7]")
def reduce_window_generic(x):
  return lax.reduce_window(
      (x, x * x), (jnp.float32(0), jnp.float32(-9)),
      lambda a, b: (a[0] + b[0], jnp.maximum(a[1], b[1])),
      window_dimensions=(2, 3), window_strides=(1, 2), padding="VALID")


@program("f64[9,8]")
def reduce_window_grads(x):
  def pool(op, init):
    return lambda v: jnp.sum(jnp.cos(window(
        v, init, op, window_dimensions=(3, 3), window_strides=(2, 1),
        padding="SAME")))
  return [jax.grad(pool(op, init))(x) for op, init in (
      (lax.add, 0), (lax.max, -jnp.inf), (lax.min, jnp.inf))]


@program("f32[2,3,13,23]")
def average_pool_grads(x):
  def pool(size, stride, padding):
    return lambda v: jnp.sum(jnp.cos(window(
        v, 0., lax.add, window_dimensions=(1, 1, size, size),
        window_strides=(1, 1, stride, stride), padding=padding)))
  return [jax.grad(pool(size, stride, padding))(x)
          for size, stride in ((2, 2), (3, 2), (3, 3), (5, 3), (2, 3), (7, 4))
          for padding in ("SAME", "VALID")]


@program("f32[2,3,13,23]", "f32[2,9,14,5]")
def max_pool_grads(x, y):
  def pool(dims, size, stride, padding):
    def full(n):
      return tuple(n if d in dims else 1 for d in range(4))
    return lambda v: jnp.sum(jnp.cos(window(
        v, -jnp.inf, lax.max, window_dimensions=full(size),
        window_strides=full(stride), padding=padding)))
  low = jnp.where(x < 0, -jnp.inf, x)  # windows of -inf alone
  return [jax.grad(pool(dims, size, stride, padding))(v)
          for v, dims in ((x, (2, 3)), (low, (2, 3)), (y, (1, 2)))
          for size, stride in ((2, 2), (3, 2), (3, 1), (5, 3), (2, 3))
          for padding in ("SAME", "VALID")]


@program("f64[7,6]", "f64[7,6]")
def reduce_window_jvp(x, t):
  def pool(v):
    return window(v, -jnp.inf, lax.max, window_dimensions=(2, 2),
                  window_strides=(1, 2), padding="VALID")
  return jax.jvp(pool, (x,), (t,)), jax.jvp(jax.grad(
      lambda v: jnp.sum(pool(v) ** 2)), (x,), (t,))


@program("f32[8,6]", "f32[4,3]", "f32[3,2]")
def select_and_scatter(x, source, small):
  from jax._src.lax import windowed_reductions
  call = windowed_reductions._select_and_scatter
  return (call(x, lax.ge, (2, 2), (2, 2), ((0, 0), (0, 0)), source,
               jnp.float32(0), lax.add),
          call(x, lax.le, (3, 3), (3, 3), ((1, 0), (0, 0)), small,
               jnp.float32(1), lax.mul))


@program("f32[3,8,6]")
def vmap_of_window(x):
  return jax.vmap(lambda v: window(v, 0, lax.add, window_dimensions=(2, 2),
                                   window_strides=(1, 1), padding="VALID"))(x)
