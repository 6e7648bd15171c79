#!/usr/bin/env python3
"""Writes the manual page of the `tessera` command, or its completion for bash,
from what the command says of itself.

    command_pages.py man|bash PROGRAM

PROGRAM runs with --help-all and --version. SOURCE_DATE_EPOCH gives the page's
date, in seconds since 1970; without it the page has none.
"""

import dataclasses
import datetime
import os
import re
import subprocess
import sys


@dataclasses.dataclass
class Entry:
  """An argument or option: how it is written, and what it does."""
  spec: str
  text: str

  def names(self):
    """The spellings of an option, such as -q and --quiet."""
    return re.findall(r"--?[A-Za-z][\w-]*", self.spec.split()[0])


@dataclasses.dataclass
class Subcommand:
  name: str
  text: str = ""
  positionals: list[Entry] = dataclasses.field(default_factory=list)
  options: list[Entry] = dataclasses.field(default_factory=list)


def parsed(text):
  """The command and its subcommands in the output of --help-all: (the one-line
  description, the command's own options as a Subcommand, the subcommands).
  Errors: ValueError for a line that fits nowhere."""
  lines = text.splitlines()
  own = Subcommand("")
  subcommands, current, entries = [], own, None
  for line in lines[1:]:
    indent = len(line) - len(line.lstrip())
    words = line.strip()
    if not words or words.startswith("Usage:"):
      continue
    if words in ("Positionals:", "Options:"):
      entries = getattr(current, words[:-1].lower())
    elif words == "Subcommands:":
      entries = None
    elif indent == 0:
      current = Subcommand(words)
      subcommands.append(current)
      entries = None
    elif entries is None and indent == 2:
      current.text = f"{current.text} {words}".strip()
    elif entries is not None and indent <= 4:
      spec, _, text = words.partition("  ")
      entries.append(Entry(spec, text.strip()))
    elif entries:
      entries[-1].text = f"{entries[-1].text} {words}".strip()
    else:
      raise ValueError(f"unexpected line of --help-all: {line!r}")
  return lines[0], own, subcommands


def roff(text):
  """`text` for roff, where a hyphen would become another character."""
  text = text.replace("\\", "\\e").replace("-", "\\-")
  return "\\&" + text if text[:1] in (".", "'") else text


def roff_entries(entries):
  for entry in entries:
    yield ".TP"
    yield f".B {roff(entry.spec)}"
    yield roff(entry.text) or "\\&"


def man(version, description, own, subcommands):
  """The text of tessera(1)."""
  epoch = os.environ.get("SOURCE_DATE_EPOCH")
  date = datetime.datetime.fromtimestamp(
      int(epoch), datetime.timezone.utc).strftime("%Y-%m-%d") if epoch else ""
  summary = description[0].lower() + description[1:].rstrip(".")
  lines = [
      f'.TH TESSERA 1 "{date}" "{version}" "User Commands"',
      ".SH NAME", f"tessera \\- {roff(summary)}",
      ".SH SYNOPSIS", ".B tessera", "[\\fIoptions\\fR] \\fIsubcommand\\fR "
      "[\\fIarguments\\fR]",
      ".SH DESCRIPTION",
      "Programs are HLO or StableHLO, as text, protos or artifacts, and are",
      "told apart by content.",
      ".SH OPTIONS", *roff_entries(own.options)]
  for subcommand in subcommands:
    usage = " ".join(
        f"\\fI{roff(entry.spec.split()[0])}\\fR" for entry in
        subcommand.positionals)
    lines += [f'.SH "TESSERA {subcommand.name.upper()}"',
              f".B tessera {subcommand.name}", f"[\\fIoptions\\fR] {usage}",
              ".PP", roff(subcommand.text),
              *roff_entries(subcommand.positionals),
              *roff_entries(subcommand.options)]
  lines += [
      ".SH EXIT STATUS",
      "0 for success; 1 for a program that is wrong, fails or gives unexpected",
      "results; 2 for a wrong command line."]
  return "\n".join(lines) + "\n"


def bash(own, subcommands):
  """A completion for bash: subcommands, then options and file names."""
  names = " ".join(subcommand.name for subcommand in subcommands)
  options = " ".join(name for entry in own.options for name in entry.names())
  lines = ["# Completes tessera(1).", "_tessera() {",
           "  local current=${COMP_WORDS[COMP_CWORD]} words=",
           "  if [ \"$COMP_CWORD\" = 1 ]; then",
           f"    words='{names} {options}'", "  else",
           "    case ${COMP_WORDS[1]} in"]
  for subcommand in subcommands:
    options = " ".join(name for entry in subcommand.options
                       for name in entry.names())
    lines.append(f"      {subcommand.name}) words='{options}' ;;")
  lines += ["    esac", "  fi",
            "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")",
            "}", "complete -o default -F _tessera tessera"]
  return "\n".join(lines) + "\n"


def output(*command):
  return subprocess.run(command, text=True, check=True,
                        stdout=subprocess.PIPE).stdout


def main():
  if len(sys.argv) != 3 or sys.argv[1] not in ("man", "bash"):
    sys.exit(__doc__)
  description, own, subcommands = parsed(output(sys.argv[2], "--help-all"))
  if sys.argv[1] == "man":
    version = output(sys.argv[2], "--version").strip()
    print(man(version, description, own, subcommands), end="")
  else:
    print(bash(own, subcommands), end="")


if __name__ == "__main__":
  main()
