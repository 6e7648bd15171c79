"""Collectives that the partitioner writes, counted in the compiled text, and
memory per device: those of the published schemes."""

import collections
import math
import re

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from programs.sharded import models
from registry import Family

FAMILY = Family("sharded/counts")
COLLECTIVE = re.compile(
    r"= .*?\b(all-reduce|all-gather|reduce-scatter|all-to-all|"
    r"collective-permute|collective-broadcast)(?:-start)?\(")
LAYERS = 2
B, T, D, H, F, V = 8, 64, 64, 8, 256, 128


def counted(compiled):
  """How often each collective is in the text."""
  return dict(collections.Counter(
      match[1] for match in map(COLLECTIVE.search, compiled.as_text(
          ).splitlines()) if match))


def check(compiled, **wanted):
  """Fails unless the program has just these collectives."""
  wanted = {name.replace("_", "-"): count for name, count in wanted.items()}
  found = counted(compiled)
  assert found == wanted, f"collectives {found}, wanted {wanted}"


def program(function):
  """A program that gets a mesh of x=2, y=4, as context too."""
  def run(devices):
    mesh = Mesh(np.array(devices).reshape(2, 4), ("x", "y"))
    with jax.set_mesh(mesh):
      function(mesh)
  FAMILY.add(function.__name__, run, devices=8, alone=True)
  return function


def compiled(function, mesh, *arguments, **options):
  """`function` compiled for arguments given as (shape, *spec)."""
  types = [jax.ShapeDtypeStruct(
      shape, np.float32, sharding=NamedSharding(mesh, P(*spec)))
           for shape, *spec in arguments]
  return jax.jit(function, **options).lower(*types).compile()


