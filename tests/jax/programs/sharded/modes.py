"""Manual axes beside automatic ones, Explicit axes and unreduced values,
shard_alike, custom_partitioning, host callbacks, donation."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import custom_partitioning as partitioning
from jax.experimental import shard_alike
from jax.sharding import NamedSharding, PartitionSpec as P, reshard

from sharded_program import ShardedFamily

FAMILY = ShardedFamily("sharded/modes")
GRID = ("f32[16,8]", "x", "y")
CUBE = "x=2,y=2,z=2"
ALL = ("x", "y")


def constrain(x, *spec):
  return lax.with_sharding_constraint(x, P(*spec))


def manual(body, ins, outs, names=ALL, **options):
  return lambda *arrays: jax.shard_map(
      body, in_specs=ins, out_specs=outs, axis_names=set(names),
      **options)(*arrays)


def mixed():
  """shard_map over some axes; the others are automatic in its body."""
  def add(name, function, *arguments, **options):
    FAMILY.add(f"mixed_{name}", function, *arguments, **options)
  add("elementwise", manual(lambda x: jnp.sin(x) * 2, P("x"), P("x"), "x"),
      GRID)
  add("dot", manual(lambda x, w: x @ w, (P("x"), P()), P("x"), "x"), GRID,
      ("f32[8,24]", None, "y"))
  add("sum", manual(lambda x, w: lax.psum(jnp.tanh(x @ w).sum(0), "x"), (
      P("x"), P()), P(), "x"), GRID, ("f32[8,24]", None, "y"))
  add("constraint", manual(lambda x: constrain(
      constrain(x.T @ x, "y"), None, "y")[None], P("x"), P("x"), "x"), GRID,
      whole=lambda x: np.einsum("pij,pik->pjk", *2 * [x.reshape(2, 8, 8)]))
  def step(w, x):
    g = jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w) ** 2))(w)
    return w - 0.01 * lax.psum(g, "x")
  add("data_parallel_step", manual(step, (P(), P("x")), P(), "x",
                                   check_vma=False),
      ("f32[8,16]", None, "y"), ("f32[16,8]", "x"))
  add("gradient", jax.grad(lambda w, x: jnp.sum(manual(
      lambda w, x: jnp.tanh(lax.psum(x @ w, "x")), (P("x"), P(None, "x")),
      P(), "x")(w, x) ** 2)), ("f32[8,16]", "x", "y"), ("f32[4,8]", None, "x"),
      tolerance=4)
  add("after_automatic", lambda x: manual(
      lambda p: p - lax.pmean(p, "x"), P("x"), P("x"), "x")(
          constrain(x @ x.T, "y", "x")).max(0), GRID, tolerance=4,
      whole=lambda x: (lambda a: (a - a.reshape(2, 8, 16).mean(0)[
          np.arange(16) % 8]).max(0))(x @ x.T))
  add("in_loop", lambda x: lax.fori_loop(0, 3, lambda _, v: manual(
      lambda p: jnp.tanh(p + lax.pmean(p.sum(), "x")), P("x"), P("x"), "x")(
          v @ jnp.eye(8, dtype=np.float32)), x), GRID,
      whole=jax.jit(lambda x: lax.fori_loop(0, 3, lambda _, v: jnp.tanh(
          v + v.sum() / 2), x)))
  add("nested", manual(lambda x: manual(
      lambda p: p * 2 + lax.axis_index("y") * 0, P(None, "y"), P(None, "y"),
      "y")(x) @ jnp.ones((8, 3), np.float32), P("x"), P("x"), "x"), GRID)
  add("two_of_three", manual(
      lambda x: lax.all_gather(x, "z", tiled=True) * 2 + lax.psum(x.sum(), "x"),
      P("x", "z"), P("x", "z"), "xz", check_vma=False),
      ("f32[8,8,6]", "x", "z", "y"), mesh=CUBE,
      whole=lambda x: np.concatenate([np.concatenate([np.concatenate(
          [x[4 * i:4 * i + 4, 4 * k:4 * k + 4] for k in (0, 1)], 0) * 2 +
          x[:, 4 * j:4 * j + 4].sum() for j in (0, 1)], 1) for i in (0, 1)]))
  add("random", manual(lambda k: jax.random.uniform(jax.random.fold_in(
      jax.random.wrap_key_data(k), lax.axis_index("x") * 0), (4, 8)), P(),
      P(), "x", check_vma=False), "u32[2]", exact=True)
  add("sort", manual(lambda x: jnp.sort(x, 1), P("x"), P("x"), "x"), GRID,
      exact=True)


def explicit():
  def add(name, function, *arguments, axes=ALL, **options):
    FAMILY.add(f"explicit_{name}", function, *arguments, explicit=axes,
               **options)
  add("elementwise", lambda x, y: (jnp.sin(x) + y, x > y, x.astype(np.int32)),
      GRID, GRID)
  add("transpose", lambda x: (x.T, x[None], jnp.sum(x, 0), jnp.max(x, 1)), GRID)
  add("dot", lambda x, w: (x @ w, (x @ w).sum()), ("f32[16,8]", "x"),
      ("f32[8,24]", None, "y"))
  add("dot_contracting", lambda x, w: jnp.einsum(
      "ij,jk->ik", x, w, out_sharding=P("x")), GRID, ("f32[8,24]", "y"))
  add("dot_scattered", lambda x, w: jnp.einsum(
      "ij,jk->ik", x, w, out_sharding=P("x", "y")), GRID, ("f32[8,24]", "y"))
  add("reshard", lambda x: (reshard(x, P("y", "x")), reshard(x, P(None, ALL)),
                            reshard(x, P())), GRID, exact=True)
  add("reshape", lambda x: (
      jnp.reshape(x, (4, 4, 8), out_sharding=P("x", None, "y")),
      jnp.reshape(x, (128,), out_sharding=P(ALL))), GRID, exact=True)
  add("gather", lambda x, i: x.at[i].get(out_sharding=P("x", None)),
      ("f32[16,8]",), ("s32[12]:0..15", "x"), exact=True)
  add("gradient", lambda w, x: jax.grad(lambda w: jnp.sum(
      jnp.tanh(x @ w) ** 2))(w), ("f32[8,24]", None, "y"), ("f32[16,8]", "x"))
  add("scan", lambda x, w: lax.scan(lambda h, layer: (
      jnp.tanh(h @ layer), None), x, w)[0], ("f32[16,8]", "x"),
      ("f32[3,8,8]",))
  add("beside_auto", lambda x, w: jnp.tanh(x @ w) @ w.T, ("f32[16,8]", "x"),
      ("f32[8,24]", None, "y"), axes=("x",))
  add("created", lambda x: x + jnp.zeros((16, 8), x.dtype, out_sharding=P(
      "x", "y")) + jnp.arange(8, dtype=x.dtype, out_sharding=P("y")), GRID)
  add("auto_inside", lambda x: jax.sharding.auto_axes(
      lambda v: jnp.sort(v, 0)[::-1] @ v.T, out_sharding=P("x"))(x), GRID)
  add("shard_map_inside", lambda x: manual(
      lambda p: p * lax.psum(1.0, "x") + lax.pmax(p, "y"), P("x", "y"),
      P("x", "y"))(x) * 2, GRID,
      whole=lambda x: (2 * (x * 2 + np.repeat(x.reshape(16, 4, 2).max(
          1, keepdims=True), 4, 1).reshape(16, 8))).astype(np.float32))
  unreduced = P("x", unreduced={"y"})
  add("unreduced_dot", lambda x, w: reshard(jnp.einsum(
      "ij,jk->ik", x, w, out_sharding=unreduced), P("x")), GRID,
      ("f32[8,24]", "y"))
  add("unreduced_scattered", lambda x, w: reshard(jnp.einsum(
      "ij,jk->ik", x, w, out_sharding=unreduced), P("x", "y")), GRID,
      ("f32[8,24]", "y"))
  def accumulated(x, w):
    def one(total, part):
      return total + jnp.einsum("ij,jk->ik", *part, out_sharding=P(
          None, unreduced={"y"})), None
    zeros = reshard(jnp.zeros((4, 6), x.dtype), P(None, unreduced={"y"}))
    return reshard(lax.scan(one, zeros, (x, w))[0], P())
  add("unreduced_in_scan", accumulated, ("f32[3,4,8]", None, None, "y"),
      ("f32[3,8,6]", None, "y"))
  add("unreduced_sums", lambda x, w: reshard(
      jnp.einsum("ij,jk->ik", x, w, out_sharding=unreduced) + jnp.einsum(
          "ij,jk->ik", 2 * x, w, out_sharding=unreduced), P("x")), GRID,
      ("f32[8,24]", "y"))
  add("reduced_weights", lambda w, x: reshard(jax.grad(lambda w: jnp.sum(
      jnp.einsum("bi,ij->bj", x, w) ** 2))(
          reshard(w, P(None, reduced={"x", "y"}))), P()),
      ("f32[8,6]",), ("f32[16,8]", ALL))


def alike():
  def with_zeros(x):
    y = jnp.zeros_like(x)
    x, y = shard_alike.shard_alike(x, y)
    return x + 1, y
  FAMILY.add("alike_zeros", with_zeros, GRID)
  FAMILY.add("alike_products", lambda x, w: shard_alike.shard_alike(
      x @ w, constrain(x @ w + 1, "x", "y")), ("f32[16,8]",), ("f32[8,24]",))
  def in_loop(x):
    def step(_, carry):
      return shard_alike.shard_alike(carry[0] * 2, carry[1] + 1)
    return lax.fori_loop(0, 3, step, (x, jnp.zeros_like(x)))
  FAMILY.add("alike_in_loop", in_loop, GRID)


def custom():
  def rows(body):
    """`body` works on rows: its own partitioning keeps these divided."""
    @partitioning.custom_partitioning
    def f(x):
      return body(x)
    def on_rows(shapes):
      sharding = shapes[0].sharding
      return NamedSharding(sharding.mesh, P(sharding.spec[0] if len(
          sharding.spec) else None))
    def partition(mesh, shapes, result):
      sharding = on_rows(shapes)
      return mesh, body, sharding, (sharding,)
    f.def_partition(
        partition=partition,
        infer_sharding_from_operands=lambda mesh, args, out: on_rows(args),
        sharding_rule="i j -> i j")
    return f
  FAMILY.add("custom_softmax", lambda x: rows(
      lambda v: jax.nn.softmax(v, 1))(x * 2) + 1, ("f32[16,8]", "x"))
  FAMILY.add("custom_fft", lambda x: rows(
      lambda v: jnp.abs(jnp.fft.fft(v)).astype(np.float32))(x),
             ("f32[16,8]", ("x", "y")))


  def divided(body, part, rule, arguments, results):
    """`body` of whole arrays; `part` of parts with these specs."""
    @partitioning.custom_partitioning
    def f(*whole):
      return body(*whole)
    def partition(mesh, shapes, result):
      place = lambda spec: NamedSharding(mesh, P(*spec))
      return mesh, part, jax.tree.map(
          place, results, is_leaf=lambda spec: isinstance(spec, P)), tuple(
              map(place, arguments))
    f.def_partition(partition=partition, sharding_rule=rule)
    return f
  # Collectives in the program of a part, twice in one program.
  column_sums = divided(lambda x: x.sum(0), lambda x: lax.psum(x.sum(0), "x"),
                        "i j -> j", [P("x", None)], P(None))
  FAMILY.add("custom_sums", lambda x: column_sums(x) + column_sums(x * 2),
             ("f32[16,8]", "x"))
  pair = divided(lambda x, w: (x @ w, x.sum(1)),
                 lambda x, w: (x @ w, x.sum(1)), "i k, k j -> i j, i",
                 [P(ALL, None), P(None, None)], (P(ALL, None), P(ALL)))
  FAMILY.add("custom_pair", lambda x, w: pair(x * 2, w), ("f32[16,8]", "x"),
             ("f32[8,4]", None, "y"))
  def many_ops(v):
    w = jnp.linalg.cholesky(v @ v.T + 50 * jnp.eye(v.shape[0], dtype=v.dtype))
    w = lax.fori_loop(0, 3, lambda i, c: c * 0.5 + i, w)
    w = lax.cond(w.sum() > 0, jnp.sin, jnp.cos, jnp.cumsum(w, 1))
    w = lax.erf_inv(w.at[0].set(0.3) * 0.9)
    w = lax.conv_general_dilated(w[None, None], jnp.ones((1, 1, 3, 3), w.dtype),
                                 (1, 1), "SAME")[0, 0]
    values, indices = lax.top_k(lax.reduce_window(
        w, np.float32(0), lax.add, (1, 3), (1, 1), "SAME"), 2)
    return w[:, :8] + values.sum() + jnp.take_along_axis(w, indices, 1).sum()
  FAMILY.add("custom_many_ops", divided(
      many_ops, many_ops, "i j -> i j", [P(None, None)], P(None, None)),
             ("f32[16,8]", "x"), tolerance=20)


def outside():
  def doubled(v):
    return np.asarray(v) * 2
  def host(x):
    return jax.pure_callback(doubled, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
  FAMILY.add("callback_automatic", lambda x: host(x + 1) - 1, GRID)
  FAMILY.add("callback_manual", manual(host, P("x", "y"), P("x", "y")), GRID)
  FAMILY.add("callback_result_used", lambda x: host(x.sum(0)) @ jnp.ones(
      (8, 3), np.float32), GRID)
  FAMILY.add("donated", lambda x, y: (x + y, y * 2), GRID, GRID, donate=(0,))
  FAMILY.add("donated_elsewhere", lambda x: x * 2, GRID, donate=(0,),
             results=P("y", "x"))


mixed()
explicit()
alike()
custom()
outside()
