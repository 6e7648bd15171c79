"""Runs programs on both platforms in this process; prints a line for each.

    worker.py FAMILIES [--skip FILE] [--only PATTERN] [--devices N]

Lines: `@start NAME`, then `@pass NAME WORST SECONDS` or `@fail NAME` after the
text of the failure; `@primitives` and names of primitives that were lowered for
the first time. suite.py reads them, and starts another worker after a program
that ends or stalls this one.
"""

import argparse
import fnmatch
import importlib
import pathlib
import time
import traceback
import warnings

import older_jax
import platforms
import sharded_program


def say(*words):
  print(*words, flush=True)


def families(names):
  """The programs of the modules `names`, comma separated."""
  found = []
  for name in names.split(","):
    found += importlib.import_module(f"programs.{name}").FAMILY.programs
  return found


def inner(value):
  """Jaxprs in a parameter of an equation."""
  from jax._src import core
  if isinstance(value, core.ClosedJaxpr):
    yield value.jaxpr
  elif isinstance(value, core.Jaxpr):
    yield value
  elif isinstance(value, (tuple, list)):
    for item in value:
      yield from inner(item)


def watch_lowering(seen):
  """Adds the name of each primitive that JAX lowers from now on to `seen`."""
  from jax._src.interpreters import mlir
  lower = mlir.jaxpr_subcomp
  def watch(context, jaxpr, *rest, **options):
    stack = [jaxpr]
    while stack:
      for equation in stack.pop().eqns:
        seen.add(equation.primitive.name)
        for value in equation.params.values():
          stack.extend(inner(value))
    return lower(context, jaxpr, *rest, **options)
  mlir.jaxpr_subcomp = watch


def explain(error):
  """The error and the lines of programs/ that led to it, in few lines."""
  frames = [frame for frame in traceback.extract_tb(error.__traceback__)
            if "programs" in frame.filename]
  where = [f"  {pathlib.Path(frame.filename).name}:{frame.lineno}: {frame.line}"
           for frame in frames[-3:]]
  text = "".join(traceback.format_exception_only(error)).strip()
  notes = text.find("--------------------\nFor simplicity")
  return "\n".join([text[:notes if notes > 0 else None][:3000], *where])


def run_on(program, function, device):
  """Returns the results on one device when all are ready."""
  import jax
  with jax.default_device(device):
    results = jax.block_until_ready(function(*program.arguments()))
    if not (program.eager or program.alone):
      for leaf in jax.tree.leaves(results):
        if leaf.devices() != {device}:
          raise AssertionError(f"result on {leaf.devices()}, not {device}")
    import agree
    return jax.tree.map(agree.plain, results)


def settle():
  """Waits for effects of a program. Otherwise an asynchronous failure, even an
  intended one, would be raised again at the next program's barrier."""
  import jax
  from jax._src import dispatch
  try:
    jax.effects_barrier()
  except Exception:
    dispatch.runtime_tokens.clear()


def run_program(program, ours, theirs, specs):
  """Returns the worst error relative to the allowed one."""
  import jax
  import agree
  if isinstance(program, sharded_program.ShardedProgram):
    return run_sharded(program, ours, theirs, specs)
  if program.devices > 1:
    def run(devices):
      return jax.tree.map(agree.plain, program.function(devices))
  else:
    function = (program.function if program.eager or program.alone
                else jax.jit(program.function))
    def run(devices):
      return run_on(program, function, devices[0])
  if program.alone:
    run(ours)
    return 0.0
  try:
    want = run(theirs)
  except Exception:
    say("on cpu already:")
    raise
  try:
    got = run(ours)
  except jax.errors.JaxRuntimeError as error:
    if program.may_refuse and "UNIMPLEMENTED" in str(error):
      return 0.0
    raise
  return agree.check(got, want, program)


def run_sharded(program, ours, theirs, specs):
  """Runs a program over a mesh, and compares it with itself on one device and
  on cpu. Adds to `specs` what the shardings of the results say, and those on
  cpu."""
  import jax
  import agree
  try:
    want = None if program.not_cpu else program.run(theirs)
  except Exception:
    say("on cpu already:")
    raise
  whole = jax.tree.map(agree.plain, program.run_whole(ours[0]))
  results = program.run(ours)
  got = jax.tree.map(agree.plain, results)
  try:
    worst = agree.check(got, whole, program)
  except AssertionError as error:
    raise AssertionError(f"against the whole program (as cpu): {error}"
                         ) from None
  if want is None:
    return worst
  worst = max(worst, agree.check(got, jax.tree.map(agree.plain, want), program))
  specs += [jax.tree.map(sharded_program.spec_text, tree)
            for tree in (results, want)]
  return worst


def report_specs(name, got, want):
  """Reports the comparison of shardings as a program of its own."""
  say("@start", name)
  if got == want:
    say("@pass", name, 0, 0)
  else:
    say(f"results have {got}\ncpu has {want}")
    say("@fail", name)


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("families")
  parser.add_argument("--skip", help="file with the names of programs to skip")
  parser.add_argument("--only", default="*")
  parser.add_argument("--devices", type=int, default=1)
  options = parser.parse_args()
  platforms.set_environment(options.devices)
  ours, theirs = platforms.devices(options.devices)
  older_jax.adapt()
  warnings.simplefilter("ignore")
  seen, told, skip = set(), set(), set()
  watch_lowering(seen)
  if options.skip:
    skip = set(pathlib.Path(options.skip).read_text().split("\n"))
  for program in families(options.families):
    if program.name in skip or not fnmatch.fnmatch(program.name, options.only):
      continue
    say("@start", program.name)
    start, specs = time.monotonic(), []
    try:
      worst = run_program(program, ours, theirs, specs)
    except Exception as error:  # Any exception is the program's failure.
      say(explain(error))
      say("@fail", program.name)
    else:
      say("@pass", program.name, f"{worst:.3g}",
          f"{time.monotonic() - start:.2f}")
      if specs:
        report_specs(f"{program.name}/specs", *specs)
    settle()
    if seen - told:
      say("@primitives", *sorted(seen - told))
      told |= seen
  say("@done")


if __name__ == "__main__":
  main()
