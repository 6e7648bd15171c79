"""DLPack for arrays of platform tessera, which are in host memory."""

import numpy as np

import jax
from jax._src import array

_CPU = (1, 0)  # kDLCPU and the device's number


class _Memory:
  """The memory of a jax.Array as numpy sees it; numpy keeps the array alive."""

  def __init__(self, x):
    self._x = x
    pointer = x.addressable_data(0).unsafe_buffer_pointer()
    self.__array_interface__ = {
        "version": 3, "shape": x.shape, "typestr": x.dtype.str,
        # DLPack before 1.0 cannot say read-only; JAX does the same on cpu.
        "data": (pointer, False)}


def _numpy_can(dtype):
  return dtype.kind in "biufc" and dtype.isbuiltin == 1


def _export(x, stream, max_version, dl_device, copy):
  """Makes a DLPack capsule of `x`. Errors: BufferError if that is not
  possible."""
  if stream is not None:
    raise BufferError(f"Tessera: there are no streams, got stream={stream!r}")
  if dl_device is not None and tuple(map(int, dl_device)) != _CPU:
    raise BufferError(f"Tessera: no DLPack on device {dl_device}")
  x = jax.block_until_ready(x)
  if x.size and not copy and _numpy_can(x.dtype):
    return np.asarray(_Memory(x)).__dlpack__()
  if copy is False:
    raise BufferError(f"Tessera: {x.dtype} is exported by copying only")
  moved = jax.device_put(x, jax.local_devices(backend="cpu")[0])
  return moved.__dlpack__(max_version=max_version)


def install(platform):
  """Adds __dlpack__ and __dlpack_device__ to arrays of `platform`."""
  kind = array.ArrayImpl
  old_export, old_device = kind.__dlpack__, kind.__dlpack_device__

  def is_ours(x):
    devices = x.devices()
    return (len(devices) == 1
            and next(iter(devices)).platform == platform)

  def __dlpack__(self, *, stream=None, max_version=None, dl_device=None,
                 copy=None):
    if is_ours(self):
      return _export(self, stream, max_version, dl_device, copy)
    return old_export(self, stream=stream, max_version=max_version,
                      dl_device=dl_device, copy=copy)

  def __dlpack_device__(self):
    return _CPU if is_ours(self) else old_device(self)

  kind.__dlpack__ = __dlpack__
  kind.__dlpack_device__ = __dlpack_device__
