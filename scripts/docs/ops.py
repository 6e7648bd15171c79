"""Makes the pages of the op reference: for each operation its row of `tessera
docs ops` and an example of tests/ops, which the command runs."""

import concurrent.futures
import re

import op_cases
from command import ROOT, fence, table_rows

# Titles of the pages, in order, and the headers whose operations they list.
FAMILIES = {
    "Values and tuples": ("values",),
    "Element-wise, one operand": ("elementwise_unary",),
    "Element-wise, two operands": ("elementwise_binary",),
    "Element-wise, other": ("elementwise_other",),
    "Random numbers": ("random",),
    "Shapes": ("reshape",),
    "Slices, padding, concatenation": ("slicing",),
    "Gather and scatter": ("gather_scatter",),
    "Sorting": ("sorting",),
    "Reductions and windows": ("reduction",),
    "Batch normalization": ("batch_norm",),
    "Dots": ("contraction",),
    "Convolutions": ("convolution",),
    "Linear algebra and FFT": ("linear_algebra",),
    "Control flow and calls": ("control_flow",),
    "Collectives": ("collectives", "collective_pairs"),
    "Transfers and the host": ("transfers",),
}
# An example is chosen by its length; one that the operation semantics document
# has may be longer by so many lines.
DOCUMENT_BONUS = 8
# A row gives its name as a field, or to a function that makes rows.
OP_NAME = re.compile(r'(?:\.name = |^ +|\()"([a-z][\w-]*)",', re.MULTILINE)
RESULT_LINE = re.compile(r"^(?:r\d+_)?out\d+: ", re.MULTILINE)


def file_name(title):
  return re.sub(r"[^a-z]+", "-", title.lower()).strip("-")


def headers():
  """Maps the name of each operation to the stem of the header of its row."""
  found = {}
  for path in sorted((ROOT / "xla/hlo/ops").rglob("*.h")):
    for name in OP_NAME.findall(path.read_text()):
      found[name] = path.stem
  return found


def example(name):
  """The shortest case with the operation and an expected result. Errors:
  LookupError if there is none."""
  best = None
  for case in op_cases.cases():
    if (case.has("ERROR") or not case.has("EXPECT")
        or f" {name}(" not in case.text):
      continue
    length = case.text.count("\n") - DOCUMENT_BONUS * case.has("DOC")
    key = (case.stem != name, length)
    if best is None or key < best[0]:
      best = key, case
  if best is None:
    raise LookupError(f"tests/ops has no example of {name} with a result")
  return best[1]


def arguments_text(case):
  lines = []
  for device, text in case.values("ARGS"):
    prefix = "" if device is None else f"r{device}_"
    lines += [f"{prefix}arg{i}: {value}"
              for i, value in enumerate(op_cases.split_values(text))]
  return "\n".join(lines)


def run_example(command, name):
  """(case, what the command prints) of the example of an operation. Errors:
  RuntimeError if it fails, prints no result, or another than expected."""
  case = example(name)
  status, printed = op_cases.run(command, case, compare=True)
  if status != 0 or not RESULT_LINE.search(printed):
    raise RuntimeError(f"the example of {name} fails:\n{printed}{case.text}")
  return case, printed


def section(row, case, printed):
  name, operands, attributes, computations, heading, meaning = row
  name = name.strip("`")
  lines = [f"## {name}\n", f"{meaning}\n"]
  details = [("Operands", operands), ("Attributes", attributes),
             ("Computations", computations)]
  lines += [f"- {label}: {value}" for label, value in details if value]
  if heading != "-":
    lines.append(f"- In the operation semantics document: {heading}")
  lines += ["", fence("hlo", case.text)]
  arguments = arguments_text(case)
  if arguments:
    lines += ["Arguments:\n", fence("text", arguments)]
  lines += ["Result:\n", fence("text", printed)]
  return "\n".join(lines)


def pages(command):
  """Maps the file name of each page to its Markdown text. Errors: LookupError
  for an operation without an example or a family."""
  status, listed = command("docs", "ops")
  if status != 0:
    raise RuntimeError(listed)
  rows = {row[0].strip("`"): row for row in table_rows(listed)}
  with concurrent.futures.ThreadPoolExecutor() as pool:
    runs = dict(zip(rows, pool.map(lambda n: run_example(command, n), rows)))
  stems = headers()
  made = {}
  for title, families in FAMILIES.items():
    names = [name for name in rows if stems.get(name) in families]
    made[f"{file_name(title)}.md"] = "\n".join(
        [f"# {title}\n",
         "Made from the definitions in `xla/hlo/ops` and the cases in "
         "`tests/ops`. Each result is what `tessera run` prints.\n",
         *(section(rows.pop(name), *runs[name]) for name in names)])
  if rows:
    raise LookupError(f"scripts/docs/ops.py: no family has {', '.join(rows)}")
  return made
