"""Redraws programs/*.generic.mlir from programs/*.mlir, by hand with jaxlib.

The pretty files but builtin.mlir, which is about spellings that no printer
writes, are as StableHLO prints them and are redrawn too.
"""

import pathlib

from jax._src.interpreters import mlir
from jaxlib.mlir import ir

PROGRAMS = pathlib.Path(__file__).parent / "programs"


def main():
  for path in sorted(PROGRAMS.glob("*.mlir")):
    if path.name.endswith(".generic.mlir"):
      continue
    with mlir.make_ir_context() as context:
      context.allow_unregistered_dialects = True
      module = ir.Module.parse(path.read_text())
      generic = module.operation.get_asm(print_generic_op_form=True)
      path.with_suffix(".generic.mlir").write_text(generic.rstrip() + "\n")
      if path.stem != "builtin":
        path.write_text(str(module).rstrip() + "\n")


if __name__ == "__main__":
  main()
