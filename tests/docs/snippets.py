"""Reads the fenced blocks of a page of docs/ and runs them as a reader would.

The language of a block says what happens to it:

    hlo, mlir, py and others with title="FILE": FILE is written
    sh                      each block runs in bash, in the page's own folder
    python                  the blocks of a page run in one interpreter
    output                  what the block before it prints, standard error
                            included
    cpp with title="PATH"   the lines must be in PATH of the tree, in this order
                            and without gaps

A block of sh without output must end with status 0. In an output, `...` stands
for any text in a line, and for any lines if it is alone. A page has checked
snippets if it lies in one of FOLDERS or is one of PAGES.
"""

import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import harness

FOLDERS = ("start", "lessons", "guides")
PAGES = ("faq.md",)
FENCE = re.compile(r'^( *)```(\w*)(?: title="([^"]+)")? *\n(.*?)^\1``` *$',
                   re.MULTILINE | re.DOTALL)
MARK = "----- end of block -----"
RUN = ("sh", "python")


@dataclasses.dataclass
class Block:
  language: str
  title: str
  text: str
  line: int
  output: "Block" = None  # what it prints, if the page says so


def pages():
  """The pages whose snippets are checked."""
  docs = harness.SRC / "docs"
  found = [docs / page for page in PAGES]
  for folder in FOLDERS:
    found += (docs / folder).glob("*.md")
  return sorted(found)


def blocks(text):
  """The blocks of a page; outputs belong to the block before them."""
  found = []
  for match in FENCE.finditer(text):
    body = re.sub(f"^{match[1]}", "", match[4], flags=re.MULTILINE)
    block = Block(match[2], match[3] or "", body,
                  text.count("\n", 0, match.start()) + 1)
    if block.language == "output":
      if not found or found[-1].language not in RUN:
        raise AssertionError(f"line {block.line}: output of nothing")
      found[-1].output = block
    else:
      found.append(block)
  return found


def plugin():
  """The PJRT plugin of the build."""
  return harness.BUILD / "lib/libpjrt_tessera.so"


def environment(folder):
  """The environment of commands: the programs of the build, and JAX with the
  plugin of the build."""
  env = dict(os.environ)
  env["PATH"] = os.pathsep.join(
      [str(harness.BIN), os.path.dirname(sys.executable), env["PATH"]])
  env["JAX_PLATFORMS"] = "tessera,cpu"
  env["PYTHONPATH"] = str(harness.SRC / "python")
  env["TESSERA_LIBRARY_PATH"] = str(plugin())
  env["TESSERA_CACHE_DIR"] = str(folder / "cache")
  env["PYTHONDONTWRITEBYTECODE"] = "1"
  for name in ("XLA_FLAGS", "TESSERA_NUM_DEVICES", "TESSERA_NUM_THREADS"):
    env.pop(name, None)
  return env


def run_shell(block, folder, env):
  """(status, what a block of sh prints)."""
  done = subprocess.run(
      ["bash", "-c", block.text], cwd=folder, env=env, text=True,
      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
      stderr=subprocess.STDOUT, timeout=120, check=False)
  return done.returncode, done.stdout


def run_python(page_blocks, folder, env):
  """What each block of Python prints, by its line. An exception ends a block,
  and its last line is printed."""
  script = ["import sys, traceback",
            "def _run(code, names):",
            "  try: exec(compile(code, 'page', 'exec'), names)",
            "  except Exception as error:",
            "    print(traceback.format_exception_only(error)[-1].strip())",
            "names = {'__name__': '__main__'}"]
  for block in page_blocks:
    script += [f"_run({block.text!r}, names)", "sys.stdout.flush()",
               f"print({MARK!r}, flush=True)"]
  (folder / "page_script.py").write_text("\n".join(script) + "\n")
  done = subprocess.run(
      [sys.executable, "-W", "ignore", "page_script.py"], cwd=folder, env=env,
      text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
      stderr=subprocess.PIPE, timeout=300, check=False)
  if done.returncode != 0:
    raise AssertionError(done.stdout + done.stderr)
  return dict(zip((block.line for block in page_blocks),
                  done.stdout.split(MARK + "\n")))


def pattern(want):
  """A regular expression for an output."""
  parts = []
  for line in want.splitlines():
    if line.strip() == "...":
      parts.append(r"(?:.*\n)*?")
    else:
      parts.append(r"[^\n]*".join(map(re.escape, line.rstrip().split("...")))
                   + r" *\n")
  return re.compile("".join(parts) + r"\Z")


def tidy(text):
  """`text` with empty lines at its ends removed, and one newline."""
  return text.strip("\n") + "\n"


def is_in_file(block):
  """Whether the lines of a block of C++ are in the file that it names."""
  path = harness.SRC / block.title
  if not path.is_file():
    return False
  lines = [line.strip() for line in path.read_text().splitlines()]
  wanted = [line.strip() for line in block.text.strip().splitlines()]
  return any(lines[i:i + len(wanted)] == wanted for i in range(len(lines)))


def needs_jax(page_blocks):
  return any(block.language == "python" or
             block.language == "sh" and "python" in block.text
             for block in page_blocks)


def run_page(path):
  """Runs a page. Returns its blocks, the printed text of each by its line, and
  the problems found."""
  page_blocks = blocks(path.read_text())
  printed, problems = {}, []
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    env = environment(folder)
    for block in page_blocks:
      if block.title and block.language != "cpp":
        target = folder / block.title
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.text)
      if block.language == "cpp" and block.title and not is_in_file(block):
        problems.append(f"{path.name}:{block.line}: {block.title} has no such "
                        "lines")
      if block.language == "sh" and not block.title:
        status, text = run_shell(block, folder, env)
        printed[block.line] = text
        if block.output is None and status != 0:
          problems.append(f"{path.name}:{block.line}: status {status}\n{text}")
    python = [block for block in page_blocks
              if block.language == "python" and not block.title]
    if python:
      printed |= run_python(python, folder, env)
  for block in page_blocks:
    got = printed.get(block.line)
    if got is None:
      continue
    if block.output is not None:
      if not pattern(tidy(block.output.text)).match(tidy(got)):
        problems.append(f"{path.name}:{block.output.line}: the output is\n"
                        f"{got}")
    elif block.language == "python" and got.strip():
      problems.append(f"{path.name}:{block.line}: prints what the page does "
                      f"not show:\n{got}")
  return page_blocks, printed, problems
