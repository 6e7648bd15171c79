"""JAX's persistent compilation cache, which has a fixed list of platforms."""

import types

from jax._src import compilation_cache


def install(platform):
  """Lets executables of `platform` into the cache that the user turned on."""
  original = compilation_cache.is_cache_used
  # What the check looks at, as a platform of the list has it.
  listed = types.SimpleNamespace(
      platform="cpu", supports_executable_serialization=True)

  def is_cache_used(backend):
    return original(listed if backend.platform == platform else backend)

  compilation_cache.is_cache_used = is_cache_used
