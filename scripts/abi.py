#!/usr/bin/env python3
"""Lists, checks and records the ABI of libtessera.so (docs/abi.md).

  abi.py list      prints the exported symbols and the public types
  abi.py check     compares them with the record of the last release
  abi.py release   records them as those of the version in CMakeLists.txt

The record is libtessera.symbols, in the format of deb-src-symbols(5), and
libtessera.types in abi/.
"""

import argparse
import dataclasses
import pathlib
import platform
import re
import sys

import abi_symbols
import abi_types
import tree

FOLDER = tree.ROOT / "abi"
NOTE = ("# Tessera {version} on {machine}, written by ./dev abi release; "
        "docs/abi.md\n")


@dataclasses.dataclass
class Abi:
  """What a version of libtessera.so offers to programs linked with it."""
  version: str
  machine: str
  soname: str
  symbols: dict[str, abi_symbols.Symbol]
  types: dict[str, list[str]]  # what abi_types.py says about each


def project_version():
  text = (tree.ROOT / "CMakeLists.txt").read_text()
  return re.search(r"project\(Tessera VERSION ([\d.]+)", text)[1]


def abi_version(version):
  """The version of a release's ABI: before 1.0 its minor version counts."""
  major, minor = version.split(".")[:2]
  return f"{major}.{minor}" if major == "0" else major


def built(build, types=True):
  """The ABI of a build folder; without types if these are not wanted."""
  library = build / "lib" / "libtessera.so"
  symbols = abi_symbols.exported(library, abi_symbols.Headers(build))
  return Abi(project_version(), platform.machine(), abi_symbols.soname(library),
             symbols, abi_types.public_types(build) if types else {})


def symbols_text(abi):
  """The text of libtessera.symbols: symbols of which clients have no copies."""
  lines = [f"{abi.soname} {abi.soname.replace('.so.', '')} #MINVER#"]
  for name, symbol in sorted(abi.symbols.items()):
    if symbol.strong:
      tag = "(optional=internal)" * symbol.internal
      since = symbol.since or abi.version
      lines.append(f" {tag}{name}@{symbol.node} {since}")
  return "\n".join(lines) + "\n"


def types_text(abi):
  """The text of libtessera.types."""
  return "".join(f"{name}: " + "\n  ".join(lines) + "\n"
                 for name, lines in sorted(abi.types.items()))


def write(abi, folder=FOLDER):
  """Makes `abi` the record."""
  folder.mkdir(exist_ok=True)
  note = NOTE.format(version=abi.version, machine=abi.machine)
  (folder / "libtessera.symbols").write_text(note + symbols_text(abi))
  (folder / "libtessera.types").write_text(note + types_text(abi))


def recorded(folder=FOLDER):
  """The ABI of the last release, or None if there is no record."""
  if not (folder / "libtessera.symbols").exists():
    return None
  note, first, *lines = (folder / "libtessera.symbols").read_text().splitlines()
  version, machine = re.match(r"# Tessera (\S+) on (\w+)", note).groups()
  abi = Abi(version, machine, first.split()[0], {}, {})
  for line in lines:
    tag, name, node, since = re.fullmatch(
        r" (\(.*\))?(\w+)@(\S+) (\S+)", line).groups()
    abi.symbols[name] = abi_symbols.Symbol(node, True, since, bool(tag))
  for line in (folder / "libtessera.types").read_text().splitlines()[1:]:
    if line.startswith("  "):
      abi.types[name].append(line[2:])
    else:
      name, _, size = line.rpartition(": ")
      abi.types[name] = [size]
  return abi


def symbol_breaks(old, new):
  """Yields a text for each symbol of public headers that `new` lacks."""
  gone = [name for name, symbol in old.symbols.items()
          if not symbol.internal and (name not in new.symbols or
                                      new.symbols[name].node != symbol.node)]
  for name, text in sorted(abi_symbols.demangled(gone).items()):
    yield f"gone: {text} ({name}@{old.symbols[name].node})"


def type_breaks(old, new):
  """Yields a text for each type that `new` lacks or lays out otherwise."""
  for name, before in sorted(old.types.items()):
    after = new.types.get(name)
    if after is None:
      if "<" not in name:  # Headers may use other instances of a template.
        yield f"gone: type {name}"
      continue
    if " = " in before[1]:  # Enumerations may grow.
      after = [after[0], *(line for line in after if line in before[1:])]
    end = ["nothing more"]
    for line, now in zip(before + end, after + end):
      if line != now:
        yield f"changed: {name} had `{line}`, has `{now}`"
        break


def breaks(old, new):
  """Texts for what programs that were linked with `old` miss in `new`."""
  return [*symbol_breaks(old, new), *type_breaks(old, new)]


def advice(old):
  """What to do about breaks."""
  major, minor = old.version.split(".")[:2]
  following = f"0.{int(minor) + 1}" if major == "0" else f"{int(major) + 1}.0"
  return (f"Programs linked with Tessera {old.version} would break: undo this, "
          f"or make the\nversion in CMakeLists.txt {following}.0. If "
          f"{old.version} is not released yet, run\n./dev abi release.")


def incomparable(old, new):
  """Why `new` need not offer what `old` does; empty if it must."""
  if old is None:
    return "there is no record of a release"
  if old.machine != new.machine:
    return f"the record is of {old.machine}"
  if old.soname != new.soname:
    return f"Tessera {old.version} is {old.soname}, this is {new.soname}"
  return ""


def check(new, folder=FOLDER):
  """Prints what is broken; returns the exit status."""
  old = recorded(folder)
  reason = incomparable(old, new)
  if reason:
    print(f"not compared: {reason}")
    return 0
  found = breaks(old, new)
  if found:
    print("\n".join([*found, advice(old)]))
    return 1
  print(f"{new.soname} has the ABI of Tessera {old.version}")
  return 0


def release(new, folder=FOLDER):
  """Records `new`, unless it breaks an earlier release of the same ABI; returns
  the exit status."""
  old = recorded(folder)
  if not incomparable(old, new):
    found = breaks(old, new)
    if found:
      print("\n".join(found))
      if old.version != new.version:
        print(advice(old))
        return 1
    new = dataclasses.replace(new, symbols={
        name: dataclasses.replace(
            symbol, since=old.symbols[name].since
            if name in old.symbols else new.version)
        for name, symbol in new.symbols.items()})
  write(new, folder)
  count = sum(symbol.strong for symbol in new.symbols.values())
  print(f"recorded Tessera {new.version}, {new.soname}: {count} symbols and "
        f"{len(new.types)} types")
  return 0


def main():
  parser = argparse.ArgumentParser(
      description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
  parser.add_argument("action", choices=["list", "check", "release"])
  parser.add_argument("--build", type=pathlib.Path, default=tree.ROOT / "build")
  options = parser.parse_args()
  abi = built(options.build.resolve())
  if options.action == "list":
    print(symbols_text(abi) + types_text(abi), end="")
    return 0
  return {"check": check, "release": release}[options.action](abi)


if __name__ == "__main__":
  sys.exit(main())
