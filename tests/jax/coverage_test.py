"""Tests that the programs cover JAX: each primitive that JAX can lower must be
in a list of primitives.json, each function of jax.numpy in a program."""

import importlib
import json
import pathlib
import re
import sys

import platforms

FOLDER = pathlib.Path(__file__).parent
LISTS = json.loads((FOLDER / "primitives.json").read_text())


def right_version():
  """Skips if the lists are for another version of JAX."""
  import harness
  import jax
  if jax.__version__ != LISTS["jax"]:
    raise harness.Skip(f"the lists are of jax {LISTS['jax']}, this is "
                       f"{jax.__version__}")


def test_lists_are_complete():
  """The tests of the programs check what each family lowers."""
  right_version()
  from jax._src.interpreters import mlir
  importlib.import_module("jax.experimental.sparse")
  importlib.import_module("jax.experimental.checkify")
  known = {p.name for p in mlir._lowerings} | {
      p.name for p in mlir._platform_specific_lowerings["cpu"]}
  covered = {name for names in LISTS["families"].values()
             for name in names.split()}
  new = sorted(known - covered - set(LISTS["left_out"]))
  assert not new, f"in no list: {new}"
  both = sorted(covered & set(LISTS["left_out"]))
  assert not both, f"in two lists: {both}"


def test_numpy_functions():
  """Each function of jax.numpy is named by some program."""
  right_version()
  import jax.numpy as jnp
  text = "\n".join(path.read_text()
                   for path in (FOLDER / "programs").glob("*.py"))
  words = set(re.findall(r"\w+", text))
  functions = {name for name in dir(jnp) if not name.startswith("_")
               and callable(getattr(jnp, name))
               and not isinstance(getattr(jnp, name), type)}
  missing = sorted(functions - words - set(LISTS["numpy_left_out"]))
  assert not missing, f"in no program: {missing}"


def test_size_and_names():
  """There must be at least 700 programs with different names; each difference
  must name one."""
  names = [program.name for path in (FOLDER / "programs").glob("[a-z]*.py")
           for program in importlib.import_module(
               f"programs.{path.stem}").FAMILY.programs]
  assert len(names) >= 700, len(names)
  assert len(names) == len(set(names))
  differs = json.loads((FOLDER / "differs.json").read_text())
  assert set(differs) <= set(names), sorted(set(differs) - set(names))


if __name__ == "__main__":
  sys.path.insert(0, str(FOLDER.parent))
  import harness
  WHY = platforms.missing()
  if WHY:
    print(f"SKIP coverage: {WHY}")
    sys.exit(0)
  platforms.NAME = "cpu"
  platforms.set_environment()
  harness.main({name: value for name, value in globals().items()
                if name.startswith("test_")})
