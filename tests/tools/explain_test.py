"""tessera run --explain: the reasons for refused attention and prologues, by
line of the source, and what is left out."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

# Attention of 4 items, 128 queries and keys, as parts that tests exchange.
ATTENTION = {
    "scores": "s = f32[4,128,128] dot(q, k), lhs_batch_dims={0}, "
              "rhs_batch_dims={0}, lhs_contracting_dims={2}, "
              "rhs_contracting_dims={2}, AT(3)",
    "masked": "x = f32[4,128,128] multiply(s, s), AT(4)",
    "largest": "m = f32[4,128] reduce(x, low), dimensions={2}, to_apply=max, "
               "AT(5)",
    "spread": "mb = f32[4,128,128] broadcast(m), dimensions={0,1}, AT(5)",
    "exp": "d = f32[4,128,128] subtract(x, mb), AT(6)\n"
           "  e = f32[4,128,128] exponential(d), AT(6)",
    "sum": "t = f32[4,128] reduce(e, zero), dimensions={2}, to_apply=add, "
           "AT(7)\n"
           "  tb = f32[4,128,128] broadcast(t), dimensions={0,1}, AT(7)",
    "weights": "p = f32[4,128,128] divide(e, tb), AT(8)",
    "out": "o = f32[4,128,64] dot(p, v), lhs_batch_dims={0}, "
           "rhs_batch_dims={0}, lhs_contracting_dims={2}, "
           "rhs_contracting_dims={1}, AT(9)",
    "result": "ROOT r = f32[4,128,64] negate(o), AT(10)",
}

COMPUTATIONS = """
max {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] maximum(a, b)
}
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
"""


def explain(name, text, which="all"):
  text = re.sub(r"AT\((\d+)\)",
                r'metadata={op_name="f/op\1" source_file="m.py" '
                r'source_line=\1}', text)
  path = pathlib.Path(name + ".hlo")
  path.write_text(text)
  return harness.run("tessera", "run", path, "-q", "--explain=" + which)


def attention(name, which="all", **parts):
  lines = "\n  ".join((ATTENTION | parts).values())
  return explain(name, f"""HloModule {name}
{COMPUTATIONS}
ENTRY e {{
  q = f32[4,128,64] parameter(0)
  k = f32[4,128,64] parameter(1)
  v = f32[4,128,64] parameter(2)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  {lines}
}}
""", which)


def has(text, *parts):
  for part in parts:
    harness.equal(part in text, True, f"expected {part!r} in\n{text}")


def lacks(text, *parts):
  for part in parts:
    harness.equal(part in text, False, f"unexpected {part!r} in\n{text}")


def test_attention_that_is_fused():
  lacks(attention("fused"), "no attention", "not skipped")


def test_softmax_over_another_axis():
  out = attention(
      "axis", largest=ATTENTION["largest"].replace("{2}", "{1}"),
      spread=ATTENTION["spread"].replace("{0,1}", "{0,2}"))
  has(out, "m.py:3: ", "m.py:8: ",
      "no attention: op5 at m.py:5 (m",
      " reduces dimensions {1} of f32[4,128,128]",
      "must be over the last axis alone")


# The rounding becomes an epilogue of the first product, after it was refused.
def test_products_with_epilogues():
  out = attention(
      "epilogue", masked="h = bf16[4,128,128] convert(s), AT(4)\n"
                         "  x = f32[4,128,128] convert(h), AT(4)",
      largest=ATTENTION["largest"].replace("{2}", "{1}"),
      spread=ATTENTION["spread"].replace("{0,1}", "{0,2}"))
  harness.equal(out.count("no attention: op5 at m.py:5"), 2, out)


def test_scores_that_others_read():
  out = attention("scores", masked="x = f32[4,128,128] multiply(s, s), AT(4)\n"
                  "  fft = c64[4,128,65] fft(s), fft_type=RFFT, "
                  "fft_length={128}, AT(11)",
                  result="ROOT r = (f32[4,128,64], c64[4,128,65]) "
                         "tuple(o, fft)")
  has(out, "no attention: op3 at m.py:3 (s): something else reads the scores, "
           "too: op11 at m.py:11 (fft)")
  out = attention("result", result="ROOT r = (f32[4,128,64], f32[4,128,128]) "
                                   "tuple(o, p)")
  has(out, "something else reads the weights, too: the program, as a result")


# The kernel of the softmax gives scaled scores, too.
def test_results_beside_the_weights():
  out = attention("beside", result="ROOT r = (f32[4,128,64], f32[4,128,128]) "
                                   "tuple(o, x)")
  has(out, "what gives the weights also gives op4 at m.py:4 (x",
      "read by the program, as a result")


def test_operations_between_the_products():
  out = attention("reversed",
                  masked="x = f32[4,128,128] cholesky(s), lower=true, AT(4)")
  has(out, "op4 at m.py:4 (x) is between the two products, where only "
           "operations by element, and reductions and broadcasts of rows can be")


def test_products_of_another_form():
  out = attention("columns", out=ATTENTION["out"].replace(
      "lhs_contracting_dims={2}", "lhs_contracting_dims={1}"))
  has(out, "no attention: op9 at m.py:9 (o): it does not sum over the last "
           "dimension of its left operand, the weights")
  out = attention("precise", scores=ATTENTION["scores"].replace(
      ", AT", ", algorithm=dot_bf16_bf16_f32_x3, AT"))
  has(out, "no attention: op3 at m.py:3 (s): it asks for a precision (a dot "
           "algorithm) that attention's code does not have")
  out = attention("left", out="o = f32[4,64,128] dot(v, p), "
                  "lhs_batch_dims={0}, rhs_batch_dims={0}, "
                  "lhs_contracting_dims={1}, rhs_contracting_dims={2}, AT(9)",
                  result="ROOT r = f32[4,64,128] negate(o), AT(10)")
  has(out, "op9 at m.py:9 (o): the weights are its right operand")


def test_attention_that_is_small():
  text = {name: line.replace("4,128", "1,128")
          for name, line in ATTENTION.items()}
  lines = "\n  ".join(text.values())
  out = explain("small", f"""HloModule small
{COMPUTATIONS}
ENTRY e {{
  q = f32[1,128,64] parameter(0)
  k = f32[1,128,64] parameter(1)
  v = f32[1,128,64] parameter(2)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  {lines}
}}
""")
  has(out, "the scores have less than 256 KiB")


def test_masks_that_skip_nothing():
  mask = """i = s32[4,128,128] iota(), iota_dimension=1
  j = s32[4,128,128] iota(), iota_dimension=2
  c = pred[4,128,128] compare(i, j), direction=GE, AT(4)
  n = f32[] constant(NUMBER)
  nb = f32[4,128,128] broadcast(n), dimensions={}
  """
  select = "x = f32[4,128,128] select(c, s, nb), AT(4)"
  lacks(attention("skips", masked=mask.replace("NUMBER", "-1e30") + select),
        "not skipped")
  out = attention("near", masked=mask.replace("NUMBER", "-1e4") + select)
  has(out, "m.py:9: ", "not skipped", "the mask leaves out 50% of the scores",
      "is not far enough below others; -1e10 is")
  out = attention("scaled", masked=mask.replace("NUMBER", "-1e30")
                  + select.replace("x = ", "y = ")
                  + "\n  h = f32[] constant(0.125)\n"
                  "  hb = f32[4,128,128] broadcast(h), dimensions={}\n"
                  "  x = f32[4,128,128] multiply(y, hb), AT(11)")
  has(out, "what follows the mask is no plain softmax in f32 of the masked "
           "scores; scale and add before the mask")


def test_masks_that_are_added():
  mask = """i = s32[128,128] iota(), iota_dimension=0
  j = s32[128,128] iota(), iota_dimension=1
  c = pred[128,128] compare(i, j), direction=LT
  f = f32[128,128] convert(c), AT(4)
  n = f32[] constant(-1e10)
  nb = f32[128,128] broadcast(n), dimensions={}
  a = f32[128,128] multiply(f, nb), AT(4)
  ab = f32[4,128,128] broadcast(a), dimensions={1,2}
  x = f32[4,128,128] add(s, ab), AT(4)"""
  has(attention("added", masked=mask), "m.py:9: ", "not skipped",
      "a mask made of indices is added to the scores")
  # A bias that is data, or without comparisons, is no mask.
  lacks(attention("bias", masked=mask.replace("compare(i, j), direction=LT",
                                              "convert(i)").replace(
      "convert(c)", "convert(i)")), "not skipped")


def prologue(name, convert, root, operands="a = f32[64,512] parameter(0)"):
  return explain(name, f"""HloModule {name}
{COMPUTATIONS}
ENTRY e {{
  {operands}
  w = s8[512,512] parameter(1)
  f = f32[512,512] convert(w), AT(2)
  zero = f32[] constant(0)
  {convert}
  {root}
}}
""")


def test_prologues():
  root = ("ROOT r = f32[64,512] dot(a, g), lhs_contracting_dims={1}, "
          "rhs_contracting_dims={0}, AT(4)")
  scaled = "g = f32[512,512] multiply(f, f), AT(3)"
  lacks(prologue("weights", scaled, root), "not fused")
  out = prologue("shared", scaled + "\n  h = f32[512] reduce(g, zero), "
                 "dimensions={1}, to_apply=add, AT(5)\n"
                 "  y = f32[512,512] cholesky(g), AT(6)",
                 root.replace("ROOT ", "")
                 + "\n  ROOT t = (f32[64,512], f32[512,512]) tuple(r, y)")
  has(out, "m.py:3: ", "no prologue: others read it, too")
  out = prologue("left", scaled, "ROOT r = f32[512,64] dot(g, a), "
                 "lhs_contracting_dims={1}, rhs_contracting_dims={0}, AT(4)",
                 operands="a = f32[512,64] parameter(0)")
  has(out, "m.py:3: ", "no prologue: it is the left operand of the product")
  out = prologue("same", "b = f32[512,512] parameter(2)\n"
                 "  g = f32[512,512] multiply(b, b), AT(3)", root)
  has(out, "m.py:3: ",
      "no prologue: it has no more bytes than what it is computed of")


def test_small_costs_are_left_out():
  text = """HloModule one
