"""Programs as JAX lowers them get the shardings that XLA:CPU, that is Shardy,
gives them.

Each program states shardings inside: constraints, manual computations, groups,
explicit axes. jaxlib compiles it for eight CPU devices, and tells the shardings
of parameters and results. The same text, converted with whole shapes, must get
the same ones from sharding-propagation. Programs without explicit axes run in
GSPMD's form, too.
"""

import math
import os
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness

AXES = {"x": 2, "y": 4}
RANDOM_PROGRAMS = 40
# The meshes that express tiles.
TILE_AXES = {
    "mesh['axis_0'=2,'axis_1'=4]": {"axis_0": ("x",), "axis_1": ("y",)},
    "mesh['axis_0'=8]": {"axis_0": ("x", "y")},
}


def programs():
  """Yields name, function and arguments, each a shape or a shape and a spec."""
  import jax
  import jax.numpy as jnp
  from jax import lax
  from jax.experimental.shard_alike import shard_alike
  from jax.sharding import PartitionSpec as P
  any_ = P.UNCONSTRAINED
  to = lax.with_sharding_constraint
  a = (8, 16)
  x, y, xy = (a, P("x")), (a, P(None, "y")), (a, P("x", "y"))

  def manual(f, in_specs, out_specs, axes=("x", "y")):
    return jax.shard_map(f, in_specs=in_specs, out_specs=out_specs,
                         axis_names=set(axes), check_vma=False)

  def constrained_scan(c, w):
    def body(c, _):
      return jnp.tanh(to(c @ w, P("x", "y"))), None
    return lax.scan(body, c, None, length=3)[0]

  def carry_constraint(c):
    def body(i, c):
      return jnp.sin(to(c, P("y"))) + c
    return lax.fori_loop(0, 3, body, c)

  def scan_of_manual(c, w):
    step = manual(lambda c, w: jnp.tanh(c @ w), (P("x"), P()), P("x"))
    return lax.scan(lambda c, _: (step(c, w), None), c, None, length=3)[0]

  def manual_scan(c):
    def body(c):
      return lax.scan(lambda c, _: (jnp.sin(c), c.sum()), c, None, length=3)
    return manual(body, P("x"), (P("x"), P()))(c)

  def nested(c):
    inner = manual(lambda c: c * lax.axis_index("y"), P(None, "y"),
                   P(None, "y"), ("y",))
    return manual(lambda c: inner(jnp.sin(c)), P("x"), P("x"), ("x",))(c)

  def alike(a, b):
    a, b = shard_alike(jnp.sin(a), jnp.cos(b))
    return a * 2, b + 1

  def alike_carry(a):
    zeros = shard_alike(a, jnp.zeros(a.shape))[1]
    return lax.fori_loop(0, 3, lambda i, c: c * 2, zeros)

  def cond(p, c):
    return lax.cond(p > 0, lambda c: to(c * 2, P("y")), lambda c: c + 1, c)

  def moe(t, gates, w):
    routed = to(jnp.einsum("td,te->etd", t, gates), P("y", "x"))
    out = to(jnp.einsum("etd,edf->etf", routed, w), P("y", "x"))
    return jnp.einsum("etf,te->tf", out, gates)

  return [
      ("constraint", lambda a: to(a * 2, P("y")) + 1, x),
      ("constraint_open", lambda a: to(a * 2, P("y", any_)) + 1, x),
      ("constraint_of_argument", lambda a: to(a, P("y")) + a, a),
      ("constraint_of_result", lambda a: to(a * 2, P(None, "y")), x),
      ("constraints_differ",
       lambda a: (to(jnp.sin(a), P("x")), to(jnp.sin(a), P("y"))), a),
      ("constraints_agree",
       lambda a: (lambda s: (to(s, P("x")) * 2, to(s, P("x")) + s))(
           jnp.sin(a)), a),
      ("constraint_chain",
       lambda a: (lambda s: to(to(s, P("x")), P(None, "y")) + s)(jnp.sin(a)),
       a),
      ("constraint_chain_of_argument",
       lambda a: to(to(a, P("x")), P("y")) * 2 + a, a),
      ("constraint_whole", lambda a: to(a * 2, P()) @ a.T, xy),
      ("constraint_grad",
       lambda a, w: jax.grad(lambda w: jnp.sum(to(a @ w, P("x", "y"))))(w),
       a, (16, 8)),
      ("dot_constrained", lambda a, w: to(a @ w, P("x")), a,
       ((16, 8), P("y"))),
      ("scan_constrained", constrained_scan, a, (16, 16)),
      ("carry_constrained", carry_constraint, x),
      ("cond_constrained", cond, (), x),
      ("moe", moe, ((8, 16), P("x")), (8, 4), ((4, 16, 8), P("y"))),
      ("manual", lambda a: manual(lambda a: a * 2, P("x"), P("x"))(a) + 1, a),
      ("manual_stated", lambda a: manual(jnp.sin, P("y"), P("y"))(a) + a, x),
      ("manual_reduces",
       lambda a: manual(lambda a: lax.psum(a, "y"), P("x", "y"), P("x"))(a),
       a),
      ("manual_of_constants",
       lambda a: manual(lambda z: z + 1, P("x"), P("x"))(jnp.zeros(a.shape))
       * a, a),
      ("manual_partly",
       lambda a: manual(jnp.sin, P("x"), P("x"), ("x",))(a) + 1, y),
      ("manual_partly_free",
       lambda a, w: manual(lambda a, w: a @ w, (P("x"), P()), P("x"), ("x",))(
           a, w), a, ((16, 8), P(None, "y"))),
      ("manual_partly_constrained",
       lambda a: manual(lambda a: to(jnp.sin(a), P(None, "y")), P("x"),
                        P("x"), ("x",))(a) * 2, a),
      ("manual_index",
       lambda a: manual(lambda a: a * lax.axis_index("x"), P("x"), P("x"),
                        ("x",))(a), y),
      ("manual_nested", nested, a),
      ("manual_twice",
       lambda a: manual(jnp.cos, P("y"), P("y"))(
           manual(jnp.sin, P("x"), P("x"))(a)), a),
      ("scan_of_manual", scan_of_manual, a, (16, 16)),
      ("manual_scan", manual_scan, a),
      ("alike", alike, x, a),
      ("alike_zeros", lambda a: shard_alike(a, jnp.zeros(a.shape))[1] * 2, x),
      ("alike_stated", lambda a, b: shard_alike(a, b)[1] * 2, x, (a, P("y"))),
      ("alike_carry", alike_carry, x),
      ("cholesky", jnp.linalg.cholesky, ((8, 4, 4), P("x"))),
      ("cholesky_matrix", jnp.linalg.cholesky, ((8, 4, 4), P("x", "y"))),
      ("solve", jnp.linalg.solve, ((8, 4, 4), P("y")), (8, 4, 2)),
      ("eigh", lambda a: jnp.linalg.eigh(a)[0], ((8, 4, 4), P(("x", "y")))),
      ("callback",
       lambda a: jax.pure_callback(
           lambda a: a, jax.ShapeDtypeStruct(a.shape, a.dtype), a) + 1, x),
      ("random", lambda a: a + jax.random.normal(jax.random.key(0), a.shape),
       x),
      ("optimization_barrier",
       lambda a: lax.optimization_barrier((jnp.sin(a), jnp.cos(a))), x),
      ("result_divided_unevenly", lambda a: jnp.pad(a, ((1, 0), (0, 0))), x),
  ]


