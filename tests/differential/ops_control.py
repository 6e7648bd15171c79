"""Control flow, tuples, dynamic sizes, and random graphs of integer ops, whose
results do not depend on how XLA fuses them."""

import numpy as np

import programs
import suite
import values
from programs import shape_text

XLA_MODE = "old"


def plus(t):
  return "xor" if t == "pred" else "add"


def loop(rng, t, program):
  """Adds an array to another one, as often as an argument says."""
  shape = shape_text(t, values.dims(rng, low=1))
  state = f"(s32[], s32[], {shape}, {shape})"
  condition = program.computation(f"""{{
  @s = {state} parameter(0)
  @n = s32[] get-tuple-element(@s), index=0
  @m = s32[] get-tuple-element(@s), index=1
  ROOT @r = pred[] compare(@n, @m), direction=LT
}}""")
  body = program.computation(f"""{{
  @s = {state} parameter(0)
  @n = s32[] get-tuple-element(@s), index=0
  @m = s32[] get-tuple-element(@s), index=1
  @x = {shape} get-tuple-element(@s), index=2
  @y = {shape} get-tuple-element(@s), index=3
  @one = s32[] constant(1)
  @next = s32[] add(@n, @one)
  @z = {shape} {plus(t)}(@x, @y)
  ROOT @r = {state} tuple(@next, @m, @y, @z)
}}""")
  dims = [int(x) for x in shape[shape.index("[") + 1:-1].split(",") if x]
  start = program.arg(np.array(0, np.int32))
  limit = program.arg(np.array(rng.integers(0, 4), np.int32))
  x, y = (program.arg(values.values(rng, t, dims, "small")) for _ in range(2))
  first = program.add(state, "tuple", start, limit, x, y)
  return program.tuple_out(["s32[]", "s32[]", shape, shape], "while", first,
                           condition=condition, body=body)


def branches(program, t, shape, ops):
  return [program.computation(
      f"{{\n  @x = {shape} parameter(0)\n  ROOT @r = {shape} "
      + (f"{op}(@x, @x)" if op != "copy" else "copy(@x)") + "\n}")
          for op in ops]


def conditional(rng, t, program, by_index):
  shape_dims = values.dims(rng, low=1)
  shape = shape_text(t, shape_dims)
  ops = ["copy", plus(t), "multiply" if t != "pred" else "and"]
  names = branches(program, t, shape, ops if by_index else ops[:2])
  choice = (np.array(rng.integers(-2, 5), np.int32) if by_index
            else np.array(bool(rng.integers(0, 2))))
  pick = program.arg(choice)
  x = program.arg(values.values(rng, t, shape_dims, "small"))
  if by_index:
    extra = {"branch_computations": "{" + ", ".join(names) + "}"}
    return program.out(shape, "conditional", pick, x, x, x, **extra)
  return program.out(shape, "conditional", pick, x, x,
                     true_computation=names[0], false_computation=names[1])


def call(rng, t, program):
  shape_dims = values.dims(rng, low=1)
  shape = shape_text(t, shape_dims)
  inner = program.computation(
      f"{{\n  @x = {shape} parameter(0)\n  @y = {shape} parameter(1)\n"
      f"  ROOT @z = {shape} {plus(t)}(@x, @y)\n}}")
  outer = program.computation(
      f"{{\n  @x = {shape} parameter(0)\n"
      f"  ROOT @z = {shape} call(@x, @x), to_apply={inner}\n}}")
  x = program.arg(values.values(rng, t, shape_dims, "small"))
  return program.out(shape, "call", x, to_apply=outer)


def tuples(rng, t, program):
  dims = values.dims(rng)
  shape = shape_text(t, dims)
  x = program.arg(values.values(rng, t, dims, "bits"))
  y = program.arg(values.values(rng, t, dims, "bits"))
  inner = program.add(f"({shape}, {shape})", "tuple", x, y)
  outer = program.add(f"(({shape}, {shape}), {shape})", "tuple", inner, x)
  again = program.add(f"({shape}, {shape})", "get-tuple-element", outer,
                      index=0)
  return program.out(shape, "get-tuple-element", again, index=1)


def dimension_size(rng, t, program):
  """Sums the part of an array that is left by set-dimension-size."""
  size = program.arg(np.array(rng.integers(0, 6), np.int32))
  x = program.arg(values.values(rng, t, (5, 3), "small"))
  part = program.add(f"{t}[<=5,3]", "set-dimension-size", x, size,
                     dimensions="{0}")
  zero = program.arg(np.zeros((), values.TYPES[t]))
  program.out("s32[]", "get-dimension-size", part, dimensions="{0}")
  return program.out(f"{t}[3]", "reduce", part, zero, dimensions="{0}",
                     to_apply=program.reducer(plus(t), t))


BITWISE = ["and", "or", "xor", "maximum", "minimum"]
ARITHMETIC = ["add", "subtract", "multiply", "divide", "remainder",
              "shift-left", "shift-right-logical", "shift-right-arithmetic"]


def graph(rng, t, program):
  """A random graph of 15 elementwise ops, compares and selects."""
  dims = values.dims(rng, low=1)
  shape = shape_text(t, dims)
  pool = [program.arg(values.values(rng, t, dims)) for _ in range(3)]
  masks = [program.arg(values.values(rng, "pred", dims))]
  ops = BITWISE + (ARITHMETIC if t != "pred" else [])

  def pick(names):
    return names[rng.integers(0, len(names))]

  for _ in range(15):
    kind = rng.integers(0, 5)
    if kind == 0:
      masks.append(program.add(
          shape_text("pred", dims), "compare", pick(pool), pick(pool),
          direction=str(rng.choice(["EQ", "NE", "LT", "GE"]))))
    elif kind == 1:
      pool.append(program.add(shape, "select", pick(masks), pick(pool),
                              pick(pool)))
    else:
      pool.append(program.add(shape, str(rng.choice(ops)), pick(pool),
                              pick(pool)))
  program.results = [(pool[-1], shape), (pool[-2], shape),
                     (masks[-1], shape_text("pred", dims))]
  return program


OPS = {"while": loop, "call": call, "tuple": tuples,
       "set-dimension-size": dimension_size,
       "conditional": lambda *a: conditional(*a, False),
       "conditional-index": lambda *a: conditional(*a, True)}


def cases():
  for op, build in OPS.items():
    for t in values.ALL:
      rng = suite.generator(f"{op}/{t}")
      yield suite.Case(f"{op}/{t}", [build(rng, t, programs.Program())
                                     for _ in range(2)])
  for t in values.PRED + values.INTS:
    rng = suite.generator(f"graph/{t}")
    yield suite.Case(f"graph/{t}", [graph(rng, t, programs.Program())
                                    for _ in range(3)])
