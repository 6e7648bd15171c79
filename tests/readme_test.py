"""Checks README.md: its commands run, its map has each folder, and the pages
that any Markdown file of the tree names exist."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import harness

README = harness.SRC / "README.md"
COMMAND = re.compile(r"^```sh\n(.+)\n```$", re.MULTILINE)
MAP_ROW = re.compile(r"^\| (`[^|]*`) \|", re.MULTILINE)
PAGE = re.compile(r"\bdocs/[\w-]+\.md\b")

# A part of the output of a command, by a word of the command.
OUTPUTS = {
    " --expect ": "results are as in",
    " --dump-to=": "",
    " bench ": "GFLOP/s",
    " translate ": "HloModule jit__lambda",
    "jax.numpy": "6.0",
}


def split(command):
  """The command's environment and its words, with the build folder, Python and
  a folder for dumps replaced."""
  bin_, lib = str(harness.BIN) + "/", str(harness.BUILD / "lib") + "/"
  words = []
  for word in shlex.split(command):
    word = word.replace("=/tmp/", f"={os.getcwd()}/")
    word = word.replace("build/bin/", bin_).replace("build/lib/", lib)
    words.append(sys.executable if word == ".venv/bin/python" else word)
  environment = dict(os.environ)
  while "=" in words[0]:
    name, _, value = words.pop(0).partition("=")
    environment[name] = value
  return environment, words


def run(command, output):
  if "jax" in command:
    harness.require("jax")
    if harness.sanitized():
      raise harness.Skip("Python does not load a sanitized plugin")
  environment, words = split(command)
  done = subprocess.run(words, env=environment, cwd=harness.SRC, text=True,
                        capture_output=True, timeout=300, check=False)
  harness.equal(done.returncode, 0, done.stdout + done.stderr)
  harness.equal(output in done.stdout, True,
                f"expected {output!r} in\n{done.stdout}")


def test_command():
  commands = COMMAND.findall(README.read_text())
  harness.equal(len(commands), len(OUTPUTS))
  for command, (word, output) in zip(commands, OUTPUTS.items()):
    harness.equal(word in command, True, command)
    yield word.strip(" -=."), run, command, output


def test_dumps_are_written():
  dumps = pathlib.Path("digits")
  names = [path.name for path in dumps.iterdir()]
  for end in (".before_optimizations.txt", ".ll", "thunk_sequence.txt"):
    harness.equal(any(name.endswith(end) for name in names), True, str(names))


def test_map():
  """Each row must name folders that exist; each line of xla/LAYERS must have a
  row."""
  rows = MAP_ROW.findall(README.read_text())
  folders = [folder for row in rows for folder in re.findall("`([^`]+)`", row)]
  for folder in folders:
    harness.equal((harness.SRC / folder).is_dir(), True, folder)
  for line in (harness.SRC / "xla" / "LAYERS").read_text().splitlines():
    if line and line[0] not in "# ":
      layer = "xla/" + line.partition(":")[0]
      harness.equal(layer in folders, True, f"no row for {layer}")
  harness.equal(len(folders), len(set(folders)), "a folder has two rows")


def markdown_files():
  yield from harness.SRC.glob("*.md")
  for folder in harness.SRC.iterdir():
    if folder.is_dir() and not folder.name.startswith((".", "build", "dist")):
      yield from folder.glob("**/*.md")


def test_pages_exist():
  for path in sorted(markdown_files()):
    for page in PAGE.findall(path.read_text()):
      harness.equal((harness.SRC / page).is_file(), True, f"{path}: {page}")


if __name__ == "__main__":
  harness.main(globals())
