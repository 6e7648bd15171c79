#!/usr/bin/env python3
"""Compares programs compiled ahead of time with the JIT compiler's, bit for bit.

    aot_equality.py [--build FOLDER] [--isa NAME] [PROGRAM...]

Takes the JAX programs of programs.py and loops.py, or those named, and the files given
(NAME.hlo with NAME.npz beside it). With --isa both compile for that level, which
this processor must have.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
from tessera import aot  # noqa: E402  (needs the path above)


def exported(folder, function, arguments):
  """Writes a program of programs.py and its arguments as `tessera` takes
  them."""
  import jax
  from jax import export
  program = export.export(jax.jit(function), platforms=["cpu"])(*arguments)
  leaves = jax.tree_util.tree_leaves(arguments)
  kept = [np.asarray(leaves[i]) for i in program.module_kept_var_idx]
  path = folder / "program.mlirbc"
  path.write_bytes(program.mlir_module_serialized)
  return path, kept


def run(command, env=None):
  done = subprocess.run([str(part) for part in command], text=True, env=env,
                        capture_output=True, check=False)
  if done.returncode:
    raise RuntimeError((done.stderr or done.stdout).strip()[-300:])


def compare(path, arguments, folder, options):
  """Returns what to print for a program."""
  command = options.build / "bin" / "tessera"
  library = folder / "net.so"
  run([command, "compile", path, "--shared", library, "--isa",
       options.isa or "native"])
  inputs, outputs = folder / "in.npz", folder / "out.npz"
  # NumPy's files have no small floats; bits do as well.
  np.savez(inputs, **{f"arg{i}": x for i, x in enumerate(arguments)})
  env = dict(os.environ)
  if options.isa:
    env["XLA_FLAGS"] = f"--xla_cpu_max_isa={options.isa}"
  run([command, "run", path, "--inputs", inputs, "--outputs", outputs], env)
  program = aot.Program(library)
  results = program.run([
      x.view(spec.dtype) if x.dtype.kind == "V" else x
      for x, spec in zip(arguments, program.arguments)])
  with np.load(outputs) as want:
    for i, got in enumerate(results):
      if want[f"out{i}"].tobytes() != got.tobytes():
        return f"result {i} of {len(results)} DIFFERS"
  return "equal"


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
  parser.add_argument("--isa")
  parser.add_argument("programs", nargs="*")
  options = parser.parse_args()
  files = [name for name in options.programs if name.endswith(".hlo")]
  names = [name for name in options.programs if name not in files]
  counts = {}
  with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)

    def report(name, make):
      try:
        path, arguments = make()
        result = compare(path, arguments, folder, options)
      except RuntimeError as error:
        result = f"refused: {error}"
      counts[result.split(":")[0]] = counts.get(result.split(":")[0], 0) + 1
      print(f"{name:32} {result}", flush=True)

    for file in map(pathlib.Path, files):
      with np.load(file.with_suffix(".npz")) as arrays:
        arguments = [arrays[f"arg{i}"] for i in range(
            sum(key.startswith("arg") for key in arrays))]
      report(file.stem, lambda file=file, arguments=arguments:
             (file, arguments))
    if names or not files:
      import loops
      import programs
      for name, function, arguments, *_ in (*programs.programs(),
                                            *loops.programs()):
        if not names or name in names:
          report(name, lambda function=function, arguments=arguments:
                 exported(folder, function, arguments))
  print(counts)
  return 1 if any("DIFFERS" in result for result in counts) else 0


if __name__ == "__main__":
  sys.exit(main())
