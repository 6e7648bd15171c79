"""FFI targets: passes handlers to the plugin through its C API.

jaxlib registers custom calls of platform cpu with its own runtime; a plugin has
to register its own. PJRT's FFI extension takes only the execute stage; an
extension of the plugin takes all stages.
"""

import ctypes
import logging
import os

from jax._src.lib import xla_client

from jax_plugins.tessera import _abi
from jax_plugins.tessera import _callbacks

try:
  from jax._src.lib import _jax as _extension
except ImportError:  # jaxlib before 0.6.1
  from jax._src.lib import xla_extension as _extension

_log = logging.getLogger(__name__)

# XLA's name for the platform of the host, on which the plugin runs.
_PLATFORM = "Host"


def _bytes(text):
  return text if isinstance(text, bytes) else text.encode()


class Registry:
  """The FFI handlers of one plugin. Errors of all methods: RuntimeError with
  the plugin's text, ValueError for arguments that no plugin could accept."""

  def __init__(self, c_api):
    """`c_api`: capsule of the PJRT_Api. Errors: NotImplementedError if it lacks
    the FFI extensions."""
    self._api = _abi.Api.from_address(_abi.address_of(c_api))
    self._types = _abi.find_extension(
        self._api, _abi.FFI_EXTENSION, _abi.FfiExtension)
    self._bundles = _abi.find_extension(
        self._api, _abi.BUNDLE_EXTENSION, _abi.BundleExtension)
    self._keep = []

  def _raise(self, error, what):
    _abi.raise_error(self._api, error, what)

  def _register_stages(self, name, stages, traits):
    """`stages`: a dict from stages to addresses."""
    name, platform = _bytes(name), _PLATFORM.encode()
    args = _abi.make(
        _abi.BundleArgs, name=name, name_size=len(name), platform=platform,
        platform_size=len(platform), traits=traits, **stages)
    self._raise(_abi.call(self._bundles.register_bundle, args),
                f"FFI target {name.decode()}")

  def register_function(self, name, function, traits=0):
    """Registers a Python function of (frame, api): an _abi.CallFrame and the
    plugin's _abi.FfiApi. It returns the address of an XLA_FFI_Error or None
    and must not raise."""

    def handler(address):
      frame = _abi.CallFrame.from_address(address)
      api = _abi.FfiApi.from_address(frame.api)
      if _abi.answer_metadata(frame, api):
        return None
      return function(frame, api)

    handler = _abi.Function(handler)
    self._keep.append(handler)  # The plugin keeps its address.
    address = ctypes.cast(handler, ctypes.c_void_p).value
    self._register_stages(name, {"execute": address}, traits)

  def register(self, name, function, api_version=1, traits=0):
    """Registers a capsule, or a dict from stages to capsules."""
    if api_version != 1:
      raise ValueError(
          f"FFI target {name}: this platform takes typed handlers "
          f"(api_version=1), not api_version={api_version}")
    stages = function if isinstance(function, dict) else {"execute": function}
    unknown = sorted(set(stages) - set(_abi.STAGES))
    if unknown or not stages.get("execute"):
      raise ValueError(f"FFI target {name}: needs an execute stage and may "
                       f"have {_abi.STAGES[:3]}, got {sorted(stages)}")
    self._keep.append(function)
    stages = {stage: _abi.address_of(handler)
              for stage, handler in stages.items() if handler}
    traits = int(getattr(traits, "value", traits) or 0)
    self._register_stages(name, stages, traits)

  def register_type(self, name, type_id, type_info=None):
    """Registers a type of state or user data; sets the id that the capsule
    `type_id` points to, if it is 0."""
    target = ctypes.c_int64.from_address(_abi.address_of(type_id))
    name, info = _bytes(name), _abi.TypeInfo()
    if type_info:
      given = _abi.FfiTypeInfo.from_address(_abi.address_of(type_info))
      info.deleter = given.deleter
    self._keep.append(info)
    args = _abi.make(
        _abi.TypeArgs, name=name, name_size=len(name), type_id=target.value,
        type_info=ctypes.addressof(info))
    self._raise(_abi.call(self._types.type_register, args),
                f"FFI type {name.decode()}")
    target.value = args.type_id


def _type_hook():
  """jaxlib's function that sets the handler which registers types of a
  platform, or None; its name and the handler's arguments differ by version."""
  for name in ("register_custom_type_handler",
               "register_custom_type_id_handler"):
    if hasattr(xla_client, name):
      return getattr(xla_client, name)
  return None


def _register_type(registry, name, registration):
  if isinstance(registration, dict):
    registry.register_type(name, registration["type_id"],
                           registration.get("type_info"))
  else:
    registry.register_type(name, registration)


class _Mirror:
  """Registers with the plugin what Python registers for platform cpu, now and
  later. The plugin keeps its own version of a target that it has already.
  Targets that jaxlib registers in C++ call jaxlib's own runtime and are not
  mirrored."""

  def __init__(self, registry):
    self._registry = registry
    self._seen = set()
    self._own_lapack = not os.environ.get("TESSERA_JAXLIB_LAPACK")

  def target(self, name, function, api_version=1, traits=0):
    text = _bytes(name).decode()
    if api_version != 1 or text in self._seen:
      return
    if self._own_lapack and text.startswith("lapack_"):
      return
    self._seen.add(text)
    try:
      self._registry.register(text, function, api_version, traits)
    except (RuntimeError, ValueError) as error:
      _log.debug("not mirrored from platform cpu: %s", error)

  def type(self, name, registration):
    try:
      _register_type(self._registry, name, registration)
    except RuntimeError as error:
      _log.debug("not mirrored from platform cpu: %s", error)


def _mirror_cpu(registry):
  """Adds a _Mirror to the registration of cpu's targets and types."""
  mirror = _Mirror(registry)
  handlers = xla_client._custom_callback_handler
  original = handlers.get(_PLATFORM, _extension.register_custom_call_target)

  def target(name, function, platform, api_version=0, traits=0):
    original(name, function, platform, api_version, traits)
    mirror.target(name, function, api_version, traits)

  # Before the first client of platform cpu there is no handler, only a queue,
  # which setting a handler flushes.
  if _PLATFORM in handlers:
    handlers[_PLATFORM] = target
  else:
    xla_client.register_custom_call_handler("cpu", target)
  types = getattr(xla_client, "_custom_type_handler", None)
  if types is None:
    types = getattr(xla_client, "_custom_type_id_handler", {})
  original_type = types.get(_PLATFORM) or getattr(
      _extension, "register_custom_type", None) or getattr(
          _extension, "register_custom_type_id", None)
  if original_type is None:
    return

  def add_type(name, registration):
    original_type(name, registration)
    mirror.type(name, registration)

  if _PLATFORM in types:
    types[_PLATFORM] = add_type
  elif _type_hook():
    _type_hook()("cpu", add_type)


def install(platform, c_api):
  """Connects jax.ffi with the plugin, and gives the plugin cpu's targets."""
  registry = Registry(c_api)
  _callbacks.register(registry)

  def target(name, function, platform_name, api_version=0, traits=0):
    del platform_name
    registry.register(name, function, api_version, traits)

  xla_client.register_custom_call_handler(platform, target)
  if _type_hook():
    _type_hook()(platform, lambda *args: _register_type(registry, *args))
  _mirror_cpu(registry)
