"""Options of the client, from `configure` and from the environment."""

import collections.abc
import os

# Maps the name of an option to (variable in the environment, description).
ENVIRONMENT = {
    "num_devices": (
        "TESSERA_NUM_DEVICES", "devices that the one host shows (1)"),
    "num_threads": (
        "TESSERA_NUM_THREADS", "threads of all devices together (the cores)"),
    "cache_dir": (
        "TESSERA_CACHE_DIR", "folder in which compiled programs are kept "
        "(none)"),
    "cache_max_bytes": (
        "TESSERA_CACHE_MAX_BYTES", "bound of the files in it (1 GiB)"),
    "engine": (
        "TESSERA_ENGINE", "what connects the processes of a job (gloo)"),
    "listen_address": (
        "TESSERA_LISTEN_ADDRESS",
        "address at which a job's other processes reach this one (127.0.0.1)"),
    "secret_file": (
        "TESSERA_SECRET_FILE",
        "file with a secret that the processes of a job prove to know (none)"),
    "connect_timeout_seconds": (
        "TESSERA_CONNECT_TIMEOUT_SECONDS",
        "how long a process waits for all others at the start (300)"),
    "collective_timeout_seconds": (
        "TESSERA_COLLECTIVE_TIMEOUT_SECONDS",
        "how long a collective waits for other processes (600)"),
}
_TEXTS = ("cache_dir", "engine", "listen_address", "secret_file")

_configured = {}


def _checked(name, value):
  """`value` as an int of at least 1, or unchanged for options that are texts.
  Errors: ValueError, naming the option."""
  if name in _TEXTS or name in [ENVIRONMENT[text][0] for text in _TEXTS]:
    return str(value)
  try:
    number = int(value)
  except (TypeError, ValueError):
    number = 0
  if number < 1 or isinstance(value, (bool, float)):
    raise ValueError(f"Tessera: {name} must be an integer of 1 or more, "
                     f"not {value!r}")
  return number


def _backends_exist():
  from jax._src import xla_bridge
  exist = getattr(xla_bridge, "backends_are_initialized", None)
  return bool(exist and exist())


def configure(*, num_devices=None, num_threads=None, cache_dir=None,
              cache_max_bytes=None, **more):
  """Sets options of the client that JAX will make; None leaves an option
  unchanged. They override the environment. An empty cache_dir means that
  compiled programs are not kept. Options in `more` are passed to the plugin
  unchanged.

  Errors: ValueError for a value out of range; RuntimeError once JAX has
  listed its devices, since the client exists then.
  """
  given = {"num_devices": num_devices, "num_threads": num_threads,
           "cache_dir": cache_dir, "cache_max_bytes": cache_max_bytes}
  given = {name: _checked(name, value)
           for name, value in given.items() if value is not None}
  if _backends_exist():
    raise RuntimeError(
        "Tessera: configure() comes too late, JAX has made its backends; call "
        "it before the first use of jax.devices(), jax.numpy or jax.jit")
  _configured.update(given, **more)


def current():
  """The options that would be passed to the plugin now."""
  options = {}
  for name, (variable, _) in ENVIRONMENT.items():
    if os.environ.get(variable):
      options[name] = _checked(variable, os.environ[variable])
  options.update(_configured)
  return options


class Options(collections.abc.Mapping):
  """Reads the options when JAX makes the client, not when the platform is
  registered: `configure` may be called in between."""

  def __getitem__(self, name):
    return current()[name]

  def __iter__(self):
    return iter(current())

  def __len__(self):
    return len(current())
