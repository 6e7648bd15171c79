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
import cpp_examples
import layers_svg
import plots
import rule_messages
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


def test_rule_messages():
  """The messages of examples in C++ are those that their tests get today."""
  needs_numpy()
  tests = rules.in_cpp(run_command())
  for test in tests.values():
    if not (harness.BIN / rule_messages.program(test.path)).exists():
      raise harness.Skip(f"{rule_messages.program(test.path)} is not built")
  harness.equal(
      rules.kept_messages(), rule_messages.messages(harness.BIN, tests),
      "run python3 scripts/docs/rule_messages.py")


def test_cpp_examples():
  """Examples of C++ show what is checked and what it needs, not the checks."""
  code, test = cpp_examples.example("computation_c2")
  harness.equal(test.name, "computation_c2")
  assert code.startswith("auto module = ParseAndReturnUnverifiedModule("), code
  assert code.endswith(
      "HloInstruction* root = module->entry_computation()->root_instruction();"
      "\nroot->AddControlDependencyTo(root->mutable_operand(0));"
      "\nHloVerifier().Verify(*module);"), code
  harness.equal(cpp_examples.example("collapse_c2")[0], "Collapse(x, {1, 0});")
  for label in rules.in_cpp(run_command()):
    code, _ = cpp_examples.example(label)
    assert not re.search(r"\b(EXPECT|BreaksRule|ErrorOf)", code), code


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


def variables(path):
  return set(re.findall(r"\bTESSERA_[A-Z]+(?:_[A-Z]+)*\b", path.read_text()))


def test_settings():
  """settings.md lists the environment variables that the code reads, but for
  one that the command sets, and pages name none that is nowhere else."""
  used, read = set(), set()
  for root in ("xla", "python", "cmake", "scripts", "tests", "benchmarks"):
    for path in (harness.SRC / root).rglob("*"):
      if path.suffix in (".cc", ".h", ".c", ".py", ".cmake", ".txt", ".sh"):
        used |= variables(path)
        if root in ("xla", "python") and path.suffix in (".cc", ".h", ".py"):
          read |= set(re.findall(r'"(TESSERA_[A-Z_]*[A-Z])"', path.read_text()))
  for name in ("dev", "CMakeLists.txt"):
    used |= variables(harness.SRC / name)
  docs = harness.SRC / "docs"
  missing = read - variables(docs / "settings.md")
  harness.equal(sorted(missing), ["TESSERA_COMMAND"])
  for path in sorted(docs.rglob("*.md")):
    harness.equal(sorted(variables(path) - used), [], f"{path} names")


def test_links_to_pages():
  """Names of pages become links, but not in code."""
  got = build_site.with_links(
      "See docs/jax.md and `docs/api.md` (docs/api.md), [x](docs/api.md).\n"
      "```\ndocs/jax.md\n```\n", "guides/x.md", {"jax.md", "api.md"})
  harness.equal(got, "See [docs/jax.md](../jax.md) and [docs/api.md]"
                "(../api.md) ([docs/api.md](../api.md)), [x](docs/api.md).\n"
                "```\ndocs/jax.md\n```\n")


if __name__ == "__main__":
  harness.main(globals())
