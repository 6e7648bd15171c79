"""A binding of the C API for Python, as small as one can be: ctypes, without a
compiler. `Library` declares what tessera.h declares; Client, Executable and
Array are what a user of such a binding sees."""

import ctypes
from ctypes import c_bool, c_char_p, c_double, c_int32, c_int64, c_size_t
from ctypes import c_uint64, c_void_p

import numpy as np

NO_OPTIONS = None
HANDLE = c_void_p
STATUS = c_void_p

TYPES = {np.dtype(name): number for name, number in {
    "bool": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint8": 6,
    "uint16": 7, "uint32": 8, "uint64": 9, "float16": 10, "float32": 11,
    "float64": 12, "complex64": 15, "complex128": 18}.items()}
DTYPES = {number: dtype for dtype, number in TYPES.items()}
COPY, BORROW, BORROW_MUTABLE = range(3)

PARALLEL_TASK = ctypes.CFUNCTYPE(None, c_void_p, c_int64)
PARALLEL_FOR = ctypes.CFUNCTYPE(None, c_void_p, c_int64, PARALLEL_TASK,
                                c_void_p)
RELEASE = ctypes.CFUNCTYPE(None, c_void_p)
ON_READY = ctypes.CFUNCTYPE(None, c_void_p, STATUS)


class Struct(ctypes.Structure):
  """A struct whose first member is its size."""

  def __init__(self, **members):
    super().__init__(struct_size=ctypes.sizeof(self), **members)


def struct(name, /, **members):
  """Declares a struct of tessera.h."""
  fields = [("struct_size", c_size_t), *members.items()]
  return type(name, (Struct,), {"_fields_": fields})


ClientOptions = struct(
    "ClientOptions", backend=c_char_p, backend_size=c_size_t,
    num_devices=c_int32, num_threads=c_int32, parallel_for=PARALLEL_FOR,
    parallel_for_data=c_void_p, parallel_for_threads=c_int32,
    synchronous=c_bool, memory_limit_bytes=c_int64, cache_folder=c_char_p,
    cache_folder_size=c_size_t, cache_max_bytes=c_int64)
DeviceMemory = struct(
    "DeviceMemory", bytes_in_use=c_int64, peak_bytes_in_use=c_int64,
    bytes_limit=c_int64, num_allocations=c_int64)
ArrayInfo = struct(
    "ArrayInfo", type=c_int32, rank=c_int32,
    dimensions=ctypes.POINTER(c_int64), is_dynamic=ctypes.POINTER(c_bool),
    minor_to_major=ctypes.POINTER(c_int64), text=c_char_p, text_size=c_size_t,
    device_bytes=c_int64, host_bytes=c_int64, name=c_char_p,
    name_size=c_size_t, donated=c_bool, alias=c_int32)
CompileOptions = struct(
    "CompileOptions", format=c_int32, num_replicas=c_int32,
    num_partitions=c_int32, use_spmd_partitioning=c_bool,
    devices=ctypes.POINTER(c_int32), num_devices=c_size_t, flags=c_char_p,
    flags_size=c_size_t, optimization_level=c_int32, cancellation=HANDLE)
DeserializeOptions = struct("DeserializeOptions", never_compile=c_bool)
ExecutableInfo = struct(
    "ExecutableInfo", num_replicas=c_int32, num_partitions=c_int32,
    num_devices=c_int32, num_parameters=c_int32, num_results=c_int32,
    devices=ctypes.POINTER(c_int32))
Costs = struct("Costs", flops=c_double, transcendentals=c_double,
               bytes_accessed=c_double, predicted_seconds=c_double)
ProgramMemory = struct(
    "ProgramMemory", argument_bytes=c_int64, result_bytes=c_int64,
    alias_bytes=c_int64, temporary_bytes=c_int64, code_bytes=c_int64,
    peak_bytes=c_int64)
HostArray = struct(
    "HostArray", data=c_void_p, type=c_int32, rank=c_int32,
    dimensions=ctypes.POINTER(c_int64), byte_strides=ctypes.POINTER(c_int64),
    bounds=ctypes.POINTER(c_int64), minor_to_major=ctypes.POINTER(c_int64),
    device=c_int32, memory=c_int32, release=RELEASE, release_data=c_void_p)
ToHostOptions = struct("ToHostOptions", byte_strides=ctypes.POINTER(c_int64))
ExecuteOptions = struct("ExecuteOptions", seed=c_uint64,
                        keep=ctypes.POINTER(c_int32), num_keep=c_size_t,
                        cancellation=HANDLE)

