"""Host callbacks: pure_callback, io_callback, debug.print, checkify, ...

JAX lowers them only for the platforms that it knows by name, and jaxlib passes
Python functions only to those. So this module lowers them as for cpu, then
replaces the custom call's target by its own: an FFI handler written in Python,
which finds the function by a number. The arrays passed to a callback are on a
device of platform cpu.
"""

import contextlib
import ctypes
import itertools
import math
import sys
import traceback
import weakref

import ml_dtypes
import numpy as np

from jax._src import callback
from jax._src import mesh
from jax._src import sharding_impls
from jax._src import xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

from jax_plugins.tessera import _abi
from jax_plugins.tessera import _stand_in

_TARGET = "tessera_python_callback"
# The same, called on each device with its part: the partitioner knows the name.
_PARTITIONED_TARGET = "tessera_partitioned_python_callback"
# Programs with callbacks finish before the call returns, as on platform cpu.
_RUNS_ON_CALLER = 1 << 31
_TOKEN = 17

# numpy types by XLA_FFI_DataType.
_DTYPES = {
    1: np.bool_, 2: np.int8, 3: np.int16, 4: np.int32, 5: np.int64,
    6: np.uint8, 7: np.uint16, 8: np.uint32, 9: np.uint64, 10: np.float16,
    11: np.float32, 12: np.float64, 15: np.complex64, 18: np.complex128,
}
_SMALL_TYPES = {
    16: "bfloat16", 19: "float8_e5m2", 20: "float8_e4m3fn",
    23: "float8_e4m3b11fnuz", 24: "float8_e5m2fnuz", 25: "float8_e4m3fnuz",
    28: "float8_e4m3", 29: "float8_e3m4", 33: "float8_e8m0fnu",
    21: "int4", 22: "uint4", 26: "int2", 27: "uint2", 30: "int1", 31: "uint1",
    32: "float4_e2m1fn",
}
_DTYPES.update({code: getattr(ml_dtypes, name)
                for code, name in _SMALL_TYPES.items()
                if hasattr(ml_dtypes, name)})
_DTYPES = {code: np.dtype(kind) for code, kind in _DTYPES.items()}

# The number of bits of types that are packed into bytes, the first element in
# the lowest bits. numpy keeps each element in the low bits of a byte of its
# own.
_NARROW_BITS = {21: 4, 22: 4, 26: 2, 27: 2, 30: 1, 31: 1, 32: 4}

# Python functions by their number in programs. Executables hold references, and
# jaxlib keeps them alive while a program that may call them runs.
_functions = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def _dtype(buffer):
  dtype = _DTYPES.get(buffer.dtype)
  if dtype is None:
    raise TypeError("host callbacks do not know XLA_FFI_DataType "
                    f"{buffer.dtype} with this version of ml_dtypes")
  return dtype


