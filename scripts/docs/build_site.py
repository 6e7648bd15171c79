#!/usr/bin/env python3
"""Assembles the documentation site in a folder, for mkdocs to build.

    build_site.py --bin build/bin build-docs

writes build-docs/mkdocs.yml and the pages below build-docs/pages: those of
docs/, README.md as the home page, and the generated reference. Names of pages
in the text, such as docs/jax.md, become links.
"""

import argparse
import os
import pathlib
import re
import shutil
import sys

import layers_svg
import ops
import passes
import plots
import rules
from command import ROOT, Command

HERE = pathlib.Path(__file__).resolve().parent
# Pages from outside docs/, by their place in the site.
OTHER_PAGES = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md",
               "changelog.md": "CHANGELOG.md"}
# A page of the tree that the text names, not within a link or a path.
MENTION = re.compile(
    r"(?<!\]\()(?<![\w/\[`])`?"
    r"((?:docs/[\w/-]+|CONTRIBUTING|CHANGELOG|README)\.md|docs/lessons)`?"
    r"(?![\w/\]-])")
FENCE = re.compile(r"^ *(```|~~~)")
# The bars of a row of a table that needs all the width that there is.
WIDE_TABLE = 9
# Elements of a page that a browser loads by themselves.
LOADED = re.compile(r"<(script|link|img|iframe)\b[^>]*?"
                    r"(?:src|href)=\"?((?:https?:)?//[^\s\">]+)")


def site_path(name):
  """Where the site has a page of the tree, docs/jax.md for example."""
  for place, page in OTHER_PAGES.items():
    if name == page:
      return place
  if name == "docs/lessons":
    return "lessons/index.md"
  return name.removeprefix("docs/")


def linked_rows(text, folder, pages):
  """A table of operations or passes with the name of each row as a link to its
  entry in the reference below `folder`."""
  places = {heading: f"{name}#{heading}" for name, page in pages.items()
            if name.startswith(folder)
            for heading in re.findall(r"^## (\S+)$", page, re.MULTILINE)}
  return re.sub(
      r"^\| `([\w-]+)` \|",
      lambda row: f"| [`{row[1]}`]({places[row[1]]}) |"
      if row[1] in places else row[0], text, flags=re.MULTILINE)


def last_column_second(text):
  """A table whose last column, which says most, does not leave the window."""
  def moved(line):
    cells = re.split(r"(?<!\\)\|", line[0])[1:-1]
    return "|" + "|".join([cells[0], cells[-1], *cells[1:-1]]) + "|"
  return re.sub(r"^\|.*\|$", moved, text, flags=re.MULTILINE)


def with_width(text):
  """A page without headings, or with a table of many columns, gets the width of
  its table of contents."""
  wide = any(line.startswith("|") and line.count("|") > WIDE_TABLE
             for line in text.splitlines())
  has_headings = re.search(r"^##", text, re.MULTILINE)
  return text if has_headings and not wide else (
      "---\nhide:\n  - toc\n---\n" + text)


def outside_fences(text, change):
  """`text` with `change` applied to what is not in fenced or indented code."""
  lines, code = [], False
  for line in text.splitlines(keepends=True):
    if FENCE.match(line):
      code = not code
      lines.append(line)
    else:
      lines.append(line if code or line.startswith("    ") else change(line))
  return "".join(lines)


def with_links(text, place, places):
  """The page at `place` with links where it names one of `places`."""
  folder = os.path.dirname(place)

  def link(match):
    target = site_path(match[1])
    if target not in places or target == place:
      return match[0]
    return f"[{match[1]}]({os.path.relpath(target, folder or '.')})"

  return outside_fences(text, lambda line: MENTION.sub(link, line))


def title(text):
  """The first heading of a page."""
  return re.search(r"^# (.+)$", text, re.MULTILINE)[1]


