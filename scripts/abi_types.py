"""The types that clients of libtessera compile into their programs, as Clang
lays them out: sizes, members, bases, virtual functions and enumerators.

Clang compiles one source that includes all public headers; its debug
information, as LLVM IR, describes every type of them.
"""

import collections
import re
import subprocess

import tree

COMPILER = "clang++-19"
# The headers whose names are XLA's. What they include is public too: clients
# compile it.
PUBLIC = ("compat/**/*.h", "xla/client/*.h", "xla/pjrt/*.h", "xla/hlo/ir/*.h",
          "xla/hlo/builder/*.h", "xla/hlo/builder/lib/*.h",
          "xla/hlo/parser/hlo_parser.h", "xla/hlo/pass/*.h",
          "xla/hlo/evaluator/hlo_evaluator.h",
          "xla/distributed/rendezvous/open_store.h")
NAMESPACES = ("xla", "tsl", "stream_executor")

INCLUDE = re.compile(r'^\s*#\s*include(?:_next)?\s+["<]([^">]+)[">]', re.M)
FIELD = re.compile(r'(\w+): ("[^"]*"|[^,()]+)')
SCOPE = re.compile(r"scope: (!\d+)")
INDIRECT = {"DW_TAG_pointer_type": "*", "DW_TAG_reference_type": "&",
            "DW_TAG_rvalue_reference_type": "&&", "DW_TAG_array_type": "[]",
            "DW_TAG_ptr_to_member_type": "::*"}


def folders(build):
  """The folders in which clients find headers."""
  return [tree.ROOT, tree.ROOT / "compat", build / "gen"]


def public_headers(build):
  """Returns the names of the headers that clients may include, and the paths of
  these and of all headers of ours that they include.

  Headers for GoogleTest, which a client's tests may lack, are left out."""
  places = folders(build)
  includes = {}

  def found(path):
    if path not in includes:
      names = INCLUDE.findall(path.read_text())
      includes[path] = (names, [place / name for name in names
                                for place in places if (place / name).exists()])
    return includes[path]

  roots, everything = [], set()
  for pattern in PUBLIC:
    for path in sorted(tree.ROOT.glob(pattern)):
      seen, queue, tests = {path}, [path], False
      while queue:
        names, paths = found(queue.pop())
        tests |= any(name.startswith(("gtest/", "gmock/")) for name in names)
        queue += [path for path in paths if path not in seen]
        seen.update(paths)
      if not tests:
        top = "compat" if pattern.startswith("compat") else "."
        roots.append(str(path.relative_to(tree.ROOT / top)))
        everything |= seen
  return roots, sorted(everything)


