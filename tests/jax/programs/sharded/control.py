"""Loops, conditionals, derivatives and small algorithms over divided arrays."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from sharded_program import ShardedFamily

FAMILY = ShardedFamily("sharded/control")
GRID = ("f32[16,8]", "x", "y")
SQUARE = ("f32[8,8]:unit", "x", "y")


def constrain(x, *spec):
  return lax.with_sharding_constraint(x, P(*spec))


@FAMILY.program(SQUARE)
def power_iteration(a):
  def step(_, v):
    v = a @ v
    return v / jnp.linalg.norm(v)
  return lax.fori_loop(0, 5, step, jnp.ones((8, 2), np.float32))


@FAMILY.program(GRID)
def while_until_small(x):
  return lax.while_loop(lambda c: jnp.max(jnp.abs(c[0])) > 0.1,
                        lambda c: (c[0] * 0.5, c[1] + 1), (x, 0))


@FAMILY.program(GRID, "s64[]:2..5")
def fori_changing_sharding(x, n):
  return lax.fori_loop(0, n, lambda i, v: constrain(
      constrain(v, "y", "x") * 0.5 + i, "x", "y"), x)


@FAMILY.program(GRID)
def scan_along_rows(x):
  """The dimension that the scan walks is divided."""
  return lax.scan(lambda c, row: (c * 0.5 + row, c.sum()),
                  jnp.zeros(8, np.float32), x)


@FAMILY.program(GRID)
def scan_across_rows(x):
  return lax.scan(lambda c, column: (jnp.tanh(c + column), c),
                  jnp.zeros(16, np.float32), x.T, reverse=True)


@FAMILY.program(GRID, ("f32[5,8,8]:unit", None, "x", "y"))
def scan_over_layers(x, w):
  return lax.scan(lambda h, layer: (jnp.tanh(h @ layer), h.sum()), x, w)


@FAMILY.program(GRID, ("f32[5,8,8]:unit", None, "x", "y"))
def gradient_of_scan(x, w):
  def loss(w):
    step = jax.checkpoint(lambda h, layer: (jnp.tanh(h @ layer), None))
    return jnp.sum(lax.scan(step, x, w)[0] ** 2)
  return jax.value_and_grad(loss)(w)


@FAMILY.program(GRID, GRID, "s32[]:0..1")
def conditional(x, y, which):
  return lax.cond(which > 0, lambda a, b: (a @ b.T, a.sum()),
                  lambda a, b: (b @ a.T, b.max()), x, y)


@FAMILY.program(GRID, "s32[]:0..2")
def switch(x, which):
  return lax.switch(which, [lambda v: jnp.sort(v, 0), lambda v: v[::-1],
                            lambda v: jnp.cumsum(v, 0)], x)


@FAMILY.program(GRID)
def conditional_of_values(x):
  """The predicate comes from all devices."""
  return lax.cond(x.sum() > 0, lambda v: constrain(v, "y", "x") * 2,
                  lambda v: v - 1, x)


@FAMILY.program(("f32[8,6]", "x"), mesh="x=8")
def vmap_of_while(x):
  return jax.vmap(lambda row: lax.while_loop(
      lambda v: jnp.sum(v * v) > 1.0, lambda v: v * 0.7, row))(x)


@FAMILY.program(("f32[16,8]", "x"), mesh="x=8")
def map_over_rows(x):
  return lax.map(lambda row: jnp.sort(row)[::-1], x), lax.map(
      jnp.cumsum, x, batch_size=4)


@FAMILY.program(GRID)
def nested_loops(x):
  def inner(v, _):
    return lax.fori_loop(0, 2, lambda i, u: u + jnp.roll(u, 1, 0) * 0.1, v), (
        v.max())
  return lax.scan(inner, x, None, length=3)


@FAMILY.program(GRID, tolerance=4)
def second_derivatives(x):
  def f(v):
    return jnp.sum(jnp.sin(v @ v.T))
  return jax.grad(f)(x), jax.jvp(jax.grad(f), (x,), (jnp.ones_like(x),))[1]


@FAMILY.program(("f32[4]", "x"), ("f32[4]", "y"), tolerance=4)
def hessian(x, y):
  return jax.hessian(lambda a: jnp.sum(jnp.tanh(a * y) ** 2))(x), jax.jacobian(
      lambda b: jnp.outer(x, b))(y)


@FAMILY.program(GRID, ("f32[8,8]:unit", None, "y"))
def accumulated_gradients(x, w):
  """Gradients of microbatches are added in a loop."""
  def add(total, part):
    return total + jax.grad(lambda w: jnp.sum(jnp.tanh(part @ w)))(w), None
  batches = constrain(x.reshape(4, 4, 8), None, "x")
  return lax.scan(add, jnp.zeros_like(w), batches)[0]


@FAMILY.program(GRID)
def custom_derivatives(x):
  @jax.custom_vjp
  def f(v):
    return jnp.sin(v)
  f.defvjp(lambda v: (jnp.sin(v), v), lambda v, g: (
      constrain(g * jnp.cos(v) * 2, "y"),))
  return jax.grad(lambda v: f(v).sum())(x)


@FAMILY.program(GRID)
def called_twice(x):
  @jax.jit
  def f(v):
    return jnp.tanh(v) @ jnp.tanh(v).T
  return f(x), f(x[::-1]), f(constrain(x, "y"))


@FAMILY.program(GRID)
def barrier(x):
  a, b = lax.optimization_barrier((x * 2, x.sum(0)))
  return a + b


@FAMILY.program(GRID)
def game_of_life(x):
  """A stencil in a loop: each step needs the neighbours' edges."""
  def step(_, cells):
    around = sum(jnp.roll(cells, (i, j), (0, 1)) for i in (-1, 0, 1)
                 for j in (-1, 0, 1) if i or j)
    return ((around == 3) | ((around == 2) & (cells > 0))).astype(np.int32)
  return lax.fori_loop(0, 4, step, (x > 0).astype(np.int32))


