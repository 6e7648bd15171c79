"""Tests what packages are made of: lists of what is linked, the command's
manual page, and Debian's files. tests/deb_test.py tests packages that were built."""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import harness

sys.path.insert(0, str(harness.SRC / "scripts"))

import command_pages  # pylint: disable=wrong-import-position
import sbom  # pylint: disable=wrong-import-position

TARGETS = ("tessera", "tessera_evaluator", "tessera_command", "pjrt_tessera")
IDENTIFIER = re.compile(r"SPDXRef-[A-Za-z0-9.-]+")


@functools.cache
def document(target):
  if not shutil.which("dpkg-query"):
    raise harness.Skip("no dpkg-query here, which knows versions and licences")
  return sbom.document(harness.BUILD.resolve(), target)


def related(target, relation):
  """Names of packages to their files, of one kind of relation."""
  data = document(target)
  names = {package["SPDXID"]: package["name"] for package in data["packages"]}
  return {names[entry["relatedSpdxElement"]]: entry["comment"].split(", ")
          for entry in data["relationships"]
          if entry["relationshipType"] == relation}


def check_schema(target):
  """The rules of SPDX 2.3 that a document can break."""
  data = document(target)
  harness.equal(data["spdxVersion"], "SPDX-2.3")
  harness.equal(data["dataLicense"], "CC0-1.0")
  assert re.fullmatch(r"https://\S+[^#]", data["documentNamespace"])
  assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ",
                      data["creationInfo"]["created"])
  ids = [package["SPDXID"] for package in data["packages"]]
  harness.equal(len(ids), len(set(ids)), "identifiers are unique")
  for name in ids:
    assert IDENTIFIER.fullmatch(name), name
  for package in data["packages"]:
    for field in ("name", "versionInfo", "downloadLocation",
                  "licenseConcluded", "copyrightText"):
      assert package[field], (package["name"], field)
    assert not package["filesAnalyzed"]
    assert package["licenseConcluded"] != "NOASSERTION", package["name"]
  for relation in data["relationships"]:
    for end in ("spdxElementId", "relatedSpdxElement"):
      assert relation[end] in (*ids, "SPDXRef-DOCUMENT"), relation


def test_schema():
  for target in TARGETS:
    yield target, check_schema, target


def check_archives(target):
  """Each archive of others that the linker was given is in the list."""
  build = harness.BUILD.resolve()
  words, _ = sbom.link_command(build, target)
  given = {pathlib.Path(word).name for word in words
           if word.endswith(".a") and word.startswith("/")
           and not word.startswith(f"{build}/")}
  listed = {file for files in related(target, "STATIC_LINK").values()
            for file in files}
  harness.equal(given - listed, set())
  if target != "tessera_evaluator":
    assert "libLLVMCore.a" in given
  assert "libgcc.a" in listed


def test_archives():
  for target in TARGETS:
    yield target, check_archives, target


def test_evaluator_lists_no_llvm():
  assert "llvm-19-dev" not in related("tessera_evaluator", "STATIC_LINK")
  assert "llvm-19-dev" in related("tessera", "STATIC_LINK")


def test_command_lists_headers_only_libraries():
  harness.equal(related("tessera_command", "STATIC_LINK")["libcli11-dev"],
                ["headers"])


def test_shared_libraries_are_listed():
  _, file = sbom.link_command(harness.BUILD.resolve(), "tessera")
  listed = {name for names in related("tessera", "DYNAMIC_LINK").values()
            for name in names}
  harness.equal(set(sbom.needed(file)) - listed, set())
  assert "libprotobuf.so.32" in listed


def test_bundled_copies_replace_what_is_needed():
  data = sbom.document(harness.BUILD.resolve(), "pjrt_tessera",
                       [("libprotobuf.so.32", "libprotobuf32")])
  kinds = {relation["relationshipType"] for relation in data["relationships"]
           if relation["relatedSpdxElement"].endswith("-libprotobuf32")}
  harness.equal(kinds, {"CONTAINS"})


