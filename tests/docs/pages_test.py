"""Runs the snippets of the pages of docs/ and compares what they print, and
checks the links of all pages.

    pages_test.py --update PAGE...

rewrites the outputs in the named pages, for the author to read.
"""

import concurrent.futures
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness
import snippets

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
LESSONS = 12


def run(path):
  """The problems of a page, or why it cannot run here."""
  page_blocks = snippets.blocks(path.read_text())
  if snippets.needs_jax(page_blocks):
    harness.require("jax")
    if harness.sanitized():
      raise harness.Skip("Python does not load a sanitized plugin")
    if not snippets.plugin().exists():
      raise harness.Skip("the build has no plugin")
  return snippets.run_page(path)[2]


def outcome(future):
  problems = future.result()
  if problems:
    raise AssertionError("\n".join(problems))


def test_page():
  """Every block of the page runs and prints what the page says."""
  with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    futures = {path: pool.submit(run, path) for path in snippets.pages()}
    for path, future in futures.items():
      name = str(path.relative_to(harness.SRC / "docs"))
      yield name, outcome, future


def test_lessons():
  """There are lessons 1 to 12, each with snippets that run."""
  lessons = sorted((harness.SRC / "docs/lessons").glob("[0-9]*.md"))
  numbers = [int(path.name[:2]) for path in lessons]
  harness.equal(numbers, list(range(1, LESSONS + 1)))
  for path in lessons:
    shown = [block for block in snippets.blocks(path.read_text())
             if block.output is not None]
    assert len(shown) >= 2, f"{path.name} shows fewer than two outputs"


def anchors(path):
  """The anchors that headings of a page have."""
  text = re.sub(r"^```.*?^```", "", path.read_text(),
                flags=re.MULTILINE | re.DOTALL)
  return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
          for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def check_links(path):
  """Each link leads to a page and a heading of it that exist."""
  text = re.sub(r"^ *```.*?^ *```", "", path.read_text(),
                flags=re.MULTILINE | re.DOTALL)
  text = re.sub(r"`[^`\n]*`", "", text)
  for link in LINK.findall(text):
    if re.match(r"[a-z]+:", link):
      continue
    target, _, anchor = link.partition("#")
    page = path.parent / target if target else path
    if target.startswith(("../reference/", "reference/", "errors/",
                          "../errors/")):
      continue  # generated; mkdocs checks these
    assert page.exists(), f"{path}: no {target}"
    if anchor and page.suffix == ".md":
      assert anchor in anchors(page), f"{path}: {target} has no #{anchor}"


def test_links():
  for path in sorted((harness.SRC / "docs").rglob("*.md")):
    yield str(path.relative_to(harness.SRC / "docs")), check_links, path


def update(path):
  """Rewrites the outputs of a page."""
  page_blocks, printed, problems = snippets.run_page(path)
  lines = path.read_text().splitlines(keepends=True)
  for block in reversed(page_blocks):
    if block.output is None:
      continue
    got = snippets.tidy(printed[block.line])
    if snippets.pattern(snippets.tidy(block.output.text)).match(got):
      continue
    start = block.output.line
    end = start + block.output.text.count("\n")
    lines[start:end] = [got]
  path.write_text("".join(lines))
  print(f"{path}:", *(problems or ["unchanged"]), sep="\n")


if __name__ == "__main__":
  if sys.argv[1:2] == ["--update"]:
    for name in sys.argv[2:]:
      update(pathlib.Path(name).resolve())
  else:
    harness.main(globals())
