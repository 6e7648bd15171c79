"""Programs that only move elements along divided dimensions, shapes that do not
divide, constraints and random numbers: equal bits."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from sharded_program import ShardedFamily

FAMILY = ShardedFamily("sharded/moves")
GRID = ("f32[16,8]", "x", "y")
CUBE = "x=2,y=2,z=2"


def constrain(x, *spec):
  return lax.with_sharding_constraint(x, P(*spec))


def add(name, function, *arguments, **options):
  FAMILY.add(name, function, *(arguments or (GRID,)), exact=True, **options)


def windows():
  add("slice", lambda x: (x[3:], x[:13], x[4:8], x[1:15:2], x[::4, 1:6]))
  add("slice_aligned", lambda x: (x[:8], x[8:], x[::2], x[:, :4]))
  add("reverse", lambda x: (x[::-1], x[:, ::-1], x[13::-1], lax.rev(x, (0, 1))))
  add("roll", lambda x: (jnp.roll(x, 3, 0), jnp.roll(x, -5, 1), jnp.roll(
      x, (1, 2), (0, 1)), jnp.roll(x[:13], 4, 0)))
  add("pad", lambda x: (
      jnp.pad(x, ((3, 0), (0, 1))), jnp.pad(x, 2, constant_values=7),
      lax.pad(x, np.float32(0), ((-2, 3, 1), (1, -1, 0))),
      jnp.pad(x, ((2, 2), (3, 1)), "reflect"), jnp.pad(x, 2, "wrap")))
  add("concatenate", lambda x, y: (
      jnp.concatenate([x, y]), jnp.concatenate([x, y, x[:3]]),
      jnp.concatenate([x[5:], y[:, ::-1], x[:1]])), GRID, GRID)
  add("stack", lambda x, y: (jnp.stack([x, y]), jnp.stack([x, y], 1),
                             jnp.hstack([x, y]), jnp.repeat(x, 3, 0),
                             jnp.tile(x, (2, 3))), GRID, GRID)
  add("split", lambda x: (jnp.split(x, 4), jnp.array_split(x, 3),
                          jnp.unstack(x, axis=1)[2]))
  add("diff", lambda x: (x[1:], x[:-1], jnp.where(
      x[1:] > x[:-1], x[1:], x[:-1])))


def shapes():
  add("transpose", lambda x: (x.T, x.reshape(4, 4, 8).transpose(2, 0, 1)))
  add("reshape", lambda x: (
      x.reshape(-1), x.reshape(8, 16), x.reshape(4, 4, 2, 4), x.reshape(2, 64),
      x.reshape(16, 2, 4), x.reshape(32, 4)))
  add("reshape_odd", lambda x: (x.reshape(6, 10), x.reshape(12, 5).T,
                                x.reshape(3, 20)[1:]), ("f32[20,3]", "x"))
  add("reshape_cube", lambda x: (x.reshape(8, 4, 2), x.reshape(64),
                                 x.reshape(2, 32).T),
      ("f32[4,4,4]", "x", "y", "z"), mesh=CUBE)
  add("broadcast", lambda x, v: (
      jnp.broadcast_to(v, (16, 8)), v[:, None] + jnp.zeros((8, 3), np.float32),
      x * 0 + v[None]), GRID, ("f32[8]", "x"))
  add("iota", lambda x: (
      x * 0 + jnp.arange(16, dtype=np.float32)[:, None],
      constrain(jnp.arange(24), ("x", "y")), jnp.eye(8) + x[:8] * 0,
      jnp.tril(x), jnp.triu(x, 1)))
  add("one_hot", lambda i: (jax.nn.one_hot(i, 8), jnp.diag(i * 1.0)),
      ("s32[16]:0..7", "x"))
  add("bits", lambda x: (
      lax.bitcast_convert_type(x, np.uint32), lax.bitcast_convert_type(
          x, np.uint8), x.astype(jnp.bfloat16), (x > 0) & (x < 1),
      x.view(np.int32) ^ 5))
  add("types", lambda *all: [jnp.roll(one, 1, 0) for one in all], *(
      (f"{name}[16]", "x") for name in (
          "pred", "s4", "u8", "s16", "s64", "bf16", "f16", "f8e4m3fn", "f64",
          "c64", "c128")), mesh="x=8")
  add("uneven", lambda x: (
      jnp.where(x[:13, :7] > 0, x[3:, 1:], 2.0), x[:5].T, x[:13].reshape(-1),
      jnp.concatenate([x[:5], x[7:12]])[::-1]))
  add("smaller_than_mesh", lambda x: (x[:3], x[:1] > 0, x[5], x[:0],
                                      jnp.roll(x[:3], 1, 0)),
      ("f32[16,8]", ("x", "y")))
  add("select", lambda x, y, i: (jnp.where(x > y, x, y), jnp.clip(x, -1, 1),
                                 lax.select_n(i > 0, x, y)), GRID,
      ("f32[16,8]", "y", "x"), "s32[]")


def constraints():
  chain = [(None,), ("x",), ("y",), (None, "x"), ("x", "y"), ("y", "x"),
           (("x", "y"),), (None, ("x", "y")), (("y", "x"),), (None, ("y", "x")),
           (), ("x", "y")]
  def through(x):
    for spec in chain:
      x = constrain(x, *spec)
    return x
  add("constraint_chain", through, GRID)
  for i, (a, b) in enumerate(zip(chain, chain[1:])):
    add(f"constraint_{i}", lambda x, a=a, b=b: constrain(
        lax.rev(constrain(x, *a), (1,)), *b), GRID,
        results=None if i % 2 else P(*b))
  cube = ("f32[8,8,8]", "x", "y", "z")
  add("constraint_cube", lambda x: [
      constrain(x, *spec) for spec in (
          ("z", "y", "x"), (("x", "y", "z"),), (None, ("z", "x"), "y"),
          (("y", "x"), None, "z"), (None, None, ("x", "z", "y")), ("y",))],
      cube, mesh=CUBE)
  add("constraint_uneven_mesh", lambda x: (
      constrain(x, "y"), constrain(x, None, "x"), constrain(x, ("x", "y"))),
      ("f32[12,6]", "x", "y"), mesh="x=2,y=3")
  add("unconstrained", lambda x: constrain(
      constrain(x, P.UNCONSTRAINED, None) * 2, "y", P.UNCONSTRAINED))
  add("results_elsewhere", lambda x, y: (x, y, x > y, y.T), GRID,
      ("f32[16,8]", ("x", "y")),
      results=(P("y", "x"), P(None, ("y", "x")), P(), P("y")))
  add("scalars", lambda s, x: (s + 1, x[0, 0], x[2, 3] > s, jnp.full(
      (8, 4), s)), "f32[]", GRID)


def random():
  for name, spec in (("vector", (("x", "y"),)), ("grid", ("x", "y")),
                     ("columns", (None, "y")), ("whole", ())):
    add(f"random_{name}", lambda k, s=spec: [
        constrain(draw, *s) for draw in (
            jax.random.bits(k, (16, 8)), jax.random.uniform(k, (16, 8)),
            jax.random.randint(k, (16, 8), 0, 100),
            jax.random.bernoulli(k, 0.3, (16, 8)))], "u32[2]")
  add("random_more", lambda k: [constrain(draw, "x") for draw in (
      jax.random.permutation(k, 16), jax.random.categorical(
          k, jnp.zeros((16, 5), np.float32)), jax.random.split(k, 8),
      jax.random.bits(k, (24,), np.uint8), jax.random.bits(
          k, (16, 3), np.uint64))], "u32[2]")
  add("random_keys", lambda k, x: jax.vmap(
      lambda k: jax.random.bits(jax.random.wrap_key_data(k), (3,)))(k),
      ("u32[8,2]", "x"), GRID, mesh="x=8,y=1")
  add("random_bit_generator", lambda k: [
      constrain(lax.rng_bit_generator(k, (16, 8), algorithm=which)[1], "x", "y")
      for which in (lax.RandomAlgorithm.RNG_THREE_FRY,
                    lax.RandomAlgorithm.RNG_PHILOX)], "u32[4]")
  FAMILY.add("random_normal", lambda k: constrain(
      jax.random.normal(k, (16, 8), np.float32), "y", "x"), "u32[2]")
  add("dropout", lambda x, k: jnp.where(
      jax.random.bernoulli(k, 0.8, x.shape), x, 0), GRID, "u32[2]")


windows()
shapes()
constraints()
random()
