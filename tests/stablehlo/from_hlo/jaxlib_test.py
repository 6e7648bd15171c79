"""StableHLO's own parser and verifier take what is printed from HLO."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness


def test_ops():
  harness.require("jax")
  harness.require("jaxlib.mlir")
  from jax._src.interpreters import mlir
  from jaxlib.mlir import ir

  with tempfile.TemporaryDirectory() as folder:
    print(harness.run("stablehlo_ops_tool", folder))
    files = sorted(pathlib.Path(folder).glob("*.mlir"))
    assert len(files) > 400, len(files)
    with mlir.make_ir_context():
      for path in files:
        try:
          ir.Module.parse(path.read_text())
        except ir.MLIRError as error:
          raise AssertionError(f"{path.name}: {error}") from None


if __name__ == "__main__":
  harness.main(globals())