ONE = {"g1": (D,), "g2": (D,), "wq": (D, H, D // H), "wk": (D, H, D // H),
       "wv": (D, H, D // H), "wo": (H, D // H, D), "w1": (D, F), "w2": (F, D)}
ALL = ("x", "y")
NONE = dict.fromkeys(ONE, ())
TENSOR = {"g1": (), "g2": (), "wq": (None, "y"), "wk": (None, "y"),
          "wv": (None, "y"), "wo": ("y",), "w1": (None, "y"), "w2": ("y",)}
FSDP = {"g1": (), "g2": (), "wq": (ALL,), "wk": (ALL,), "wv": (ALL,),
        "wo": (None, None, ALL), "w1": (ALL,), "w2": (None, ALL)}


def block(x, p):
  x = x + models.attention(models.normed(x, p["g1"]), p["wq"], p["wk"], p["wv"],
                           p["wo"])
  return x + jax.nn.gelu(models.normed(x, p["g2"]) @ p["w1"]) @ p["w2"]


def transformer(mesh, layer, embedding, tokens, edges, train=True, scan=False):
  """A training step, or the loss, of LAYERS layers compiled with
  PartitionSpecs: those of one layer by name, of the embedding, of the tokens
  and of the activations between layers."""
  def between(x):
    return lax.with_sharding_constraint(x, P(*edges))
  def loss(weights, tokens):
    x = between(weights["embedding"][tokens[:, :-1]])
    if scan:
      x, _ = lax.scan(jax.checkpoint(lambda x, p: (between(block(x, p)), None)),
                      x, weights["layers"])
    else:
      for p in weights["layers"]:
        x = between(block(x, p))
    return models.cross_entropy(x @ weights["embedding"].T, tokens[:, 1:])
  def step(weights, tokens):
    value, grads = jax.value_and_grad(loss)(weights, tokens)
    return jax.tree.map(lambda w, g: w - 0.1 * g, weights, grads), value
  def weight(shape, spec):
    return jax.ShapeDtypeStruct(shape, np.float32, sharding=NamedSharding(
        mesh, P(*spec)))
  if scan:
    layers = {name: weight((LAYERS, *ONE[name]), (None, *layer[name]))
              for name in ONE}
  else:
    layers = LAYERS * [{name: weight(ONE[name], layer[name]) for name in ONE}]
  weights = {"embedding": weight((V, D), embedding), "layers": layers}
  batch = jax.ShapeDtypeStruct((B, T + 1), np.int32, sharding=NamedSharding(
      mesh, P(*tokens)))
  placed = jax.tree.map(lambda one: one.sharding, weights)
  made = jax.jit(step, out_shardings=(placed, None), donate_argnums=0
                 ) if train else jax.jit(loss)
  return made.lower(weights, batch).compile()


@program
def data_parallel(mesh):
  """All gradients and the loss in one all-reduce."""
  check(transformer(mesh, NONE, (), (ALL,), (ALL,)), all_reduce=1)


@program
def tensor_parallel(mesh):
  """Megatron: two all-reduces per layer and direction, and the gradients' over
  the batch."""
  check(transformer(mesh, TENSOR, (), ("x",), ("x",)),
        all_reduce=4 * LAYERS + 1)


@program
def tensor_parallel_loss(mesh):
  check(transformer(mesh, TENSOR, (), ("x",), ("x",), train=False),
        all_reduce=2 * LAYERS + 1)


def check_fsdp(made, matrices, sums=1):
  """Each matrix is gathered at most once forward and once backward, and each
  gradient scattered once; what is whole is summed in `sums` all-reduces. The
  embedding, divided by columns, is not gathered to look words up: each device
  looks up its columns of all words, whose numbers are gathered, and one
  all-to-all per direction exchanges words and columns."""
  found = counted(made)
  assert found.pop("all-to-all", 0) == 2, found
  found["all-gather"] -= 1
  assert matrices <= found.pop("all-gather", 0) <= 2 * matrices, found
  assert found.pop("reduce-scatter", 0) == matrices, found
  assert found.pop("all-reduce", 0) == sums, found
  assert not found, found


@program
def fsdp(mesh):
  check_fsdp(transformer(mesh, FSDP, (None, ALL), (ALL,), (ALL,)),
             6 * LAYERS + 1)


@program
def fsdp_scan(mesh):
  """One all-gather per matrix in the loop forward and in the one backward,
  whose gains are summed there."""
  check_fsdp(transformer(mesh, FSDP, (None, ALL), (ALL,), (ALL,), scan=True),
             7, sums=2)


def check_memory(mesh, scan):
  """An FSDP step needs at most 1.3 times an eighth of what one device would
  need, and the largest gathered matrix."""
  specs = FSDP, (None, ALL), (ALL,), (ALL,)
  made = transformer(mesh, *specs, scan=scan)
  alone = Mesh(mesh.devices.reshape(-1)[:1].reshape(1, 1), ("x", "y"))
  with jax.set_mesh(alone):
    whole = transformer(alone, *specs, scan=scan)
  def needed(program):
    sizes = program.memory_analysis()
    return (sizes.argument_size_in_bytes + sizes.temp_size_in_bytes
            + sizes.output_size_in_bytes - sizes.alias_size_in_bytes)
  largest = 4 * max(math.prod(shape) for shape in ((V, D), *ONE.values()))
  limit = 1.3 * (needed(whole) / 8 + largest)
  assert needed(made) <= limit, (
      f"{needed(made)} bytes of {needed(whole)} on one device, "
      f"limit {limit:.0f}")


@program
def memory_of_fsdp(mesh):
  check_memory(mesh, scan=False)


@program
def values_of_fsdp(mesh):
  """Weights that are gathered again are the same."""
  specs = FSDP, (None, ALL), (ALL,), (ALL,)
  random = np.random.default_rng(1)
  def weight(shape):
    return random.standard_normal(shape).astype(np.float32) / 8
  weights = {"embedding": weight((V, D)),
             "layers": LAYERS * [{name: weight(ONE[name]) for name in ONE}]}
  tokens = random.integers(0, V, (B, T + 1)).astype(np.int32)
  def run(mesh):
    with jax.set_mesh(mesh):
      made = transformer(mesh, *specs)
      placed, _ = made.input_shardings
      return jax.tree.map(np.asarray, made(*jax.device_put(
          (jax.tree.map(np.copy, weights), tokens), placed)))
  alone = Mesh(mesh.devices.reshape(-1)[:1].reshape(1, 1), ("x", "y"))
  for whole, divided in zip(jax.tree.leaves(run(alone)),
                            jax.tree.leaves(run(mesh))):
    np.testing.assert_allclose(divided, whole, rtol=1e-4, atol=1e-5)


@program
def memory_of_fsdp_scan(mesh):
  check_memory(mesh, scan=True)


@program
def sequence_parallel(mesh):
  """Megatron's sequence parallelism: all-gather and reduce-scatter instead of
  each all-reduce."""
  def mlp(x, w1, w2):
    x = models.normed(x, 1.0)
    hidden = lax.with_sharding_constraint(
        jax.nn.gelu(x @ w1), P("x", None, "y"))
    return lax.with_sharding_constraint(hidden @ w2, P("x", "y"))
  check(compiled(mlp, mesh, ((B, T, D), "x", "y"), ((D, F), None, "y"),
                 ((F, D), "y")), all_gather=1, reduce_scatter=1)


@program
def experts(mesh):
  """Tokens over all devices: dispatched and combined by one all-to-all
  each."""
  def moe(x, w):
    inputs = lax.with_sharding_constraint(x, P("y", "x"))
    outputs = lax.with_sharding_constraint(
        jnp.einsum("ecd,edf->ecf", inputs, w), P("y", "x"))
    return lax.with_sharding_constraint(outputs, P(None, ALL))
  check(compiled(moe, mesh, ((4, 32, D), None, ALL), ((4, D, D), "y")),
        all_to_all=2)


@program
def experts_einsum(mesh):
  """Tokens over x, experts over y: the sum over experts is all that moves."""
  def moe(x, to, w):
    inputs = jnp.einsum("gtec,gtd->gecd", to, x)
    outputs = jnp.einsum("gecd,edf->gecf", inputs, w)
    return jnp.einsum("gtec,gecf->gtf", to, outputs)
  check(compiled(moe, mesh, ((4, 8, D), "x"), ((4, 8, 4, 3), "x", None, "y"),
                 ((4, D, D), "y")), all_reduce=1)


@program
def vocabulary_divided(mesh):
  """Cross entropy over logits divided by words: one maximum, one sum."""
  def loss(x, e, labels):
    return models.cross_entropy(x @ e.T, labels.astype(np.int32))
  found = counted(compiled(loss, mesh, ((B, T, D),), ((V, D), "y"), ((B, T),)))
  assert found == {"all-reduce": found.get("all-reduce", 0)}, found
  assert 2 <= found["all-reduce"] <= 3, found


@program
def linear_algebra(mesh):
  """Nothing moves when only the batch is divided, derivatives too."""
  def all_of(a):
    return (jnp.linalg.cholesky(a), jnp.linalg.qr(a), jnp.linalg.eigh(a),
            jnp.linalg.svd(a), jnp.linalg.inv(a), jnp.linalg.slogdet(a),
            jnp.linalg.solve(a, a), lax.linalg.lu(a),
            jax.scipy.linalg.solve_triangular(a, a))
  argument = ((8, 4, 4), ALL)
  check(compiled(all_of, mesh, argument))
  check(compiled(lambda a: jax.jvp(all_of, (a,), (a,))[1], mesh, argument))
  check(compiled(lambda a: jax.vjp(jnp.linalg.cholesky, a)[1](a), mesh,
                 argument))
  def pulled_back(a):
    out, pull = jax.vjp(all_of, a)
    return pull(out)
  check(compiled(pulled_back, mesh, argument))
  check(compiled(lambda a: (
      lax.linalg.eig(a), lax.linalg.schur(a), lax.linalg.hessenberg(a),
      lax.linalg.tridiagonal(a), lax.linalg.tridiagonal_solve(
          a[..., 0], a[..., 1], a[..., 2], a)), mesh, argument))


@program
def random_bits(mesh):
  """Each device draws its part of the numbers."""
  for shape, spec in (((16, 8), ("x", "y")), ((64,), (ALL,))):
    def draw(key):
      return jax.random.uniform(jax.random.wrap_key_data(key), shape)
    made = jax.jit(draw, out_shardings=NamedSharding(mesh, P(*spec))).lower(
        jax.ShapeDtypeStruct((2,), np.uint32)).compile()
    check(made)
    whole = ",".join(map(str, shape))
    assert f"[{whole}]" not in made.as_text(), f"{whole} is made whole"


@program
def movements(mesh):
  """Operations along divided dimensions that need few bytes of others."""
  x = ((16, 32), ALL)
  k = ((1, 16, 16, 4), None, ALL)
  check(compiled(jnp.tanh, mesh, x))
  check(compiled(lambda v: v.sum(1), mesh, x))
  check(compiled(lambda v: v.sum(0), mesh, x), all_reduce=1)
  check(compiled(lambda v: jnp.fft.fft(v).real, mesh, x))
  check(compiled(lambda v: jnp.sort(v, 1), mesh, x))
  check(compiled(lambda v: lax.top_k(v, 3), mesh, x))
  check(compiled(lambda v: jnp.cumsum(v, 1), mesh, x))
  check(compiled(lambda v: lax.with_sharding_constraint(v, P(None, ALL)), mesh,
                 x), all_to_all=1)
  check(compiled(lambda v: lax.with_sharding_constraint(v, P()), mesh, x),
        all_gather=1)
  check(compiled(lambda v: lax.with_sharding_constraint(
      v @ v.T, P(None, ALL)), mesh, ((16, 32), None, ALL)), reduce_scatter=1)
  check(compiled(lambda v: jnp.roll(v, 1, 0), mesh, x), collective_permute=2)
  check(compiled(lambda v, w: lax.conv_general_dilated(
      v, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), mesh,
                 k, ((3, 3, 4, 4),)), collective_permute=2)


@program
def accumulated_unreduced(mesh):
  """Partial sums over microbatches are added where they are; one all-reduce
  after the loop."""
  def total(w, x):
    def one(sum_, part):
      return sum_ + jax.grad(lambda w: jnp.sum(jnp.tanh(part @ w)))(w), None
    return lax.scan(one, jnp.zeros_like(w), x)[0]
  check(compiled(total, mesh, ((D, D),), ((4, 512, D), None, ALL)),
        all_reduce=1)


@program
def same_gather_twice(mesh):
  """A whole copy that is there already is used again."""
  check(compiled(lambda a, b: (a @ b, jnp.tanh(a) @ b), mesh,
                 ((512, D), ALL), ((D, D), ALL)), all_gather=1)


@program
def part_of_psum(mesh):
  """A device that keeps a part of a sum is sent no more."""
  def part(x):
    start = lax.axis_index(ALL) * 4
    return lax.dynamic_slice_in_dim(lax.psum(x, ALL), start, 4)
  function = jax.shard_map(part, mesh=mesh, in_specs=P(ALL), out_specs=P(ALL))
  check(compiled(function, mesh, ((256, 8), ALL)), reduce_scatter=1)
  x = np.arange(2048, dtype=np.float32).reshape(256, 8)
  np.testing.assert_array_equal(jax.jit(function)(x),
                                x.reshape(8, 32, 8).sum(0))
