"""HLO programs of one kernel each, on which the cost model is measured.

`kernels()` makes them: 200 and some, by group, over element types and sizes
from arrays that fit in the first cache to ones that fit in none.
"""

import dataclasses

# Elements of an array of 4 bytes: in the first, second and third cache and
# beyond them all, on processors of today.
SIZES = (1 << 11, 1 << 15, 1 << 20, 1 << 24)
SMALLER_SIZES = SIZES[:3]
WIDTHS = {"f32": 4, "f64": 8, "bf16": 2, "f16": 2, "s32": 4, "s8": 1, "c64": 8}
FLOATS = ("f32", "f64", "bf16", "f16")


@dataclasses.dataclass
class Kernel:
  group: str
  name: str
  text: str


def array(kind, *dims):
  return f"{kind}[{','.join(map(str, dims))}]"


def module(body, computations=""):
  return f"HloModule m\n{computations}ENTRY e {{\n{body}}}\n"


def reducer(kind, op="add"):
  return (f"reducer {{\n  a = {kind}[] parameter(0)\n"
          f"  b = {kind}[] parameter(1)\n  ROOT r = {kind}[] {op}(a, b)\n}}\n")


def chain(kind, shape, ops):
  """x, y -> what `ops`, each of one or two operands, make one of another.

  A number in (-1, 1) stays one, so that no function meets its slow cases.
  """
  binary = {"add", "subtract", "multiply", "divide", "maximum", "minimum",
            "power", "remainder", "atan2", "and", "or", "xor",
            "shift-right-logical"}
  lines = [f"  x = {shape} parameter(0)\n", f"  y = {shape} parameter(1)\n"]
  value = "x"
  for i, op in enumerate(ops):
    root = "ROOT " if i + 1 == len(ops) else ""
    operands = f"{value}, y" if op in binary else value
    lines.append(f"  {root}v{i} = {shape} {op}({operands})\n")
    value = f"v{i}"
  return "".join(lines)


def sized(kind, elements):
  """So many elements that they take as many bytes as `elements` of 4."""
  return elements * 4 // WIDTHS[kind]


CHAINS = {
    "arithmetic": ("multiply", "add", "maximum", "subtract"),
    "long arithmetic": ("multiply", "add", "maximum", "subtract", "multiply",
                        "abs", "minimum", "add", "negate", "multiply", "add",
                        "maximum"),
    "division": ("divide", "add"),
    "square root": ("abs", "sqrt", "add"),
    "remainder": ("remainder", "add"),
    "exponential": ("exponential", "multiply"),
    "logarithm": ("abs", "log", "multiply"),
    "tanh": ("tanh", "add"),
    "logistic": ("logistic", "multiply"),
    "sine": ("sine", "multiply"),
    "two functions": ("exponential", "log-plus-one", "tanh"),
    "power": ("abs", "power"),
    "erf": ("erf", "multiply"),
    "atan2": ("atan2", "add"),
}
INTEGER_CHAINS = {
    "arithmetic": ("multiply", "add", "maximum", "subtract"),
    "long arithmetic": ("multiply", "add", "maximum", "subtract", "multiply",
                        "xor", "minimum", "add", "and", "or", "add",
                        "maximum"),
    "division": ("divide", "add"),
    "remainder": ("remainder", "add"),
}
COMPLEX_CHAINS = {
    "arithmetic": ("multiply", "add", "subtract"),
    "division": ("divide", "add"),
    "exponential": ("exponential", "multiply"),
    "tanh": ("tanh", "add"),
}


def elementwise():
  turn = 0
  for kind in WIDTHS:
    chains = (COMPLEX_CHAINS if kind == "c64" else
              CHAINS if kind in FLOATS else INTEGER_CHAINS)
    for name, ops in chains.items():
      # Arithmetic at all sizes, what is slower at one of them by turns.
      sizes = SIZES if name == "arithmetic" else (SMALLER_SIZES[turn % 3],)
      turn += 1
      for elements in sizes:
        shape = array(kind, sized(kind, elements))
        yield Kernel("element-wise", f"{name} {shape}",
                     module(chain(kind, shape, ops)))


def broadcasts():
  for kind, rows, columns in (("f32", 32, 64), ("f32", 1024, 1024),
                              ("f64", 256, 512), ("bf16", 512, 2048),
                              ("f32", 4096, 4096)):
    for name, size, dim in (("rows", columns, 1), ("columns", rows, 0)):
      whole = array(kind, rows, columns)
      yield Kernel("broadcast", f"{name} {whole}", module(
          f"  x = {whole} parameter(0)\n"
          f"  b = {array(kind, size)} parameter(1)\n"
          f"  c = {whole} broadcast(b), dimensions={{{dim}}}\n"
          f"  ROOT r = {whole} add(x, c)\n"))


