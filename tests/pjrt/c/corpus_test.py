#!/usr/bin/env python3
"""Runs the corpus through the plugin's C API, in each form of program that it
accepts; the results must be those of XLA:CPU."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness

PLUGIN = harness.BUILD / "lib" / "libpjrt_tessera.so"
CORPUS = harness.SRC / "tests" / "corpus"
DIGITS = harness.SRC / "examples" / "digits"
# PJRT_Buffer_Type by NumPy's names.
TYPES = {"bool": 1, "int8": 2, "int32": 4, "int64": 5, "uint8": 6, "uint32": 8,
         "float32": 11, "float64": 12}


def arrays_of(archive, prefix):
  names = [name for name in archive.files if name.startswith(prefix)]
  return [archive[f"{prefix}{i}"] for i in range(len(names))]


def check(client, program, arrays):
  import numpy
  with numpy.load(arrays) as archive:
    inputs, expected = arrays_of(archive, "arg"), arrays_of(archive, "out")
  with client.devices() as devices:
    buffers = [
        client.buffer_from_host(
            bytearray(numpy.ascontiguousarray(x).tobytes()),
            TYPES[x.dtype.name], x.shape, devices[0])
        for x in inputs]
  results = client.compile(program.read_bytes())(*buffers)
  harness.equal(len(results), len(expected))
  for i, (result, want) in enumerate(zip(results, expected)):
    harness.equal(tuple(result.dimensions), want.shape, f"result {i}")
    got = numpy.frombuffer(bytes(result.to_host()), want.dtype)
    numpy.testing.assert_allclose(got.reshape(want.shape), want, rtol=1e-3,
                                  atol=1e-4)


def test_corpus():
  if harness.sanitized():
    raise harness.Skip("Python does not load a sanitized plugin")
  harness.require("numpy")
  pypjrt = harness.require("pypjrt")
  client = pypjrt.Client.create(str(PLUGIN))
  for name, folder in (("digits_predict", DIGITS),
                       ("digits_train_step", DIGITS),
                       ("text_generate", CORPUS),
                       ("text_train_step", CORPUS)):
    programs = [CORPUS / f"{name}.{suffix}"
                for suffix in ("mlir", "mlirbc", "hlo.pb")]
    for program in programs + [folder / f"{name}.hlo"]:
      yield program.name, check, client, program, folder / f"{name}.npz"


if __name__ == "__main__":
  harness.main(globals())
