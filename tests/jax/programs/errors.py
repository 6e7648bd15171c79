"""Bad input through JAX: an exception that says so, and the process lives.
Each program runs on the platform under test alone."""

import inspect

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import serialize_executable

from registry import Family

FAMILY = Family("errors")


def program(*specs):
  return FAMILY.program(*specs, alone=True)


def here():
  return jax.config.jax_default_device


def raises(function, *words):
  """The text of the exception of `function`; it must hold one of `words`, and
  a program must run after it."""
  try:
    jax.block_until_ready(function())
  except (RuntimeError, ValueError, TypeError, MemoryError) as error:
    text = f"{type(error).__name__}: {error}"
  else:
    raise AssertionError("no exception")
  if not any(word.lower() in text.lower() for word in words):
    raise AssertionError(f"none of {words} in: {text[:2000]}")
  if "INTERNAL" in text and "callback" not in text.lower():
    raise AssertionError(f"not an internal error: {text[:2000]}")
  assert float(jax.jit(lambda v: v + 1)(1.0)) == 2.0
  return text


@program("f32[4]")
def donated_buffer_again(x):
  step = jax.jit(lambda v: v * 2, donate_argnums=0)
  v = jax.device_put(x)
  step(v)
  raises(lambda: step(v), "deleted", "donated")
  raises(lambda: v + 1, "deleted", "donated")
  raises(lambda: np.asarray(v), "deleted", "donated")


@program("f32[4]")
def donated_twice_in_one_call(x):
  step = jax.jit(lambda a, b: (a * 2, b * 3), donate_argnums=(0, 1))
  v = jax.device_put(x)
  try:
    jax.block_until_ready(step(v, v))
  except (RuntimeError, ValueError) as error:
    assert "donate" in str(error).lower(), error


@program("f32[4]")
def deleted_buffer(x):
  v = jax.device_put(x)
  v.delete()
  raises(lambda: jax.jit(jnp.sin)(v), "deleted")


@program("f32[4]", "f32[5]", "s32[4]")
def wrong_argument_of_compiled(x, y, z):
  compiled = jax.jit(lambda v: v * 2).lower(x).compile()
  raises(lambda: compiled(y), "float32[4]", "shape")
  raises(lambda: compiled(z), "int32", "dtype", "type")
  raises(lambda: compiled(x, x), "arg")


def loaded(compiled):
  return compiled.runtime_executable()


@program("f32[4]", "f32[5]", "f64[4]")
def wrong_buffer_of_executable(x, y, z):
  executable = loaded(jax.jit(lambda v: v * 2).lower(x).compile())
  def call(*arrays):
    return executable.execute([jax.device_put(a, here()) for a in arrays])
  raises(lambda: call(y), "4", "shape", "size")
  raises(lambda: call(z), "f32", "type", "size")
  raises(call, "argument", "parameter", "buffer", "input")
  raises(lambda: call(x, x), "argument", "parameter", "buffer", "input")


def serialised(x):
  compiled = jax.jit(lambda v: v * 3).lower(x).compile()
  return compiled, here().client.serialize_executable(loaded(compiled)) if (
      hasattr(here().client, "serialize_executable")) else loaded(
          compiled).serialize()


def read_back(data, compiled):
  client = here().client
  if not hasattr(client, "compile_and_load"):  # JAX before 0.6.1.
    return client.deserialize_executable(data)
  return client.deserialize_executable(
      data, jax._src.lib.xla_client.DeviceList((here(),)))


@program("f32[4]")
def executable_reads_back(x):
  compiled, data = serialised(x)
  assert isinstance(data, bytes) and data
  executable = read_back(data, compiled)
  out = executable.execute([jax.device_put(x, here())])
  np.testing.assert_array_equal(np.asarray(out[0]), x * 3)


@program("f32[4]")
def executable_corrupted(x):
  compiled, data = serialised(x)
  rng = np.random.default_rng(0)
  refused = 0
  for _ in range(40):
    bad = bytearray(data)
    for at in rng.integers(0, len(bad), 6):
      bad[at] ^= int(rng.integers(1, 256))
    try:
      read_back(bytes(bad), compiled)
    except (RuntimeError, ValueError):
      refused += 1
  assert refused, "no corrupted executable was refused"


