"""JAX's persistent compilation cache, which has a fixed list of platforms."""

import types

from jax._src import compilation_cache


def install(platform):
  """Lets executables of `platform` use the cache if the user enabled it."""
  original = compilation_cache.is_cache_used
  # The attribute that the check reads, as a listed platform has it.
  listed = types.SimpleNamespace(
      platform="cpu", supports_executable_serialization=True)

  def is_cache_used(backend):
    return original(listed if backend.platform == platform else backend)

  compilation_cache.is_cache_used = is_cache_used
