"""JAX on platform tessera, for tests: finds the plugin of the build folder, and
starts child processes for settings that are made once per process."""

import functools
import importlib.util
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

PACKAGE = harness.SRC / "python"


@functools.cache
def plugin():
  """Returns the path of the plugin. Errors: harness.Skip if there is none that
  a Python process could load."""
  given = os.environ.get("TESSERA_LIBRARY_PATH")
  if given:
    return given
  build = harness.BUILD
  if harness.sanitized():
    raise harness.Skip("Python does not load a sanitized plugin")
  for folder in (build / "lib", build / "bin", build):
    if (folder / "libpjrt_tessera.so").exists():
      return str(folder / "libpjrt_tessera.so")
  raise harness.Skip(f"no libpjrt_tessera.so in {build}")


def environment(**more):
  """Environment variables that make JAX find the package and the plugin."""
  path = os.pathsep.join([str(PACKAGE), str(harness.SRC / "tests"),
                          os.environ.get("PYTHONPATH", "")])
  return dict(os.environ, TESSERA_LIBRARY_PATH=plugin(), PYTHONPATH=path,
              JAX_PLATFORMS="tessera,cpu", **more)


@functools.cache
def jax():
  """The jax module, with tessera as the default platform and 64-bit types."""
  # JAX reads the environment when it is imported.
  os.environ.update(environment())
  sys.path.insert(0, str(PACKAGE))
  module = harness.require("jax")
  module.config.update("jax_enable_x64", True)
  harness.equal(module.default_backend(), "tessera")
  return module


def child(code, status=0, **more):
  """Runs `code` in a Python process and returns both output streams."""
  if not importlib.util.find_spec("jax"):
    raise harness.Skip("no jax here")
  done = subprocess.run([sys.executable, "-c", code], text=True, check=False,
                        env=environment(**more), timeout=300,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
  if done.returncode != status:
    raise AssertionError(f"exit status {done.returncode}, expected {status}\n"
                         f"{done.stdout}")
  return done.stdout


def holds(text, part):
  """Fails unless `part` is in `text`."""
  if part not in text:
    raise AssertionError(f"{part!r} is not in\n{text}")


def on_cpu(function):
  """Returns function(), with arrays of JAX's own platform cpu."""
  with jax().default_device(jax().devices("cpu")[0]):
    return function()