def test_unknown_source_is_refused():
  try:
    sbom.licence("bash")
  except sbom.SbomError as problem:
    assert "add its licence to SOURCES" in str(problem), problem
  else:
    raise AssertionError("bash is in no table")


def test_document_is_reproducible():
  build = harness.BUILD.resolve()
  harness.equal(sbom.document(build, "tessera_evaluator"),
                sbom.document(build, "tessera_evaluator"))


HELP = """Does things.
Usage: tool [OPTIONS] SUBCOMMAND

Options:
  -h,--help                   Print this
  --version                   Print that

Subcommands:
run
  Runs it.
  Positionals:
    file TEXT REQUIRED          A file - or not
  Options:
    --level INT:INT in [1 - 9]
                                How much,
                                at most
    -q,--quiet                  Say nothing
"""


def test_help_is_parsed():
  description, own, [run] = command_pages.parsed(HELP)
  harness.equal(description, "Does things.")
  harness.equal([entry.names() for entry in own.options],
                [["-h", "--help"], ["--version"]])
  harness.equal((run.name, run.text), ("run", "Runs it."))
  harness.equal([entry.spec for entry in run.positionals],
                ["file TEXT REQUIRED"])
  harness.equal([entry.text for entry in run.options],
                ["How much, at most", "Say nothing"])
  page = command_pages.man("tool 1", *command_pages.parsed(HELP))
  assert "\n.TP\n.B \\-q,\\-\\-quiet\nSay nothing\n" in page, page


def test_manual_page_has_each_subcommand():
  version = harness.run("tessera", "--version")
  assert re.fullmatch(r"tessera \d+\.\d+\.\d+\n", version), version
  parsed = command_pages.parsed(harness.run("tessera", "--help-all"))
  page = command_pages.man(version.strip(), *parsed)
  names = [subcommand.name for subcommand in parsed[2]]
  assert {"run", "bench", "opt", "translate"} <= set(names), names
  for subcommand in parsed[2]:
    assert f'.SH "TESSERA {subcommand.name.upper()}"' in page
    assert subcommand.text, subcommand.name
    assert subcommand.options or subcommand.positionals, subcommand.name
  if shutil.which("man"):
    path = pathlib.Path("tessera.1")
    path.write_text(page)
    done = subprocess.run(["man", "--warnings", "-l", "-Tutf8", "-E", "UTF-8",
                           str(path)], text=True, check=True,
                          env=dict(os.environ, MANWIDTH="80", MANPAGER="cat"),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    harness.equal(done.stderr, "")


def test_completion():
  bash = shutil.which("bash")
  if not bash:
    raise harness.Skip("no bash here")
  _, own, subcommands = command_pages.parsed(HELP)
  script = command_pages.bash(own, subcommands) + (
      'complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tessera; '
      'echo "${COMPREPLY[*]}"; }\n'
      "complete_words tessera r\ncomplete_words tessera run --\n")
  done = subprocess.run([bash, "-c", script], text=True, check=True,
                        stdout=subprocess.PIPE)
  harness.equal(done.stdout, "run\n--level --quiet\n")


def test_debian_version_is_the_projects():
  first = (harness.SRC / "debian/changelog").read_text().splitlines()[0]
  version = sbom.project_version()
  assert first.startswith(f"tessera ({version}) "), first
  # The library's package has its name's version (docs/abi.md).
  abi = ".".join(version.split(".")[:2]) if version[0] == "0" else version[0]
  control = (harness.SRC / "debian/control").read_text()
  assert f"\nPackage: libtessera{abi}\n" in control
  assert f"\nPackage: libtessera-evaluator{abi}\n" in control


def test_debian_copyright_has_what_is_linked():
  text = (harness.SRC / "debian/copyright").read_text()
  for target in TARGETS:
    for package in related(target, "STATIC_LINK"):
      source = sbom.facts(package)[1]
      name = {"llvm-toolchain-19": "llvm", "gcc-12": "gcc"}.get(source, source)
      assert f"Files: linked/{name}/*" in text, (target, package)


if __name__ == "__main__":
  harness.main(globals())
