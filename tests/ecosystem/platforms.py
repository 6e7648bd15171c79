"""Platforms tessera and cpu in one process, as users have them: both with their
default options, and tessera as JAX's default platform."""

import importlib.util
import os
import pathlib
import sys

# Last in the path: tests/jax is not the package jax.
sys.path.append(str(pathlib.Path(__file__).parents[1]))
import harness

SRC = pathlib.Path(os.environ.get("TESSERA_SRC",
                                  pathlib.Path(__file__).parents[2]))
BUILD = pathlib.Path(os.environ.get("TESSERA_BUILD", SRC / "build"))

# The libraries, in the order of the table, and the environment variables that
# each needs. Those with TESSERA_AS_CPU require a platform named cpu.
LIBRARIES = {
    "optax": {}, "flax_linen": {}, "flax_nnx": {}, "haiku": {}, "equinox": {},
    "keras": {"KERAS_BACKEND": "jax"}, "jraph": {}, "e3nn_jax": {},
    "lineax": {}, "optimistix": {}, "jaxopt": {}, "diffrax": {},
    "diffrax_adjoints": {},
    "numpyro": {}, "blackjax": {}, "distrax": {}, "tfp": {},
    "tinygp": {"JAX_ENABLE_X64": "1"}, "gpjax": {"JAX_ENABLE_X64": "1"},
    "netket": {"JAX_ENABLE_X64": "1"}, "jax_md": {"JAX_ENABLE_X64": "1"},
    "gymnax": {}, "pgx": {}, "evosax": {}, "mjx": {},
    "brax": {"TESSERA_AS_CPU": "1"}, "orbax": {},
}


def plugin():
  """The path of the plugin: TESSERA_LIBRARY_PATH, or the plugin of the build
  folder; None if there is none."""
  given = os.environ.get("TESSERA_LIBRARY_PATH")
  built = BUILD / "lib" / "libpjrt_tessera.so"
  return given or (str(built) if built.exists() else None)


def missing():
  """The reason why nothing can run here; empty if it can."""
  for package in ("jax", "jaxlib"):
    if importlib.util.find_spec(package) is None:
      return f"no {package} here"
  if harness.sanitized():
    return f"Python cannot load the sanitizers' plugin of {BUILD.name}"
  return "" if plugin() else f"no libpjrt_tessera.so in {BUILD.name}"


def lacking(library):
  """What the package jax-tessera lacks for `library`; empty if nothing."""
  stand_in = SRC / "python" / "jax_plugins" / "tessera" / "_stand_in.py"
  if "TESSERA_AS_CPU" in LIBRARIES[library] and not stand_in.exists():
    return "it asks for a platform named cpu, which needs stand_in_for_cpu"
  return ""


def set_environment(library):
  """Call before JAX is imported: selects both platforms, and sets what
  `library` needs."""
  os.environ.update(LIBRARIES[library],
                    JAX_ENABLE_COMPILATION_CACHE="false",
                    TESSERA_LIBRARY_PATH=plugin())
  os.environ["JAX_PLATFORMS"] = (
      "cpu" if "TESSERA_AS_CPU" in os.environ else "tessera,cpu")
  os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
  sys.path.insert(1, str(SRC / "python"))


def devices():
  """(device of tessera, device of cpu)."""
  import jax
  names = (("cpu", "xla_cpu") if "TESSERA_AS_CPU" in os.environ
           else ("tessera", "cpu"))
  return tuple(jax.devices(name)[0] for name in names)
