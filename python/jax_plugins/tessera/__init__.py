"""JAX on Tessera: registers the PJRT plugin as JAX's platform `tessera`.

JAX finds this module by its namespace and calls `initialize()` before it
lists its backends. Users need none of it, but may choose options first:

    from jax_plugins import tessera
    tessera.configure(num_devices=4)

or let it serve as JAX's platform cpu, under that name:

    tessera.stand_in_for_cpu()

The environment does the same (see `OPTIONS`, and TESSERA_AS_CPU=1). The other
modules of this folder teach JAX about the platform; docs/jax.md has the
details.
"""

import importlib.metadata
import logging
import os
import pathlib

from jax_plugins.tessera import _options, _stand_in

NAME = "tessera"
OPTIONS = _options.ENVIRONMENT
configure = _options.configure
# The name of jaxlib's own cpu platform while Tessera stands in for it:
# jax.devices(tessera.BUILT_IN_CPU).
BUILT_IN_CPU = _stand_in.BUILT_IN
is_tessera = _stand_in.is_tessera

# The platform's priority: above cpu (0), below the accelerators (200 and more).
_PRIORITY = 50
_LIBRARY = "libpjrt_tessera.so"

_log = logging.getLogger(__name__)
_problems = {}
_registered = False
_c_api = None  # Capsule of the plugin's PJRT_Api, once JAX has loaded it.


def _version():
  try:
    return importlib.metadata.version("jax-tessera")
  except importlib.metadata.PackageNotFoundError:
    return "0+source"


__version__ = _version()


def library_path():
  """Path of the plugin's shared object.

  TESSERA_LIBRARY_PATH in the environment overrides it. Errors:
  FileNotFoundError if there is none.
  """
  given = os.environ.get("TESSERA_LIBRARY_PATH")
  path = pathlib.Path(given or pathlib.Path(__file__).with_name(_LIBRARY))
  if not path.is_file():
    raise FileNotFoundError(
        f"no Tessera plugin at {path}: install the wheel that `./dev wheel` "
        "makes, or set TESSERA_LIBRARY_PATH to a built libpjrt_tessera.so")
  return str(path)


def problems():
  """The features that this version of JAX did not let the package set up: a
  dict from the feature to the reason, empty if everything works."""
  return dict(_problems)


def _require_plugin(so):
  if _c_api is None:
    raise RuntimeError(f"Tessera: JAX has not loaded the plugin yet, {so}; call "
                       "jax.devices() first")


def compilation_cache_statistics():
  """What the plugin's compilation cache did in this process, a dict of numbers:
  hits, misses, stores, evictions, uncached, errors (docs/compilation-cache.md).
  All are 0 if there is no cache.

  Errors: RuntimeError before JAX has loaded the plugin.
  """
  _require_plugin("and so nothing was compiled")
  from jax_plugins.tessera import _cache
  return _cache.statistics(_c_api)


def cancel():
  """Ends all programs and compilations of the plugin in this process, from any
  thread: they fail with a JaxRuntimeError that says CANCELLED, at the latest
  when the kernel that runs has ended.

  Errors: RuntimeError before JAX has loaded the plugin.
  """
  _require_plugin("and so nothing runs")
  from jax_plugins.tessera import _interrupts
  _interrupts.cancel(_c_api)


def interruptible():
  """Makes Ctrl-C (SIGINT) end the plugin's programs before Python's handler of
  the signal runs. The package does this itself when JAX loads the plugin, if
  Ctrl-C raises KeyboardInterrupt then and TESSERA_INTERRUPTS is not 0; call this
  after signal.signal(), which takes the plugin's handler away.

  Errors: RuntimeError before JAX has loaded the plugin, or if SIGINT has no
  handler.
  """
  _require_plugin("and there is nothing to interrupt")
  from jax_plugins.tessera import _interrupts
  _interrupts.arm(_c_api)


def stand_in_for_cpu():
  """Makes the plugin serve as JAX's platform `cpu`, in place of jaxlib's, which
  becomes the platform BUILT_IN_CPU. TESSERA_AS_CPU=1 does the same.

  Errors: RuntimeError once JAX has looked for its plugins.
  """
  if _registered and not _stand_in.wanted():
    raise RuntimeError(
        "Tessera: stand_in_for_cpu() comes too late, JAX has looked for its "
        "plugins; call it before the first use of jax.devices(), jax.numpy or "
        "jax.jit, or set TESSERA_AS_CPU=1")
  _stand_in.ask()


def _install(c_api, platform):
  """Teaches JAX about the platform. Each step is independent: JAX's internals
  differ between versions, and a missing one only costs its feature."""
  # Imported here because they import JAX's internals.
  from jax_plugins.tessera import (
      _arrays, _cache, _callbacks, _ffi, _interrupts, _lowering, _sparse)
  steps = {
      "FFI targets": lambda: _ffi.install(NAME, c_api),
      "host callbacks": lambda: _callbacks.install(platform),
      "interrupts": lambda: _interrupts.install(c_api),
  }
  if platform == NAME:  # JAX does this for cpu by itself.
    steps |= {
        "lowering rules": lambda: _lowering.install(NAME),
        "buffer donation": lambda: _lowering.install_donation(NAME),
        "platform_dependent": lambda: _lowering.install_branches(NAME),
        "sparse products": lambda: _sparse.install(NAME),
        "DLPack": lambda: _arrays.install(NAME),
        "compilation cache": lambda: _cache.install(NAME),
    }
  for feature, step in steps.items():
    try:
      step()
    except Exception as error:  # pylint: disable=broad-except
      _problems[feature] = f"{type(error).__name__}: {error}"
      _log.warning("Tessera: %s will not work with this version of JAX (%s)",
                   feature, _problems[feature])


def initialize():
  """Registers the platform with JAX, which calls this function once."""
  global _registered, _c_api
  from jax._src import xla_bridge
  as_cpu = _stand_in.wanted()
  if NAME in getattr(xla_bridge, "_backend_factories", ()):
    return  # Registered already, e.g. by PJRT_NAMES_AND_LIBRARY_PATHS.
  known = getattr(xla_bridge, "_nonexperimental_plugins", None)
  if known is not None:
    known.add(NAME)  # Otherwise JAX warns at each start.
  _c_api = xla_bridge.register_plugin(
      NAME, priority=_PRIORITY, library_path=library_path(),
      options=_stand_in.Options() if as_cpu else _options.Options())
  _registered = True
  if as_cpu:
    _stand_in.install(NAME, xla_bridge)
  _install(_c_api, "cpu" if as_cpu else NAME)
