"""The metadata of JAX programs is what XLA makes of their locations."""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness


def program():
  """A program of loops, branches, scopes, transformations and functions."""
  import jax
  import jax.numpy as jnp

  @jax.custom_jvp
  def scaled_sin(x):
    return jnp.sin(x) * x

  @scaled_sin.defjvp
  def scaled_sin_jvp(primals, tangents):
    return scaled_sin(*primals), tangents[0] * jnp.cos(primals[0])

  @jax.jit
  def inner(x):
    return jax.lax.scan(lambda c, a: (jnp.tanh(c) + a, c), x[0], x)[1]

  def outer(x, w):
    with jax.named_scope("encoder"):
      y = jax.nn.gelu(x @ w)
    y = jax.lax.cond(y[0, 0] > 0, lambda a: a * 2, jnp.tanh, y)
    y = jax.lax.while_loop(lambda s: s[0] < 3,
                           lambda s: (s[0] + 1, jnp.exp(s[1])), (0, y))[1]
    y = jax.vmap(lambda row: jnp.argmax(row) * row)(inner(inner(y)))
    loss = jax.grad(lambda z: scaled_sin(z).sum())(y)
    return jnp.sort(loss), loss

  return jax.jit(outer).lower(jnp.ones((4, 8)), jnp.ones((8, 8)))


def table(text, title):
  body = re.search(rf"^{title}\n((?:\d+ .*\n)*)", text, re.M)
  return [row.split(" ", 1)[1] for row in body.group(1).splitlines()]


def origins(text):
  """The pairs of op_name and stack of all instructions of an HLO text."""
  files = table(text, "FileNames")
  functions = table(text, "FunctionNames")
  lines = [dict(re.findall(r"(\w+)=(\d+)", row))
           for row in table(text, "FileLocations")]
  frames = [dict(re.findall(r"(\w+)=(\d+)", row))
            for row in table(text, "StackFrames")]

  def stack(number):
    if number == 0:
      return ()
    frame = frames[number - 1]
    line = lines[int(frame["file_location_id"]) - 1]
    place = (files[int(line["file_name_id"]) - 1],
             functions[int(line["function_name_id"]) - 1], line["line"],
             line["end_line"], line["column"], line["end_column"])
    return stack(int(frame["parent_frame_id"]) - 1) + (place,)

  found = set()
  for opcode, metadata in re.findall(
      r" = .*? ([\w-]+)\(.*metadata=\{(.*?)\}", text):
    if opcode in ("constant", "parameter"):
      continue
    name = re.search(r'op_name="([^"]*)"', metadata)
    frame = re.search(r"stack_frame_id=(\d+)", metadata)
    found.add((name.group(1) if name else "",
               stack(int(frame.group(1)) if frame else 0)))
  return found


def test_names_and_stacks_are_those_of_xla():
  harness.require("jax")
  lowered = program()
  pathlib.Path("located.mlir").write_text(
      lowered.compiler_ir().operation.get_asm(enable_debug_info=True))
  ours = origins(
      harness.run("tessera", "translate", "--to=text", "located.mlir"))
  theirs = origins(lowered.as_text(dialect="hlo", debug_info=True))
  assert len(theirs) > 40, len(theirs)
  # XLA folds some operations when it reads the program.
  harness.equal(sorted(theirs - ours), [])
  for name, stack in ours - theirs:
    assert name, stack


def test_artifacts_have_the_locations_of_text():
  harness.require("jax")
  harness.require("jaxlib.mlir")
  from jaxlib.mlir.dialects import stablehlo

  module = program().compiler_ir()
  pathlib.Path("located.mlir").write_text(
      module.operation.get_asm(enable_debug_info=True))
  with module.context:
    pathlib.Path("located.mlirbc").write_bytes(
        stablehlo.serialize_portable_artifact(
            module, stablehlo.get_current_version()))
  text, artifact = (
      harness.run("tessera", "translate", "--to=text", name)
      for name in ("located.mlir", "located.mlirbc"))
  harness.equal(origins(artifact), origins(text))


def test_stablehlo_reads_printed_locations():
  harness.require("jax")
  harness.require("jaxlib.mlir")
  from jax._src.interpreters import mlir
  from jaxlib.mlir import ir

  text = program().compiler_ir().operation.get_asm(enable_debug_info=True)
  pathlib.Path("located.mlir").write_text(text)
  printed = harness.run("tessera", "translate", "--to=stablehlo",
                        "--mlir-print-debuginfo", "located.mlir")
  with mlir.make_ir_context():
    again = ir.Module.parse(printed).operation.get_asm(enable_debug_info=True)
  pathlib.Path("again.mlir").write_text(again)
  before, after = (
      origins(harness.run("tessera", "translate", "--to=text", name))
      for name in ("located.mlir", "again.mlir"))
  # What tuples stand for is printed without an op.
  harness.equal(sorted(after - before), [])
  assert len(after) > 40, len(after)


def test_errors_name_the_line():
  pathlib.Path("bad.mlir").write_text("""
#loc1 = loc("model"("model.py":17:4))
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.transpose"(%a) {PERMUTATION} : (tensor<4xf32>)
      -> tensor<4xf32> loc("jit(f)/transpose"(#loc1))
  return %0 : tensor<4xf32>
}""")
  text = pathlib.Path("bad.mlir").read_text()
  for attribute, error in (
      ("permutation = array<i64: 3>",
       "instruction transpose (model.py:17): transpose: dimensions"),
      ("x = 1", "stablehlo.transpose at line 4, column 8 (model.py:17): "
       "attribute 'permutation' is missing")):
    pathlib.Path("bad.mlir").write_text(
        text.replace("PERMUTATION", attribute))
    done = subprocess.run([harness.BIN / "tessera", "translate", "bad.mlir"],
                          capture_output=True, text=True, check=False)
    harness.equal(done.returncode, 1)
    assert error in done.stderr, done.stderr


if __name__ == "__main__":
  harness.main(globals())