ENTRY e {
  x = f32[2] parameter(0)
  ROOT y = f32[2] add(x, x), AT(1)
}
"""
  out = explain("one", text, "top")
  has(out, "explain: all that takes time is fused, in place and vectorized",
      "1 reason of less than a nanosecond left out; --explain=all prints them")
  has(explain("one", text), "m.py:1: ", "not vectorized")


# Code that reduces rows goes along them, in vectors.
def test_reductions_of_rows_are_vectorized():
  rows = """HloModule rows
COMPUTATIONS
ENTRY e {
  x = f32[512,1024] parameter(0)
  zero = f32[] constant(0)
  e = f32[512,1024] exponential(x), AT(1)
  t = f32[512] reduce(e, zero), dimensions={1}, to_apply=add, AT(2)
  b = f32[512,1024] broadcast(t), dimensions={0}, AT(3)
  ROOT r = f32[512,1024] divide(e, b), AT(3)
}
""".replace("COMPUTATIONS", COMPUTATIONS)
  lacks(explain("rows", rows), "not vectorized")


# The reader is named, not a reshape on the way to it.
def test_readers_through_reshapes():
  out = explain("reshape", """HloModule reshape
ENTRY e {
  x = f32[64,64,64] parameter(0)
  t = f32[64,64,64] tanh(x), AT(1)
  b = f32[4096,64] reshape(t)
  ROOT s = c64[4096,33] fft(b), fft_type=RFFT, fft_length={64}, AT(2)
}
""")
  has(out, "s reads it from memory")
  lacks(out, "writes over it")


# Explaining changes no code.
def test_explaining_changes_no_thunk():
  attention("thunks", masked="x = f32[4,128,128] cholesky(s), lower=true")
  def thunks(*flags):
    out = harness.run("tessera", "run", "thunks.hlo", "-q", "--report", *flags)
    return out[out.index("\nthunks:"):]
  harness.equal(thunks(), thunks("--explain"))


if __name__ == "__main__":
  harness.main(globals())
