"""Uses the C API from Python through ctypes, as a binding would, in all formats
of programs; and loads the library beside others."""

import ctypes
import functools
import sys

import harness
import numpy as np
import tessera_ctypes as tessera

LIBRARY = harness.BUILD / "lib" / "libtessera_c.so"
CORPUS = harness.SRC / "tests" / "corpus"
SUM = b"""HloModule sum
ENTRY e {
  x = f32[2,3] parameter(0)
  y = f32[2,3] parameter(1)
  ROOT r = (f32[2,3], f32[2,3]) tuple(x, y)
}
"""


@functools.cache
def library():
  if harness.sanitized():
    raise harness.Skip("Python cannot load the objects of such a build")
  return tessera.Library(LIBRARY)


def client(**options):
  return tessera.Client(library(), num_threads=2, **options)


def test_declares_all_functions():
  """And the structs have the sizes that the header gives them."""
  text = (harness.SRC / "cmake" / "libtessera_c.map").read_text()
  names = [line.strip(" ;") for line in text.splitlines() if "tessera_" in line
           and not line.startswith(("#", "TESSERA"))]
  harness.equal(sorted("tessera_" + name for name in tessera.FUNCTIONS),
                sorted(names))
  harness.equal([ctypes.sizeof(struct) for struct in (
      tessera.ClientOptions, tessera.ArrayInfo, tessera.CompileOptions,
      tessera.HostArray)], [88, 96, 72, 80])


def test_version():
  harness.equal(library().api_version() // 1000, 1)
  assert library().version(None).decode().count(".") == 2


def test_arrays_of_all_strides():
  there = client()
  identity = there.compile(SUM)
  base = np.arange(24, dtype=np.float32).reshape(4, 6)
  for x in (base[:2, :3].copy(), base[:2, :3], base[::-2, ::2], base.T[:2, :3],
            np.broadcast_to(base[0, :3], (2, 3))):
    first, second = identity(there.put(x), there.put(np.asfortranarray(x)))
    for order in "CF":
      np.testing.assert_array_equal(first.to_numpy(order), x)
      np.testing.assert_array_equal(second.to_numpy(order), x)


def test_all_types():
  there = client()
  for dtype in tessera.TYPES:
    x = np.arange(6).astype(dtype)
    array = there.put(x)
    harness.equal(library().type_size(array.info.type), dtype.itemsize)
    np.testing.assert_array_equal(array.to_numpy(), x)


def test_borrowed_arrays():
  there = client()
  twice = there.compile(b"ENTRY e { x = f64[1000] parameter(0) "
                        b"ROOT y = f64[1000] add(x, x) }")
  x = np.arange(1000.0)
  before = sys.getrefcount(x)
  array = there.put(x, borrow=True)
  np.testing.assert_array_equal(twice(array)[0].to_numpy(), x + x)
  del array
  harness.equal(sys.getrefcount(x), before)


def test_destruction_in_any_order():
  there = client()
  twice = there.compile(b"ENTRY e { x = f32[4] parameter(0) "
                        b"ROOT y = f32[4] add(x, x) }")
  x = there.put(np.ones(4, np.float32))
  del there
  [y] = twice(x)
  del twice, x
  np.testing.assert_array_equal(y.to_numpy(), np.full(4, 2, np.float32))


def test_formats():
  there = client()
  expected = None
  for suffix, number in ((".mlir", 3), (".mlirbc", 4), (".hlo.pb", 2)):
    program = (CORPUS / f"digits_predict{suffix}").read_bytes()
    for given in (0, number):
      executable = there.compile(program, format=given)
      rng = np.random.default_rng(0)
      arguments = []
      for i in range(executable.info.num_parameters):
        info = executable.parameter(i)
        shape = info.dimensions[:info.rank]
        arguments.append(there.put(
            rng.standard_normal(shape).astype(tessera.DTYPES[info.type])))
      got = [result.to_numpy() for result in executable(*arguments)]
      if expected is None:
        expected = got
      for a, b in zip(got, expected, strict=True):
        np.testing.assert_array_equal(a, b, suffix)


def test_executables_in_bytes():
  there = client()
  data = there.compile(SUM).serialize()
  x = there.put(np.ones((2, 3), np.float32))
  loaded = there.load(data)
  np.testing.assert_array_equal(loaded(x, x)[1].to_numpy(), np.ones((2, 3)))
  assert loaded.hlo().startswith("HloModule sum"), loaded.hlo()


def test_errors_are_exceptions():
  there = client()
  try:
    there.compile(b"HloModule m\nENTRY e {\n  ROOT x f32[] constant(1)\n}\n")
  except tessera.Error as error:
    harness.equal((error.code, error.place), (3, (3, 10)))
  else:
    raise AssertionError("no error")


def test_loops_on_threads_of_the_host():
  calls = []

  def parallel_for(_, count, run, task):
    calls.append(count)
    for i in reversed(range(count)):
      run(task, i)

  callback = tessera.PARALLEL_FOR(parallel_for)
  there = client(parallel_for=callback, parallel_for_threads=4)
  program = there.compile(
      b"ENTRY e { x = f32[512,512] parameter(0)\n"
      b" ROOT y = f32[512,512] dot(x, x), lhs_contracting_dims={1}, "
      b"rhs_contracting_dims={0} }")
  x = np.ones((512, 512), np.float32)
  [y] = program(there.put(x))
  np.testing.assert_array_equal(y.to_numpy(), np.full((512, 512), 512))
  assert calls
  del program, y, there


def test_callbacks_of_events():
  there = client()
  array = there.put(np.ones(4, np.float32))
  event = ctypes.c_void_p()
  library().buffer_ready(array.handle, ctypes.byref(event))
  seen = []
  callback = tessera.ON_READY(lambda data, status: seen.append((data, status)))
  library().event_on_ready(event, callback, 7)
  library().event_destroy(event)
  harness.equal(seen, [(7, None)])


if __name__ == "__main__":
  harness.main(globals())
