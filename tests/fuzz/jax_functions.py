"""Random JAX functions, the same for the same seed: loops, conditionals and
derivatives in each other over small arrays.

A function is made before it is traced, as Blocks: lists of steps with known
kinds of results. Two correct executions agree: floating-point values stay
small, no decision depends on them (branches, trip counts, indices and orders
come from integers), and functions are smooth.
"""

import random
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

MOST_DEPTH = 3


class Kind(NamedTuple):
  """The element type and size of an array."""
  dtype: str
  shape: tuple

  @property
  def real(self):
    return self.dtype.startswith("float")


INT = Kind("int32", ())
BOOL = Kind("bool", ())


class Block:
  """A function of arrays of given kinds; each step appends values."""

  def __init__(self, kinds):
    self.inputs = len(kinds)
    self.kinds = list(kinds)
    self.steps = []
    self.results = []

  def add(self, function, operands, kinds):
    """Adds a step: function(arrays of operands) -> arrays of `kinds`."""
    self.steps.append((function, operands, kinds))
    first = len(self.kinds)
    self.kinds += kinds
    return first

  def __call__(self, *values):
    values = list(values)
    assert len(values) == self.inputs
    for function, operands, kinds in self.steps:
      results = function(*[values[i] for i in operands])
      for result, kind in zip(results, kinds, strict=True):
        result = lax.convert_element_type(result, kind.dtype)
        assert result.shape == kind.shape, (result.shape, kind)
        values.append(result)
    return tuple(values[i] for i in self.results)


def still(value):
  """Converts a value so that no derivative passes through it."""
  return lax.stop_gradient(value)


def filled(value, shape):
  """Makes a value of another shape from all elements of `value`."""
  if value.dtype == jnp.bool_:
    return jnp.broadcast_to(jnp.any(value), shape)
  if jnp.issubdtype(value.dtype, jnp.integer):
    return jnp.broadcast_to(jnp.sum(value, dtype=value.dtype), shape)
  return jnp.broadcast_to(jnp.mean(value), shape)