def explicit_programs():
  import jax
  import jax.numpy as jnp
  from jax import lax
  from jax.sharding import PartitionSpec as P, reshard
  a = (8, 16)
  x, y, xy = (a, P("x")), (a, P(None, "y")), (a, P("x", "y"))
  unreduced = P("x", None, unreduced={"y"})

  def accumulate(a, w):
    init = reshard(jnp.zeros((8, 8)), unreduced)

    def body(i, c):
      return c + jnp.einsum("ij,jk->ik", a, w, out_sharding=unreduced)
    return lax.fori_loop(0, 3, body, init)

  return [
      ("add", lambda a: a * 2 + 1, xy),
      ("sum", lambda a: a.sum(1), xy),
      ("dot", lambda a, w: a @ w, x, ((16, 8), P(None, "y"))),
      ("dot_unreduced",
       lambda a, w: jnp.einsum("ij,jk->ik", a, w, out_sharding=unreduced),
       xy, ((16, 8), P("y"))),
      ("dot_reduced_later",
       lambda a, w: reshard(
           jnp.einsum("ij,jk->ik", a, w, out_sharding=unreduced), P("x")),
       xy, ((16, 8), P("y"))),
      ("accumulate", accumulate, xy, ((16, 8), P("y"))),
      ("reshard", lambda a: reshard(a, P("y", "x")) * 2, xy),
      ("scan", lambda a: lax.scan(lambda c, r: (c + r, c * r),
                                  jnp.zeros_like(a[0]), a), y),
  ]


