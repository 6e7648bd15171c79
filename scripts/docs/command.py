"""Runs the tessera command for the generated pages, and formats Markdown."""

import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Command:
  """The tessera command of a build; thread safe."""

  def __init__(self, bin_folder=None):
    folder = bin_folder or os.environ.get("TESSERA_BIN") or ROOT / "build/bin"
    self.program = pathlib.Path(folder).resolve() / "tessera"

  def __call__(self, *arguments, files=()):
    """Runs `tessera ARGUMENTS` in a new folder with `files`, pairs of a name
    and its text or bytes. Returns the exit status and everything printed."""
    with tempfile.TemporaryDirectory() as folder:
      for name, content in files:
        path = pathlib.Path(folder) / name
        if isinstance(content, bytes):
          path.write_bytes(content)
        else:
          path.write_text(content)
      done = subprocess.run(
          [str(self.program), *arguments], cwd=folder, text=True,
          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
          stdin=subprocess.DEVNULL, timeout=120, check=False)
    return done.returncode, done.stdout


def fence(language, text):
  """A fenced block of `text`, without empty lines around it."""
  return f"```{language}\n{text.strip(chr(10))}\n```\n"


def table_rows(page):
  """The rows of the tables of a Markdown page, as lists of cells, without those
  of headings."""
  rows, heading = [], True
  for line in page.splitlines():
    if not line.startswith("|"):
      heading = True
      continue
    cells = [cell.strip().replace("\\|", "|")
             for cell in line.replace("\\|", "\\\0").strip("|").split("|")]
    cells = [cell.replace("\\\0", "|") for cell in cells]
    if set("".join(cells)) <= set("-: "):
      heading = False
    elif not heading:
      rows.append(cells)
  return rows