SIZE = ctypes.POINTER(c_size_t)
OUT = ctypes.POINTER(HANDLE)
FUNCTIONS = {  # name: result, arguments
    "api_version": (c_int32,),
    "version": (c_char_p, SIZE),
    "status_code": (c_int32, STATUS),
    "status_message": (c_char_p, STATUS, SIZE),
    "status_place": (c_bool, STATUS, ctypes.POINTER(c_int64),
                     ctypes.POINTER(c_int64)),
    "status_destroy": (None, STATUS),
    "bytes_data": (c_void_p, HANDLE, SIZE),
    "bytes_destroy": (None, HANDLE),
    "cancellation_create": (STATUS, OUT),
    "cancellation_cancel": (None, HANDLE),
    "cancellation_destroy": (None, HANDLE),
    "client_create": (STATUS, ctypes.POINTER(ClientOptions), OUT),
    "client_destroy": (None, HANDLE),
    "client_description": (c_char_p, HANDLE, SIZE),
    "client_num_devices": (c_int32, HANDLE),
    "client_device_memory": (STATUS, HANDLE, c_int32,
                             ctypes.POINTER(DeviceMemory)),
    "type_size": (c_int64, c_int32),
    "type_name": (c_char_p, c_int32, SIZE),
    "compile": (STATUS, HANDLE, c_char_p, c_size_t,
                ctypes.POINTER(CompileOptions), OUT),
    "executable_serialize": (STATUS, HANDLE, OUT),
    "deserialize": (STATUS, HANDLE, c_char_p, c_size_t,
                    ctypes.POINTER(DeserializeOptions), OUT),
    "executable_destroy": (None, HANDLE),
    "executable_name": (c_char_p, HANDLE, SIZE),
    "executable_fingerprint": (c_char_p, HANDLE, SIZE),
    "executable_get_info": (STATUS, HANDLE, ctypes.POINTER(ExecutableInfo)),
    "executable_parameter": (STATUS, HANDLE, c_size_t,
                             ctypes.POINTER(ArrayInfo)),
    "executable_result": (STATUS, HANDLE, c_size_t, ctypes.POINTER(ArrayInfo)),
    "executable_hlo_text": (STATUS, HANDLE, OUT),
    "executable_get_costs": (STATUS, HANDLE, ctypes.POINTER(Costs)),
    "executable_get_memory": (STATUS, HANDLE, ctypes.POINTER(ProgramMemory)),
    "buffer_from_host": (STATUS, HANDLE, ctypes.POINTER(HostArray), OUT),
    "buffer_destroy": (None, HANDLE),
    "buffer_get_info": (STATUS, HANDLE, ctypes.POINTER(ArrayInfo)),
    "buffer_device": (c_int32, HANDLE),
    "buffer_get_dimensions": (STATUS, HANDLE, ctypes.POINTER(c_int64),
                              c_size_t),
    "buffer_is_deleted": (c_bool, HANDLE),
    "buffer_delete": (STATUS, HANDLE),
    "buffer_ready": (STATUS, HANDLE, OUT),
    "buffer_copy_to_device": (STATUS, HANDLE, c_int32, OUT),
    "buffer_to_host": (STATUS, HANDLE, c_void_p, c_size_t,
                       ctypes.POINTER(ToHostOptions), OUT),
    "buffer_map": (STATUS, HANDLE, ctypes.POINTER(c_void_p), SIZE),
    "buffer_unmap": (STATUS, HANDLE),
    "execute": (STATUS, HANDLE, OUT, c_size_t, ctypes.POINTER(ExecuteOptions),
                OUT, c_size_t),
    "execute_async": (STATUS, HANDLE, OUT, c_size_t,
                      ctypes.POINTER(ExecuteOptions), OUT, c_size_t, OUT),
    "event_await": (STATUS, HANDLE),
    "event_wait_for": (c_bool, HANDLE, c_int64),
    "event_is_ready": (c_bool, HANDLE),
    "event_on_ready": (STATUS, HANDLE, ON_READY, c_void_p),
    "event_destroy": (None, HANDLE),
}


class Error(Exception):
  """An error of the library."""

  def __init__(self, code, message, place):
    super().__init__(message)
    self.code, self.place = code, place


