"""Reads the cases of tests/ops (tests/ops/README.md has their format) and runs
them with the tessera command."""

import dataclasses
import functools
import io
import re

from command import ROOT

FOLDER = ROOT / "tests" / "ops"
SEPARATOR = re.compile(r"^// -----.*\n", re.MULTILINE)
DIRECTIVE = re.compile(
    r"^// (ARGS|EXPECT|ERROR|DOC|TOLERANCE|REPLICAS|PARTITIONS)(?:@(\d+))?: ?"
    r"(.*)$")
EXPECTED = "expected.npz"
# Names of numpy, or of ml_dtypes, for element types that are called otherwise.
NUMPY_TYPES = {
    "pred": "bool", "f16": "float16", "f32": "float32", "f64": "float64",
    "c64": "complex64", "c128": "complex128", "bf16": "bfloat16"}


@dataclasses.dataclass
class Case:
  """One module with what is expected of it."""
  stem: str
  text: str  # the module and the comments before it
  directives: list  # (key, device or None, value)

  def values(self, key):
    return [(device, value) for name, device, value in self.directives
            if name == key]

  def has(self, key):
    return bool(self.values(key))


def parse_case(stem, part):
  """The case of one part of a file."""
  directives, lines = [], []
  for line in part.strip("\n").splitlines():
    match = DIRECTIVE.match(line)
    if match:
      directives.append((match[1], match[2], match[3]))
    else:
      lines.append(line)
  return Case(stem, "\n".join(lines) + "\n", directives)


@functools.lru_cache(maxsize=None)
def cases():
  """All cases, by file and in order."""
  return [parse_case(path.stem, part)
          for path in sorted(FOLDER.glob("*.hlo"))
          for part in SEPARATOR.split(path.read_text())]


def split_values(text):
  """The values of an ARGS line, which `;` separates."""
  return [part.strip() for part in text.split(";") if part.strip()]


def array(text):
  """The numpy array of a value such as `s32[2]{0} {1, 2}`. Errors: ValueError
  for what has no such form, as tuples and tokens."""
  import ml_dtypes
  import numpy
  match = re.fullmatch(r"(\w+)\[([\d,]*)\](?:\{[^}]*\})?\s*(.*)", text,
                       re.DOTALL)
  if not match:
    raise ValueError(f"not an array: {text}")
  name, sizes, elements = match.groups()
  words = re.findall(r"\([^)]*\)|[^\s{},]+", elements)
  if name[0] == "c":
    words = [complex(*map(float, word.strip("()").split(",")))
             for word in words]
  elif name == "pred":
    words = [{"true": 1, "false": 0}.get(word, word) for word in words]
  if re.fullmatch(r"[su](8|16|32|64)", name):
    dtype = numpy.dtype(f"{'' if name[0] == 's' else 'u'}int{name[1:]}")
    words = [int(word) for word in words]
  elif name in NUMPY_TYPES and name != "bf16":
    dtype = numpy.dtype(NUMPY_TYPES[name])
    words = [w if isinstance(w, complex) else float(w) for w in words]
  else:
    named = NUMPY_TYPES.get(name) or name.replace("f8", "float8_")
    dtype = numpy.dtype(getattr(ml_dtypes, named))
    words = [float(word) for word in words]
  shape = [int(size) for size in sizes.split(",") if size]
  return numpy.array(words, dtype=dtype).reshape(shape)


def npz(case, key="ARGS", name="arg"):
  """The arguments of a case as the bytes of a .npz file; None if there are
  none. With `key` EXPECT and `name` out, the expected results."""
  import numpy
  arrays = {}
  for device, text in case.values(key):
    prefix = "" if device is None else f"r{device}_"
    for i, value in enumerate(split_values(text)):
      arrays[f"{prefix}{name}{i}"] = array(value)
  if not arrays:
    return None
  file = io.BytesIO()
  numpy.savez(file, **arrays)
  return file.getvalue()


def run(command, case, *flags, compare=False):
  """Runs a case; returns the exit status and what the command prints. With
  `compare` results that are not the expected ones give status 1."""
  files = [(f"{case.stem}.hlo", case.text)]
  arguments = ["run", f"{case.stem}.hlo", *flags]
  for _, count in case.values("REPLICAS"):
    arguments += ["--replicas", count.strip()]
  for _, count in case.values("PARTITIONS"):
    arguments += ["--devices", count.strip()]
  given = npz(case)
  if given is not None:
    files.append(("arguments.npz", given))
    arguments += ["--inputs", "arguments.npz"]
  if compare:
    files.append((EXPECTED, npz(case, "EXPECT", "out")))
    arguments += ["--expect", EXPECTED]
    for _, bound in case.values("TOLERANCE"):
      arguments += ["--atol", bound.strip(), "--rtol", bound.strip()]
  status, printed = command(*arguments, files=files)
  return status, printed.replace(f"results are as in {EXPECTED}\n", "")