def transposes():
  for kind, rows, columns in (("f32", 32, 64), ("f32", 256, 256),
                              ("f32", 1024, 1024), ("f64", 512, 768),
                              ("s8", 512, 1024), ("bf16", 1024, 512),
                              ("f32", 3000, 5000)):
    yield Kernel("transpose", f"{array(kind, rows, columns)}", module(
        f"  x = {array(kind, rows, columns)} parameter(0)\n"
        f"  ROOT r = {array(kind, columns, rows)} transpose(x), "
        "dimensions={1,0}\n"))
  for dims, order in (((16, 64, 128), (1, 0, 2)), ((8, 32, 64, 32), (0, 2, 1, 3)),
                      ((64, 64, 64), (2, 0, 1))):
    out = [dims[i] for i in order]
    yield Kernel("transpose", f"{array('f32', *dims)} {order}", module(
        f"  x = {array('f32', *dims)} parameter(0)\n"
        f"  ROOT r = {array('f32', *out)} transpose(x), "
        f"dimensions={{{','.join(map(str, order))}}}\n"))


def reductions():
  for kind, rows, columns in (("f32", 32, 64), ("f32", 256, 256),
                              ("f32", 1024, 1024), ("f64", 512, 512),
                              ("bf16", 512, 1024), ("s32", 300, 1000),
                              ("f32", 4096, 4096)):
    for name, dim, left in (("rows", 1, rows), ("columns", 0, columns)):
      for op in ("add", "maximum") if kind == "f32" else ("add",):
        zero = "0"
        yield Kernel(f"reduce {name}", f"{op} {array(kind, rows, columns)}",
                     module(
                         f"  x = {array(kind, rows, columns)} parameter(0)\n"
                         f"  z = {kind}[] constant({zero})\n"
                         f"  ROOT r = {array(kind, left)} reduce(x, z), "
                         f"dimensions={{{dim}}}, to_apply=reducer\n",
                         reducer(kind, op)))
  for rows, columns in ((64, 128), (512, 1024)):
    whole, column = array("f32", rows, columns), array("f32", rows)
    yield Kernel("reduce rows", f"softmax {whole}", module(
        f"  x = {whole} parameter(0)\n"
        "  n = f32[] constant(-inf)\n  z = f32[] constant(0)\n"
        f"  m = {column} reduce(x, n), dimensions={{1}}, to_apply=larger\n"
        f"  mb = {whole} broadcast(m), dimensions={{0}}\n"
        f"  d = {whole} subtract(x, mb)\n  e = {whole} exponential(d)\n"
        f"  s = {column} reduce(e, z), dimensions={{1}}, to_apply=reducer\n"
        f"  sb = {whole} broadcast(s), dimensions={{0}}\n"
        f"  ROOT r = {whole} divide(e, sb)\n",
        reducer("f32") +
        reducer("f32", "maximum").replace("reducer", "larger")))


def scans():
  for kind, rows, columns, dim in (
      ("f32", 1, 4096, 1), ("f32", 256, 1024, 1), ("f32", 1024, 256, 0),
      ("f64", 128, 512, 1), ("s32", 512, 512, 0), ("f32", 2048, 1024, 1)):
    shape = array(kind, rows, columns)
    length = (rows, columns)[dim]
    size = "x".join(str(length if d == dim else 1) for d in (0, 1))
    pad = "x".join(f"{length - 1 if d == dim else 0}_0" for d in (0, 1))
    yield Kernel("scan", f"{shape} along {dim}", module(
        f"  x = {shape} parameter(0)\n  z = {kind}[] constant(0)\n"
        f"  ROOT r = {shape} reduce-window(x, z), "
        f"window={{size={size} pad={pad}}}, to_apply=reducer\n",
        reducer(kind)))


def indices(count, columns, most):
  """Indices below `most` that lie far apart: the bits of numbers."""
  shape = array("u32", count, columns)
  signed = array("s32", count, columns)
  return (f"  p = {array('f32', count, columns)} parameter(1)\n"
          f"  i = {shape} bitcast-convert(p)\n"
          f"  k = u32[] constant({most})\n"
          f"  kb = {shape} broadcast(k), dimensions={{}}\n"
          f"  m = {shape} remainder(i, kb)\n"
          f"  at = {signed} convert(m)\n")


