"""Makes the .mlirbc files in tests/stablehlo/artifacts from .mlir files.

Run by hand with jaxlib, the results are checked in:

    python tests/stablehlo/make_artifacts.py

Each program is serialized for several versions of StableHLO, the oldest one
that can express it first. Those in artifacts/plain are bytecode of the dialects
stablehlo, func and chlo as they are, which is no portable artifact.
"""

import io
import pathlib

from jax._src.interpreters import mlir as jax_mlir
from jaxlib import _jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

HERE = pathlib.Path(__file__).parent / "artifacts"

PROGRAMS = {
    "basic": ["0.9.0", "0.14.0", "1.0.0", "1.3.0", "1.8.0", "1.10.0",
              "1.13.0", "1.17.0"],
    "collectives": ["0.9.0", "1.0.0", "1.17.0"],
    "quantized": ["0.9.0", "1.0.0", "1.17.0"],
    "per_axis": ["1.0.0", "1.17.0"],
    "dynamic": ["0.9.0", "0.20.0", "1.0.0", "1.17.0"],
    "newer": ["1.9.0", "1.17.0"],
    "newest": ["1.17.0"],
    "sharded": ["1.10.0", "1.17.0"],
    "sharding_rule": ["1.17.0"],
}

# Folders and names.
PLAIN = ["artifacts/basic", "artifacts/collectives", "artifacts/dynamic",
         "artifacts/newer", "artifacts/sharded", "text/programs/stablehlo"]


def artifact(name, text, version):
  if not name.startswith("shard"):
    return stablehlo.serialize_portable_artifact_str(text, version)
  with jax_mlir.make_ir_context():
    module = ir.Module.parse(text)
    return _jax.mlir.serialize_portable_artifact(
        module.operation.get_asm().encode(), version, True)


def plain(text):
  with jax_mlir.make_ir_context():
    written = io.BytesIO()
    ir.Module.parse(text).operation.write_bytecode(file=written)
    return written.getvalue()


def main():
  for name in PLAIN:
    text = (HERE.parent / f"{name}.mlir").read_text()
    path = HERE / "plain" / f"{pathlib.Path(name).name}.mlirbc"
    path.write_bytes(plain(text))
    print(path.name, path.stat().st_size)
  for name, versions in PROGRAMS.items():
    text = (HERE / f"{name}.mlir").read_text()
    for version in versions:
      path = HERE / f"{name}-{version}.mlirbc"
      path.write_bytes(artifact(name, text, version))
      print(path.name, path.stat().st_size)


if __name__ == "__main__":
  main()
