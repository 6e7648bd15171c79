"""Two platforms in one process: cpu and the one under test.

The latter is `tessera`, with the package in python/ and the plugin of the build
folder, or with an installed wheel. TESSERA_JAX_PLUGIN names another PJRT
plugin, TESSERA_JAX_PLATFORM another platform.
"""

import importlib.metadata
import importlib.util
import os
import pathlib
import sys

# Last in the path: tests/jax is not the package jax.
sys.path.append(str(pathlib.Path(__file__).parents[1]))
import harness

NAME = os.environ.get("TESSERA_JAX_PLATFORM", "tessera")
SRC = pathlib.Path(os.environ.get("TESSERA_SRC",
                                  pathlib.Path(__file__).parents[2]))
BUILD = pathlib.Path(os.environ.get("TESSERA_BUILD", SRC / "build"))


def built_plugin():
  """The newest libpjrt_tessera.so of the build folder, or None."""
  found = sorted(BUILD.rglob("libpjrt_tessera.so"),
                 key=lambda path: path.stat().st_mtime)
  return found[-1] if found else None


def installed():
  """True if the wheel is installed."""
  try:
    return importlib.util.find_spec("jax_plugins.tessera") is not None
  except ImportError:
    return False


def missing():
  """The reason why the suite cannot run here; empty if it can."""
  for package in ("jaxlib", "jax", "numpy", "ml_dtypes"):
    if importlib.util.find_spec(package) is None:
      return f"no {package} here"
  if NAME == "cpu" or os.environ.get("TESSERA_JAX_PLUGIN"):
    return ""
  if os.environ.get("TESSERA_LIBRARY_PATH"):
    return ""
  if harness.sanitized():
    return f"Python cannot load the sanitizers' plugin of {BUILD.name}"
  if built_plugin() or installed():
    return ""
  return f"no libpjrt_tessera.so in {BUILD.name}"


def set_environment(devices=1):
  """Call before jax is imported: selects both platforms, with cpu second."""
  os.environ["JAX_PLATFORMS"] = ",".join(dict.fromkeys([NAME, "cpu"]))
  os.environ["JAX_ENABLE_X64"] = "1"
  os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "false"
  os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
  # With these flags platform cpu compiles three times as fast, which is most of
  # the time.
  flags = [f"--xla_force_host_platform_device_count={devices}",
           "--xla_backend_optimization_level=0",
           "--xla_llvm_disable_expensive_passes=true"]
  if (importlib.metadata.version("jaxlib").startswith("0.10.")
      and not os.environ.get("TESSERA_JAX_PLUGIN")):
    # A flag that a version of XLA does not know ends the process.
    flags.append("--xla_cpu_use_fusion_emitters=false")
  os.environ["XLA_FLAGS"] = " ".join(
      flags + os.environ.get("XLA_FLAGS", "").split())
  os.environ["TESSERA_NUM_DEVICES"] = str(devices)
  if NAME == "tessera" and not os.environ.get("TESSERA_JAX_PLUGIN"):
    plugin = built_plugin()
    if plugin:  # Takes precedence over an installed wheel.
      os.environ.setdefault("TESSERA_LIBRARY_PATH", str(plugin))
      sys.path.insert(1, str(SRC / "python"))


def optimize():
  """Makes the platform under test optimize, whatever XLA_FLAGS say for cpu."""
  from jax._src import compiler
  original = compiler.get_compile_options

  def get_compile_options(*arguments, backend=None, **options):
    made = original(*arguments, backend=backend, **options)
    if backend is not None and backend.platform == NAME != "cpu":
      build = made.executable_build_options
      build.debug_options.xla_backend_optimization_level = 3
    return made

  compiler.get_compile_options = get_compile_options


def devices(count=1):
  """Returns (devices under test, devices of cpu), `count` of each."""
  import jax
  from jax._src import xla_bridge
  plugin = os.environ.get("TESSERA_JAX_PLUGIN")
  if plugin:
    xla_bridge.register_plugin(
        NAME, library_path=os.path.abspath(plugin),
        options={"num_devices": count} if count > 1 else None)
  optimize()
  ours, theirs = jax.devices(NAME), jax.devices("cpu")
  if min(len(ours), len(theirs)) < count:
    raise RuntimeError(f"{len(ours)} devices of {NAME} and {len(theirs)} of "
                       f"cpu, {count} wanted")
  return ours[:count], theirs[:count]
