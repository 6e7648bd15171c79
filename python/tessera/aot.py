"""Programs that are compiled ahead of time (docs/ahead-of-time.md).

    program = tessera.aot.compile(jax.jit(f), *args, directory="out")

compiles f for arguments of these shapes and types. Any later process loads it,
without JAX and without the compiler; it needs NumPy alone:

    program = tessera.aot.load("out")
    results = program(*args)
"""

import _ctypes
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

import numpy as np

_ALIGNMENT = 64
_FACTS = "{name}.json"
# The types of PrimitiveType (xla_data.proto) that NumPy has; those of ml_dtypes
# are looked for when a program has one.
_TYPES = {1: "bool", 2: "int8", 3: "int16", 4: "int32", 5: "int64",
          6: "uint8", 7: "uint16", 8: "uint32", 9: "uint64",
          10: "float16", 11: "float32", 12: "float64",
          15: "complex64", 18: "complex128"}
_SMALL_TYPES = {16: "bfloat16", 19: "float8_e5m2", 20: "float8_e4m3fn",
                21: "int4", 22: "uint4", 23: "float8_e4m3b11fnuz",
                24: "float8_e5m2fnuz", 25: "float8_e4m3fnuz", 26: "int2",
                27: "uint2", 28: "float8_e4m3", 29: "float8_e3m4",
                32: "float4_e2m1fn", 33: "float8_e8m0fnu"}


class _Array(ctypes.Structure):
  _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int32),
              ("rank", ctypes.c_int32),
              ("dimensions", ctypes.POINTER(ctypes.c_int64)),
              ("bytes", ctypes.c_size_t), ("alias", ctypes.c_int32),
              ("row_major", ctypes.c_int32)]


class _Options(ctypes.Structure):
  _fields_ = [("struct_size", ctypes.c_size_t), ("threads", ctypes.c_void_p),
              ("constants", ctypes.c_void_p),
              ("constants_bytes", ctypes.c_size_t),
              ("memory", ctypes.c_void_p), ("memory_bytes", ctypes.c_size_t),
              ("message", ctypes.c_char_p), ("message_bytes", ctypes.c_size_t)]


def _dtype(number):
  if number in _TYPES:
    return np.dtype(_TYPES[number])
  name = _SMALL_TYPES.get(number)
  if name is None:
    raise TypeError(f"NumPy has no type for XLA's primitive type {number}")
  import ml_dtypes
  return np.dtype(getattr(ml_dtypes, name))


def _open(library):
  """Opens a copy of a library: the loader knows libraries by name, and would
  return an older one that the file has replaced. Opens the library itself where
  no folder for temporary files can be written to, or code in it executed."""
  code = library.read_bytes()
  try:
    with tempfile.NamedTemporaryFile(suffix=".so") as copy:
      copy.write(code)
      copy.flush()
      return ctypes.CDLL(copy.name)
  except OSError:
    return ctypes.CDLL(os.fspath(library.resolve()))


def _aligned(count):
  """An array of `count` bytes that begins at a multiple of 64 bytes."""
  memory = np.empty(count + _ALIGNMENT, np.uint8)
  start = -memory.ctypes.data % _ALIGNMENT
  return memory[start:start + count]


class _Spec:
  """An argument or a result."""

  def __init__(self, array):
    self.name = array.name.decode()
    self.dtype = _dtype(array.type)
    self.shape = tuple(array.dimensions[i] for i in range(array.rank))
    self.nbytes = array.bytes
    if not array.row_major:
      raise ValueError(f"{self.name or 'a result'}: only arrays in row-major "
                       "layout are NumPy's")

  def __repr__(self):
    return f"{self.name or 'result'}: {self.dtype}{list(self.shape)}"


def _flatten(tree, skeleton, leaves):
  """Appends the leaves of `tree`, which has the structure of `skeleton`."""
  if isinstance(skeleton, int):
    leaves[skeleton] = tree
  elif skeleton is None:
    if tree is not None:
      raise TypeError(f"expected None, got {tree!r:.80}")
  else:
    kind, parts = skeleton
    if kind == "dict":
      if not isinstance(tree, dict) or sorted(tree) != sorted(parts):
        raise TypeError(f"expected a dict of {sorted(parts)}, got {tree!r:.80}")
      for key, part in parts.items():
        _flatten(tree[key], part, leaves)
    else:
      if not isinstance(tree, (tuple, list)):
        raise TypeError(f"expected a {kind} of {len(parts)} values, got "
                        f"{type(tree).__name__}")
      if len(tree) != len(parts):
        raise TypeError(f"expected {len(parts)} values, got {len(tree)}")
      for value, part in zip(tree, parts):
        _flatten(value, part, leaves)


