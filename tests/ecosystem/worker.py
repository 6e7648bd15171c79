"""Runs programs of one library on both platforms in this process.

    worker.py LIBRARY [--only PATTERN] [--skip FILE] [--quick] [--seconds S]

Lines: `@start NAME`, then `@result JSON`, `@aside NAME: WHY`, or `@fail NAME`
after the text of the failure; `@absent WHY` where the library is not installed;
`@done` at the end. run.py reads them.
"""

import argparse
import fnmatch
import importlib
import importlib.metadata
import json
import pathlib
import sys
import traceback
import warnings

import platforms

FOLDER = pathlib.Path(__file__).parent


def say(*words):
  print(*words, flush=True)


def explain(error):
  """The error, and the lines of programs/ and of libraries that led to it."""
  frames = traceback.extract_tb(error.__traceback__)
  where = [f"  {pathlib.Path(frame.filename).name}:{frame.lineno}: {frame.line}"
           for frame in frames
           if "programs" in frame.filename or frame is frames[-1]]
  text = "".join(traceback.format_exception_only(error)).strip()
  notes = text.find("--------------------\nFor simplicity")
  if notes > 0:
    text = "\n".join([text[:notes], *getattr(error, "__notes__", [])[-1:]])
  return "\n".join([text[:3000], *where[-4:]])


def load(name):
  """Returns the Library of programs/NAME.py; if something that it imports is
  not installed, reports that and returns None."""
  try:
    return importlib.import_module(f"programs.{name}").LIBRARY
  except ModuleNotFoundError as error:
    say("@absent", f"no {error.name} here")
    return None


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("library")
  parser.add_argument("--only", default="*")
  parser.add_argument("--skip", help="file with the names of programs to skip")
  parser.add_argument("--quick", action="store_true")
  parser.add_argument("--seconds", type=float, default=0.5)
  options = parser.parse_args()
  if platforms.lacking(options.library):
    say("@absent", platforms.lacking(options.library))
    return
  platforms.set_environment(options.library)
  warnings.simplefilter("ignore")
  library = load(options.library)
  if library is None:
    return
  devices = platforms.devices()
  import measure
  skip = (set(pathlib.Path(options.skip).read_text().split("\n"))
          if options.skip else ())
  for index, program in enumerate(library.programs):
    if (program.name in skip or not fnmatch.fnmatch(program.name, options.only)
        or (options.quick and not program.quick)):
      continue
    if program.set_aside:
      say("@aside", f"{program.name}: {program.set_aside}")
      continue
    say("@start", program.name)
    try:
      # The first side pays for what a library does once per process.
      row = measure.measure(program, devices, options.seconds, index % 2 == 0)
    except Exception as error:  # Any exception is the program's failure.
      say(explain(error))
      say("@fail", program.name)
    else:
      say("@result", json.dumps(row))
  say("@done")


if __name__ == "__main__":
  sys.exit(main())
