"""while, cond, switch, fori and scan, nested and under transformations."""

import jax
import jax.numpy as jnp
from jax import lax

from registry import Family

FAMILY = Family("control_flow")
program = FAMILY.program


@program("@[3]:pos", types=("f32", "f64", "s32", "c64", "bf16"))
def while_loop(x):
  return lax.while_loop(lambda c: c[0] < 5,
                        lambda c: (c[0] + 1, c[1] * 2 + 1), (0, x))


@program("f32[]:1..2", "s32[]:20..90")
def while_with_captures(x, n):
  return lax.while_loop(lambda c: c < n.astype(jnp.float32),
                        lambda c: c * 2 + x, x)


@program("s32[]:10..40")
def collatz(n):
  def step(c):
    n, count = c
    return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), count + 1
  return lax.while_loop(lambda c: c[0] != 1, step, (n, 0))


@program("f64[4]:pos")
def batched_while(x):
  def newton(a):
    return lax.while_loop(lambda c: jnp.abs(c * c - a) > 1e-9,
                          lambda c: (c + a / c) / 2, a)
  return jax.vmap(newton)(x)


@program("f32[3]", "pred[]")
def cond(x, p):
  def pick(q):
    return lax.cond(q, jnp.sin, lambda v: v * 2 + 1, x)
  return pick(p), pick(~p), lax.cond(p, lambda: x, lambda: -x)


@program("f64[3]")
def cond_gradient(x):
  def f(v):
    return lax.cond(v[0] > 0, lambda u: jnp.sum(u ** 2),
                    lambda u: jnp.sum(jnp.exp(u)), v)
  return jax.grad(f)(x), jax.grad(f)(-x), jax.jvp(f, (x,), (x,))


@program("f32[5,3]", "pred[5]")
def batched_cond(x, p):
  return jax.vmap(lambda a, b: lax.cond(b, jnp.cos, jnp.tanh, a))(x, p), (
      jax.vmap(lambda a: lax.cond(p[0], jnp.cos, jnp.tanh, a))(x))


@program("f32[3]", "s32[]:0..4")
def switch(x, i):
  branches = [jnp.sin, lambda v: v + 1, lambda v: v * v, jnp.zeros_like]
  return [lax.switch(i + k, branches, x) for k in (-2, 0, 1)]


@program("f64[6]", "s32[6]:0..2")
def batched_switch(x, i):
  branches = [jnp.sin, jnp.exp, lambda v: v * v]
  return jax.vmap(lambda a, b: lax.switch(b, branches, a))(x, i), jax.grad(
      lambda v: lax.switch(i[0], branches, v))(x[0])


@program("f32[4]", "s32[]:2..5")
def fori_loop(x, n):
  return (lax.fori_loop(0, 3, lambda i, v: v * 1.5 + i, x),
          lax.fori_loop(0, n, lambda i, v: v.at[i % 4].add(i), x),
          lax.fori_loop(2, 9, lambda i, v: v + i, x, unroll=3))


@program("f64[3]")
def fori_gradient(x):
  return jax.grad(lambda v: jnp.sum(lax.fori_loop(
      0, 4, lambda i, u: jnp.sin(u) * (i + 1), v)))(x), jax.jvp(
          lambda v: lax.fori_loop(0, 4, lambda i, u: u * u, v), (x,), (x,))


@program("@[3]", "@[5,3]", types=("f32", "f64", "bf16", "s32", "c128"))
def scan(x, xs):
  def body(c, v):
    return c + v, c * v
  return lax.scan(body, x, xs)


@program("f32[3]", "f32[7,3]")
def scan_options(x, xs):
  def body(c, v):
    c = c * 0.5 + v
    return c, jnp.sum(c)
  return (lax.scan(body, x, xs, reverse=True), lax.scan(body, x, xs, unroll=3),
          lax.scan(body, x, xs, unroll=True), lax.scan(
              lambda c, _: (c * 2, c), x, None, length=4))


@program("f32[4]", "f32[6,4]", "s32[6]:0..3")
def scan_trees(x, xs, i):
  def body(c, v):
    state, count = c
    state = {"a": state["a"] + v[0], "b": state["b"].at[v[1]].add(1.0)}
    return (state, count + 1), (state["a"][v[1]], count)
  return lax.scan(body, ({"a": x, "b": x * 0}, jnp.int32(0)), (xs, i))


@program("f64[3]", "f64[5,3]")
def scan_gradient(x, xs):
  def loss(w, v):
    c, ys = lax.scan(lambda c, u: (jnp.tanh(c * w + u), jnp.sum(c)), x, v)
    return jnp.sum(c) + jnp.sum(ys ** 2)
  return jax.grad(loss, (0, 1))(x, xs), jax.jvp(loss, (x, xs), (x, xs))


@program("f64[3]", "f64[4,3]")
def scan_second_order(x, xs):
  def loss(w):
    return jnp.sum(lax.scan(lambda c, u: (jnp.sin(c * w + u), None), w,
                            xs)[0])
  return jax.hessian(loss)(x)