def _unflatten(skeleton, leaves):
  if skeleton is None or isinstance(skeleton, int):
    return None if skeleton is None else leaves[skeleton]
  kind, parts = skeleton
  if kind == "dict":
    return {key: _unflatten(part, leaves) for key, part in parts.items()}
  return {"list": list, "tuple": tuple}[kind](
      _unflatten(part, leaves) for part in parts)


class Program:
  """A program that is ready to run. Thread safe; a run takes place on the
  thread that calls it, without Python's lock.

  `arguments` and `results` describe its arrays, in order.
  """

  def __init__(self, library, constants=None, name=None, structure=None):
    """Loads a shared library of `tessera compile --shared`.

    constants: the file of constants, if they are apart.
    name: the --name of the program; otherwise that of the library.
    structure: of arguments and results, as compile() writes it.
    Errors: OSError; ValueError if the library has no program of this name, or
      the program has arrays that are not NumPy's; RuntimeError with the
      runtime's message.
    """
    library = pathlib.Path(library)
    name = name or library.stem
    self._library = runtime = _open(library)
    runtime.tessera_aot_arena_bytes.restype = ctypes.c_size_t
    for function in (runtime.tessera_aot_argument, runtime.tessera_aot_result):
      function.restype = ctypes.POINTER(_Array)
    pointer = ctypes.c_void_p
    try:
      symbol = ctypes.c_char.in_dll(runtime, f"{name}_program")
    except ValueError:
      raise ValueError(f"{library} has no program called {name!r}") from None
    program = pointer(ctypes.addressof(symbol))
    self._structure = structure
    # The empty file of a program without constants cannot be mapped.
    self._constants = (
        np.memmap(constants, np.uint8, mode="r")
        if constants is not None and os.path.getsize(constants) else None)
    message = ctypes.create_string_buffer(512)
    options = _Options(struct_size=ctypes.sizeof(_Options),
                       message=ctypes.cast(message, ctypes.c_char_p),
                       message_bytes=len(message))
    if self._constants is not None:
      options.constants = self._constants.ctypes.data
      options.constants_bytes = self._constants.nbytes
    self._instance = pointer()
    if runtime.tessera_aot_load(program, ctypes.byref(options),
                                ctypes.byref(self._instance)):
      raise RuntimeError(message.value.decode() or "cannot load the program")
    self.arguments = [
        _Spec(runtime.tessera_aot_argument(program, i).contents)
        for i in range(runtime.tessera_aot_num_arguments(program))]
    self.results = [
        _Spec(runtime.tessera_aot_result(program, i).contents)
        for i in range(runtime.tessera_aot_num_results(program))]
    self._arenas = threading.local()

  def __del__(self):
    instance = getattr(self, "_instance", None)
    if instance:
      self._library.tessera_aot_unload(instance)
      self._instance = None
    library = getattr(self, "_library", None)
    if library is not None:
      # ctypes never closes libraries; a process that loads programs again and
      # again would keep them all.
      self._library = None
      _ctypes.dlclose(library._handle)

  def run(self, arguments):
    """Runs on a list of arrays, one per argument; returns the list of results.

    Errors: TypeError for arrays that do not fit: nothing is converted.
    """
    if len(arguments) != len(self.arguments):
      raise TypeError(f"the program takes {len(self.arguments)} arrays, got "
                      f"{len(arguments)}")
    inputs = []
    for value, spec in zip(arguments, self.arguments):
      value = np.asarray(value)
      if value.dtype != spec.dtype or value.shape != spec.shape:
        raise TypeError(f"expected {spec}, got {value.dtype}"
                        f"{list(value.shape)}")
      value = np.ascontiguousarray(value)
      if value.ctypes.data % _ALIGNMENT:
        copy = _aligned(value.nbytes)
        copy[:] = value.reshape(-1).view(np.uint8)
        value = copy
      inputs.append(value)
    outputs = [_aligned(spec.nbytes) for spec in self.results]
    arena = getattr(self._arenas, "memory", None)
    if arena is None:
      arena = self._arenas.memory = _aligned(
          self._library.tessera_aot_arena_bytes(self._instance))
    status = self._library.tessera_aot_run(
        self._instance, _addresses(inputs), _addresses(outputs),
        ctypes.c_void_p(arena.ctypes.data))
    if status:
      raise RuntimeError(f"the program failed with status {status}")
    return [output.view(spec.dtype).reshape(spec.shape)
            for output, spec in zip(outputs, self.results)]

  def __call__(self, *args):
    """Runs on arguments, and returns results, in the structure of the function
    that was compiled: nested tuples, lists and dicts."""
    if self._structure is None:
      results = self.run(args)
      return results[0] if len(results) == 1 else tuple(results)
    kept = self._structure["kept"]
    leaves = [None] * self._structure["leaves"]
    _flatten(args, self._structure["arguments"], leaves)
    return _unflatten(self._structure["results"],
                      self.run([leaves[i] for i in kept]))


