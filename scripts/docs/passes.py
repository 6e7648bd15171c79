"""Makes the pass reference: for each pass of `tessera docs passes` the comment
of its header, and a module of its golden test before and after the pass."""

import concurrent.futures
import dataclasses
import pathlib
import re

from command import ROOT, fence, table_rows
from op_cases import SEPARATOR

TRANSFORMS = ROOT / "xla/hlo/transforms"
GOLDENS = ROOT / "tests/hlo/transforms"
FACTORY = re.compile(r'\{"([\w-]+)",[^{}]*?&\w+<(\w+)>\}', re.DOTALL)
RUN_LINE = re.compile(r"RUN: tessera opt .*--passes=([\w,-]+)")
CHECK_LINE = re.compile(r"^// *(?:RUN|[A-Z0-9]+(?:-[A-Z]+)*): ?.*\n",
                        re.MULTILINE)
# An example is the first of at most so many lines, else the shortest.
SHORT = 30
# At most so many parts of a file are tried, of two files.
PARTS = 4
# The verifier changes nothing; the other two work on arrays that are too large
# for a page, and have C++ tests.
WITHOUT_EXAMPLE = {"verify", "attention-rematerialization", "windowed-einsum"}


@dataclasses.dataclass
class Golden:
  """A file of golden tests."""
  path: pathlib.Path
  passes: str  # as on its RUN line
  parts: list


def pass_headers():
  """Maps each pass to the header that declares its class."""
  registry = (TRANSFORMS / "registry.cc").read_text()
  classes = dict(FACTORY.findall(registry))
  headers = {}
  for path in sorted(TRANSFORMS.rglob("*.h")):
    for name in re.findall(r"^class (\w+)\b[^;]*?\{", path.read_text(),
                           re.MULTILINE):
      headers.setdefault(name, path)
  return {name: headers[class_] for name, class_ in classes.items()}


def opening_comment(path):
  """The comment that opens a file, without the slashes."""
  lines = []
  for line in path.read_text().splitlines():
    if not line.startswith("//"):
      break
    lines.append(line[2:].removeprefix(" "))
  return "\n".join(lines)


def as_markdown(comment):
  """The comment with its indented lines in fences, but for those that continue
  an item of a list."""
  blocks, code = [], []
  for line in comment.replace("<", "&lt;").splitlines() + ["end"]:
    is_item = not code and blocks and re.match(r"(- |  )\S", blocks[-1])
    if (line.startswith("  ") and not is_item) or (code and not line):
      code.append(line)
      continue
    if code:
      width = min(len(c) - len(c.lstrip()) for c in code if c)
      text = "\n".join(c[width:] for c in code).replace("&lt;", "<")
      blocks.append(fence("text", text))
      code = []
    blocks.append(line)
  return "\n".join(blocks[:-1])


def goldens():
  """All golden files that `tessera opt` runs passes on."""
  found = []
  for path in sorted(GOLDENS.rglob("*.hlo")):
    text = path.read_text()
    parts = SEPARATOR.split(text) if "--split-input-file" in text else [text]
    found += [Golden(path, passes, parts) for passes in RUN_LINE.findall(text)]
  return found


def candidates(name, files):
  """The golden files of a pass, the best first."""
  def rank(golden):
    passes = golden.passes.split(",")
    return (golden.path.stem != name.replace("-", "_"), passes[0] != name,
            len(passes), golden.path)
  return sorted((g for g in files if name in g.passes.split(",")), key=rank)


def example(command, name, files):
  """(passes, module before, module after) of a pass; None if no golden test
  shows a change."""
  best = None
  for golden in candidates(name, files)[:2]:
    for part in golden.parts[:PARTS]:
      before = CHECK_LINE.sub("", part).strip("\n")
      module = before[before.find("HloModule"):]
      _, plain = command("opt", "p.hlo", files=[("p.hlo", module)])
      status, after = command("opt", f"--passes={golden.passes}", "p.hlo",
                              files=[("p.hlo", module)])
      if status != 0 or plain == after:
        continue
      length = max(before.count("\n"), after.count("\n"))
      if best is None or length < best[0]:
        best = length, golden.passes, before, after
      if length <= SHORT:
        return best[1:]
  return best and best[1:]


def section(name, summary, header, shown):
  where = header.relative_to(ROOT)
  lines = [f"## {name}\n", f"{summary}\n", as_markdown(opening_comment(header)),
           f"\nDeclared in `{where}`.\n"]
  if shown:
    passes, before, after = shown
    lines += ["Before:\n", fence("hlo", before),
              f"After `tessera opt --passes={passes}`:\n", fence("hlo", after)]
  return "\n".join(lines)


def examples(command):
  """Maps each pass to its example. Errors: LookupError for a pass that has
  none."""
  status, listed = command("docs", "passes")
  if status != 0:
    raise RuntimeError(listed)
  rows = {row[0].strip("`"): row[1] for row in table_rows(listed)}
  files = goldens()
  with concurrent.futures.ThreadPoolExecutor() as pool:
    shown = dict(zip(rows, pool.map(
        lambda name: example(command, name, files), rows)))
  missing = [name for name in rows
             if not shown[name] and name not in WITHOUT_EXAMPLE]
  if missing:
    raise LookupError("no golden test shows what these passes change: "
                      + ", ".join(missing))
  return rows, shown


def pages(command):
  """Maps the file name of each page, one a folder of passes, to its Markdown
  text."""
  rows, shown = examples(command)
  headers = pass_headers()
  folders = {}
  for name in rows:
    folder = headers[name].parent
    folders.setdefault("checks" if folder == TRANSFORMS else folder.name,
                       []).append(name)
  made = {}
  for folder, names in folders.items():
    title = f"Passes: {folder}"
    made[f"{folder}.md"] = "\n".join(
        [f"# {title}\n",
         "Made from the headers of the passes and their golden tests in "
         "`tests/hlo/transforms`; what is shown after a pass is what the "
         "command prints.\n",
         *(section(name, rows[name], headers[name], shown[name])
           for name in names)])
  return made
