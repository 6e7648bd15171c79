"""Literals against jaxlib and NumPy: printed text, read text, .npz files."""

import io
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness  # pylint: disable=wrong-import-position

BITS = {
    "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f8e5m2": 8, "f8e4m3": 8,
    "f8e4m3fn": 8, "f8e4m3b11fnuz": 8, "f8e5m2fnuz": 8, "f8e4m3fnuz": 8,
    "f8e3m4": 8, "f8e8m0fnu": 8,
}
DTYPES = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    "f8e5m2": "float8_e5m2", "f8e4m3": "float8_e4m3",
    "f8e4m3fn": "float8_e4m3fn", "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz", "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e3m4": "float8_e3m4", "f8e8m0fnu": "float8_e8m0fnu",
    "f4e2m1fn": "float4_e2m1fn", "f6e2m3fn": "float6_e2m3fn",
    "f6e3m2fn": "float6_e3m2fn",
}


def jaxlib_text(shape, text):
  """Returns what jaxlib prints for a constant that it read from `text`."""
  hlo = harness.require("jaxlib._hlo")._hlo
  module = hlo.hlo_module_from_text(
      f"HloModule m\nENTRY e {{ ROOT c = {shape} constant({text}) }}")
  options = hlo.HloPrintOptions()
  options.print_large_constants = True
  out = module.to_string(options)
  start = out.index("constant(") + len("constant(")
  return out[start:out.rindex(")")]


def ours(cases):
  lines = "".join(f"{shape}\t{text}\n" for shape, text in cases)
  return harness.run("literal_tool", "text", input=lines).splitlines()


def decimal_values():
  numpy = harness.require("numpy")
  rng = numpy.random.default_rng(7)
  values = ["0", "1", "-1.5", "0.1", "0.5", "3", "1e-3", "6", "nan", "-nan",
            "inf", "-inf", "14", "0.3333333333333333", "1e-45", "12.345"]
  values += [repr(float(x)) for x in rng.normal(size=40)]
  return values


def test_floats_print_as_jaxlib_prints_them():
  harness.require("jaxlib")
  cases = []
  for type_name in DTYPES:
    for value in decimal_values():
      if type_name == "f8e8m0fnu" and (value[0] == "-" or value == "0"):
        continue
      cases.append((type_name + "[]", value))
  cases += [("f32[]", x) for x in ("16777217", "1e30", "123456789.125",
                                   "999999", "1000000", "99999.5", "1e5",
                                   "3.4e38", "nan(0x1)", "-nan(0x7fffff)")]
  for case, got in zip(cases, ours(cases), strict=True):
    harness.equal(got, jaxlib_text(*case), case)


def test_every_small_float_survives_its_text():
  """All codes, printed by jaxlib's rule, read back as the same code."""
  numpy = harness.require("numpy")
  ml_dtypes = harness.require("ml_dtypes")
  for type_name, bits in BITS.items():
    if bits > 16:
      continue
    codes = numpy.arange(2**bits, dtype=f"u{bits // 8}")
    dtype = getattr(ml_dtypes, DTYPES[type_name], None) or DTYPES[type_name]
    with numpy.errstate(invalid="ignore"):
      values = codes.view(dtype).astype("f8")
    finite = numpy.isfinite(values)
    if type_name == "f8e8m0fnu":
      finite[0] = False  # 5.9e-39: ml_dtypes rounds its two digits up
    texts = [repr(float(x)) for x in values[finite]]
    shape = f"{type_name}[{len(texts)}]"
    first = ours([(shape, "{" + ",".join(texts) + "}")])[0]
    again = ours([(shape, first)])[0]
    harness.equal(again, first, type_name)
    back = numpy.array([float(x) for x in first.strip("{}").split(",")])
    harness.equal(back.astype(dtype).view(codes.dtype).tolist(),
                  codes[finite].tolist(), type_name)


