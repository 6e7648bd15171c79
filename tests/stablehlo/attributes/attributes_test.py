"""Every attribute of every op of StableHLO's dialects is read or refused.

The tables *.toml give each op a program and each attribute other values. With
each the HLO must be another, or an error must name it: in the text as it is
written, and in what jaxlib makes of it, pretty text and portable artifact. What
jaxlib's dialects have must be in a table.
"""

import pathlib
import re
import tempfile
import tomllib

import harness

FOLDER = pathlib.Path(__file__).parent
DIALECTS = ("stablehlo", "chlo", "sdy", "func")
# Keys of an [[op]] that are not attributes.
OTHER = {"name", "type", "module", "regions", "before", "body", "operands",
         "parameters", "annotated", "returns", "inside", "refused", "jaxlib",
         "module_op", "call", "attributes", "moved"}
ADD = """^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %s = stablehlo.{} %a, %b : tensor<f32>
  stablehlo.return %s : tensor<f32>"""
COMPARE = """^bb0(%a: tensor<f32>, %b: tensor<f32>):
  %s = stablehlo.compare {}, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>"""
ONE = """%s = stablehlo.constant dense<{}> : tensor<f32>
  stablehlo.return %s : tensor<f32>"""
SQUARED = """^bb0(%a: tensor<{0}xf32>):
  %s = stablehlo.multiply %a, %a : tensor<{0}xf32>
  sdy.return %s : tensor<{0}xf32>"""
REGIONS = {
    "add": ADD.format("add"), "lt": COMPARE.format("LT"),
    "ge": COMPARE.format("GE"), "one": ONE.format(1.0), "two": ONE.format(2.0),
    "half": SQUARED.format("2x4"), "whole": SQUARED.format("4x4"),
    "scan": """^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %s = stablehlo.subtract %a, %b : tensor<4xf32>
  stablehlo.return %s, %s : tensor<4xf32>, tensor<4xf32>""",
    "positive": """^bb0(%a: tensor<f32>):
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.compare GT, %a, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %s : tensor<i1>""",
    "negated": """^bb0(%a: tensor<f32>):
  %s = stablehlo.negate %a : tensor<f32>
  stablehlo.return %s : tensor<f32>""",
}


class Variant:
  """A value of an attribute, from a table."""

  def __init__(self, given):
    given = {"to": given} if isinstance(given, str) else given
    self.to = given["to"]
    self.type = given.get("type")
    self.refused = given.get("refused")
    self.hint = given.get("hint")
    self.jaxlib = given.get("jaxlib", True)
    self.also = given.get("with", {})


def split_types(text):
  """Returns the types of a list such as `tensor<2xf32>, tuple<a, b>`."""
  parts, depth = [""], 0
  for letter in text:
    depth += {"<": 1, ">": -1, "(": 1, ")": -1}.get(letter, 0)
    if letter == "," and depth == 0:
      parts.append("")
    else:
      parts[-1] += letter
  return [part.strip() for part in parts if part.strip()]


def attribute_text(values):
  words = [name if value == "unit" else f"{name} = {value}"
           for name, value in values.items() if value != "-"]
  return "{" + ", ".join(words) + "}" if words else ""


def program(row, name, values, type_text):
  """Returns the module's text with the op under test."""
  operand_types, result_types = (
      split_types(part.strip().removeprefix("(").removesuffix(")"))
      for part in re.split(r" -> (?=[^>]|$)", type_text, maxsplit=1))
  operands = row.get("operands",
                     [f"%{i}" for i in range(len(operand_types))])
  if "parameters" in row:
    parameters = row["parameters"]
  else:
    parameters = [type_ for name_, type_ in zip(operands, operand_types)
                  if name_[1:].isdigit()]
  regions = row.get("regions", [])
  if name == "sdy.manual_computation" or row.get("call"):
    regions = regions[:1]
  region_text = ", ".join("{\n" + REGIONS[region] + "\n}"
                          for region in regions)
  count = len(result_types)
  results = [f"%r#{i}" for i in range(count)] if count > 1 else ["%r"] * count
  if not row.get("returns", True):
    results, returned = [], []
  else:
    returned = result_types
  left = f"%r:{count} = " if count > 1 else "%r = " if count else ""
  attributes = row.get("attributes") or attribute_text(values)
  call = (f'{left}"{row.get("call", name)}"({", ".join(operands)}) '
          + (f"({region_text}) " if region_text else "")
          + f"{attributes} : ({', '.join(operand_types)}) -> "
          + f"({', '.join(result_types)})")
  arguments = ", ".join(f"%{i}: {type_}" for i, type_ in enumerate(parameters))
  end = (f"return {', '.join(results)} : {', '.join(returned)}" if results
         else "return")
  before = row.get("before", "")
  if row.get("module_op"):
    before = "sdy.mesh " + values["sym_name"] + " " + values["mesh"]
  return (f"module attributes {{{row.get('module', '')}}} {{\n{before}\n"
          f"func.func @main({arguments}) -> ({', '.join(returned)}) {{\n"
          f"{row.get('body', '')}\n{call}\n{end}\n}}\n}}\n")