def tree_pages():
  """Maps the site's paths of the pages of the tree to their texts."""
  docs = ROOT / "docs"
  pages = {str(path.relative_to(docs)): path.read_text()
           for path in sorted(docs.rglob("*.md"))}
  pages |= {place: (ROOT / page).read_text()
            for place, page in OTHER_PAGES.items()}
  pages["performance.md"] = plots.with_pictures(pages["performance.md"],
                                                "pictures")
  return pages


def generated_pages(command):
  """The same for the pages that are made from code, tests and the command."""
  made = {}
  for folder, module in (("reference/ops", ops), ("reference/passes", passes),
                         ("errors", rules)):
    for name, text in module.pages(command).items():
      made[f"{folder}/{name}"] = text
  return made


def pictures():
  """Maps the site's paths of pictures to SVG texts."""
  found = {"pictures/layers.svg": layers_svg.picture()}
  found |= {f"pictures/{name}": text for name, text in plots.pictures().items()}
  return found


def navigation(entries, pages):
  """The entries of site.yml with those of folders filled in."""
  def folder_entries(folder):
    names = [name for name in pages if name.startswith(folder)]
    names.sort(key=lambda name: (not name.endswith("index.md"),
                                 ORDER.get(folder, str)(name)))
    return [{title(pages[name]): name} for name in names]

  filled = []
  for entry in entries:
    if isinstance(entry, str) and entry.endswith("/"):
      filled += folder_entries(entry)
    elif isinstance(entry, dict):
      [(name, value)] = entry.items()
      if isinstance(value, list):
        value = navigation(value, pages)
      elif value.endswith("/"):
        value = folder_entries(value)
      filled.append({name: value})
    else:
      filled.append(entry)
  return filled


def order_of_ops(name):
  names = [f"reference/ops/{ops.file_name(family)}.md"
           for family in ops.FAMILIES]
  return f"{names.index(name):03}"


def order_of_errors(name):
  if name.endswith("index.md"):
    return ""
  names = [f"errors/{rules.file_name(group)}" for group in rules.advice()]
  return f"{names.index(name):03}"


# How the pages of a folder are ordered, where it is not by name.
ORDER = {"reference/ops/": order_of_ops, "errors/": order_of_errors}


def assemble(command, folder):
  """Writes the site's sources below `folder`."""
  import yaml
  pages = tree_pages() | generated_pages(command)
  for page in ("ops", "passes"):
    pages[f"{page}.md"] = linked_rows(pages[f"{page}.md"], f"reference/{page}/",
                                      pages)
  pages["ops.md"] = last_column_second(pages["ops.md"])
  source = folder / "pages"
  shutil.rmtree(source, ignore_errors=True)
  for place, text in pages.items():
    path = source / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(with_width(with_links(text, place, pages)))
  for place, text in pictures().items():
    path = source / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
  assets = source / "assets"
  assets.mkdir()
  shutil.copy(HERE / "theme/file-worker.js", assets / "iframe-worker.js")
  shutil.copy(HERE / "theme/extra.css", assets)
  config = yaml.safe_load((HERE / "site.yml").read_text())
  config |= {"docs_dir": "pages", "site_dir": "site",
             "nav": navigation(config["nav"], pages)}
  (folder / "mkdocs.yml").write_text(yaml.safe_dump(config, sort_keys=False))


def outside_resources(site):
  """What pages below `site` would load from the network, one text each."""
  for path in sorted(site.rglob("*.html")):
    for tag, address in LOADED.findall(path.read_text()):
      yield f"{path}: {tag} loads {address}"


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--bin", default=str(ROOT / "build/bin"),
                      help="the folder with the tessera command")
  parser.add_argument("--check", action="store_true",
                      help="check instead that the site which mkdocs made in "
                      "the folder loads nothing from the network")
  parser.add_argument("folder", type=pathlib.Path)
  options = parser.parse_args()
  if options.check:
    found = list(outside_resources(options.folder / "site"))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0
  options.folder.mkdir(parents=True, exist_ok=True)
  assemble(Command(options.bin), options.folder)
  return 0


if __name__ == "__main__":
  sys.exit(main())
