"""Convert of every element type to every other, and bitcast-convert."""

import compare
import programs
import suite
import values


def convert_cases():
  for source in values.ALL:
    for target in values.ALL:
      rng = suite.generator(f"convert/{source}-{target}")
      program = programs.Program()
      x = program.arg(values.values(rng, source, (64,)))
      program.out(programs.shape_text(target, (64,)), "convert", x)
      yield suite.Case(f"convert/{source}-{target}", [program])


def bitcast_shape(shape, source, target):
  """The shape after a bitcast-convert of an array whose last dimension is a
  multiple of what a wider element takes."""
  ratio = values.BITS[source] / values.BITS[target]
  if ratio == 1:
    return shape
  return shape + (int(ratio),) if ratio > 1 else shape[:-1]


def bitcast_cases():
  types = [t for t in values.ALL if t != "pred"]
  for source in types:
    for target in types:
      if (source in values.COMPLEX) != (target in values.COMPLEX):
        continue
      rng = suite.generator(f"bitcast-convert/{source}-{target}")
      wider = values.BITS[target] // values.BITS[source]
      shape = (3, 4) + ((wider,) if wider > 1 else ())
      program = programs.Program()
      x = program.arg(values.values(rng, source, shape, "bits"))
      result = bitcast_shape(shape, source, target)
      program.out(programs.shape_text(target, result), "bitcast-convert", x)
      yield suite.Case(f"bitcast-convert/{source}-{target}", [program],
                       compare.EXACT, flush=False)


def cases():
  yield from convert_cases()
  yield from bitcast_cases()