def rows():
  for dialect in DIALECTS:
    table = tomllib.loads((FOLDER / f"{dialect}.toml").read_text())
    for row in table["op"]:
      names = row["name"]
      for name in [names] if isinstance(names, str) else names:
        yield name, row


def attributes_of(row):
  """Returns {attribute: [Variant, ...]}: the others must differ from the first.
  `name_` is an attribute called `name`."""
  return {key.rstrip("_"): [Variant(value) for value in values]
          for key, values in row.items() if key not in OTHER}


class Programs:
  """Texts and artifacts of the tables, and the HLO that each gives."""

  def __init__(self, folder):
    self.folder = folder
    self.files = {}  # by (source, form)
    self.hlo = {}

  def add(self, text, jaxlib, refused=False):
    """Makes the forms of one program: `text`, and by jaxlib `pretty` and
    `artifact`."""
    if text in self.files:
      return
    number = len(self.files)
    made = {"text": self._write(f"{number}.mlir", text.encode())}
    if jaxlib:
      for form, contents in serialized(text, refused).items():
        made[form] = self._write(f"{number}.{form}", contents)
    self.files[text] = made

  def _write(self, name, contents):
    path = self.folder / name
    path.write_bytes(contents)
    return str(path)

  def convert(self):
    paths = [path for made in self.files.values() for path in made.values()]
    out = harness.run("convert_programs_tool", *paths)
    for part in re.split(r"^== ", out, flags=re.M)[1:]:
      path, _, text = part.partition("\n")
      self.hlo[path] = text


def serialized(text, refused=False):
  """Returns jaxlib's forms of a program: {"pretty": bytes, "artifact": bytes};
  nothing without jaxlib, or if it refuses what we have to refuse too."""
  try:
    from jax._src.interpreters import mlir
    from jaxlib import _jax
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
  except ImportError:
    return {}
  if "!quant." in text:  # A dialect that Python's contexts do not have.
    return {"artifact": stablehlo.serialize_portable_artifact_str(
        text, "1.17.0")}
  with mlir.make_ir_context():
    try:
      module = ir.Module.parse(text)
    except ir.MLIRError as error:
      if refused:
        return {}
      raise AssertionError(f"jaxlib does not take\n{text}\n{error}") from None
    try:
      artifact = _jax.mlir.serialize_portable_artifact(
          mlir.module_to_bytecode(module), "1.17.0", True)
    except RuntimeError as error:
      if refused:
        return {"pretty": str(module).encode()}
      raise AssertionError(f"jaxlib makes no artifact of\n{text}\n{error}")
    return {"pretty": str(module).encode(), "artifact": artifact}


def meaning(hlo, row):
  """Returns HLO without annotations, unless the op is about these."""
  if row.get("annotated"):
    return hlo
  return re.sub(r", frontend_attributes=\{(?:[^{}\"]|\"[^\"]*\"|\{[^{}]*\})*\}",
                "", hlo)


def check(programs, row, base, text, variant):
  """Compares the HLO of a program with one attribute changed to the base."""
  for form, path in programs.files[text].items():
    got, was = programs.hlo[path], programs.hlo[programs.files[base][form]]
    if was.startswith("error: "):
      raise AssertionError(f"{form}: {was}\n{base}")
    if variant.refused:
      if not (got.startswith("error: ") and variant.refused in got):
        raise AssertionError(
            f"{form}: no error with {variant.refused!r}\n{got}\n{text}")
      continue
    if got.startswith("error: "):
      raise AssertionError(f"{form}: {got}\n{text}")
    check_same(got, programs.hlo[programs.files[text]["text"]], form, text, row)
    same = meaning(got, row) == meaning(was, row)
    if same != bool(variant.hint):
      raise AssertionError(f"{form}: {'the same' if same else 'other'} HLO\n"
                           f"{base}\n{text}\n{got}")