def _view(buffer):
  """A flat array over the memory of an _abi.Buffer; an array of bytes if a byte
  holds several elements."""
  dtype, count = _dtype(buffer), math.prod(buffer.dims[:buffer.rank])
  if buffer.dtype in _NARROW_BITS:
    dtype = np.dtype(np.uint8)
    count = -(-count * _NARROW_BITS[buffer.dtype] // 8)
  if not count:
    return np.empty(0, dtype)
  memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(buffer.data)
  return np.frombuffer(memory, dtype)


def _buffers(buffers):
  return [buffers.values[i].contents for i in range(buffers.size)]


def _load(buffer):
  """Copies the buffer's array; returns None for a token. A copy, since
  functions may keep their arguments and programs reuse their memory."""
  if buffer.dtype == _TOKEN:
    return None
  shape, view = tuple(buffer.dims[:buffer.rank]), _view(buffer)
  if buffer.dtype not in _NARROW_BITS:
    return view.copy().reshape(shape)
  bits = _NARROW_BITS[buffer.dtype]
  parts = view[:, None] >> np.arange(0, 8, bits, dtype=np.uint8)
  parts = (parts & ((1 << bits) - 1)).reshape(-1)[:math.prod(shape)]
  return parts.view(_dtype(buffer)).reshape(shape)


def _store(result, buffer):
  """Writes a function's result to a buffer of its shape and type."""
  if buffer.dtype == _TOKEN:
    return
  shape, dtype = tuple(buffer.dims[:buffer.rank]), _dtype(buffer)
  result = np.asarray(result)
  if result.shape != shape or result.dtype != dtype:
    raise TypeError(f"the callback gave {result.dtype}{list(result.shape)}, "
                    f"the program takes {dtype}{list(shape)}")
  view = _view(buffer)
  if buffer.dtype not in _NARROW_BITS:
    np.copyto(view, result.reshape(-1), casting="no")
    return
  bits = _NARROW_BITS[buffer.dtype]
  parts = np.zeros(len(view) * (8 // bits), np.uint8)
  parts[:result.size] = result.reshape(-1).view(np.uint8) & ((1 << bits) - 1)
  parts = parts.reshape(-1, 8 // bits) << np.arange(0, 8, bits, dtype=np.uint8)
  view[...] = np.bitwise_or.reduce(parts, axis=1)


@contextlib.contextmanager
def _outside_meshes():
  """Leaves the mesh of the thread, which is the one that started the program:
  a function may use jax.numpy on its arrays, which are on one device."""
  with contextlib.ExitStack() as stack:
    for module, name, empty in (
        (sharding_impls, "_internal_use_concrete_mesh", "empty_concrete_mesh"),
        (mesh, "use_abstract_mesh", "empty_abstract_mesh")):
      if hasattr(module, name) and hasattr(mesh, empty):
        stack.enter_context(getattr(module, name)(getattr(mesh, empty)))
    yield


def _run(frame):
  """Calls the function that the call frame names, and stores its results."""
  scalar = frame.attrs.values[0].contents
  number = ctypes.c_uint64.from_address(scalar.value).value
  function = _functions.get(number)
  if function is None:
    raise LookupError(
        f"callback {number} is not of this process, or its program is gone")
  with _outside_meshes():
    results = function(*map(_load, _buffers(frame.args)))
  targets = _buffers(frame.rets)
  if len(results) != len(targets):
    raise ValueError(f"the callback gave {len(results)} results, the program "
                     f"takes {len(targets)}")
  for target, result in zip(targets, results):
    _store(result, target)


def _handler(frame, api):
  """The FFI handler. An exception becomes an error of the program."""
  try:
    _run(frame)
  except BaseException as error:  # pylint: disable=broad-except
    text = (f"Python callback failed: {type(error).__name__}: {error}\n\n"
            + traceback.format_exc())
    args = _abi.make(_abi.FfiErrorCreateArgs, message=text.encode(),
                     code=_abi.INTERNAL_ERROR)
    return _abi.call(api.error_create, args)
  return None


def register(registry):
  """Registers the targets of callbacks with the plugin."""
  for target in (_TARGET, _PARTITIONED_TARGET):
    registry.register_function(target, _handler, _RUNS_ON_CALLER)


def _as_cpu(ctx, platform):
  """Converts the context of a rule for `platform` to that of one for cpu."""
  try:
    xla_bridge.get_backend("cpu")
  except RuntimeError as error:
    raise RuntimeError(
        "Tessera: host callbacks get their arguments as arrays of platform "
        f"cpu, which is not there; set JAX_PLATFORMS={platform},cpu") from error
  # Omits the backend, which would also have to be cpu's.
  return ctx.replace(module_context=ctx.module_context.replace(
      platforms=("cpu",), backend=None))


def _retarget(function):
  """Replaces the target of the custom call just made for platform cpu by
  ours."""
  call = ir.InsertionPoint.current.block.operations[-1]
  name = call.attributes["call_target_name"].value
  if not name.endswith("python_cpu_callback"):
    raise NotImplementedError(
        f"Tessera: this version of JAX calls back through {name!r}, which is "
        "not known here")
  number = next(_numbers)
  _functions[number] = function
  call.attributes["call_target_name"] = ir.StringAttr.get(
      _PARTITIONED_TARGET if "_partitioned_" in name else _TARGET)
  call.attributes["mhlo.backend_config"] = ir.DictAttr.get(
      {"number": mlir.ir_attribute(np.uint64(number))})


def _is_for(module_context, platform):
  """True if a program is lowered for the plugin, which serves as `platform`."""
  if tuple(module_context.platforms) != (platform,):
    return False
  return platform != "cpu" or _stand_in.is_tessera(
      module_context.get_backend())


def install(platform):
  """Replaces the function that all of JAX's lowering rules for callbacks
  call."""
  import jax.interpreters.mlir  # pylint: disable=unused-import
  original = callback.emit_python_callback

  def emit_python_callback(ctx, *args, **kwargs):
    if not _is_for(ctx.module_context, platform):
      return original(ctx, *args, **kwargs)
    if platform != "cpu":
      ctx = _as_cpu(ctx, platform)
    results = original(ctx, *args, **kwargs)
    _retarget(ctx.module_context.host_callbacks[-1])
    return results

  for module in (callback, mlir, sys.modules.get("jax.interpreters.mlir")):
    if getattr(module, "emit_python_callback", None) is original:
      module.emit_python_callback = emit_python_callback
