"""Small HLO programs, built line by line and printed singly or as one
module."""

import re

import numpy as np

import values


def shape_text(t, dims=()):
  return f"{t}[{','.join(map(str, dims))}]"


def braces(numbers):
  return "{" + ",".join(map(str, numbers)) + "}"


class Program:
  """One entry computation with its arguments. Names contain an `@`, which
  becomes a prefix when programs are merged."""

  def __init__(self, replicas=1, partitions=1):
    self.arguments = []  # per parameter: an array, or a list, one per device
    self.computations = []
    self.lines = []
    self.results = []  # (name, shape text)
    self.shardings = []  # of the results, if any
    self.replicas = replicas
    self.partitions = partitions

  @property
  def devices(self):
    return self.replicas * self.partitions

  def arg(self, array, per_device=False, shape=None):
    """Adds a parameter and returns its name."""
    first = array[0] if per_device else array
    name = f"@p{len(self.arguments)}"
    shape = shape or shape_text(values.NAMES[first.dtype], first.shape)
    self.lines.append(f"{name} = {shape} parameter(#{len(self.arguments)})")
    self.arguments.append(list(array) if per_device else array)
    return name

  def add(self, shape, op, *operands, **attributes):
    """Adds an instruction and returns its name."""
    name = f"@i{len(self.lines)}"
    text = f"{name} = {shape} {op}({', '.join(map(str, operands))})"
    for key, value in attributes.items():
      text += f", {key}={value}"
    self.lines.append(text)
    return name

  def computation(self, text):
    """Adds a computation `{...}` whose names contain `@`, and returns its
    name."""
    name = f"@c{len(self.computations)}"
    self.computations.append(f"{name} {text}")
    return name

  def reducer(self, op, t):
    """Adds a computation op(x, y) of scalars and returns its name."""
    return self.computation(
        f"{{\n  @x = {t}[] parameter(0)\n  @y = {t}[] parameter(1)\n"
        f"  ROOT @z = {t}[] {op}(@x, @y)\n}}")

  def out(self, shape, op, *operands, **attributes):
    """Adds an instruction whose array is a result."""
    name = self.add(shape, op, *operands, **attributes)
    self.results.append((name, shape))
    return self

  def tuple_out(self, shapes, op, *operands, **attributes):
    """Adds an instruction whose tuple elements are results."""
    name = self.add(f"({', '.join(shapes)})", op, *operands, **attributes)
    for i, shape in enumerate(shapes):
      self.out(shape, "get-tuple-element", name, index=i)
    return self


def global_sharding(shape, partitions):
  """The whole array whose first dimension `partitions` devices share, and its
  sharding."""
  t, dims = shape[:-1].split("[")
  dims = [int(size) for size in dims.split(",")]
  tiles = [partitions] + [1] * (len(dims) - 1)
  return (shape_text(t, [dims[0] * partitions, *dims[1:]]),
          f"sharding={{devices=[{','.join(map(str, tiles))}]"
          f"<=[{partitions}]}}")


def for_partitioner(program):
  """The program in the form that XLA's partitioner leaves unchanged: each
  instruction is manual, arguments and results are parts of whole arrays."""
  n = program.partitions
  lines = []
  for line in program.lines:
    if "parameter(#" not in line:
      lines.append(line + ", sharding={manual}")
      continue
    name, shape = line.split(" = ")[0], line.split(" = ")[1].split(" ")[0]
    whole, sharding = global_sharding(shape, n)
    lines += [f"{name}g = {whole} parameter(#), {sharding}",
              f"{name}h = {whole} copy({name}g), {sharding}",
              f"{name} = {shape} custom-call({name}h), "
              'custom_call_target="SPMDFullToShardShape", sharding={manual}']
  results, shardings = [], []
  for i, (name, shape) in enumerate(program.results):
    whole, sharding = global_sharding(shape, n)
    lines += [f"@m{i} = {shape} copy({name}), sharding={{manual}}",
              f"@r{i} = {whole} custom-call(@m{i}), "
              f'custom_call_target="SPMDShardToFullShape", {sharding}']
    results.append((f"@r{i}", whole))
    # The client has no arrays that only partitions share, but not replicas.
    shardings.append("{replicated}" if program.replicas > 1
                     else sharding.removeprefix("sharding="))
  whole_program = Program(program.replicas, n)
  whole_program.computations = program.computations
  whole_program.lines, whole_program.results = lines, results
  whole_program.shardings = shardings
  return whole_program


def xla_text(programs):
  """Like module_text, for XLA:CPU."""
  if programs[0].partitions > 1:
    programs = [for_partitioner(program) for program in programs]
  return module_text(programs)


def module_text(programs):
  """The HLO text of one module that holds all `programs`."""
  heads, lines, results, shardings = [], [], [], []
  parameters = 0
  for number, program in enumerate(programs):
    prefix = f"k{number}_"
    heads += [text.replace("@", prefix) for text in program.computations]
    for line in program.lines:
      line = line.replace("@", prefix)
      if "parameter(#" in line:
        line = re.sub(r"parameter\(#\d*\)", f"parameter({parameters})", line)
        parameters += 1
      lines.append("  " + line)
    results += [(name.replace("@", prefix), shape)
                for name, shape in program.results]
    shardings += program.shardings
  first = programs[0]
  header = "HloModule m"
  if first.replicas > 1:
    header += f", replica_count={first.replicas}"
  if first.partitions > 1:
    header += f", num_partitions={first.partitions}"
  root = (f"  ROOT root = ({', '.join(shape for _, shape in results)}) "
          f"tuple({', '.join(name for name, _ in results)})")
  if shardings:
    root += f", sharding={{{', '.join(shardings)}}}"
  return "\n\n".join(
      [header, *heads, "\n".join(["ENTRY e {", *lines, root, "}"])]) + "\n"


def part_of_device(program, device, array):
  """The part of a result of xla_text that is on device `device`."""
  if program.replicas == 1 or program.partitions == 1:
    return array
  size = array.shape[0] // program.partitions
  start = device % program.partitions * size
  return array[start:start + size]


def device_arguments(program, device):
  return [argument[device] if isinstance(argument, list) else argument
          for argument in program.arguments]


def result_types(program):
  """The element types of the results, as NumPy dtypes."""
  return [values.TYPES[shape[:shape.index("[")]]
          for _, shape in program.results]


def raw(array):
  """Converts `array` to a form that NumPy's files can hold."""
  array = np.asarray(array)
  if array.dtype.isbuiltin == 1:
    return array
  name = values.NAMES[array.dtype]
  if name in values.SIGNED:
    return array.astype(np.int8)
  if name in values.UNSIGNED:
    return array.astype(np.uint8)
  return array.view(f"V{array.dtype.itemsize}")


def unraw(array, dtype):
  """The inverse of raw."""
  if dtype.isbuiltin == 1:
    return array
  if array.dtype.kind in "iu":
    return array.astype(np.int8).astype(dtype)
  return array.view(dtype)
