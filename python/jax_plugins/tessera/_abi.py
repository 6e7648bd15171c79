"""The C structs of the plugin's extensions and of XLA's FFI, as ctypes.

They declare the members that this package reads; names and offsets are those of
the plugin's headers and of jaxlib's xla/ffi/api/c_api.h.
"""

import ctypes

FFI_EXTENSION = 5
BUNDLE_EXTENSION = 0x54460001  # Tessera's own, like the next two
CACHE_EXTENSION = 0x54460002
INTERRUPTS_EXTENSION = 0x54460003
METADATA_EXTENSION = 1
INTERNAL_ERROR = 13
STAGES = ("instantiate", "prepare", "initialize", "execute")

_size, _pointer, _int = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int
Function = ctypes.CFUNCTYPE(_pointer, _pointer)


def _struct(name, *fields):
  return type(name, (ctypes.Structure,), {"_fields_": list(fields)})


# Each struct of the FFI begins with these members.
_HEAD = (("struct_size", _size), ("extension", _pointer))

Api = _struct(
    "PJRT_Api", *_HEAD, ("version", _size * 3), ("error_destroy", _pointer),
    ("error_message", _pointer), ("error_code", _pointer))
ErrorMessageArgs = _struct(
    "PJRT_Error_Message_Args", *_HEAD, ("error", _pointer),
    ("message", _pointer), ("message_size", _size))
ErrorDestroyArgs = _struct(
    "PJRT_Error_Destroy_Args", *_HEAD, ("error", _pointer))
Extension = _struct(
    "PJRT_Extension_Base", ("struct_size", _size), ("type", _int),
    ("next", _pointer))
FfiExtension = _struct(
    "PJRT_FFI_Extension", ("base", Extension), ("type_register", _pointer))
BundleExtension = _struct(
    "Tessera_FFI_Bundle_Extension", ("base", Extension),
    ("register_bundle", _pointer))
BundleArgs = _struct(
    "Tessera_FFI_Register_Bundle_Args", ("struct_size", _size),
    ("name", ctypes.c_char_p), ("name_size", _size),
    ("platform", ctypes.c_char_p), ("platform_size", _size),
    *((stage, _pointer) for stage in STAGES), ("traits", ctypes.c_uint32))
CacheExtension = _struct(
    "Tessera_CompilationCache_Extension", ("base", Extension),
    ("statistics", _pointer))
CACHE_COUNTERS = ("hits", "misses", "stores", "evictions", "uncached", "errors")
CacheArgs = _struct(
    "Tessera_CompilationCache_Statistics_Args", *_HEAD,
    *((name, ctypes.c_int64) for name in CACHE_COUNTERS))
InterruptsExtension = _struct(
    "Tessera_Interrupts_Extension", ("base", Extension),
    ("cancel", _pointer), ("cancel_on_signal", _pointer))
CancelArgs = _struct("Tessera_Interrupts_Cancel_Args", *_HEAD)
CancelOnSignalArgs = _struct(
    "Tessera_Interrupts_CancelOnSignal_Args", *_HEAD, ("signal", _int),
    ("grace_ns", ctypes.c_int64))
TypeArgs = _struct(
    "PJRT_FFI_Type_Register_Args", *_HEAD, ("name", ctypes.c_char_p),
    ("name_size", _size), ("type_id", ctypes.c_int64), ("type_info", _pointer))
TypeInfo = _struct(
    "PJRT_FFI_Type_Info", ("deleter", _pointer), ("serialize", _pointer),
    ("deserialize", _pointer))

FfiTypeInfo = _struct("XLA_FFI_TypeInfo", *_HEAD, ("deleter", _pointer))
FfiApi = _struct(
    "XLA_FFI_Api", *_HEAD, ("version_size", _size),
    ("version_extension", _pointer), ("major", _int), ("minor", _int),
    ("internal", _pointer), ("error_create", _pointer))
FfiErrorCreateArgs = _struct(
    "XLA_FFI_Error_Create_Args", *_HEAD, ("message", ctypes.c_char_p),
    ("code", ctypes.c_uint32))
Buffer = _struct(
    "XLA_FFI_Buffer", *_HEAD, ("dtype", _int), ("data", _pointer),
    ("rank", ctypes.c_int64), ("dims", ctypes.POINTER(ctypes.c_int64)))
_Buffers = _struct(
    "XLA_FFI_Args", *_HEAD, ("size", ctypes.c_int64), ("types", _pointer),
    ("values", ctypes.POINTER(ctypes.POINTER(Buffer))))
Scalar = _struct("XLA_FFI_Scalar", ("dtype", _int), ("value", _pointer))
_Attributes = _struct(
    "XLA_FFI_Attrs", *_HEAD, ("size", ctypes.c_int64), ("types", _pointer),
    ("names", _pointer), ("values", ctypes.POINTER(ctypes.POINTER(Scalar))))
CallFrame = _struct(
    "XLA_FFI_CallFrame", *_HEAD, ("api", _pointer), ("context", _pointer),
    ("stage", _int), ("args", _Buffers), ("rets", _Buffers),
    ("attrs", _Attributes))
_MetadataExtension = _struct(
    "XLA_FFI_Metadata_Extension", ("struct_size", _size), ("type", _int),
    ("next", _pointer), ("metadata", _pointer))
_Metadata = _struct(
    "XLA_FFI_Metadata", ("struct_size", _size), ("version_size", _size),
    ("version_extension", _pointer), ("major", _int), ("minor", _int),
    ("traits", ctypes.c_uint32))


def make(kind, **members):
  """Makes an argument struct with its size set to the end of its last
  member."""
  last = getattr(kind, kind._fields_[-1][0])
  return kind(struct_size=last.offset + last.size, **members)


def call(address, args):
  """Calls the C function at `address` with a struct; returns its error or
  None."""
  return Function(address)(ctypes.addressof(args))


def find_extension(api, number, kind):
  """The extension of that number as a `kind`. Errors: NotImplementedError if
  the plugin lacks it."""
  address = api.extension
  while address:
    extension = Extension.from_address(address)
    if extension.type == number:
      return kind.from_address(address)
    address = extension.next
  raise NotImplementedError(f"the plugin has no extension {number:#x}")


def raise_error(api, error, what):
  """Turns a PJRT_Error, if there is one, into a RuntimeError."""
  if not error:
    return
  args = make(ErrorMessageArgs, error=error)
  call(api.error_message, args)
  text = ctypes.string_at(args.message, args.message_size).decode()
  call(api.error_destroy, make(ErrorDestroyArgs, error=error))
  raise RuntimeError(f"{what}: {text}")


def address_of(capsule):
  """The address in a PyCapsule or an integer."""
  if isinstance(capsule, int):
    return capsule
  python = ctypes.pythonapi
  name, get = python.PyCapsule_GetName, python.PyCapsule_GetPointer
  name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
  get.restype, get.argtypes = _pointer, [ctypes.py_object, ctypes.c_char_p]
  return get(capsule, name(capsule))


def answer_metadata(frame, api):
  """True if the call only asks a handler for its version; then answers with the
  version of `api`."""
  address = frame.extension
  while address:
    extension = _MetadataExtension.from_address(address)
    if extension.type == METADATA_EXTENSION:
      metadata = _Metadata.from_address(extension.metadata)
      metadata.major, metadata.minor = api.major, api.minor
      return True
    address = extension.next
  return False