def debug_information(headers, build):
  """Returns the LLVM IR of a source that includes the headers."""
  command = [COMPILER, "-std=c++20", "-w", "-x", "c++", "-", "-S", "-emit-llvm",
             "-o", "-", "-g", "-fstandalone-debug",
             "-fno-eliminate-unused-debug-types"]
  command += [f"-I{place}" for place in folders(build)]
  source = "".join(f'#include "{name}"\n' for name in headers)
  done = subprocess.run(command, input=source, text=True, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
  if done.returncode:
    raise ValueError(f"the public headers do not compile:\n{done.stderr}")
  return done.stdout


class Types:
  """The types of our namespaces in debug information."""

  def __init__(self, ir):
    self.nodes = {}
    self.fields = {}
    self.parts = collections.defaultdict(list)  # by scope, in order
    for line in ir.splitlines():
      if not line.startswith("!"):
        continue
      name, _, text = line.partition(" = ")
      self.nodes[name] = text
      if text.startswith(("!DIDerivedType(", "!DISubprogram(")):
        scope = SCOPE.search(text)
        if scope:
          self.parts[scope[1]].append(name)

  def of(self, name):
    """The fields of a node, such as `tag` and `size`."""
    if name not in self.fields:
      self.fields[name] = {
          key: value.strip('"')
          for key, value in FIELD.findall(self.nodes.get(name, ""))}
    return self.fields[name]

  def full_name(self, name):
    """The qualified name of a type; empty if it is inside a function or
    unnamed."""
    words = []
    while name in self.nodes and not self.nodes[name].startswith(
        ("!DIFile", "!DICompileUnit")):
      if self.nodes[name].startswith("distinct !DISubprogram"):
        return ""
      words.append(self.of(name).get("name", ""))
      name = self.of(name).get("scope", "")
    return "::".join(reversed(words)) if all(words) else ""

  def spelled(self, name):
    """A type as it is written, without its namespace."""
    node = self.of(name)
    tag = node.get("tag", "")
    if tag in INDIRECT:
      return self.spelled(node.get("baseType", "")) + INDIRECT[tag]
    if "name" in node:
      return node["name"]
    if "baseType" in node:  # const
      return self.spelled(node["baseType"])
    return "function" if "types" in node else "void"

  def virtuals(self, name):
    """Maps the slots of a class's table of virtual functions to their names;
    destructors, which debug information gives no slot, are left out."""
    base = self.primary(name)
    slots = dict(self.virtuals(base)) if base else {}
    for part in self.parts[name]:
      node = self.of(part)
      if "virtualIndex" in node and not node["name"].startswith("~"):
        slots[int(node["virtualIndex"])] = node["name"]
    return slots

  def primary(self, name):
    """The base class whose table of virtual functions a class continues."""
    for part in self.parts[name]:
      node = self.of(part)
      if node.get("tag") == "DW_TAG_inheritance" and not node.get("offset"):
        base = node["baseType"]
        if self.virtuals(base) or "vtableHolder" in self.of(base):
          return base
    return None

  def members(self, name, offset=0):
    """Lines for the members and bases of a class; those of unnamed structs are
    the class's own."""
    for part in self.parts[name]:
      node = self.of(part)
      at = offset + int(node.get("offset", 0))
      where = f"{at // 8}" if at % 8 == 0 else f"{at // 8}.{at % 8}"
      if node.get("tag") == "DW_TAG_inheritance":
        yield f"{where} base {self.spelled(node['baseType'])}"
      elif node.get("tag") == "DW_TAG_member":
        if "name" not in node:
          yield from self.members(node["baseType"], at)
          continue
        bits = int(node.get("size", 0))
        size = f"{bits // 8}" if bits % 8 == 0 else f"{bits} bits"
        yield f"{where} {self.spelled(node['baseType'])} {node['name']} {size}"

  def describe(self, name):
    """Lines for what clients know of a type: first its size."""
    node = self.of(name)
    lines = [f"{int(node.get('size', 0)) // 8} bytes"]
    if "align" in node:
      lines[0] += f", aligned to {int(node['align']) // 8}"
    if node["tag"] == "DW_TAG_enumeration_type":
      for part in re.findall(r"!\d+", self.nodes[node["elements"]]):
        value = self.of(part)
        lines.append(f"{value['name']} = {value['value']}")
      return lines
    lines += self.members(name)
    base = self.primary(name)
    inherited = self.virtuals(base) if base else {}
    lines += [f"virtual {slot} {function}"
              for slot, function in sorted(self.virtuals(name).items())
              if slot not in inherited]
    return lines

  def ours(self):
    """Maps the names of our types to their lines."""
    found = {}
    for name, text in self.nodes.items():
      # A class whose table of virtual functions is in the library has no
      # identifier, but is distinct.
      if "!DICompositeType(" not in text or not (
          "identifier:" in text or text.startswith("distinct ")):
        continue
      full = self.full_name(name)
      if (full.partition("::")[0] in NAMESPACES
          and "DIFlagFwdDecl" not in self.of(name).get("flags", "")):
        lines = self.describe(name)
        if len(lines) > 1:  # Nothing can change about an empty type.
          found[full] = lines
    return found


def public_types(build):
  """Maps the names of the public headers' types to lines that describe them."""
  headers, _ = public_headers(build)
  return Types(debug_information(headers, build)).ours()