def _addresses(arrays):
  return (ctypes.c_void_p * max(1, len(arrays)))(
      *(array.ctypes.data for array in arrays))


def load(directory, name="net"):
  """Loads what compile() wrote to the directory. Needs no JAX."""
  directory = pathlib.Path(directory)
  facts = json.loads((directory / _FACTS.format(name=name)).read_text())
  constants = facts["constants"]
  return Program(directory / f"{name}.so",
                 constants=constants and directory / constants, name=name,
                 structure=facts["structure"])


def _skeleton(tree):
  """The structure of a tree of numbers as JSON; raises TypeError for containers
  that are not tuples, lists or dicts with text as keys."""
  if tree is None or isinstance(tree, int):
    return tree
  if type(tree) in (tuple, list):
    return [type(tree).__name__, [_skeleton(part) for part in tree]]
  if type(tree) is dict and all(isinstance(key, str) for key in tree):
    return ["dict", {key: _skeleton(part) for key, part in tree.items()}]
  raise TypeError(
      f"arguments and results are tuples, lists and dicts with text as keys, "
      f"not {type(tree).__name__}")


def _command():
  given = os.environ.get("TESSERA_COMMAND")
  found = given or shutil.which("tessera")
  if found is None:
    raise FileNotFoundError(
        "no command `tessera` on the PATH; TESSERA_COMMAND may name one")
  return found


def compile(function, *args, directory, name="net", isa=("native",),
            constants_apart=False, command=None):
  """Compiles a function of JAX to a shared library, and loads it.

  function: what jax.jit returned, or any function.
  args: arrays, or jax.ShapeDtypeStructs, in nested tuples, lists and dicts.
  directory: where NAME.so goes, with NAME.json, which has the structure of
    arguments and results, NAME.o and NAME.h for programs in C, and
    NAME.mlirbc, the program in StableHLO.
  isa: the processor to have code for, or a list of them, as `tessera compile
    --isa` takes them.
  constants_apart: whether constants go to NAME.bin, which is mapped.
  command: the `tessera` command; otherwise TESSERA_COMMAND or that on the PATH.
  Errors: RuntimeError with what the command said; those of jax.export.
  """
  import jax
  from jax import export
  directory = pathlib.Path(directory)
  directory.mkdir(parents=True, exist_ok=True)
  jitted = function if hasattr(function, "lower") else jax.jit(function)
  exported = export.export(jitted, platforms=["cpu"])(*args)
  if exported.nr_devices != 1:
    raise ValueError("a program that is compiled ahead of time runs on one "
                     f"device, not {exported.nr_devices}")
  unflatten = jax.tree_util.tree_unflatten
  count = len(exported.in_avals)
  positional, named = unflatten(exported.in_tree, range(count))
  if named:
    raise TypeError("arguments are passed by position")
  structure = {
      "arguments": _skeleton(positional), "leaves": count,
      "results": _skeleton(unflatten(exported.out_tree,
                                     range(len(exported.out_avals)))),
      "kept": list(exported.module_kept_var_idx)}
  if isinstance(isa, str):
    isa = [isa]
  program = directory / f"{name}.mlirbc"
  program.write_bytes(exported.mlir_module_serialized)
  constants = f"{name}.bin" if constants_apart else None
  line = [command or _command(), "compile", program, "--name", name,
          "-o", directory / f"{name}.o", "--header", directory / f"{name}.h",
          "--shared", directory / f"{name}.so", "--isa", ",".join(isa)]
  if constants:
    line += ["--constants", directory / constants]
  done = subprocess.run([os.fspath(part) for part in line], text=True,
                        capture_output=True, check=False)
  if done.returncode:
    raise RuntimeError((done.stderr or done.stdout).strip())
  facts = {"constants": constants, "structure": structure}
  (directory / _FACTS.format(name=name)).write_text(json.dumps(facts))
  return load(directory, name)


