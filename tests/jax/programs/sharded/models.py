"""Models under data, tensor, FSDP, sequence, expert and pipeline parallelism,
written as users write them."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from sharded_program import ShardedFamily

FAMILY = ShardedFamily("sharded/models")
CUBE = "x=2,y=2,z=2"
T, D, H, F, V = 8, 16, 4, 32, 24  # positions, width, heads, hidden, vocabulary


def constrain(x, *spec):
  return lax.with_sharding_constraint(x, P(*spec))


def add(name, function, *arguments, **options):
  options.setdefault("tolerance", 4)
  FAMILY.add(name, function, *arguments, **options)


def mlp_loss(weights, x):
  first, second = weights
  return jnp.mean((jax.nn.gelu(x @ first) @ second - x) ** 2)


def mlp_step(first, second, x):
  loss, grads = jax.value_and_grad(mlp_loss)((first, second), x)
  return loss, [w - 0.1 * g for w, g in zip((first, second), grads)]


def mlp(name, first, second, x, **options):
  add(f"mlp_{name}", mlp_step, ("f32[16,32]:unit", *first),
      ("f32[32,16]:unit", *second), ("f32[8,16]:unit", *x), **options)


def steps_of_mlp():
  both = (("x", "y"),)
  mlp("data", (), (), both)
  mlp("tensor", (None, "y"), ("y",), ())
  mlp("data_and_tensor", (None, "y"), ("y",), ("x",))
  mlp("fsdp", both, (None, *both), both,
      results=(P(), [P(*both), P(None, *both)]))
  mlp("fsdp_rows", both, both, both, results=(P(), [P(*both), P(*both)]))
  mlp("fsdp_and_tensor", ("x", "y"), ("y", "x"), ("x",),
      results=(P(), [P("x", "y"), P("y", "x")]))
  mlp("three_axes", ("y", "z"), ("z", "y"), (("x", "y"),), mesh=CUBE,
      results=(P(), [P("y", "z"), P("z", "y")]))
  mlp("odd_mesh", (None, "y"), ("y",), ("x",), mesh="x=4,y=2")
  mlp("width_over_all", ("y",), (None, "y"), (None, "y"))


def normed(x, gain):
  centered = x - x.mean(-1, keepdims=True)
  return centered * lax.rsqrt((centered**2).mean(-1, keepdims=True) + 1e-5
                              ) * gain


def attention(x, wq, wk, wv, wo, middle=lambda x: x):
  q, k, v = [middle(jnp.einsum("btd,dhk->bthk", x, w)) for w in (wq, wk, wv)]
  scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
  scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
  mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
  return jnp.einsum("bqhd,hdm->bqm", middle(mixed), wo)


def cross_entropy(logits, labels):
  logits = logits - lax.stop_gradient(logits.max(-1, keepdims=True))
  chosen = jnp.take_along_axis(logits, labels[..., None], -1)[..., 0]
  return (jnp.log(jnp.exp(logits).sum(-1)) - chosen).mean()


def transformer_loss(weights, tokens, edges=lambda x: x):
  embedding, gains, *layer = weights
  x = edges(embedding[tokens[:, :-1]])
  x = edges(x + attention(normed(x, gains[0]), *layer[:4]))
  x = edges(x + jax.nn.gelu(normed(x, gains[1]) @ layer[4]) @ layer[5])
  return cross_entropy(x @ embedding.T, tokens[:, 1:])


SHAPES = (f"[{V},{D}]", f"[2,{D}]", *3 * [f"[{D},{H},{D // H}]"],
          f"[{H},{D // H},{D}]", f"[{D},{F}]", f"[{F},{D}]")


def transformer(name, embedding, gains, qkv, out, up, down, tokens, edges=None,
                sharded_results=True, **options):
  """A training step; the arguments are PartitionSpecs."""
  specs = (embedding, gains, qkv, qkv, qkv, out, up, down)
  def step(*arguments):
    *weights, batch = arguments
    loss, grads = jax.value_and_grad(transformer_loss)(
        weights, batch, edges or (lambda x: x))
    return loss, [w - 0.1 * g for w, g in zip(weights, grads)]
  if sharded_results:
    options["results"] = (P(), [P(*spec) for spec in specs])
  add(f"transformer_{name}", step, *(
      (f"f32{shape}:unit", *spec) for shape, spec in zip(SHAPES, specs)),
      (f"s32[8,{T + 1}]:0..{V - 1}", *tokens), **options)


def transformers():
  all_of = ("x", "y")
  transformer("data", (), (), (), (), (), (), (all_of,))
  transformer("tensor", (), (), (None, "y"), ("y",), (None, "y"), ("y",),
              ("x",), lambda x: constrain(x, "x"))
  transformer("vocabulary", ("y",), (), (None, "y"), ("y",), (None, "y"),
              ("y",), ("x",))
  transformer("fsdp", (None, all_of), (), (all_of,), (None, None, "y"),
              (all_of,), (None, all_of), (all_of,),
              lambda x: constrain(x, all_of))
  transformer("sequence", (), (), (None, "y"), ("y",), (None, "y"), ("y",),
              ("x",), lambda x: constrain(x, "x", "y"))
  transformer("three_axes", (None, "y"), (), ("y", "z"), ("z", None, "y"),
              ("y", "z"), ("z", "y"), (("x", "y"),),
              lambda x: constrain(x, ("x", "y")), mesh=CUBE)
  transformer("propagated", (), (), (None, "y"), (), (), (), ("x",),
              sharded_results=False)


def of_sequences():
  qkv = [(f"f32[2,16,{H},{D // H}]", "x", "y")] * 3
  def plain(q, k, v):
    weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k))
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)
  add("attention_divided_positions", plain, *qkv)
  def ulysses(q, k, v):
    heads = [constrain(one, "x", None, "y") for one in (q, k, v)]
    return constrain(plain(*heads), "x", "y")
  add("attention_by_heads", ulysses, *qkv)
  def ring(q, k, v):
    """Keys and values go round; the softmax is kept as a running sum."""
    size = lax.axis_size("y")
    def step(_, carry):
      k, v, top, low, out = carry
      scores = jnp.einsum("bqhd,bkhd->bhqk", q, k)
      most = jnp.maximum(top, scores.max(-1))
      weight, kept = jnp.exp(scores - most[..., None]), jnp.exp(top - most)
      out = out * kept[..., None] + jnp.einsum("bhqk,bkhd->bhqd", weight, v)
      low = low * kept + weight.sum(-1)
      turn = [(i, (i + 1) % size) for i in range(size)]
      return (*lax.ppermute((k, v), "y", turn), most, low, out)
    zeros = jnp.einsum("bqhd->bhqd", q) * 0
    _, _, _, low, out = lax.fori_loop(0, size, step, (
        k, v, zeros[..., 0] - np.float32(1e30), zeros[..., 0], zeros))
    return jnp.einsum("bhqd->bqhd", out / low[..., None])
  add("attention_ring", lambda *qkv: jax.shard_map(
      ring, in_specs=P("x", "y"), out_specs=P("x", "y"))(*qkv), *qkv,
      whole=lambda *qkv: jax.jit(plain)(*qkv))
  add("attention_decode", lambda q, k, v, i: plain(
      q[:, :1], jnp.where(jnp.arange(16)[:, None, None] <= i, k, -9.0), v),
      *qkv, "s64[]:3..12")


def of_experts():
  def dispatched(x, gate, up, down, edges=(None, None)):
    """Each token goes to its best expert, if that has a place left."""
    probs = jax.nn.softmax(x @ gate)
    one = jax.nn.one_hot(probs.argmax(-1), 4, dtype=np.float32)
    place = jnp.cumsum(one, 0) * one
    to = one[..., None] * jax.nn.one_hot(
        place.sum(-1).astype(np.int32) - 1, 8, dtype=np.float32)[:, None]
    inputs = jnp.einsum("tec,td->ecd", to, x)
    if edges[0] is not None:
      inputs = constrain(inputs, *edges[0])
    outputs = jnp.einsum("ecf,efd->ecd", jax.nn.relu(
        jnp.einsum("ecd,edf->ecf", inputs, up)), down)
    if edges[1] is not None:
      outputs = constrain(outputs, *edges[1])
    return jnp.einsum("tec,ecd->td", to * probs[..., None], outputs)
  weights = ("f32[8,4]", ), ("f32[4,8,16]:unit", "y"), ("f32[4,16,8]:unit", "y")
  add("experts", dispatched, ("f32[16,8]", "x"), *weights)
  add("experts_constrained", lambda *a: dispatched(*a, edges=(
      ("y", "x"), ("y", "x"))), ("f32[16,8]", ("x", "y")), *weights)
  add("experts_gradient", jax.grad(lambda *a: jnp.sum(dispatched(*a) ** 2), (
      0, 2, 3)), ("f32[16,8]", ("x", "y")), *weights)
  add("experts_sorted", lambda x, e, w: lax.ragged_dot(
      x[jnp.argsort(e)], w, jnp.bincount(e, length=4).astype(np.int32))[
          jnp.argsort(jnp.argsort(e))], ("f32[16,8]", "x"),
      ("s32[16]:0..3", "x"), ("f32[4,8,16]", None, None, "y"))
  def exchanged(x, w):
    """Each device has an expert; places of tokens say which one they go to."""
    there = lax.all_to_all(x, "y", 0, 0, tiled=True)
    return lax.all_to_all(jnp.tanh(there @ w[0]), "y", 0, 0, tiled=True)
  add("experts_exchanged", lambda x, w: jax.shard_map(
      exchanged, in_specs=(P(("x", "y")), P("y")), out_specs=P(("x", "y")))(
          x, w), ("f32[32,8]", ("x", "y")), ("f32[4,8,8]", "y"),
      whole=lambda x, w: jax.jit(lambda x, w: jnp.tanh(jnp.einsum(
          "deti,eij->detj", x.reshape(8, 4, 1, 8), w)).reshape(32, 8))(x, w))


def in_order(stages, x):
  """The stages one after the other."""
  for w in stages:
    x = jnp.tanh(x @ w)
  return x


def of_stages():
  arrays = ("f32[4,8,8]:unit", "y"), ("f32[6,2,8]", None, "x")
  def manual(w, x):
    """Microbatches move from stage to stage, one per tick."""
    stage, last = lax.axis_index("y"), lax.axis_size("y") - 1
    w = w[0] if w.shape[0] == 1 else w
    count = len(x)
    def tick(carry, i):
      state, out = carry
      state = jnp.where(stage == 0, x[jnp.minimum(i, count - 1)], state)
      state = jnp.tanh(state @ w)
      at = jnp.maximum(i - last, 0)
      out = out.at[at].set(jnp.where(i >= last, state, out[at]))
      state = lax.ppermute(state, "y", [
          (k, (k + 1) % (last + 1)) for k in range(last + 1)])
      return (state, out), None
    zeros = lax.pcast(x * 0, "y", to="varying")
    (_, out), _ = lax.scan(tick, (zeros[0], zeros), jnp.arange(count + last))
    return lax.psum(jnp.where(stage == last, out, 0), "y")
  def mapped(w, x):
    return jax.shard_map(manual, in_specs=(P("y"), P(None, "x")),
                         out_specs=P(None, "x"))(w, x)
  def loss(run):
    return lambda w, x: jnp.mean(run(w, x) ** 2)
  add("pipeline", mapped, *arrays, whole=jax.jit(in_order))
  add("pipeline_gradient", jax.grad(loss(mapped)), *arrays,
      whole=jax.jit(jax.grad(loss(in_order))))
  def automatic(w, x):
    """Every stage at once, as a batch; a roll moves states on."""
    def tick(state, i):
      state = state.at[0].set(x[jnp.minimum(i, 5)])
      state = constrain(jnp.tanh(jnp.einsum("sbi,sij->sbj", state, w)), "y",
                        "x")
      return jnp.roll(state, 1, 0), state[-1]
    zeros = constrain(jnp.zeros((4, 2, 8), np.float32), "y", "x")
    return lax.scan(tick, zeros, jnp.arange(9))[1][3:]
  add("pipeline_by_rolls", automatic, *arrays)
  add("pipeline_by_rolls_gradient", jax.grad(loss(automatic)), *arrays)
  add("pipeline_of_layers", lambda w, x: lax.scan(
      lambda h, layer: (jnp.tanh(h @ layer), None), x, w)[0], *arrays)


def of_images():
  def net(k1, k2, w, x):
    def conv(x, k):
      return jax.nn.relu(lax.conv_general_dilated(
          x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
    return conv(conv(x, k1), k2).reshape(x.shape[0], -1) @ w
  kernels = "f32[3,3,2,8]:unit", "f32[3,3,8,8]:unit", "f32[32,4]:unit"
  def step(*a):
    return jax.value_and_grad(lambda *a: jnp.mean(net(*a) ** 2), (0, 1, 2))(*a)
  add("convolutions_data", step, *kernels, ("f32[16,8,8,2]", ("x", "y")))
  add("convolutions_tensor", step, ("f32[3,3,2,8]:unit", None, None, None, "y"),
      ("f32[3,3,8,8]:unit", None, None, "y"), kernels[2],
      ("f32[8,8,8,2]", "x"))
  add("convolutions_space", step, *kernels, ("f32[2,8,8,2]", "x", "y"))
  def batch_norm(x, gain):
    mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return (x - mean) * lax.rsqrt(var + 1e-5) * gain
  add("batch_norm", jax.value_and_grad(
      lambda x, g: jnp.sum(jnp.sin(batch_norm(x, g)))),
      ("f32[8,4,4,8]", "x", None, None, "y"), ("f32[8]", "y"))


def with_optimizers():
  def adam(w, m, v, x):
    g = jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
    norm = jnp.sqrt(jnp.sum(g * g))
    g = g * jnp.minimum(1.0, 0.1 / norm)
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    return w - 0.01 * m / (jnp.sqrt(v) + 1e-3), m, v, norm
  state = ("f32[16,8]:pos", ("x", "y"))
  add("adam_divided_state", adam, ("f32[16,8]",), state, state,
      ("f32[8,16]", ("x", "y")), results=(P(), P(("x", "y")), P(("x", "y")),
                                          P()))
  add("half_precision", lambda w, x: jax.grad(lambda w: jnp.mean(jnp.tanh(
      x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype(
          np.float32) ** 2))(w), ("f32[16,8]:-0.2..0.2", "y"),
      ("f32[8,16]", "x"), tolerance=1000)
  def microbatches(w, x):
    def add_one(total, part):
      return total + jax.grad(lambda w: jnp.mean(jnp.tanh(part @ w)))(w), None
    return lax.scan(add_one, w * 0, x)[0]
  add("accumulated_microbatches", microbatches, ("f32[16,8]", None, "y"),
      ("f32[4,8,16]", None, "x"))


steps_of_mlp()
transformers()
of_sequences()
of_experts()
of_stages()
of_images()
with_optimizers()