@program("f32[2,3]", "f32[2,5,3]")
def scan_batched(x, xs):
  return jax.vmap(lambda a, b: lax.scan(lambda c, v: (c + v, c * v), a, b))(
      x, xs), jax.vmap(lambda b: lax.scan(lambda c, v: (c + v, c), x[0], b))(xs)


@program("f64[6]")
def nested_scans(x):
  def outer(c, v):
    inner, ys = lax.scan(lambda d, u: (d * 0.5 + u * v, d), c, x)
    return inner, jnp.sum(ys)
  return lax.scan(outer, jnp.float64(1), x)


@program("f32[5]", "s32[]:3..6")
def while_in_scan(x, n):
  def body(c, v):
    w = lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] + v),
                       (0, c))
    return w[1], lax.cond(w[1] > 0, lambda: v, lambda: -v)
  return lax.scan(body, jnp.float32(0), x)


@program("f32[4]")
def cond_in_while(x):
  def body(c):
    i, v = c
    return i + 1, lax.cond(i % 2 == 0, lambda u: u * 2,
                           lambda u: lax.fori_loop(0, 2, lambda _, w: w + 1, u),
                           v)
  return lax.while_loop(lambda c: c[0] < 5, body, (0, x))


@program("f32[5,3]")
def lax_map(x):
  return lax.map(lambda v: jnp.sum(jnp.sin(v)), x), lax.map(
      lambda v: v * 2, x, batch_size=2)


@program("f64[3]:pos")
def custom_root(x):
  def solve(f, x0):
    return lax.fori_loop(0, 40, lambda _, y: y - f(y) / (2 * y), x0)
  def root(a):
    return lax.custom_root(lambda y: y * y - a, 1.0, solve,
                           lambda g, y: y / g(1.0))
  return jax.vmap(root)(x), jax.grad(root)(x[0])


@program("f64[4,4]:spd", "f64[4]")
def custom_linear_solve(a, b):
  def solve(m, v):
    return lax.custom_linear_solve(
        lambda u: m @ u, v, lambda _, u: jnp.linalg.solve(m, u),
        lambda _, u: jnp.linalg.solve(m.T, u))
  return solve(a, b), jax.grad(lambda m, v: jnp.sum(solve(m, v) ** 2),
                               (0, 1))(a, b)


@program("f64[4,4]:spd", "f64[4]")
def conjugate_gradients(a, b):
  import jax.scipy.sparse.linalg as sparse
  return (sparse.cg(lambda v: a @ v, b, tol=1e-12)[0],
          sparse.bicgstab(lambda v: a @ v, b, tol=1e-12)[0])


@program("f64[5,5]:tri", "f64[5]", tolerance=100)
def gmres(a, b):
  import jax.scipy.sparse.linalg as sparse
  return (sparse.gmres(lambda v: a @ v, b, tol=1e-12)[0], sparse.gmres(
      lambda v: a @ v, b, tol=1e-12, solve_method="incremental")[0])


@program("f64[2]", tolerance=1e5)
def minimise(x):
  from jax.scipy.optimize import minimize
  return minimize(lambda v: jnp.sum((v - 1) ** 2) + (v[0] * v[1]) ** 2, x,
                  method="BFGS", options=dict(maxiter=20)).x


@program("f64[2]", tolerance=1e5)
def odeint(x):
  from jax.experimental.ode import odeint as integrate
  return integrate(lambda y, t: jnp.array([y[1], -jnp.sin(y[0])]), x,
                   jnp.linspace(0, 1, 4), rtol=1e-6)


@program("f32[3]")
def platform_dependent(x):
  return lax.platform_dependent(x, default=lambda v: v * 2,
                                tpu=lambda v: v * 3)


@program("s32[]:3..6", "f32[]")
def loop_over_tuple(n, x):
  def body(c):
    i, a, b, p = c
    return i + 1, b, a + b, ~p
  return lax.while_loop(lambda c: c[0] < n, body, (0, x, x + 1, True))


@program("f32[3]")
def dead_loops(x):
  return (lax.fori_loop(3, 1, lambda i, v: v + 1, x),
          lax.while_loop(lambda c: False, lambda c: c + 1, x),
          lax.scan(lambda c, v: (c + v, v), x, jnp.zeros((0, 3), x.dtype)),
          lax.scan(lambda c, _: (c + 1, None), x, None, length=1))


@program("f32[3]", "s32[]:0..1")
def cond_of_tokens_and_ints(x, i):
  return lax.cond(i, lambda v: (v, jnp.int32(1), True),
                  lambda v: (v * 2, jnp.int32(7), False), x)


@program("f32[8]")
def while_with_break(x):
  def body(c):
    i, found = c
    return i + 1, found | (x[i] > 0.5)
  return lax.while_loop(lambda c: (c[0] < 8) & ~c[1], body, (0, False))