class Maker:
  """Makes the blocks of one function."""

  def __init__(self, seed):
    self.random = random.Random(seed)
    self.real = self.random.choice(["float64", "float64", "float64", "float32"])
    shapes = [(3,), (8,), (4, 4), (2, 5), (64,), (16, 16), (300,)]
    self.shapes = [(), *self.random.sample(shapes, self.random.randint(1, 3))]
    if self.random.random() < 0.15:
      self.shapes.append((3000,))

  def chance(self, share):
    return self.random.random() < share

  def kind(self):
    dtype = self.random.choice([self.real] * 5 + ["int32"] * 2 + ["bool"])
    return Kind(dtype, self.random.choice(self.shapes))

  def find(self, block, fits):
    """The number of a value, preferably a late one; None if there is none."""
    found = [i for i, kind in enumerate(block.kinds) if fits(kind)]
    if not found:
      return None
    return found[max(self.random.randrange(len(found)),
                     self.random.randrange(len(found)))]

  def value(self, block, kind):
    """The number of a value of this kind, which is made if necessary."""
    found = self.find(block, lambda other: other == kind)
    if found is not None and self.chance(0.9):
      return found
    like = self.find(block, lambda other: other.dtype == kind.dtype)
    if like is None:
      number = self.random.randint(0, 3)
      return block.add(
          lambda: (jnp.full(kind.shape, number, kind.dtype),), [], [kind])
    return block.add(lambda x: (filled(x, kind.shape),), [like], [kind])

  def real_value(self, block):
    found = self.find(block, lambda kind: kind.real)
    return self.value(block, Kind(self.real, ())) if found is None else found

  def some(self, block, count):
    return [self.find(block, lambda kind: True) for _ in range(count)]

  # Steps of one op, or a few.

  def add_unary(self, block):
    i = self.real_value(block)
    function = self.random.choice([
        jnp.sin, jnp.cos, jnp.tanh, jnp.arctan, jax.nn.sigmoid, jnp.negative,
        lambda x: x / (1 + x * x), lambda x: jnp.exp(-x * x),
        lambda x: jnp.sqrt(1 + x * x) - 1, lambda x: jnp.log1p(x * x) * 0.5,
        lambda x: x * 0.75 + 0.125])
    block.add(lambda x: (function(x),), [i], [block.kinds[i]])

  def add_binary(self, block):
    i = self.real_value(block)
    kind = block.kinds[i]
    function = self.random.choice([
        lambda x, y: 0.6 * x + 0.4 * y, lambda x, y: 0.5 * x - 0.5 * y,
        lambda x, y: jnp.tanh(x * y), lambda x, y: jnp.sin(x + y),
        lambda x, y: x / (2 + y * y), lambda x, y: x * jnp.cos(y)])
    block.add(lambda x, y: (function(x, y),), [i, self.value(block, kind)],
              [kind])

  def add_integers(self, block):
    i = self.value(block, Kind("int32", self.random.choice(self.shapes)))
    kind = block.kinds[i]
    number = self.random.randint(1, 13)
    function = self.random.choice([
        lambda x, y: x + y, lambda x, y: x * y, lambda x, y: x ^ y,
        lambda x, y: jnp.maximum(x, y), lambda x, y: x % number,
        lambda x, y: x >> 1, lambda x, y: x - y + number])
    block.add(lambda x, y: (function(x, y),), [i, self.value(block, kind)],
              [kind])

  def add_predicate(self, block):
    shape = self.random.choice(self.shapes)
    i = self.value(block, Kind("int32", shape))
    j = self.value(block, Kind("bool", shape))
    number = self.random.randint(0, 5)
    function = self.random.choice([
        lambda x, p: (x & 7) > number, lambda x, p: p ^ (x % 3 == 0),
        lambda x, p: ~p, lambda x, p: p | (x < number)])
    block.add(lambda x, p: (function(x, p),), [i, j], [Kind("bool", shape)])

  def add_select(self, block):
    i = self.find(block, lambda kind: True)
    kind = block.kinds[i]
    shape = kind.shape if self.chance(0.5) else ()
    p = self.value(block, Kind("bool", shape))
    block.add(lambda p, x, y: (jnp.where(p, x, y),),
              [p, i, self.value(block, kind)], [kind])

  def add_real_of_integer(self, block):
    i = self.value(block, Kind("int32", self.random.choice(self.shapes)))
    dtype = self.real
    block.add(lambda x: (jnp.sin((x & 15).astype(dtype)),), [i],
              [Kind(dtype, block.kinds[i].shape)])

  def add_movement(self, block):
    i = self.find(block, lambda kind: kind.shape)
    if i is None:
      return
    kind = block.kinds[i]
    k = self.random.randint(1, 3)
    ways = [lambda x: x[::-1], lambda x: jnp.roll(x, k, 0),
            lambda x: jnp.concatenate([x[-1:], x[:-1]])]
    if len(kind.shape) == 2 and kind.shape[0] == kind.shape[1]:
      ways.append(lambda x: x.T)
    if kind.dtype != "bool":
      ways.append(lambda x: jnp.cumsum(x, axis=0, dtype=x.dtype)
                  if x.dtype == jnp.int32
                  else jnp.cumsum(x, axis=0) / x.shape[0])
    function = self.random.choice(ways)
    block.add(lambda x: (function(x),), [i], [kind])

  def add_indexing(self, block):
    i = self.find(block, lambda kind: kind.shape)
    if i is None:
      return
    kind = block.kinds[i]
    at = self.value(block, INT)
    row = self.value(block, Kind(kind.dtype, kind.shape[1:]))
    n = kind.shape[0]
    which = self.random.randrange(4)
    if which == 0:
      block.add(lambda x, at: (lax.dynamic_index_in_dim(
          x, at % n, keepdims=False),), [i, at],
                [Kind(kind.dtype, kind.shape[1:])])
    elif which == 1:
      block.add(lambda x, at, row: (lax.dynamic_update_index_in_dim(
          x, row, at % n, 0),), [i, at, row], [kind])
    elif which == 2 and kind.dtype != "bool":
      block.add(lambda x, at, row: (x.at[at % n].add(row),), [i, at, row],
                [kind])
    else:
      many = self.value(block, Kind("int32", self.random.choice(self.shapes)))
      block.add(lambda x, many: (jnp.take(
          x, jnp.resize(many % n, (n,)), axis=0),), [i, many], [kind])

  def add_reduction(self, block):
    i = self.real_value(block)
    kind = block.kinds[i]
    if not kind.shape:
      return
    way = self.random.choice([
        lambda x: jnp.mean(x, axis=0), lambda x: jnp.tanh(jnp.sum(x, axis=0)),
        lambda x: jnp.sqrt(1 + jnp.mean(x * x, axis=0)),
        jax.nn.logsumexp if len(kind.shape) == 1 else
        lambda x: jnp.mean(x, axis=0)])
    block.add(lambda x: (way(x),), [i], [Kind(kind.dtype, kind.shape[1:])])

  def add_library(self, block):
    """Adds an op that is a thunk of its own: sorts, products, transforms,
    solvers."""
    i = self.find(block, lambda kind: kind.shape and kind.dtype != "bool")
    if i is None:
      return
    kind = block.kinds[i]
    if not kind.real or self.chance(0.3):
      block.add(lambda x: (jnp.sort(still(x), axis=0),), [i], [kind])
      return
    n = kind.shape[-1]
    ways = [lambda x: jnp.fft.fft(x).real / n]
    if n <= 64:
      ways.append(lambda x: jnp.tanh(
          x @ jnp.sin(jnp.outer(jnp.arange(n), jnp.arange(n))).astype(x.dtype)
          / n))
    if len(kind.shape) == 2 and kind.shape[0] == n:
      def solved(x):
        eye = jnp.eye(n, dtype=x.dtype)
        return jnp.linalg.solve(2 * eye + jnp.tanh(x) / n, x)
      def factor(x):
        eye = jnp.eye(n, dtype=x.dtype)
        return jnp.linalg.cholesky(eye + x @ x.T / n) / 2
      ways += [solved, factor, lambda x: jnp.tanh(x @ x)]
    way = self.random.choice(ways)
    block.add(lambda x: (way(x),), [i], [kind])

  # Steps that call blocks.

  def inner(self, kinds, results, depth):
    """A block at `depth` that makes `results`, some of which it passes
    through."""
    block = Block(kinds)
    for _ in range(self.random.randint(1, 9 if depth == 1 else 4)):
      self.add_step(block, depth)
    passed = self.random.choice([0, 0.2, 0.8])
    for kind in results:
      old = [i for i, other in enumerate(kinds) if other == kind]
      block.results.append(self.random.choice(old)
                           if old and self.chance(passed)
                           else self.value(block, kind))
    return block

  def carries(self, block, depth):
    count = self.random.randint(1, 5)
    if depth == 1 and self.chance(0.1):
      count = self.random.randint(10, 60)
    return self.some(block, count)

  def add_scan(self, block, depth):
    carry = self.carries(block, depth)
    kinds = [block.kinds[i] for i in carry]
    n = self.random.randint(1, 6)
    read = [i for i in self.some(block, 2)
            if block.kinds[i].shape[:1] == (n,)]
    rows = [Kind(block.kinds[i].dtype, block.kinds[i].shape[1:]) for i in read]
    kept = [self.kind() for _ in range(self.random.randint(0, 2))]
    body = self.inner([*kinds, *rows, INT], [*kinds, *kept], depth)
    remat, reverse = self.chance(0.4), self.chance(0.3)
    unroll = self.random.choice([1, 1, 1, 2])
    count = len(carry)

    def step(*values):
      def one(carry, x):
        results = body(*carry, *x)
        return results[:count], results[count:]
      if remat:
        one = jax.checkpoint(one)
      xs = (*values[count:], jnp.arange(n, dtype=jnp.int32))
      carry, stacks = lax.scan(one, values[:count], xs, reverse=reverse,
                               unroll=unroll)
      return carry + stacks
    block.add(step, carry + read,
              kinds + [Kind(k.dtype, (n, *k.shape)) for k in kept])

  def add_fori(self, block, depth):
    carry = self.carries(block, depth)
    kinds = [block.kinds[i] for i in carry]
    body = self.inner([*kinds, INT], kinds, depth)
    n = self.random.randint(0, 5)

    def step(*values):
      return lax.fori_loop(
          0, n, lambda i, carry: body(*carry, i.astype(jnp.int32)), values)
    block.add(step, carry, kinds)

  def while_of(self, kinds, depth):
    """f(limit, values...): a loop that ends at the limit or when a predicate
    that it carries says so."""
    body = self.inner([*kinds, INT, BOOL], [*kinds, BOOL], depth)
    most = 7 if depth == 1 else 3

    def loop(limit, *values):
      limit = limit & most
      def more(state):
        return (state[0] < limit) & state[1]
      def one(state):
        results = body(*state[2:], state[0], state[1])
        return (state[0] + 1, results[-1], *results[:-1])
      start = (jnp.int32(0), jnp.bool_(True), *map(still, values))
      return lax.while_loop(more, one, start)[2:]
    return loop

  def add_while(self, block, depth):
    carry = self.carries(block, depth)
    kinds = [block.kinds[i] for i in carry]
    loop = self.while_of(kinds, depth)
    block.add(loop, [self.value(block, INT), *carry], kinds)

  def add_lanes(self, block, depth):
    """Adds a vmap of a while loop in which each lane has its own limit."""
    carry = self.some(block, self.random.randint(1, 4))
    kinds = [block.kinds[i] for i in carry]
    loop = self.while_of(kinds, depth)
    lanes = self.random.randint(2, 5)

    def step(limit, *values):
      numbers = limit + jnp.arange(lanes, dtype=jnp.int32)
      return jax.vmap(loop, in_axes=(0, *[None] * len(values)))(
          numbers, *values)
    block.add(step, [self.value(block, INT), *carry],
              [Kind(k.dtype, (lanes, *k.shape)) for k in kinds])

  def add_branches(self, block, depth):
    operands = self.carries(block, depth)
    kinds = [block.kinds[i] for i in operands]
    results = [*self.random.sample(kinds, self.random.randint(0, len(kinds))),
               self.kind()]
    bodies = []
    for _ in range(self.random.randint(2, 4)):
      shared = bodies and self.chance(0.2)
      bodies.append(bodies[0] if shared
                    else self.inner(kinds, results, depth))
    if len(bodies) == 2:
      choice = self.value(block, BOOL)
      block.add(lambda p, *values: lax.cond(p, *bodies, *values),
                [choice, *operands], results)
    else:
      choice = self.value(block, INT)
      block.add(lambda i, *values: lax.switch(i % 5, bodies, *values),
                [choice, *operands], results)

  def add_call(self, block, depth):
    """Adds a block that is called twice, jitted or rematerialized."""
    operands = self.some(block, self.random.randint(1, 4))
    kinds = [block.kinds[i] for i in operands]
    body = self.inner(kinds, kinds, depth)
    wrap = self.random.choice([jax.jit, jax.checkpoint])

    def step(*values):
      f = wrap(body)
      return f(*f(*values))
    block.add(step, operands, kinds)

  def add_custom(self, block, depth):
    """Adds a function with a custom derivative."""
    operands = [self.real_value(block)
                for _ in range(self.random.randint(1, 3))]
    kinds = [block.kinds[i] for i in operands]
    body = self.inner(kinds, kinds, depth)
    rest = self.inner(kinds, [self.kind()], MOST_DEPTH)
    back = self.inner([*kinds, rest.kinds[rest.results[0]], *kinds], kinds,
                      depth)
    if self.chance(0.4):  # neither is differentiated
      loop = self.while_of(kinds, depth)
      forward = lambda *values: loop(jnp.int32(5), *values)
    else:
      forward = body
    f = jax.custom_vjp(forward)
    f.defvjp(lambda *values: (forward(*values), (values, rest(*values))),
             lambda kept, ct: back(*kept[0], *kept[1], *ct))
    block.add(f, operands, kinds)

  def add_checkpointed(self, block, depth):
    """Adds a loop of dynamic length that saves its states, and its
    transpose."""
    operands = [self.real_value(block)
                for _ in range(self.random.randint(1, 3))]
    kinds = [block.kinds[i] for i in operands]
    body = self.inner(kinds, kinds, MOST_DEPTH)
    most = 7 if depth == 1 else 3

    def run(limit, *values):
      limit = limit & most
      stacks = tuple(jnp.zeros((most, *v.shape), v.dtype) for v in values)
      def one(state):
        i, stacks, values = state
        stacks = tuple(s.at[i].set(v) for s, v in zip(stacks, values))
        return i + 1, stacks, body(*values)
      return lax.while_loop(lambda state: state[0] < limit, one,
                            (jnp.int32(0), stacks, values))[1:]
    f = jax.custom_vjp(lambda *arguments: run(*arguments)[1])

    def forward(limit, *values):
      stacks, results = run(limit, *values)
      return results, (limit & most, stacks)

    def backward(kept, gradients):
      limit, stacks = kept
      def one(state):
        i, gradients = state
        values = [lax.dynamic_index_in_dim(s, i, keepdims=False)
                  for s in stacks]
        return i - 1, jax.vjp(body, *values)[1](gradients)
      end = lax.while_loop(lambda state: state[0] >= 0, one,
                           (limit - 1, gradients))
      return (None, *end[1])
    f.defvjp(forward, backward)
    # Differentiated only once: the transpose itself cannot be differentiated.
    block.add(f, [self.value(block, INT), *operands], kinds)

  def add_gradient(self, block, depth):
    operands = [self.real_value(block)
                for _ in range(self.random.randint(1, 3))]
    kinds = [block.kinds[i] for i in operands]
    body = self.inner(kinds, kinds, depth)

    def step(*values):
      def loss(*values):
        return sum(jnp.mean(x) for x in body(*values))
      return jax.grad(loss, tuple(range(len(values))))(*map(still, values))
    block.add(step, operands, kinds)

  def add_step(self, block, depth):
    """Adds a random step at the end of `block`, which is at `depth`."""
    small = [self.add_unary] * 4 + [self.add_binary] * 5 + [
        self.add_integers, self.add_integers, self.add_predicate,
        self.add_select, self.add_real_of_integer, self.add_movement,
        self.add_indexing, self.add_indexing, self.add_reduction,
        self.add_library]
    calls = [self.add_scan, self.add_scan, self.add_fori, self.add_while,
             self.add_while, self.add_lanes, self.add_branches,
             self.add_branches, self.add_call, self.add_custom,
             self.add_checkpointed, self.add_gradient]
    if depth < MOST_DEPTH and self.chance([0.3, 0.2, 0.1][depth]):
      self.random.choice(calls)(block, depth + 1)
    else:
      self.random.choice(small)(block)


