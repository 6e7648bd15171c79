"""Host callbacks: pure_callback, io_callback, debug.print, checkify, ...

JAX lowers them for the platforms that it knows by name, and jaxlib hands
Python's functions over to those platforms alone. So they are lowered as for
cpu, and the custom call is then given a target of our own: an FFI handler
written in Python, which finds the function by a number. The arrays that a
callback gets live on a device of platform cpu.
"""

import ctypes
import itertools
import math
import sys
import traceback
import weakref

import ml_dtypes
import numpy as np

from jax._src import callback
from jax._src import xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib.mlir import ir

from jax_plugins.tessera import _abi

_TARGET = "tessera_python_callback"
_TOKEN = 17

# numpy's types by XLA_FFI_DataType, those of whole bytes.
_DTYPES = {
    1: np.bool_, 2: np.int8, 3: np.int16, 4: np.int32, 5: np.int64,
    6: np.uint8, 7: np.uint16, 8: np.uint32, 9: np.uint64, 10: np.float16,
    11: np.float32, 12: np.float64, 15: np.complex64, 18: np.complex128,
}
_SMALL_FLOATS = {
    16: "bfloat16", 19: "float8_e5m2", 20: "float8_e4m3fn",
    23: "float8_e4m3b11fnuz", 24: "float8_e5m2fnuz", 25: "float8_e4m3fnuz",
    28: "float8_e4m3", 29: "float8_e3m4", 33: "float8_e8m0fnu",
}
_DTYPES.update({code: getattr(ml_dtypes, name)
                for code, name in _SMALL_FLOATS.items()
                if hasattr(ml_dtypes, name)})
_DTYPES = {code: np.dtype(kind) for code, kind in _DTYPES.items()}

# Python's functions by their number in programs. Executables hold them, and
# jaxlib keeps them for as long as a program that may call them runs.
_functions = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


def _view(buffer):
  """An array over the memory of an _abi.Buffer; None for a token."""
  if buffer.dtype == _TOKEN:
    return None
  dtype = _DTYPES.get(buffer.dtype)
  if dtype is None:
    raise TypeError("host callbacks take types of whole bytes, not "
                    f"XLA_FFI_DataType {buffer.dtype}")
  shape = tuple(buffer.dims[:buffer.rank])
  size = math.prod(shape) * dtype.itemsize
  if not size:
    return np.empty(shape, dtype)
  memory = (ctypes.c_char * size).from_address(buffer.data)
  return np.frombuffer(memory, dtype).reshape(shape)


def _views(buffers):
  return [_view(buffers.values[i].contents) for i in range(buffers.size)]


def _run(frame):
  """Calls the function that the call frame names, and stores its results."""
  scalar = frame.attrs.values[0].contents
  number = ctypes.c_uint64.from_address(scalar.value).value
  function = _functions.get(number)
  if function is None:
    raise LookupError(
        f"callback {number} is not of this process, or its program is gone")
  # Copies: the function may keep what it gets, the program reuses memory.
  arguments = [None if view is None else view.copy()
               for view in _views(frame.args)]
  results = function(*arguments)
  targets = _views(frame.rets)
  if len(results) != len(targets):
    raise ValueError(f"the callback gave {len(results)} results, the program "
                     f"takes {len(targets)}")
  for target, result in zip(targets, results):
    if target is not None:
      np.copyto(target, np.asarray(result), casting="no")


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
  """Makes the target of callbacks known to the plugin."""
  registry.register_function(_TARGET, _handler)


def _as_cpu(ctx, platform):
  """`ctx` of a rule for `platform` as that of one for cpu."""
  try:
    xla_bridge.get_backend("cpu")
  except RuntimeError as error:
    raise RuntimeError(
        "Tessera: host callbacks get their arguments as arrays of platform "
        f"cpu, which is not there; set JAX_PLATFORMS={platform},cpu") from error
  # Without a backend, which would have to be cpu's too.
  return ctx.replace(module_context=ctx.module_context.replace(
      platforms=("cpu",), backend=None))


def _retarget(function):
  """Turns the custom call that was just made for platform cpu into ours."""
  call = ir.InsertionPoint.current.block.operations[-1]
  name = call.attributes["call_target_name"].value
  if not name.endswith("python_cpu_callback"):
    raise NotImplementedError(
        f"Tessera: this version of JAX calls back through {name!r}, which is "
        "not known here")
  number = next(_numbers)
  _functions[number] = function
  call.attributes["call_target_name"] = ir.StringAttr.get(_TARGET)
  call.attributes["mhlo.backend_config"] = ir.DictAttr.get(
      {"number": mlir.ir_attribute(np.uint64(number))})


def install(platform):
  """Replaces the function that all of JAX's rules for callbacks call."""
  import jax.interpreters.mlir  # pylint: disable=unused-import
  original = callback.emit_python_callback

  def emit_python_callback(ctx, *args, **kwargs):
    if tuple(ctx.module_context.platforms) != (platform,):
      return original(ctx, *args, **kwargs)
    ctx = _as_cpu(ctx, platform)
    results = original(ctx, *args, **kwargs)
    _retarget(ctx.module_context.host_callbacks[-1])
    return results

  for module in (callback, mlir, sys.modules.get("jax.interpreters.mlir")):
    if getattr(module, "emit_python_callback", None) is original:
      module.emit_python_callback = emit_python_callback
