"""Training for twenty steps: a classifier of digits and a small text model,
whole and divided over a mesh."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from programs.sharded import models
from sharded_program import ShardedFamily

FAMILY = ShardedFamily("sharded/training")
STEPS = 20
ALL = ("x", "y")


def trained(loss, rate):
  """Weights and losses after STEPS steps; the batch is the last argument."""
  def run(*arguments):
    *weights, data = arguments
    def step(weights, batch):
      value, grads = jax.value_and_grad(loss)(weights, batch)
      return [w - rate * g for w, g in zip(weights, grads)], value
    return lax.scan(step, list(weights), data)
  return run


def digits_loss(weights, batch):
  """Digits as noisy 8 x 8 pictures of bars: the picture's label follows from
  where its greatest column is."""
  first, bias, second = weights
  labels = (batch.sum(1).argmax(-1)).astype(np.int32)
  hidden = jax.nn.relu(batch.reshape(-1, 64) @ first + bias)
  return models.cross_entropy(hidden @ second, labels)


def digits(name, first, second, data):
  FAMILY.add(f"digits_{name}", trained(digits_loss, 0.02),
             ("f32[64,32]:unit", *first), ("f32[32]:unit", *first[1:]),
             ("f32[32,10]:unit", *second),
             (f"f32[{STEPS},16,8,8]", None, *data), tolerance=20)


def text(name, *specs, edges=lambda x: x):
  arguments = [(f"f32{shape}:-0.3..0.3", *spec)
               for shape, spec in zip(models.SHAPES, specs)]
  FAMILY.add(f"text_{name}", trained(
      lambda w, tokens: models.transformer_loss(w, tokens, edges), 0.1),
             *arguments, (f"s32[{STEPS},8,{models.T + 1}]:0..{models.V - 1}",
                          None, *specs[-1]), tolerance=20)


digits("data", (), (), (ALL,))
digits("tensor", (None, "y"), ("y",), ("x",))
digits("fsdp", (ALL,), (ALL,), (ALL,))
text("data", *8 * [()], (ALL,))
text("tensor", (), (), *3 * [(None, "y")], ("y",), (None, "y"), ("y",), ("x",),
     edges=lambda x: lax.with_sharding_constraint(x, P("x")))
text("fsdp", (None, ALL), (), *3 * [(ALL,)], (None, None, "y"), (ALL,),
     (None, ALL), (ALL,), edges=lambda x: lax.with_sharding_constraint(
         x, P(ALL)))