def check_same(got, want, form, text, row):
  """Fails if a form of a program gives other HLO than the text."""
  # jaxlib expands other ops of chlo in artifacts.
  if "chlo." in text.replace("chlo.scan", "") or row.get("moved"):
    return
  got, want = (unnumbered(meaning(hlo, row)) for hlo in (got, want))
  if got != want:
    raise AssertionError(f"{form}: not the HLO of the text\n{got}\n{want}")


def unnumbered(hlo):
  """Returns HLO without the numbers that make names unique, and without the
  locations that jaxlib adds."""
  hlo = re.sub(r", metadata=\{[^}]*\}", "", hlo)
  return re.sub(r"\b([A-Za-z_-]+)\.\d+\b", r"\1", hlo)


def check_plain(programs, row, text):
  """A program converts to the same HLO from all forms, or is refused."""
  found = {form: programs.hlo[path]
           for form, path in programs.files[text].items()}
  for form, got in found.items():
    if row.get("refused"):
      if not (got.startswith("error: ") and row["refused"] in got):
        raise AssertionError(f"{form}: no error\n{got}")
    elif got.startswith("error: "):
      raise AssertionError(f"{form}: {got}\n{text}")
    else:
      check_same(got, found["text"], form, text, row)


def test_attributes():
  with tempfile.TemporaryDirectory() as folder:
    programs, cases = Programs(pathlib.Path(folder)), []
    for name, row in rows():
      if row.get("inside"):
        continue
      attributes = attributes_of(row)
      values = {key: variants[0].to for key, variants in attributes.items()}
      base = program(row, name, values, row["type"])
      try:
        programs.add(base, row.get("jaxlib", True))
      except AssertionError as error:
        yield name, fail, error
        continue
      cases.append((name, check_plain, programs, row, base))
      for key, variants in attributes.items():
        for i, variant in enumerate(variants[1:]):
          text = program(row, name, {**values, **variant.also, key: variant.to},
                         variant.type or row["type"])
          case = f"{name}.{key}.{i + 1}"
          try:
            programs.add(text, variant.jaxlib and row.get("jaxlib", True),
                         bool(variant.refused))
          except AssertionError as error:
            cases.append((case, fail, error))
            continue
          cases.append((case, check, programs, row, base, text, variant))
    programs.convert()
    yield from cases


def fail(error):
  raise error


def dialect_ops(dialect):
  """Returns {op: {attribute, ...}} of jaxlib's Python bindings of a dialect."""
  bindings = __import__(f"jaxlib.mlir.dialects._{dialect}_ops_gen",
                        fromlist=["x"])
  source = pathlib.Path(bindings.__file__).read_text()
  ops = {}
  for part in source.split("\n@_ods_cext.register_operation(_Dialect)\n")[1:]:
    name = re.search(r'OPERATION_NAME = "([^"]+)"', part)[1]
    ops[name] = set(re.findall(r'attributes\["(\w+)"\]', part))
  return ops


def covered():
  table = {}
  for name, row in rows():
    table.setdefault(name, set()).update(attributes_of(row))
    if row.get("inside") or row.get("refused"):
      table[name].add("*")
  return table


def check_covered(dialect):
  table, missing, ops = covered(), [], dialect_ops(dialect)
  for op, attributes in ops.items():
    if op not in table:
      missing.append(op)
    elif "*" not in table[op]:
      missing += [f"{op}: {name}" for name in sorted(attributes - table[op])]
  if missing:
    raise AssertionError("in no table: " + ", ".join(missing))
  if len(ops) < 5:
    raise AssertionError(f"jaxlib has {len(ops)} ops of {dialect}")


def test_coverage():
  harness.require("jaxlib")
  for dialect in DIALECTS:
    yield dialect, check_covered, dialect


if __name__ == "__main__":
  harness.main(globals())