class Library:
  """The functions by the names above; those that return a status raise its
  error instead."""

  def __init__(self, path):
    loaded = ctypes.CDLL(str(path))
    for name, (result, *arguments) in FUNCTIONS.items():
      function = getattr(loaded, "tessera_" + name)
      function.restype, function.argtypes = result, arguments
      # c_void_p as a result is a number here, so a status is told by its name.
      if result is STATUS and name != "bytes_data":
        function.errcheck = lambda status, *_: self._check(status)
      setattr(self, name, function)

  def _check(self, status):
    if not status:
      return
    line, column = c_int64(), c_int64()
    known = self.status_place(status, ctypes.byref(line), ctypes.byref(column))
    error = Error(self.status_code(status),
                  self.status_message(status, None).decode(),
                  (line.value, column.value) if known else None)
    self.status_destroy(status)
    raise error

  def text(self, call, *arguments):
    """The bytes that a function returns as a handle."""
    handle = HANDLE()
    call(*arguments, ctypes.byref(handle))
    size = c_size_t()
    data = self.bytes_data(handle, ctypes.byref(size))
    copy = ctypes.string_at(data, size.value)
    self.bytes_destroy(handle)
    return copy


def numbers(values):
  """An array of int64 for the library."""
  return (c_int64 * len(values))(*values)


class Client:
  """Devices, and the programs and arrays on them."""

  def __init__(self, library, **options):
    self.library, self.handle = library, HANDLE()
    library.client_create(ctypes.byref(ClientOptions(**options)),
                          ctypes.byref(self.handle))

  def __del__(self):
    self.library.client_destroy(self.handle)

  def compile(self, program, **options):
    handle = HANDLE()
    self.library.compile(self.handle, program, len(program),
                         ctypes.byref(CompileOptions(**options)),
                         ctypes.byref(handle))
    return Executable(self.library, handle)

  def load(self, data):
    handle = HANDLE()
    self.library.deserialize(self.handle, data, len(data), NO_OPTIONS,
                             ctypes.byref(handle))
    return Executable(self.library, handle)

  def put(self, array, borrow=False):
    """Copies an array of any strides to the device, or lends it."""
    release = RELEASE()
    if borrow:
      # The callback keeps itself and the array alive until it is called.
      kept = {}

      def let_go(_):
        kept.clear()

      release = kept["callback"] = RELEASE(let_go)
      kept["array"] = array
    description = HostArray(
        data=array.ctypes.data, type=TYPES[array.dtype], rank=array.ndim,
        dimensions=numbers(array.shape), byte_strides=numbers(array.strides),
        memory=BORROW if borrow else COPY, release=release)
    handle = HANDLE()
    self.library.buffer_from_host(self.handle, ctypes.byref(description),
                                  ctypes.byref(handle))
    return Array(self.library, handle)


class Executable:
  """A compiled program; calling it runs it."""

  def __init__(self, library, handle):
    self.library, self.handle = library, handle
    self.info = ExecutableInfo()
    library.executable_get_info(handle, ctypes.byref(self.info))

  def __del__(self):
    self.library.executable_destroy(self.handle)

  def parameter(self, index):
    info = ArrayInfo()
    self.library.executable_parameter(self.handle, index, ctypes.byref(info))
    return info

  def serialize(self):
    return self.library.text(self.library.executable_serialize, self.handle)

  def hlo(self):
    return self.library.text(self.library.executable_hlo_text,
                             self.handle).decode()

  def __call__(self, *arguments):
    handles = (HANDLE * len(arguments))(*(a.handle for a in arguments))
    count = self.info.num_results * self.info.num_devices
    results = (HANDLE * count)()
    self.library.execute(self.handle, handles, len(arguments), NO_OPTIONS,
                         results, count)
    return [Array(self.library, HANDLE(result)) for result in results]


class Array:
  """An array on a device."""

  def __init__(self, library, handle):
    self.library, self.handle = library, handle
    self.info = ArrayInfo()
    library.buffer_get_info(handle, ctypes.byref(self.info))

  def __del__(self):
    self.library.buffer_destroy(self.handle)

  @property
  def shape(self):
    sizes = numbers([0] * self.info.rank)
    self.library.buffer_get_dimensions(self.handle, sizes, self.info.rank)
    return tuple(sizes)

  def to_numpy(self, order="C"):
    array = np.empty(self.shape, DTYPES[self.info.type], order)
    options = ToHostOptions(byte_strides=numbers(array.strides))
    self.library.buffer_to_host(self.handle, array.ctypes.data, array.nbytes,
                                ctypes.byref(options), None)
    return array
