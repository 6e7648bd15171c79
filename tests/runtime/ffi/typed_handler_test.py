"""Handlers compiled with jaxlib's FFI headers run in Tessera's programs."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import harness

CALL = """HloModule m
ENTRY e {{
  x = f32[3] constant({{1, 4, 9}})
  ROOT r = {shape} custom-call({operands}), custom_call_target="{target}",
    api_version=API_VERSION_TYPED_FFI, backend_config="{attributes}"
}}
"""


def library(folder):
  """Compiles typed/typed_handlers.cc; skips without jaxlib or a compiler."""
  jaxlib = harness.require("jaxlib")
  include = pathlib.Path(jaxlib.__file__).with_name("include")
  if not (include / "xla/ffi/api/ffi.h").exists():
    raise harness.Skip("this jaxlib has no FFI headers")
  compiler = shutil.which("c++") or shutil.which("g++")
  if compiler is None:
    raise harness.Skip("no C++ compiler here")
  source = pathlib.Path(__file__).parent / "typed/typed_handlers.cc"
  out = pathlib.Path(folder, "libhandlers.so")
  subprocess.run([compiler, "-std=c++20", "-w", "-shared", "-fPIC", "-I",
                  include, source, "-o", out], check=True)
  return out


def call(handlers, target, attributes="", operands="x", shape="f32[3]"):
  program = handlers.with_name("program.hlo")
  program.write_text(CALL.format(
      target=target, operands=operands, shape=shape,
      attributes=attributes.replace('"', '\\"')))
  return harness.run("ffi_run_tool", handlers, program, target).strip()


def test_typed_handlers():
  with tempfile.TemporaryDirectory() as folder:
    handlers = library(folder)
    affine = ('{name = "affine", offsets = array<i64: 1, 2>, '
              "options = {negate = true}, scale = 2.0 : f32}")
    harness.equal(call(handlers, "affine", affine), "{-3.5, -9.5, -19.5}")
    harness.equal(call(handlers, "count", operands="x, x", shape="s32[]"),
                  "21")
    harness.equal(call(handlers, "later"), "{1, 2, 3}")
    failed = call(handlers, "fail", operands="", shape="s32[]")
    harness.equal("UNAVAILABLE: " in failed and "tomorrow" in failed, True,
                  failed)
    wrong = call(handlers, "affine", "{scale = 2.0 : f32}")
    harness.equal("Wrong number of attributes" in wrong, True, wrong)


if __name__ == "__main__":
  harness.main(globals())