def gathers():
  for kind, rows, columns, count in (
      ("f32", 1024, 64, 512), ("f32", 4096, 256, 4096), ("f32", 100, 16, 2000),
      ("f64", 2048, 128, 1024), ("bf16", 1024, 512, 1024),
      ("f32", 65536, 64, 16384)):
    out = array(kind, count, columns)
    yield Kernel("gather", f"{count} rows of {array(kind, rows, columns)}",
                 module(
                     f"  x = {array(kind, rows, columns)} parameter(0)\n"
                     f"  at = s32[{count},1] parameter(1)\n"
                     f"  ROOT r = {out} gather(x, at), offset_dims={{1}}, "
                     "collapsed_slice_dims={0}, start_index_map={0}, "
                     f"index_vector_dim=1, slice_sizes={{1,{columns}}}\n"))
  for elements, count in ((2048, 4096), (65536, 65536), (1 << 22, 1 << 18)):
    yield Kernel("gather", f"{count} elements of f32[{elements}]", module(
        f"  x = f32[{elements}] parameter(0)\n" +
        indices(count, 1, elements) +
        f"  ROOT r = f32[{count}] gather(x, at), offset_dims={{}}, "
        "collapsed_slice_dims={0}, start_index_map={0}, "
        "index_vector_dim=1, slice_sizes={1}\n"))


def scatters():
  for kind, rows, columns, count in (
      ("f32", 512, 64, 256), ("f32", 4096, 128, 2048), ("f64", 1024, 128, 512),
      ("f32", 100, 16, 4000), ("s32", 256, 256, 1024)):
    whole = array(kind, rows, columns)
    yield Kernel("scatter", f"{count} rows into {whole}", module(
        f"  x = {whole} parameter(0)\n" + indices(count, 1, rows) +
        f"  u = {array(kind, count, columns)} parameter(2)\n"
        f"  ROOT r = {whole} scatter(x, at, u), update_window_dims={{1}}, "
        "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
        "index_vector_dim=1, to_apply=reducer\n", reducer(kind)))
  for elements, count in ((2048, 8192), (65536, 65536), (1 << 20, 1 << 18)):
    yield Kernel("scatter", f"{count} elements into f32[{elements}]", module(
        f"  x = f32[{elements}] parameter(0)\n" +
        indices(count, 1, elements) +
        f"  u = f32[{count}] parameter(2)\n"
        f"  ROOT r = f32[{elements}] scatter(x, at, u), "
        "update_window_dims={}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
        "to_apply=reducer\n", reducer("f32")))


