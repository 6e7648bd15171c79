"""Runs the generators of the documentation site: every operation has an example
that gives its expected result, every pass one that it changes, every rule label
an input that breaks it and a line of advice. Checks the pictures, and that the
site's navigation has every page."""

import functools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

sys.path.insert(0, str(harness.SRC / "scripts/docs"))
import build_site
import command
import layers_svg
import plots
import rules


@functools.lru_cache(maxsize=None)
def run_command():
  return command.Command(harness.BIN)


def needs_numpy():
  harness.require("numpy")
  harness.require("ml_dtypes")


@functools.lru_cache(maxsize=None)
def generated(name):
  """The pages that a generator makes, by file name. Errors: those of the
  generator, which name what has no example or a wrong one."""
  return getattr(build_site, name).pages(run_command())


def headings(pages):
  return [heading for text in pages.values()
          for heading in re.findall(r"^## (\S+)$", text, re.MULTILINE)]


def names_of_table(page):
  rows = command.table_rows((harness.SRC / "docs" / page).read_text())
  return sorted(row[0].strip("`") for row in rows)


def test_ops():
  needs_numpy()
  pages = generated("ops")
  harness.equal(sorted(headings(pages)), names_of_table("ops.md"))
  for text in pages.values():
    harness.equal(text.count("\nResult:\n"), len(headings({"": text})))


def test_passes():
  pages = generated("passes")
  harness.equal(sorted(headings(pages)), names_of_table("passes.md"))


def test_rules():
  """The labels of the code are those of rules.txt, once each."""
  harness.equal(rules.mismatches(), ([], [], []))


def test_error_index():
  needs_numpy()
  pages = dict(generated("rules"))
  index = pages.pop("index.md")
  harness.equal(sorted(headings(pages)), sorted(rules.labels()))
  for label in rules.labels():
    assert f"[`{label}`](" in index, label


def test_composed_messages():
  """What stands for the message of a C++ test is the text of the source."""
  harness.equal(
      rules.composed_message("collapse_c2"),
      "collapse: dimensions {...} must be consecutive (collapse_c2)")


def test_layers_picture():
  file = harness.SRC / "docs/pictures/layers.svg"
  harness.equal(
      file.read_text() == layers_svg.picture(), True,
      f"{file} is old: python3 scripts/docs/layers_svg.py > {file}")


def test_layers_are_above_what_they_include():
  allowed = layers_svg.tree.layers()
  direct = layers_svg.direct_includes(allowed)
  row = {layer: i for i, layers in enumerate(layers_svg.rows_of(direct))
         for layer in layers}
  harness.equal(sorted(row), sorted(allowed))
  for layer, others in allowed.items():
    for other in others - {layer}:
      assert row[other] < row[layer], f"{layer} is not above {other}"


def test_plots():
  """Each program of the table has a bar with its ratio."""
  page = plots.PAGE.read_text()
  for heading in ("Run time", "Compile time and memory"):
    pairs = plots.ratios(page, heading)
    table = plots.section(page, heading)
    harness.equal(len(pairs), len(re.findall(r"^\| \w+ \| \d", table,
                                             re.MULTILINE)))
    picture = plots.picture(heading, pairs)
    for program, ratio in pairs:
      assert f">{program}</text>" in picture, program
      assert f">{ratio:.2f}</text>" in picture, program


def test_navigation():
  """site.yml lists every page of docs/, and no other."""
  text = (harness.SRC / "scripts/docs/site.yml").read_text()
  listed = re.findall(r": ([\w/-]+\.md)$", text.partition("nav:\n- ")[2] or
                      text.partition("\nnav:\n")[2], re.MULTILINE)
  folders = re.findall(r"(?:: |- )([\w/-]+/)$", text, re.MULTILINE)
  harness.equal(len(listed), len(set(listed)), "a page is listed twice")
  pages = build_site.tree_pages()
  for page in listed:
    assert page in pages, f"site.yml: no {page}"
  for page in pages:
    assert page in listed or page.startswith(tuple(folders)), (
        f"site.yml does not list {page}")


def test_links_to_pages():
  """Names of pages become links, but not in code."""
  got = build_site.with_links(
      "See docs/jax.md and `docs/api.md`.\n```\ndocs/jax.md\n```\n",
      "guides/x.md", {"jax.md", "api.md"})
  harness.equal(got, "See [docs/jax.md](../jax.md) and [docs/api.md]"
                "(../api.md).\n```\ndocs/jax.md\n```\n")


if __name__ == "__main__":
  harness.main(globals())