def argument(kind, maker):
  """An array of this kind with small numbers."""
  size = 1
  for n in kind.shape:
    size *= n
  if kind.real:
    numbers = [maker.random.uniform(-2, 2) for _ in range(size)]
  else:
    numbers = [maker.random.randint(0, 9) for _ in range(size)]
    if kind.dtype == "bool":
      numbers = [number > 4 for number in numbers]
  return jnp.array(numbers, kind.dtype).reshape(kind.shape)


def make(seed, size=None):
  """Makes (function, arguments, element type of its real numbers) for a seed.
  The function has about `size` steps; its results are a tuple of arrays,
  including their derivatives."""
  maker = Maker(seed)
  kinds = [INT, Kind(maker.real, maker.random.choice(maker.shapes))]
  kinds += [maker.kind() for _ in range(maker.random.randint(1, 6))]
  arguments = [argument(kind, maker) for kind in kinds]
  block = Block(kinds)
  size = size or maker.random.choice([5, 10, 20, 40])
  for _ in range(size):
    maker.add_step(block, 0)
  block.results = list(range(len(kinds), len(block.kinds)))[-12:]
  block.results.append(maker.real_value(block))
  reals = [i for i, kind in enumerate(kinds) if kind.real]

  def loss(*values):
    results = block(*values)
    total = sum(jnp.mean(jnp.sin(x)) for x in results
                if jnp.issubdtype(x.dtype, jnp.floating))
    return total, results

  mode = maker.random.choice(["value", "grad", "grad", "grad", "lanes"])
  if mode == "value":
    return block, arguments, maker.real
  derived = jax.value_and_grad(loss, tuple(reals), has_aux=True)
  if mode == "grad":
    return derived, arguments, maker.real

  def lanes(*values):
    """Three of each; the integers differ."""
    batched = [jnp.stack([x, x + 1, x * 3]) if x.dtype == jnp.int32
               else jnp.stack([x, x, x]) for x in values]
    return jax.vmap(derived)(*batched)
  return lanes, arguments, maker.real
