"""Tessera as JAX's platform `cpu`, for code that asks for that name.

The client is made under the name `cpu` and takes the place of jaxlib's own in
JAX's table of backends, so that rules, FFI targets and lists of platforms for
cpu apply to it unchanged. jaxlib's client remains available as `BUILT_IN`; it
is made on first use.
"""

import dataclasses
import os
import re

from jax_plugins.tessera import _options

VARIABLE = "TESSERA_AS_CPU"
BUILT_IN = "xla_cpu"

_YES, _NO = {"1", "true", "yes", "on"}, {"", "0", "false", "no", "off"}
_DEVICE_COUNT = re.compile(r"--xla_force_host_platform_device_count=(\d+)")

_asked = False


def wanted():
  """True if the plugin is to serve as platform cpu. Errors: ValueError for a
  value of the variable that is neither yes nor no."""
  value = os.environ.get(VARIABLE, "").strip().lower()
  if value not in _YES | _NO:
    raise ValueError(f"Tessera: {VARIABLE} must be 1 or 0, not {value!r}")
  return _asked or value in _YES


def ask():
  global _asked
  _asked = True


def is_tessera(client):
  """True if a client of JAX is the plugin's, whatever its platform is
  called."""
  return "tessera " in client.platform_version


class Options(_options.Options):
  """The plugin's options, and, where these are unset, what JAX and XLA_FLAGS
  set for platform cpu."""

  def _all(self):
    from jax._src import xla_bridge
    options = {"platform_name": "cpu"}
    count = getattr(xla_bridge, "num_cpu_devices", None)
    if count is not None and count.value >= 1:
      options["num_devices"] = count.value
    elif found := _DEVICE_COUNT.findall(os.environ.get("XLA_FLAGS", "")):
      options["num_devices"] = int(found[-1])
    dispatch = getattr(xla_bridge, "_CPU_ENABLE_ASYNC_DISPATCH", None)
    if dispatch is not None and not dispatch.value:
      options["asynchronous"] = False
    options.update(_options.current())
    return options

  def __getitem__(self, name):
    return self._all()[name]

  def __iter__(self):
    return iter(self._all())

  def __len__(self):
    return len(self._all())


def _listed(name):
  """The platforms that the user chose, each once, with `name` replaced by
  cpu."""
  from jax._src import config
  chosen = (config.jax_platforms.value or "").split(",")
  chosen = [part.strip() for part in chosen if part.strip()]
  renamed = ["cpu" if part == name else part for part in chosen]
  if chosen != (unique := list(dict.fromkeys(renamed))):
    config.config.update("jax_platforms", ",".join(unique))
  return unique


def _make_on_demand(xla_bridge, registration):
  """Registers the platform BUILT_IN, whose client JAX makes on first use."""
  original = xla_bridge._get_backend_uncached

  def get_backend(platform=None):
    if platform == BUILT_IN:
      clients = xla_bridge.backends()
      with xla_bridge._backend_lock:
        if BUILT_IN not in clients:
          clients[BUILT_IN] = registration.factory()
        return clients[BUILT_IN]
    return original(platform)

  xla_bridge._get_backend_uncached = get_backend


def install(name, xla_bridge):
  """Moves the platform `name`, which has just been registered, to the place of
  cpu. Errors: AttributeError, KeyError if JAX's tables have changed."""
  factories = xla_bridge._backend_factories
  built_in, ours = factories["cpu"], factories.pop(name)
  factories["cpu"] = dataclasses.replace(
      ours, priority=built_in.priority, fail_quietly=built_in.fail_quietly)
  topologies = getattr(xla_bridge, "_topology_factories", {})
  if name in topologies:
    topologies["cpu"] = topologies.pop(name)
  # The name tessera refers to the same devices.
  xla_bridge._alias_to_platforms.setdefault(name, ["cpu"])
  if BUILT_IN in _listed(name):
    factories[BUILT_IN] = built_in
  else:
    _make_on_demand(xla_bridge, built_in)
