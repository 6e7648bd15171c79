"""jax.scipy: special functions, distributions, signals, interpolation."""

import jax
import jax.numpy as jnp
from jax.scipy import cluster, integrate, interpolate, ndimage, signal, special
from jax.scipy import stats

from registry import Family, WIDE

FAMILY = Family("scipy")
program = FAMILY.program

SPECIAL = {
    "bernoulli": None, "digamma": "pos", "entr": "pos", "erf": "", "erfc": "",
    "erfcx": "", "erfinv": "unit", "exp1": "pos", "expi": "pos", "expit": "",
    "expm1": "", "factorial": "pos", "fresnel": "pos", "gamma": "pos",
    "gammaln": "pos", "gammasgn": "", "i0": "", "i0e": "", "i1": "", "i1e": "",
    "log1p": "pos", "log_ndtr": "", "logit": "prob", "loggamma": "pos",
    "ndtr": "", "ndtri": "prob", "sici": "pos", "spence": "pos",
    "log_softmax": "", "softmax": "", "logsumexp": "", "sinc": None,
    "wofz": "", "dawsn": "", "ellipk": "prob", "ellipe": "prob",
}
SPECIAL_TWO = {
    "beta": ("pos", "pos"), "betaln": ("pos", "pos"), "gammainc": ("pos",) * 2,
    "gammaincc": ("pos",) * 2, "kl_div": ("pos",) * 2, "rel_entr": ("pos",) * 2,
    "xlog1py": ("", "pos"), "xlogy": ("", "pos"), "zeta": ("2..5", "pos"),
    "poch": ("pos", "pos"), "multigammaln": None, "boxcox": ("pos", "pos"),
    "boxcox1p": ("pos", "pos"), "owens_t": ("", "pos"), "comb": ("pos",) * 2,
    "binom": ("pos", "pos"),
}

# distribution: (methods, extra arguments)
CONTINUOUS = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf")
STATS = {
    "norm": (), "cauchy": (), "expon": (), "laplace": (), "logistic": (),
    "uniform": (), "gamma": (2.0,), "beta": (2.0, 3.0), "chi2": (3.0,),
    "t": (4.0,), "pareto": (2.0,), "truncnorm": (-1.0, 2.0),
    "gennorm": (1.5,), "gumbel_l": (), "gumbel_r": (), "wrapcauchy": (0.3,),
    "vonmises": (1.5,),
}
DISCRETE = {"bernoulli": (0.3,), "binom": (9, 0.4), "geom": (0.3,),
            "poisson": (2.5,), "nbinom": (4, 0.5), "betabinom": (9, 2.0, 3.0)}


def fill():
  for name, domain in SPECIAL.items():
    f = getattr(special, name, None)
    if f and domain is not None:
      for dtype in WIDE:
        FAMILY.add(f"special.{name}/{dtype}", f,
                   f"{dtype}[9]" + f":{domain}" * bool(domain), tolerance=50)
  for name, domains in SPECIAL_TWO.items():
    f = getattr(special, name, None)
    if f and domains:
      FAMILY.add(f"special.{name}", f, *(
          "f64[7]" + f":{domain}" * bool(domain) for domain in domains),
                 tolerance=100)
  for name, extra in STATS.items():
    module = getattr(stats, name)
    methods = [m for m in CONTINUOUS if hasattr(module, m)]
    def continuous(x, module=module, methods=methods, extra=extra):
      return [getattr(module, m)(x, *extra) for m in methods]
    FAMILY.add(f"stats.{name}", continuous, "f64[7]:prob", tolerance=1000)
  for name, extra in DISCRETE.items():
    module = getattr(stats, name)
    methods = [m for m in ("pmf", "logpmf", "cdf") if hasattr(module, m)]
    def discrete(x, module=module, methods=methods, extra=extra):
      return [getattr(module, m)(x, *extra) for m in methods]
    FAMILY.add(f"stats.{name}", discrete, "s32[7]:0..5", tolerance=1000)


fill()


@program("f64[5]:1..6", tolerance=100)
def special_orders(x):
  return (special.polygamma(2, x), special.multigammaln(x + 3, 3),
          special.bernoulli(5), special.betainc(2.0, x, 0.3),
          special.stdtr(3.0, x) if hasattr(special, "stdtr") else x)


@program("f64[4]:pos", "f64[4]:pos", "f64[4]:prob", tolerance=100)
def hypergeometric(a, b, x):
  return special.hyp1f1(a, b, x), (special.hyp2f1(a, b, a + b + 1, x)
                                   if hasattr(special, "hyp2f1") else x)