def random_spec(rng, shape, may_be_open=False):
  from jax.sharding import PartitionSpec as P
  used, spec = set(), []
  for size in shape:
    choices = [axes for axes in (("x",), ("y",), ("x", "y"), ("y", "x"))
               if not used & set(axes)
               and size % math.prod(AXES[a] for a in axes) == 0]
    kind = rng.random()
    if choices and kind < 0.5:
      axes = rng.choice(choices)
      used.update(axes)
      spec.append(axes)
    else:
      spec.append(P.UNCONSTRAINED if may_be_open and kind < 0.7 else None)
  return P(*spec)


def random_op(rng, op, v, w):
  """One more array of a random program, from one and another like it."""
  import jax
  import jax.numpy as jnp
  from jax import lax
  from jax.experimental.shard_alike import shard_alike
  from jax.sharding import PartitionSpec as P
  to = lax.with_sharding_constraint

  def manual(f, spec, axes):
    return jax.shard_map(f, in_specs=spec, out_specs=spec, axis_names=axes,
                         check_vma=False)

  if op == "sin":
    return jnp.sin(v)
  if op == "add":
    return v + w
  if op == "transpose":
    return v.T
  if op == "sum":
    return v.sum(rng.randrange(2), keepdims=True) + v
  if op == "broadcast":
    return jnp.broadcast_to(v.max(0)[None], v.shape) * 2
  if op == "dot":
    return v @ w.T
  if op == "constraint":
    return to(v, random_spec(rng, v.shape, True))
  if op == "chain":
    return to(to(v, random_spec(rng, v.shape)), random_spec(rng, v.shape))
  if op == "alike":
    return shard_alike(v, w)[1] * 2
  if op == "manual":
    return manual(jnp.tanh, random_spec(rng, v.shape), set(AXES))(v)
  if op == "manual_partly":
    axis = rng.choice(list(AXES))
    return manual(jnp.tanh, P(*[None] * rng.randrange(2), axis), {axis})(v)
  if op == "loop":
    return lax.fori_loop(0, 3, lambda i, c: jnp.sin(c) + w, v)
  assert op == "cond", op
  return lax.cond(v[0, 0] > 0, lambda c: c * 2, lambda c: c + w, v)


OPS = ("sin", "add", "transpose", "sum", "broadcast", "dot", "constraint",
       "constraint", "chain", "alike", "manual", "manual_partly", "loop",
       "cond")


def random_program(seed):
  """A function of three arrays, and their shapes with shardings."""
  rng = random.Random(seed)
  plan = [(rng.choice(OPS), rng.random(), rng.random(), rng.randrange(1 << 30))
          for _ in range(rng.randint(3, 9))]
  arguments = []
  for _ in range(3):
    shape = rng.choice([(8, 16), (16, 8), (8, 8), (16, 16)])
    stated = rng.random() < 0.6
    arguments.append((shape, random_spec(rng, shape)) if stated else shape)

  def program(*values):
    values = list(values)
    for op, first, second, seed in plan:
      rng = random.Random(seed)
      v = values[int(first * len(values)) if rng.random() < 0.5 else -1]
      same = [each for each in values if each.shape == v.shape]
      values.append(random_op(rng, op, v, same[int(second * len(same))]))
    return values[-1], values[-2]
  return program, arguments


def axes_of_entry(entry):
  if entry is None:
    return ()
  return (entry,) if isinstance(entry, str) else tuple(entry)