def movements():
  for kind, rows, columns in (("f32", 64, 64), ("f32", 512, 1024),
                              ("bf16", 1024, 2048), ("f64", 256, 512)):
    whole = array(kind, rows, columns)
    part = array(kind, rows // 2, columns // 2)
    yield Kernel("slice, pad, concatenate", f"slice {whole}", module(
        f"  x = {whole} parameter(0)\n"
        f"  ROOT r = {part} slice(x), slice={{[{rows // 4}:{3 * rows // 4}], "
        f"[{columns // 4}:{3 * columns // 4}]}}\n"))
    yield Kernel("slice, pad, concatenate", f"strided slice {whole}", module(
        f"  x = {whole} parameter(0)\n"
        f"  ROOT r = {part} slice(x), slice={{[0:{rows}:2], "
        f"[0:{columns}:2]}}\n"))
    padded = array(kind, rows + 6, columns + 10)
    yield Kernel("slice, pad, concatenate", f"pad {whole}", module(
        f"  x = {whole} parameter(0)\n  z = {kind}[] constant(0)\n"
        f"  ROOT r = {padded} pad(x, z), padding=3_3x5_5\n"))
    for dim, out in ((0, (2 * rows, columns)), (1, (rows, 2 * columns))):
      yield Kernel("slice, pad, concatenate",
                   f"concatenate {whole} along {dim}", module(
                       f"  x = {whole} parameter(0)\n"
                       f"  y = {whole} parameter(1)\n"
                       f"  ROOT r = {array(kind, *out)} concatenate(x, y), "
                       f"dimensions={{{dim}}}\n"))
    yield Kernel("slice, pad, concatenate", f"reverse {whole}", module(
        f"  x = {whole} parameter(0)\n"
        f"  ROOT r = {whole} reverse(x), dimensions={{1}}\n"))


def updates():
  for kind, rows, columns, changed in (
      ("f32", 64, 64, 16), ("f32", 512, 512, 64), ("f32", 2048, 1024, 16),
      ("bf16", 1024, 1024, 512), ("f64", 256, 1024, 1)):
    whole, part = array(kind, rows, columns), array(kind, changed, columns)
    yield Kernel("dynamic-update-slice", f"{part} into {whole}", module(
        f"  x = {whole} parameter(0)\n  u = {part} parameter(1)\n"
        "  i = s32[] parameter(2)\n  z = s32[] constant(0)\n"
        f"  ROOT r = {whole} dynamic-update-slice(x, u, i, z)\n"))
    yield Kernel("dynamic-slice", f"{part} of {whole}", module(
        f"  x = {whole} parameter(0)\n  i = s32[] parameter(1)\n"
        "  z = s32[] constant(0)\n"
        f"  ROOT r = {part} dynamic-slice(x, i, z), "
        f"dynamic_slice_sizes={{{changed},{columns}}}\n"))


def dots():
  for kind, m, k, n in (
      ("f32", 8, 8, 8), ("f32", 32, 64, 32), ("f32", 128, 128, 128),
      ("f32", 512, 512, 512), ("f32", 1, 1024, 1024), ("f32", 1024, 1024, 1),
      ("f32", 16, 2048, 256), ("f32", 1024, 64, 1024), ("f64", 128, 128, 128),
      ("f64", 384, 384, 384), ("bf16", 256, 256, 256), ("f16", 256, 256, 256),
      ("s32", 128, 128, 128), ("c64", 128, 128, 128)):
    yield Kernel("dot", f"{kind} {m} x {k} x {n}", module(
        f"  x = {array(kind, m, k)} parameter(0)\n"
        f"  y = {array(kind, k, n)} parameter(1)\n"
        f"  ROOT r = {array(kind, m, n)} dot(x, y), "
        "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"))
  for kind, b, m, k, n in (("f32", 64, 16, 16, 16), ("f32", 16, 64, 64, 64),
                           ("f32", 8, 256, 64, 256), ("f64", 32, 32, 32, 32),
                           ("bf16", 8, 128, 64, 128), ("f32", 256, 8, 32, 8)):
    yield Kernel("batched dot", f"{kind} {b} of {m} x {k} x {n}", module(
        f"  x = {array(kind, b, m, k)} parameter(0)\n"
        f"  y = {array(kind, b, k, n)} parameter(1)\n"
        f"  ROOT r = {array(kind, b, m, n)} dot(x, y), "
        "lhs_batch_dims={0}, rhs_batch_dims={0}, "
        "lhs_contracting_dims={2}, rhs_contracting_dims={1}\n"))


def convolutions():
  for kind, batch, size, inputs, outputs, window in (
      ("f32", 1, 32, 3, 16, 3), ("f32", 1, 28, 32, 64, 3),
      ("f32", 8, 28, 16, 32, 3), ("f32", 4, 56, 64, 64, 1),
      ("f32", 2, 14, 128, 128, 3), ("f64", 1, 28, 32, 32, 3),
      ("f32", 1, 64, 8, 16, 5)):
    half = window // 2
    yield Kernel("convolution",
                 f"{kind} {batch}x{size}x{size}x{inputs} to {outputs}, "
                 f"{window}x{window}", module(
        f"  x = {array(kind, batch, size, size, inputs)} parameter(0)\n"
        f"  w = {array(kind, window, window, inputs, outputs)} parameter(1)\n"
        f"  ROOT r = {array(kind, batch, size, size, outputs)} "
        f"convolution(x, w), window={{size={window}x{window} "
        f"pad={half}_{half}x{half}_{half}}}, dim_labels=b01f_01io->b01f\n"))


def sorts():
  for kind, rows, columns in (("f32", 1, 1024), ("f32", 64, 1024),
                              ("f32", 1, 65536), ("s32", 1, 65536),
                              ("s32", 1000, 32), ("f64", 16, 4096),
                              ("f32", 1, 1 << 20)):
    yield Kernel("sort", array(kind, rows, columns), module(
        f"  x = {array(kind, rows, columns)} parameter(0)\n"
        f"  ROOT r = {array(kind, rows, columns)} sort(x), dimensions={{1}}, "
        "to_apply=less\n",
        f"less {{\n  a = {kind}[] parameter(0)\n  b = {kind}[] parameter(1)\n"
        "  ROOT r = pred[] compare(a, b), direction=LT\n}\n"))


def transforms():
  for kind, rows, length in (("c64", 1, 256), ("c64", 64, 256),
                             ("c64", 1, 16384), ("c64", 256, 1024),
                             ("c64", 100, 1000), ("c64", 16, 4096),
                             ("c64", 1, 1 << 20)):
    shape = array(kind, rows, length)
    yield Kernel("fft", shape, module(
        f"  x = {shape} parameter(0)\n"
        f"  ROOT r = {shape} fft(x), fft_type=FFT, fft_length={{{length}}}\n"))


def kernels():
  """All kernels, in order; names are unique within a group."""
  result = []
  for each in (elementwise, broadcasts, transposes, reductions, scans, gathers,
               scatters, movements, updates, dots, convolutions, sorts,
               transforms):
    result += each()
  return result
