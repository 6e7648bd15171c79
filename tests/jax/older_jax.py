"""Lets the programs run on versions of JAX that lack some of the names that
they use: names from another module are added; the others fail when they are
called."""

import functools
import importlib
import importlib.metadata
import json
import pathlib

LISTED = json.loads(
    (pathlib.Path(__file__).parent / "primitives.json").read_text())["jax"]


def is_older():
  """True if this JAX is older than the version of the lists."""
  def numbers(version):
    return [int(part) for part in version.split(".")[:3] if part.isdigit()]
  return numbers(importlib.metadata.version("jax")) < numbers(LISTED)


def _call_missing(module, name):
  """Replaces a name that this version does not have."""
  if name.startswith("__"):
    raise AttributeError(name)
  def missing(*_, **__):
    raise AttributeError(f"{module} has no {name} in this version")
  return missing


def _shard_map(body, *, check_vma=True, **options):
  from jax.experimental.shard_map import shard_map
  return shard_map(body, check_rep=check_vma, **options)


def adapt():
  """Adds the names to an older JAX; leaves a newer one unchanged."""
  if not is_older():
    return
  import jax
  if not hasattr(jax, "shard_map"):
    jax.shard_map = _shard_map
  for module in ("jax.lax", "jax.nn", "jax.numpy", "jax.scipy.stats",
                 "jax.scipy.linalg", "jax.scipy.special"):
    importlib.import_module(module).__getattr__ = functools.partial(
        _call_missing, module)