@FAMILY.program(GRID, tolerance=4)
def heat(x):
  """Diffusion with fixed edges, by slices and an update of the interior."""
  def step(_, u):
    inner = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) / 4
    return u.at[1:-1, 1:-1].set(inner)
  return lax.fori_loop(0, 6, step, x)


@FAMILY.program(SQUARE, ("f32[8]", "x"), tolerance=4)
def conjugate_gradients(a, b):
  matrix = a @ a.T + 4 * jnp.eye(8, dtype=np.float32)
  return jax.scipy.sparse.linalg.cg(matrix, b, maxiter=8)[0]


@FAMILY.program(("f32[12,2]", "x"), "f32[3,2]", mesh="x=4")
def k_means(points, centers):
  def step(centers, _):
    near = jnp.argmin(((points[:, None] - centers[None]) ** 2).sum(-1), 1)
    one = jax.nn.one_hot(near, 3, dtype=np.float32)
    return one.T @ points / jnp.maximum(one.sum(0), 1)[:, None], near
  return lax.scan(step, centers, None, length=4)


@FAMILY.program(("f32[16]", "x"), mesh="x=8")
def n_bodies(x):
  def step(state, _):
    x, v = state
    gap = x[:, None] - x[None]
    v = v - 0.01 * (gap / (jnp.abs(gap) ** 3 + 0.5)).sum(1)
    return (x + 0.01 * v, v), (v * v).sum()
  return lax.scan(step, (x, jnp.zeros_like(x)), None, length=4)


@FAMILY.program(("f32[2,12]:prob", "x"), ("f32[12,12]:simplex", None, "y"))
def viterbi(start, steps):
  def step(score, _):
    every = score[:, :, None] + jnp.log(steps)[None]
    return every.max(1), every.argmax(1)
  score, back = lax.scan(step, jnp.log(start), None, length=5)
  return score, back
