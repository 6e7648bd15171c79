"""The plugin's compilation cache, and JAX's persistent one, which has a fixed
list of platforms."""

import types

from jax._src import compilation_cache

from jax_plugins.tessera import _abi


def statistics(c_api):
  """The counters of the plugin's cache by name. `c_api`: capsule of the
  PJRT_Api."""
  api = _abi.Api.from_address(_abi.address_of(c_api))
  extension = _abi.find_extension(
      api, _abi.CACHE_EXTENSION, _abi.CacheExtension)
  args = _abi.make(_abi.CacheArgs)
  _abi.raise_error(api, _abi.call(extension.statistics, args),
                   "compilation cache")
  return {name: getattr(args, name) for name in _abi.CACHE_COUNTERS}


def install(platform):
  """Lets executables of `platform` use the cache if the user enabled it."""
  original = compilation_cache.is_cache_used
  # The attribute that the check reads, as a listed platform has it.
  listed = types.SimpleNamespace(
      platform="cpu", supports_executable_serialization=True)

  def is_cache_used(backend):
    return original(listed if backend.platform == platform else backend)

  compilation_cache.is_cache_used = is_cache_used
