"""Derivatives, custom rules, rematerialization and batching."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

from registry import Family, WIDE

FAMILY = Family("autodiff")
program = FAMILY.program

SMOOTH = ("sin", "cos", "tan", "tanh", "exp", "exp2", "expm1", "logistic",
          "sinh", "cosh", "atan", "asinh", "erf", "erfc", "square",
          "integer_pow", "bessel_i0e", "bessel_i1e")
POSITIVE = ("log", "log1p", "sqrt", "rsqrt", "cbrt", "lgamma", "digamma",
            "reciprocal")
UNIT = ("asin", "acos", "atanh", "erf_inv")


def scalar_rules(f):
  def run(x):
    def total(v):
      return jnp.sum(f(v))
    return (jax.grad(total)(x), jax.jvp(f, (x,), (x,)), jax.grad(
        lambda v: jnp.sum(jax.grad(total)(v)))(x))
  return run


def fill():
  for names, domain in ((SMOOTH, ""), (POSITIVE, "pos"), (UNIT, "unit")):
    for name in names:
      f = getattr(lax, name)
      if name == "integer_pow":
        f = functools.partial(f, y=3)
      spec = "f64[5]" + f":{domain}" * bool(domain)
      FAMILY.add(name, scalar_rules(f), spec, tolerance=100)
  for name in ("add", "sub", "mul", "div", "pow", "atan2", "max", "min", "rem"):
    def both(x, y, f=getattr(lax, name)):
      return jax.grad(lambda a, b: jnp.sum(jnp.sin(f(a, b))), (0, 1))(x, y), (
          jax.jvp(f, (x, y), (y, x)))
    FAMILY.add(name, both, "f64[5]:pos", "f64[5]:pos")


fill()


@program("@[3,4]", "@[4,2]", types=WIDE)
def matmul(x, y):
  def loss(a, b):
    return jnp.sum(jnp.tanh(a @ b))
  return jax.value_and_grad(loss, (0, 1))(x, y)


@program("f64[3]", "f64[3]")
def vjp_and_jvp(x, t):
  def f(v):
    return jnp.stack([jnp.sum(v ** 2), jnp.prod(v), v[0] * v[1]])
  y, pull = jax.vjp(f, x)
  _, push = jax.linearize(f, x)
  return y, pull(t), push(t), jax.linear_transpose(push, x)(t)


@program("f64[3]")
def jacobians(x):
  def f(v):
    return jnp.outer(jnp.sin(v), v)[:, :2]
  return jax.jacfwd(f)(x), jax.jacrev(f)(x), jax.hessian(
      lambda v: jnp.sum(f(v) ** 2))(x)


@program("c64[4]", "c128[3]")
def complex_gradients(x, y):
  return (jax.grad(lambda v: jnp.sum(jnp.abs(v) ** 2))(x), jax.grad(
      lambda v: jnp.sum(jnp.sin(v)), holomorphic=True)(y), jax.jvp(
          jnp.conj, (x,), (x,)), jax.grad(lambda v: jnp.real(jnp.sum(
              v * jnp.exp(1j * v))))(y))


@program("f32[4]", "f32[4]")
def custom_jvp(x, t):
  @jax.custom_jvp
  def f(v):
    return jnp.sin(v)
  f.defjvp(lambda p, t: (f(p[0]), 2 * jnp.cos(p[0]) * t[0]))
  return f(x), jax.jvp(f, (x,), (t,)), jax.grad(lambda v: jnp.sum(f(v)))(x), (
      jax.vmap(f)(x))


@program("f32[4]", "f32[4]")
def custom_jvps(x, y):
  @jax.custom_jvp
  def f(a, b):
    return a * jnp.exp(b)
  f.defjvps(lambda t, out, a, b: t * 3, lambda t, out, a, b: t * out)
  return jax.grad(lambda a, b: jnp.sum(f(a, b)), (0, 1))(x, y)


@program("f32[4]")
def custom_vjp(x):
  @jax.custom_vjp
  def clip(v):
    return v
  clip.defvjp(lambda v: (v, None), lambda _, g: (jnp.clip(g, -1, 1),))
  return clip(x), jax.grad(lambda v: jnp.sum(clip(v) ** 2))(x), jax.vmap(
      jax.grad(lambda v: clip(v) ** 3))(x)


@program("f64[4]", "f64[]")
def custom_vjp_static(x, s):
  @functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
  def apply(n, v, w):
    return v ** n * w
  apply.defvjp(lambda n, v, w: (apply(n, v, w), (v, w)),
               lambda n, r, g: (g * n * r[0] ** (n - 1), jnp.sum(g)))
  return jax.grad(lambda v, w: jnp.sum(apply(3, v, w)), (0, 1))(x, s)


@program("f64[4,4]", "f64[4]")
def remat(w, x):
  @jax.checkpoint
  def layer(v):
    return jnp.tanh(w @ v)
  @functools.partial(jax.checkpoint,
                     policy=jax.checkpoint_policies.dots_saveable)
  def saving(v):
    return jnp.sin(w @ v)
  return [jax.grad(lambda v, f=f: jnp.sum(f(f(v))))(x)
          for f in (layer, saving)]


@program("f64[4]")
def remat_names(x):
  from jax.ad_checkpoint import checkpoint_name
  policy = jax.checkpoint_policies.save_only_these_names("kept")
  def f(v):
    return jnp.sum(jnp.sin(checkpoint_name(jnp.cos(v), "kept")))
  return jax.grad(jax.checkpoint(f, policy=policy))(x)


@program("f64[3]", "f64[4,3]")
def remat_scan(x, xs):
  def body(c, v):
    return jnp.sin(c * v), None
  return jax.grad(lambda c: jnp.sum(lax.scan(jax.checkpoint(body), c, xs)[0]))(
      x)


@program("f32[4]")
def stop_gradient(x):
  return jax.grad(lambda v: jnp.sum(v * lax.stop_gradient(v)))(x)


@program("f32[3,4]", "f32[4]")
def vmap_axes(x, y):
  return (jax.vmap(jnp.dot, (0, None))(x, y), jax.vmap(jnp.dot, (1, 0),
                                                       out_axes=0)(
      x, jnp.stack([y[:3]] * 4)), jax.vmap(jax.vmap(jnp.sin))(x), jax.vmap(
          lambda v: (v, v.sum()), out_axes=(1, 0))(x))


@program("f32[3,4]")
def vmap_collectives(x):
  return (jax.vmap(lambda v: v - lax.pmean(v, "i"), axis_name="i")(x),
          jax.vmap(lambda v: lax.psum(v, "i"), axis_name="i")(x),
          jax.vmap(lambda v: lax.axis_index("i") + v, axis_name="i")(x),
          jax.vmap(lambda v: lax.ppermute(v, "i", [(0, 1), (1, 2), (2, 0)]),
                   axis_name="i")(x), jax.vmap(
                       lambda v: lax.all_gather(v, "i"), axis_name="i")(x),
          jax.vmap(lambda v: lax.pmax(v, "i"), axis_name="i")(x))


@program("f64[3,4]")
def per_example_gradients(x):
  def loss(w, v):
    return jnp.sum(jnp.tanh(v * w))
  return jax.vmap(jax.grad(loss), (None, 0))(x[0], x)


@program("f64[3]")
def custom_vmap(x):
  @jax.custom_batching.custom_vmap
  def f(v):
    return jnp.sin(v)
  f.def_vmap(lambda size, batched, v: (jnp.cos(v), True))
  return f(x), jax.vmap(f)(x)


@program("f64[4]")
def taylor(x):
  from jax.experimental.jet import jet
  return jet(jnp.sin, (x,), ((x * 0 + 1, x * 0, x * 0),))


@program("f64[3]")
def third_derivative(x):
  f = jnp.tanh
  for _ in range(3):
    f = jax.grad(lambda v, g=f: jnp.sum(g(v)) * 1.0) if _ == 0 else (
        jax.grad(lambda v, g=f: jnp.sum(g(v))))
  return f(x)


@program("f64[3]", "f64[3]")
def hessian_vector(x, v):
  def f(u):
    return jnp.sum(u ** 3) * jnp.prod(jnp.cos(u))
  return jax.jvp(jax.grad(f), (x,), (v,))[1], jax.grad(
      lambda u: jnp.vdot(jax.grad(f)(u), v))(x)


@program("f32[3]")
def aux_and_trees(x):
  params = {"w": x, "b": (x[0], x[1])}
  def loss(p):
    y = p["w"] * p["b"][0] + p["b"][1]
    return jnp.sum(y ** 2), {"y": y}
  return jax.value_and_grad(loss, has_aux=True)(params)


@program("f64[4]")
def closures(x):
  @jax.jit
  def inner(v):
    return jnp.sin(v) * x
  return inner(x), jax.grad(lambda v: jnp.sum(inner(v)))(x), jax.jit(
      jax.vmap(inner))(jnp.stack([x, x * 2])), jax.closure_convert(
          inner, x)[0](x, *jax.closure_convert(inner, x)[1])


@program("f64[3]", "f64[2,3]")
def flattened(x, y):
  from jax.flatten_util import ravel_pytree
  flat, back = ravel_pytree({"a": x, "b": y})
  return flat, back(flat * 2)


@program("f64[3]")
def zero_tangents(x):
  return jax.grad(lambda v: jnp.sum(jnp.floor(v) + v.astype(jnp.int32)))(x), (
      jax.grad(lambda v: jnp.sum(jnp.where(v > 0, v, 0)))(x), jax.grad(
          lambda v: jnp.max(v))(x * 0))


@program("f64[3,3]")
def named_call_and_scope(x):
  with jax.named_scope("outer"):
    y = jax.named_call(lambda v: v @ v, name="square")(x)
  return y