def normal(dims, unreduced):
  """Without the dimensions at the end that are not divided."""
  dims = list(dims)
  while dims and not dims[-1]:
    dims.pop()
  return dims, sorted(unreduced)


def normal_spec(sharding, mesh):
  from jax._src import sharding_impls
  spec = getattr(sharding, "spec", None)
  if spec is None:
    # Without a mesh in the arguments, jaxlib has tiles.
    tiles = sharding._to_xla_hlo_sharding(None)
    spec = sharding_impls.parse_flatten_op_sharding(tiles, mesh)[0]
  return normal([axes_of_entry(each) for each in spec.partitions],
                spec.unreduced)


def specs_of_text(text):
  """The shardings in a line of HLO, one for each array."""
  def names(mesh, axes):
    found = re.findall(r"'(\w+)'", axes)
    return sum((TILE_AXES.get(mesh, {}).get(a, (a,)) for a in found), ())
  found = re.findall(
      r"\{(?:(mesh\[[^\]]*\])(?:, device_ids=\([^)]*\))?, "
      r"(replicated|manual|unreduced|\[[^\]]*\])"
      r"((?:, \w+=\{[^}]*\})*)|(maximal_mesh)\[[^\]]*\])\}", text)
  result = []
  for mesh, dims, groups, maximal in found:
    unreduced = re.search(r"unreduced=\{([^}]*)\}", groups)
    if dims == "unreduced":  # along all axes
      unreduced = re.search(r"\[(.*)\]", mesh)
    result.append("one device" if maximal else normal(
        [names(mesh, d) for d in re.findall(r"\{([^}]*)\}", dims)],
        names(mesh, unreduced.group(1)) if unreduced else ()))
  return result


def propagate(text):
  """Returns the shardings of parameters and results."""
  out = harness.run("tessera", "opt", "--passes=sharding-propagation", "-",
                    input=text)
  entry = out[out.index("ENTRY"):]
  parameters = []
  while True:
    line = re.search(rf"parameter\({len(parameters)}\).*", entry)
    if line is None:
      break
    parameters.append(specs_of_text(line.group())[0])
  root = re.search("ROOT .*", entry).group()
  return parameters, specs_of_text(root[root.index("sharding="):])


def compare(function, mesh, arguments, in_tiles):
  import jax
  from jax.sharding import NamedSharding
  shapes = []
  for each in arguments:
    has_spec = each and isinstance(each[0], tuple)
    shape, spec = each if has_spec else (each, None)
    sharding = None if spec is None else NamedSharding(mesh, spec)
    shapes.append(jax.ShapeDtypeStruct(
        shape, "float32" if shape else "int32", sharding=sharding))
  with jax.set_mesh(mesh):
    lowered = jax.jit(function).lower(*shapes)
    compiled = lowered.compile()
    jax.config.update("jax_use_shardy_partitioner", not in_tiles)
    text = (jax.jit(function).lower(*shapes) if in_tiles
            else lowered).as_text()
    jax.config.update("jax_use_shardy_partitioner", True)
  parameters, results = propagate(text)
  want = [[normal_spec(s, mesh) for s in jax.tree.leaves(shardings)]
          for shardings in (compiled.input_shardings[0],
                            compiled.output_shardings)]
  harness.equal(results, want[1], "results")
  harness.equal(parameters, want[0], "parameters")


def test_programs():
  os.environ["JAX_PLATFORMS"] = "cpu"
  os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
  harness.require("jax")
  import jax
  from jax.sharding import AxisType
  sizes, names = tuple(AXES.values()), tuple(AXES)
  auto = jax.make_mesh(sizes, names, axis_types=(AxisType.Auto,) * 2)
  for name, function, *arguments in programs():
    yield name, compare, function, auto, arguments, False
    yield f"{name}_in_tiles", compare, function, auto, arguments, True
  for seed in range(RANDOM_PROGRAMS):
    function, arguments = random_program(seed)
    yield f"random_{seed}", compare, function, auto, arguments, False
  explicit = jax.make_mesh(sizes, names, axis_types=(AxisType.Explicit,) * 2)
  for name, function, *arguments in explicit_programs():
    yield f"explicit_{name}", compare, function, explicit, arguments, False


if __name__ == "__main__":
  harness.main(globals())
