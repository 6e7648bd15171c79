"""FFI targets of users, compiled with jaxlib's headers: registered for
tessera, and for cpu."""

import ctypes
import functools
import pathlib
import shutil
import subprocess

import harness
import numpy as np
import tessera_jax as tj

SOURCE = pathlib.Path(__file__).with_name("ffi_handlers.cc")


@functools.cache
def handlers():
  """The compiled handlers."""
  jax = tj.jax()
  compiler = shutil.which("g++") or shutil.which("clang++")
  if not compiler:
    raise harness.Skip("no C++ compiler")
  library = pathlib.Path("ffi_handlers.so").resolve()
  command = [compiler, "-std=c++17", "-O1", "-shared", "-fPIC", "-o", library,
             SOURCE, f"-I{jax.ffi.include_dir()}"]
  done = subprocess.run(command, text=True, capture_output=True, check=False)
  if done.returncode:
    raise harness.Skip(f"jaxlib's headers do not compile: {done.stderr[:300]}")
  return ctypes.CDLL(str(library))


def scale(name, x, factor):
  jax = tj.jax()
  call = jax.ffi.ffi_call(name, jax.ShapeDtypeStruct(x.shape, x.dtype))
  y = jax.jit(lambda x: call(x, factor=np.float32(factor)))(x)
  return jax.block_until_ready(y)


def check_scale(name, platform):
  jax = tj.jax()
  jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(handlers().Scale),
                              platform=platform)
  x = jax.numpy.arange(4, dtype="float32")
  np.testing.assert_array_equal(scale(name, x, 3), [0, 3, 6, 9])


def test_registered_for_tessera():
  check_scale("scale_tessera", "tessera")


def test_registered_for_cpu():
  check_scale("scale_cpu", "cpu")
  # It is still registered for platform cpu.
  x = tj.on_cpu(lambda: tj.jax().numpy.ones(2, "float32"))
  np.testing.assert_array_equal(scale("scale_cpu", x, 2), [2, 2])


def test_error_of_a_handler():
  check_scale("scale_error", "tessera")
  try:
    scale("scale_error", tj.jax().numpy.ones(2, "float32"), 0)
  except RuntimeError as error:
    tj.holds(str(error), "the factor is zero")
  else:
    raise AssertionError("the handler's error was lost")


def register_counter_type():
  """Registers the type of the counters' state, in the way of each version of
  JAX."""
  ffi = tj.jax().ffi
  handlers().CounterTypeId.restype = ctypes.c_void_p
  type_id = ffi.pycapsule(handlers().CounterTypeId())
  if not hasattr(ffi, "register_ffi_type"):
    if not hasattr(ffi, "register_ffi_type_id"):
      raise harness.Skip("this JAX registers no types")
    ffi.register_ffi_type_id("Counter", type_id, platform="tessera")
    return
  handlers().CounterTypeInfo.restype = ctypes.c_void_p
  info = ffi.pycapsule(handlers().CounterTypeInfo())
  ffi.register_ffi_type("Counter", {"type_id": type_id, "type_info": info},
                        platform="tessera")


def test_stages_and_state():
  jax = tj.jax()
  library = handlers()
  register_counter_type()
  jax.ffi.register_ffi_target(
      "counter", {"instantiate": jax.ffi.pycapsule(library.CounterNew),
                  "execute": jax.ffi.pycapsule(library.CounterRun)},
      platform="tessera")
  call = jax.ffi.ffi_call("counter", jax.ShapeDtypeStruct((), "int32"),
                          has_side_effect=True)
  first, second = jax.jit(lambda: call()), jax.jit(lambda: call() * 10)
  harness.equal([int(f()) for f in (first, first, second, first)],
                [1, 2, 10, 3])


def test_unknown_target():
  try:
    scale("never_registered", tj.jax().numpy.ones(2, "float32"), 1)
  except RuntimeError as error:
    tj.holds(str(error), "never_registered")
  else:
    raise AssertionError("an unknown target ran")


def test_untyped_handler_is_refused():
  jax = tj.jax()
  jax.devices()
  try:
    jax.ffi.register_ffi_target(
        "untyped", jax.ffi.pycapsule(handlers().Scale), platform="tessera",
        api_version=0)
  except ValueError as error:
    tj.holds(str(error), "takes typed handlers (api_version=1)")
  else:
    raise AssertionError("an untyped handler was taken")


if __name__ == "__main__":
  harness.main(globals())