@program("f64[5]:pos", tolerance=100)
def bessel(x):
  return special.bessel_jn(x, v=3, n_iter=40)


@program("s32[4]:0..3", "f64[4]:0..3")
def harmonics(m, theta):
  n = jnp.array([3, 3, 3, 3])
  if hasattr(special, "sph_harm_y"):
    return special.sph_harm_y(n, m, theta, theta * 2, n_max=3)
  return theta


@program("f64[2,3]", "f64[3,3]:spd", tolerance=10)
def multivariate(x, cov):
  return (stats.multivariate_normal.logpdf(x, jnp.zeros(3), cov),
          stats.multivariate_normal.pdf(x, jnp.zeros(3), cov),
          stats.dirichlet.logpdf(jnp.array([0.2, 0.3, 0.5]), jnp.array(
              [1.0, 2.0, 3.0])), stats.multinomial.logpmf(
                  jnp.array([1, 2, 0]), 3, jnp.array([0.2, 0.3, 0.5])))


@program("f64[9]", "s32[9]:0..3", tolerance=10)
def descriptive(x, i):
  return (stats.sem(x), stats.mode(i), stats.rankdata(x), stats.kurtosis(
      x) if hasattr(stats, "kurtosis") else x, stats.gmean(jnp.abs(x)) if (
          hasattr(stats, "gmean")) else x)


@program("f64[12]", "f64[5]", tolerance=10)
def density(x, at):
  kde = stats.gaussian_kde(x)
  return kde(at), kde.logpdf(at), kde.integrate_box_1d(-1, 1)


@program("f64[4]:pos", tolerance=1000)
def special_gradients(x):
  return [jax.grad(lambda v, f=f: jnp.sum(f(v)))(x) for f in (
      special.gammaln, special.i0, special.ndtr, special.log_ndtr,
      special.expit, special.erf, special.exp1, special.i1e)] + [
          jax.grad(lambda v: jnp.sum(special.gammainc(v, x)))(x), jax.grad(
              lambda v: jnp.sum(special.betainc(2.0, 1.5, v / 4)))(x)]


@program("f32[12]", "f32[4]")
def signal_convolve(x, y):
  return ([signal.convolve(x, y, mode=m) for m in ("full", "same", "valid")],
          signal.correlate(x, y), signal.fftconvolve(x, y), signal.convolve(
              x, y, method="fft"), signal.detrend(x), signal.detrend(
                  x, type="constant"))


@program("f32[5,6]", "f32[3,2]")
def signal_2d(x, y):
  return signal.convolve2d(x, y), signal.correlate2d(x, y, mode="same")


@program("f32[32]", tolerance=10)
def spectra(x):
  return (signal.stft(x, nperseg=8), signal.welch(x, nperseg=8), signal.csd(
      x, x * x, nperseg=8), signal.istft(signal.stft(x, nperseg=8)[2],
                                         nperseg=8))


@program("f32[5,6]", "f64[2,7]:0..4")
def map_coordinates(x, at):
  return [ndimage.map_coordinates(x, list(at), order=order, mode=mode)
          for order in (0, 1) for mode in ("nearest", "constant", "wrap",
                                           "mirror")]


@program("f64[4]:sorted", "f64[5]:sorted", "f64[4,5]", "f64[3,2]:-1..1")
def interpolators(x, y, v, at):
  return interpolate.RegularGridInterpolator(
      (x, y), v, bounds_error=False, fill_value=0.0)(at), (
          interpolate.RegularGridInterpolator(
              (x, y), v, method="nearest", bounds_error=False)(at))


@program("f64[7]", "f64[7]:sorted")
def integration(y, x):
  return integrate.trapezoid(y, x), integrate.trapezoid(y, dx=0.5), (
      jnp.trapezoid(y, x))


@program("f64[9,2]", "f64[3,2]")
def clusters(x, codes):
  return cluster.vq.vq(x, codes)


@program("f64[3,4]", "f64[5,3]", tolerance=10)
def rotations(q, v):
  from jax.scipy.spatial.transform import Rotation
  turn = Rotation.from_quat(q)
  return (turn.as_matrix(), turn.as_rotvec(), turn.apply(v[:3]), turn.inv()
          .as_euler("xyz"), (turn * turn).magnitude(), turn.as_mrp())


@program("f64[6]")
def discrete_cosine(x):
  from jax.scipy import fft
  return (fft.dct(x), fft.idct(x), fft.dct(x, norm="ortho"), fft.dctn(
      x.reshape(2, 3)), fft.idctn(x.reshape(2, 3)))
