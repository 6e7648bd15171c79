#!/usr/bin/env python3
"""Measures a processor's table of costs, xla/backends/cpu/cost/machines/*.inc.

    machine.py [--build DIR] [--out FILE]

Programs of a few instructions run through `tessera bench` on one thread. Most
numbers are the difference of two of them, so that what a run takes by itself
cancels. Without --out the table goes to standard output.
"""

import argparse
import functools
import pathlib
import statistics
import subprocess
import sys

from cost_kernels import WIDTHS, array, module, reducer
import costs

ROOT = costs.ROOT
# NumberKind of machine_costs.h, in order: a type of the kind, and bytes of an
# element in a register.
KINDS = (("s8", 1), ("s16", 2), ("s32", 4), ("s64", 8), ("bf16", 4), ("f16", 4),
         ("f32", 4), ("f64", 8), ("c64", 4), ("c128", 8))
BYTES = dict(WIDTHS, s16=2, s64=8, c128=16)
FLOATS = ("bf16", "f16", "f32", "f64")
COMPLEX = ("c64", "c128")
# By field of MachineCosts: an op of the class, and how many operands it has.
CLASSES = (("division", "divide", 2), ("square_root", "sqrt", 1),
           ("remainder", "remainder", 2),
           ("transcendental", "exponential", 1),
           ("long_transcendental", "power", 2))
# Ops that cost more or less than others of their class.
OPS = (("maximum", 2), ("minimum", 2), ("sign", 1), ("acos", 1), ("acosh", 1),
       ("asin", 1), ("asinh", 1), ("atanh", 1), ("atan2", 2), ("cbrt", 1),
       ("cosine", 1), ("cosh", 1), ("erf", 1), ("exponential", 1),
       ("exponential-minus-one", 1), ("log", 1), ("log-plus-one", 1),
       ("logistic", 1), ("power", 2), ("rsqrt", 1), ("sine", 1), ("sinh", 1),
       ("tan", 1), ("tanh", 1))
# Runs of a program, of which the fastest counts.
TRIES = 3
# Bytes that lie in the first, second and third cache, and in none.
LEVELS = (24 << 10, 384 << 10, 6 << 20, 96 << 20)


class Machine:
  """What one program takes, in nanoseconds."""

  def __init__(self, tessera):
    self.tessera = tessera
    self.info = {}

  @functools.cache
  def ns(self, text):
    result = min((costs.run_kernel(self.tessera, text, timed=True)
                  for _ in range(TRIES)), key=lambda r: r["run"]["least"])
    self.info = result
    print(f"{result['run']['median'] * 1e6:10.3f} us", text.split("ENTRY")[1]
          .split("ROOT")[-1].strip("}\n")[:80], file=sys.stderr, flush=True)
    # What else the machine does only adds to a time.
    return result["run"]["least"] * 1e9

  @functools.cached_property
  def run_ns(self):
    return self.ns(module("  x = f32[] parameter(0)\n"
                          "  ROOT r = f32[] add(x, x)\n"))