def test_arrays_print_as_jaxlib_prints_them():
  harness.require("jaxlib")
  cases = [
      ("f32[2,2]", "{{1,2},{3,4}}"), ("f32[1,1]", "{{1}}"),
      ("f32[2,1,2,2]", "{{{{1,2},{3,4}}},{{{5,6},{7,8}}}}"),
      ("f32[2,0,3]", "{{},{}}"), ("f32[0]", "{}"), ("f32[0,0]", "{}"),
      ("pred[2,2]", "{{1,0},{true,false}}"), ("pred[]", "true"),
      ("(f32[2], (s32[], ()))", "({1,2}, (3, ()))"),
      ("c64[2]", "{(1,2),(0.1,1e-5)}"), ("s4[2]", "{1,-8}"),
      ("u64[1]", "{18446744073709551615}"), ("u64[]", "-1"),
      ("s32[2,3]{0,1}", "{{1,2,3},{4,5,6}}"),
  ]
  for case, got in zip(cases, ours(cases), strict=True):
    harness.equal(got, jaxlib_text(*case), case)


def test_npz_files_pass_unchanged():
  numpy = harness.require("numpy")
  ml_dtypes = harness.require("ml_dtypes")
  rng = numpy.random.default_rng(3)
  arrays, shapes = {}, []
  for name in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4",
               "f8", "c8", "c16"):
    arrays["n" + name.replace("?", "b")] = (
        100 * rng.random((3, 2))).astype(name)
  arrays["fortran"] = numpy.asfortranarray(rng.random((3, 4, 2)))
  arrays["big"] = rng.random((3, 2)).astype(">f4")
  arrays["big_complex"] = (rng.random(3) + 1j).astype(">c16")
  arrays["scalar"] = numpy.float32(3)
  arrays["empty"] = numpy.zeros((0, 5), "f4")
  small = {hlo: numpy_name for hlo, numpy_name in DTYPES.items()
           if hasattr(ml_dtypes, numpy_name)}
  small.update({"s4": "int4", "u4": "uint4", "s2": "int2", "u2": "uint2"})
  for hlo, numpy_name in small.items():
    values = numpy.array([1, 0, 1, 1]) if hlo != "f8e8m0fnu" else [1, 2, 4, 8]
    arrays[hlo] = numpy.array(values).astype(getattr(ml_dtypes, numpy_name))
    shapes.append(f"{hlo}={hlo}[4]")
  with tempfile.TemporaryDirectory() as folder:
    source, target = f"{folder}/in.npz", f"{folder}/out.npz"
    for save in (numpy.savez, numpy.savez_compressed):
      save(source, **arrays)
      harness.run("literal_tool", "npz", source, target, *shapes)
      back = numpy.load(target)
      harness.equal(sorted(back.files), sorted(arrays))
      for name, array in arrays.items():
        got = back[name]
        harness.equal(got.shape, array.shape, name)
        if name in small and small[name].startswith(("int", "uint")):
          harness.equal(got.tolist(), array.astype("i4").tolist(), name)
          continue
        want = array.astype(array.dtype.newbyteorder("=")) \
            if name not in small else array
        harness.equal(got.tobytes(), want.tobytes(), name)


def test_a_npy_of_version_2_is_read():
  numpy = harness.require("numpy")
  out = io.BytesIO()
  numpy.lib.format.write_array(out, numpy.arange(3.0), version=(2, 0))
  with tempfile.TemporaryDirectory() as folder:
    zipfile = harness.require("zipfile")
    with zipfile.ZipFile(f"{folder}/in.npz", "w") as archive:
      archive.writestr("x.npy", out.getvalue())
    harness.run("literal_tool", "npz", f"{folder}/in.npz", f"{folder}/out.npz")
    harness.equal(numpy.load(f"{folder}/out.npz")["x"].tolist(), [0, 1, 2])


if __name__ == "__main__":
  harness.main(globals())