@program("f32[4]")
def executable_truncated(x):
  compiled, data = serialised(x)
  for size in (0, 1, 7, len(data) // 2, len(data) - 1):
    raises(lambda size=size: read_back(data[:size], compiled), "executable",
           "serial", "truncat", "version", "format", "size", "byte")


@program("f32[4]")
def executable_of_another_maker(x):
  compiled, data = serialised(x)
  raises(lambda: read_back(b"not an executable at all" * 9, compiled),
         "executable", "serial", "version", "format", "magic")
  head = bytes([data[0] ^ 0x55]) + data[1:]
  raises(lambda: read_back(head, compiled), "executable", "serial", "version",
         "format", "magic")


@program("f32[4]")
def pickled_executable_corrupted(x):
  compiled = jax.jit(lambda v: v - 1).lower(x).compile()
  payload, inside, outside = serialize_executable.serialize(compiled)
  newer = "execution_devices" in inspect.signature(
      serialize_executable.deserialize_and_load).parameters
  back = serialize_executable.deserialize_and_load(
      payload, inside, outside, backend=here().client,
      **({"execution_devices": [here()]} if newer else {}))
  np.testing.assert_array_equal(np.asarray(back(x)), x - 1)


@program()
def absurd_allocation():
  raises(lambda: jnp.zeros(2**45), "memory", "alloc", "RESOURCE_EXHAUSTED")
  raises(lambda: jnp.ones((2**22, 2**22), jnp.int8) + 1, "memory", "alloc",
         "RESOURCE_EXHAUSTED")


@program()
def allocation_past_int64():
  raises(lambda: jnp.zeros((2**31, 2**31), jnp.int8), "memory", "alloc",
         "overflow", "size", "large", "exceed", "RESOURCE_EXHAUSTED")


@program("f32[4]")
def absurd_intermediate(x):
  f = jax.jit(lambda v: jnp.sort(jnp.broadcast_to(v, (2**43, 4)).reshape(
      -1))[0])
  raises(lambda: f(x), "memory", "alloc", "RESOURCE_EXHAUSTED")


@program()
def results_past_memory():
  for function in (
      lambda v: lax.sort(jnp.broadcast_to(v, (2**40, 2**40)))[0, 0],
      lambda v: lax.sort(lax.iota(jnp.int8, 2**62))[0],
      lambda v: lax.sort(lax.pad(v[None], v, [(2**61, 2**61, 0)]))[0],
      lambda v: jnp.fft.fft(jnp.broadcast_to(v, (2**40,)))[0].real,
      lambda v: jnp.linalg.cholesky(jnp.broadcast_to(v, (2**21,) * 2))[0, 0],
      lambda v: lax.fori_loop(0, 99, lambda i, a: a * i,
                              jnp.broadcast_to(v, (2**42,)))[0]):
    raises(lambda function=function: jax.jit(function)(jnp.float32(1)),
           "memory", "overflow")


@program("f32[4]")
def unknown_ffi_target(x):
  def f(v):
    return jax.ffi.ffi_call("no_such_target", jax.ShapeDtypeStruct(
        v.shape, v.dtype))(v)
  raises(lambda: jax.jit(f)(x), "no_such_target")


@program("f32[4]")
def failing_callback(x):
  def fail(_):
    raise ValueError("the callback says no")
  f = jax.jit(lambda v: jax.pure_callback(
      fail, jax.ShapeDtypeStruct(v.shape, v.dtype), v))
  raises(lambda: f(x), "the callback says no")


@program("f32[4]")
def callback_of_wrong_shape(x):
  f = jax.jit(lambda v: jax.pure_callback(
      lambda a: np.zeros(3, np.float32), jax.ShapeDtypeStruct(
          v.shape, v.dtype), v))
  raises(lambda: f(x), "shape")


@program("f32[4]")
def failing_io_callback(x):
  def fail(_):
    raise ValueError("not today")
  def f(v):
    return jax.experimental.io_callback(fail, jax.ShapeDtypeStruct(
        (), jnp.float32), v, ordered=True)
  try:
    raises(lambda: jax.jit(f)(x), "not today")
  finally:
    try:
      jax.effects_barrier()
    except Exception:  # The failed effect may be reported again.
      pass


def compile_program(program):
  """The loaded executable of StableHLO, text or bytes."""
  client = here().client
  options = jax._src.lib.xla_client.CompileOptions()
  if not hasattr(client, "compile_and_load"):  # JAX before 0.6.1.
    return client.compile(program, options)
  return client.compile_and_load(
      program, jax._src.lib.xla_client.DeviceList((here(),)), options)


@program("f32[4]")
def broken_program_text(x):
  for text in (b"", b"ML\xefR", b"module {", b"module { foo.bar }",
               b"ML\xefR\x0dStableHLO_v99.0.0\x00" + bytes(40),
               b"\x00" * 100):
    raises(lambda text=text: compile_program(text),
           "module", "bytecode", "version", "pars", "expected", "MLIR", "text",
           "artifact", "main", "program", "StableHLO", "op")


# A function of one array of f32[4]; `body` uses %a and ends with its result.
FUNCTION = """
func.func {how} @{name}(%a: tensor<4xf32>) -> tensor<4xf32> {{
  {body}
}}"""
CALL = ("%0 = func.call @{} (%a) : (tensor<4xf32>) -> tensor<4xf32> "
        "return %0 : tensor<4xf32>")


def functions(**bodies):
  """A module of functions by name."""
  return ("module {" + "".join(
      FUNCTION.format(how="public" if name == "main" else "private", name=name,
                      body=body)
      for name, body in bodies.items()) + "}").encode()


@program()
def functions_that_call_themselves():
  raises(lambda: compile_program(functions(main=CALL.format("main"))),
         "calls itself")
  raises(lambda: compile_program(functions(
      main=CALL.format("f"), f=CALL.format("g"), g=CALL.format("f"))),
         "calls itself")


@program()
def calls_too_deep():
  chain = {f"f{i}": CALL.format(f"f{i + 1}") for i in range(2000)}
  raises(lambda: compile_program(functions(
      main=CALL.format("f0"), f2000="return %a : tensor<4xf32>", **chain)),
         "deep")


@program()
def regions_too_deep():
  body = "stablehlo.return %a : tensor<4xf32>"
  for i in range(400):
    body = (f'%x{i} = "stablehlo.if"(%p) ({{ {body} }}, '
            "{ stablehlo.return %a : tensor<4xf32> }) : (tensor<i1>) -> "
            f"tensor<4xf32> stablehlo.return %x{i} : tensor<4xf32>")
  body = "%p = stablehlo.constant dense<true> : tensor<i1> " + body.rpartition(
      "stablehlo.return")[0] + "return %x399 : tensor<4xf32>"
  raises(lambda: compile_program(functions(main=body)), "deep")


@program()
def artifact_from_the_future():
  from jaxlib.mlir.dialects import stablehlo
  artifact = stablehlo.serialize_portable_artifact_str(functions(
      main="%0 = stablehlo.add %a, %a : tensor<4xf32> "
      "return %0 : tensor<4xf32>"), "1.0.0")
  raises(lambda: compile_program(artifact.replace(b"add_v1", b"add_v9")),
         "add_v9")
  raises(lambda: compile_program(
      artifact[:4] + bytes([99 << 1 | 1]) + artifact[5:]), "version 99")


@program("f32[4]")
def compiler_option_unknown(x):
  raises(lambda: jax.jit(jnp.sin).lower(x).compile(
      compiler_options={"xla_no_such_option": 3}), "xla_no_such_option",
         "option")


@program("f32[3,4]")
def exported_for_another_platform(x):
  out = jax.export.export(jax.jit(jnp.sin), platforms=["tpu"])(
      jax.ShapeDtypeStruct((3, 4), jnp.float32))
  raises(lambda: out.call(x), "platform")


@program("f32[4]")
def process_lives(x):
  np.testing.assert_allclose(np.asarray(jax.jit(jnp.sin)(x)), np.sin(x),
                             rtol=1e-5)