def chained(kind, ops, times):
  """`ops`, (name, operands) each, so many times one after the other."""
  shape = array(kind, (8 << 10) // BYTES[kind])
  body = [f"  x = {shape} parameter(0)\n  y = {shape} parameter(1)\n"]
  value, n = "x", 0
  for _ in range(times):
    for op, operands in ops:
      arguments = value if operands == 1 else f"{value}, y"
      body.append(f"  v{n} = {shape} {op}({arguments})\n")
      value, n = f"v{n}", n + 1
  body[-1] = body[-1].replace("  v", "  ROOT v")
  return module("".join(body))


def register_ns(machine, kind, register_bytes, ops, few, many):
  """Nanoseconds of `ops` for a vector register of elements."""
  elements = (8 << 10) // BYTES[kind]
  span = machine.ns(chained(kind, ops, many)) - machine.ns(
      chained(kind, ops, few))
  lanes = machine.info["vector_bytes"] / register_bytes
  return max(0.01, span / (many - few) / elements * lanes)


# What hides loads and stores of a loop, so that more of it takes time.
ARITHMETIC = (("multiply", 2), ("add", 2))
FEW, MANY = 2, 8
# They run beside arithmetic, so that it takes more of that to see them.
CHEAP = ("maximum", "minimum", "sign", "divide")


def arithmetic_ns(machine, kind, register_bytes):
  return register_ns(machine, kind, register_bytes, ARITHMETIC, FEW,
                     MANY) / len(ARITHMETIC)


def op_ns(machine, kind, register_bytes, op, operands):
  """Of one op, which stands between an addition and arithmetic that hides what
  the loop loads and stores."""
  elements = (8 << 10) // BYTES[kind]
  lanes = machine.info["vector_bytes"] / register_bytes
  base = ARITHMETIC * (MANY if op in CHEAP else FEW)
  more = (machine.ns(chained(kind, base + ((op, operands), ("add", 2)), 1)) -
          machine.ns(chained(kind, base, 1)))
  return max(0.01, more / elements * lanes -
             arithmetic_ns(machine, kind, register_bytes))


def dependent_factor(machine):
  """How much more functions take that work on each other's results."""
  factors = [
      register_ns(machine, "f32", 4, ((op, 1), ("add", 2)), 1, 3) /
      op_ns(machine, "f32", 4, op, 1)
      for op in ("exponential", "tanh", "log-plus-one", "erf", "sine")]
  return statistics.median(factors)


def has_op(kind, op):
  if kind in COMPLEX:
    return op not in ("remainder",)
  return kind in FLOATS or op in ("divide", "remainder")


def class_rates(machine):
  rates = {"arithmetic": [arithmetic_ns(machine, *kind) for kind in KINDS]}
  for field, op, operands in CLASSES:
    rates[field] = [
        op_ns(machine, *kind, op, operands) if has_op(kind[0], op) else
        4 * rates["arithmetic"][i]
        for i, kind in enumerate(KINDS)]
  return rates


def reading(machine, bytes_read):
  rows = bytes_read // 4096
  text = module(f"  x = f32[{rows},1024] parameter(0)\n"
                "  z = f32[] constant(0)\n"
                f"  ROOT r = f32[{rows}] reduce(x, z), dimensions={{1}}, "
                "to_apply=reducer\n", reducer("f32"))
  return (machine.ns(text) - machine.run_ns) / bytes_read


def copying(machine, bytes_read):
  shape = array("f32", bytes_read // 4)
  return (machine.ns(module(f"  x = {shape} parameter(0)\n"
                            f"  ROOT r = {shape} negate(x)\n")) -
          machine.run_ns) / bytes_read


def transposing(machine, bytes_read):
  # A power of two, as is common, which lets rows meet in few cache sets.
  size = 1 << (int((bytes_read / 8) ** 0.5).bit_length() - 1)
  return (machine.ns(module(
      f"  x = f32[{size},{size}] parameter(0)\n"
      f"  ROOT r = f32[{size},{size}] transpose(x), dimensions={{1,0}}\n")) -
          machine.run_ns) / (4 * size * size)


def gathering(machine, table_bytes):
  # Enough of them to meet each line of 64 bytes.
  elements, count = table_bytes // 4, max(1 << 15, table_bytes // 64)
  return (machine.ns(module(
      f"  x = f32[{elements}] parameter(0)\n"
      f"  p = f32[{count},1] parameter(1)\n"
      f"  i = u32[{count},1] bitcast-convert(p)\n"
      f"  k = u32[] constant({elements - 1})\n"
      f"  b = u32[{count},1] broadcast(k), dimensions={{}}\n"
      f"  a = u32[{count},1] and(i, b)\n"
      f"  at = s32[{count},1] convert(a)\n"
      f"  ROOT r = f32[{count}] gather(x, at), offset_dims={{}}, "
      "collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1}\n")) - machine.run_ns) / count


def slope(measure, machine):
  """Nanoseconds of a byte in the first cache: of what more bytes take."""
  small, large = LEVELS[0] // 3, LEVELS[0]
  return (measure(machine, large) * large -
          measure(machine, small) * small) / (large - small)


def levels(machine):
  reads = [slope(reading, machine)]
  reads += [reading(machine, each) for each in LEVELS[1:]]
  copies = [slope(lambda m, size: copying(m, size // 2), machine)]
  copies += [copying(machine, each // 2) for each in LEVELS[1:]]
  crossed = [transposing(machine, each) for each in LEVELS]
  writes = [max(read / 4, copy - read) for read, copy in zip(reads, copies)]
  return {
      "read_ns_per_byte": reads,
      "write_ns_per_byte": writes,
      "transposed_ns_per_byte": [max(read, each - write) for read, write, each
                                 in zip(reads, writes, crossed)],
      "gathered_ns": [gathering(machine, 1 << (each.bit_length() - 1))
                      for each in LEVELS],
  }


def dot_text(kind, size):
  shape = array(kind, size, size)
  return module(f"  x = {shape} parameter(0)\n  y = {shape} parameter(1)\n"
                f"  ROOT r = {shape} dot(x, y), lhs_contracting_dims={{1}}, "
                "rhs_contracting_dims={0}\n")


def product_rates(machine):
  """Of one product and its sum, by kind; of integers, as of s32."""
  def of(kind):
    return machine.ns(dot_text(kind, 256)) / 256 ** 3
  return [of(kind) for kind, _ in KINDS]


def sorting(machine, elements):
  shape = array("f32", elements)
  return (machine.ns(module(
      f"  x = {shape} parameter(0)\n"
      f"  ROOT r = {shape} sort(x), dimensions={{0}}, to_apply=less\n",
      "less {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  ROOT r = pred[] compare(a, b), direction=LT\n}\n")) -
          machine.run_ns) / (4 * elements)


def algorithms(machine):
  """Rates of what has code of its own."""
  small = (machine.ns(dot_text("f32", 8)) - machine.run_ns) / 512
  call = max(50.0, machine.ns(dot_text("f32", 32)) - machine.run_ns -
             32 ** 3 * machine.ns(dot_text("f32", 256)) / 256 ** 3)
  fft = machine.ns(module("  x = c64[16,1024] parameter(0)\n"
                          "  ROOT r = c64[16,1024] fft(x), fft_type=FFT, "
                          "fft_length={1024}\n")) / (16 * 1024 * 10)
  scan = machine.ns(module(
      "  x = f32[64,1024] parameter(0)\n  z = f32[] constant(0)\n"
      "  ROOT r = f32[64,1024] reduce-window(x, z), "
      "window={size=1x1024 pad=0_0x1023_0}, to_apply=reducer\n",
      reducer("f32"))) / 65536 * machine.info["vector_bytes"] / 4
  strided = (machine.ns(module(
      "  x = f32[128,256] parameter(0)\n"
      "  ROOT r = f32[64,128] slice(x), slice={[0:128:2], [0:256:2]}\n")) -
             machine.run_ns) / 8192
  scatter = machine.ns(module(
      "  x = f32[1024] parameter(0)\n  p = f32[32768,1] parameter(1)\n"
      "  i = u32[32768,1] bitcast-convert(p)\n"
      "  k = u32[] constant(1023)\n"
      "  b = u32[32768,1] broadcast(k), dimensions={}\n"
      "  a = u32[32768,1] and(i, b)\n  at = s32[32768,1] convert(a)\n"
      "  u = f32[32768] parameter(2)\n"
      "  ROOT r = f32[1024] scatter(x, at, u), update_window_dims={}, "
      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1, to_apply=reducer\n", reducer("f32"))) / 32768
  convolution = module(
      "  x = f32[1,64,64,8] parameter(0)\n  w = f32[5,5,8,16] parameter(1)\n"
      "  ROOT r = f32[1,64,64,16] convolution(x, w), "
      "window={size=5x5 pad=2_2x2_2}, dim_labels=b01f_01io->b01f\n")
  flop = machine.ns(dot_text("f32", 256)) / 256 ** 3
  patch = max(0.5, (machine.ns(convolution) - flop * 4096 * 200 * 16) /
              (4096 * 25))
  return {"dependent_factor": dependent_factor(machine),
          "small_product_ns": small, "library_call_ns": call,
          "butterfly_ns": fft, "scan_ns_per_register": scan,
          "strided_ns": strided, "scattered_ns": scatter, "patch_ns": patch,
          "sort_ns_per_byte": [sorting(machine, 1 << 12),
                               sorting(machine, 1 << 15),
                               sorting(machine, 1 << 20),
                               sorting(machine, 1 << 23)]}


def number(value):
  return f"{value:.3g}"


def numbers(values):
  return "{" + ", ".join(number(v) for v in values) + "}"


def table(machine):
  fields = class_rates(machine)
  fields.update(levels(machine))
  fields["product_ns"] = product_rates(machine)
  fields.update(algorithms(machine))
  ops = [(op, op_ns(machine, "f32", 4, op, operands),
          op_ns(machine, "f64", 8, op, operands)) for op, operands in OPS]
  info = machine.info
  lines = ["// Measured on one thread by `./dev bench machine`, the least of "
           "some runs; fields",
           "// and units are those of MachineCosts (machine_costs.h).",
           f'.cpus = "{info["processor"]}",',
           f'.vector_bytes = {info["vector_bytes"]},',
           f".run_ns = {number(machine.run_ns)},"]
  for name, value in fields.items():
    text = number(value) if isinstance(value, float) else numbers(value)
    lines.append(f".{name} = {text},")
  lines.append(".ops = {{")
  lines += [f'    {{"{op}", {number(a)}, {number(b)}}},' for op, a, b in ops]
  lines.append("}},")
  return "\n".join(lines) + "\n"


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument("--build", default=str(ROOT / "build-release"))
  parser.add_argument("--out")
  arguments = parser.parse_args()
  text = table(Machine(f"{arguments.build}/bin/tessera"))
  if arguments.out:
    pathlib.Path(arguments.out).write_text(text, encoding="utf-8")
  else:
    print(text, end="")


if __name__ == "__main__":
  main()
