"""The symbols of libtessera.so: which it exports, and which of them public
headers declare."""

import dataclasses
import re
import subprocess

import abi_types
import tree

# What nm calls symbols of which a program has one. The others are inline
# functions and templates: clients have copies of them, and which of them the
# library has depends on the optimization.
STRONG = "TDBRSG"
# The beginning of a mangled name, up to the first word of a nested name.
NESTED = re.compile(r"_Z(?:T[A-Z]|T[chv]\w*?_|G[VR])?Z?N[KOR]*(?=\d)")
# Names of ours outside of our namespaces, as in cmake/libtessera.map.in.
ENTRIES = re.compile(
    r"GetPjrtApi|XLA_FFI_GetApi|XlaCustomCallStatus\w+|"
    r"descriptor_table_xla_2f\w+|"
    r"_ZN6google8protobuf5Arena18CreateMaybeMessageIN3xla\w+")


@dataclasses.dataclass
class Symbol:
  """An exported symbol."""
  node: str  # its version node
  strong: bool = True  # clients have no copy
  since: str = ""  # the first version of this ABI that has it
  internal: bool = False  # no public header declares it


def output(*command, **options):
  return subprocess.run(list(map(str, command)), text=True, check=True,
                        stdout=subprocess.PIPE, **options).stdout


def demangled(names):
  """Maps mangled names to what C++ calls them."""
  names = list(names)
  text = output("c++filt", input="\n".join(names))
  return dict(zip(names, text.splitlines()))


def nested(symbol):
  """The words of a mangled nested name, up to its operator or its arguments,
  and the rest: _ZN3xla5Shape5clearEv gives [xla, Shape, clear] and Ev."""
  match = NESTED.match(symbol)
  if not match:
    return [], symbol
  words, rest = [], symbol[match.end():]
  while length := re.match(r"[1-9]\d*", rest):
    start, end = length.end(), length.end() + int(length[0])
    words.append(rest[start:end])
    rest = rest[end:]
  return words, rest


class Headers:
  """What the public headers mention."""

  def __init__(self, build):
    self.words = set()
    self.namespaces = set()
    for path in abi_types.public_headers(build)[1]:
      text = path.read_text()
      self.words.update(re.findall(r"\w+", text))
      for names in re.findall(r"^\s*namespace ([\w:]+)", text, re.M):
        self.namespaces.update(names.split("::"))

  def declare(self, symbol):
    """True if a public header may declare the symbol: they have its words."""
    words, _ = nested(symbol)
    return bool(ENTRIES.fullmatch(symbol)) or bool(words) and all(
        word in self.words for word in words)

  def may_show(self, symbol):
    """True if the symbol is in a namespace of ours that clients can name."""
    if ENTRIES.fullmatch(symbol):
      return True
    words, rest = nested(symbol)
    if not words or words[0] not in abi_types.NAMESPACES:
      return False
    # A word in lower case is a namespace, unless it is the last.
    inside = words[1] if len(words) > 1 + rest.startswith("E") else ""
    return not re.match(r"[a-z]", inside) or inside in self.namespaces


def explicit_instantiations():
  """The names of the templates of which sources hold the instances, as headers
  do not define them."""
  found = set()
  for path in tree.sources("xla", suffixes=(".cc",)):
    text = path.read_text()
    found.update(re.findall(r"^template (?:class|struct) (\w+)<", text, re.M))
    found.update(re.findall(
        r"^template (?!<)[^;(]*?(\w+)(?:<[^()]*>)?\(", text, re.M))
  return found


def soname(library):
  return re.search(r"SONAME\).*\[(.+)\]", output("readelf", "-d", library))[1]


def destructor(symbol):
  """The deleting destructor of the class whose vtable or type information a
  symbol is. If the library has the only one, it has the only vtable as well,
  although GCC makes all vtables weak."""
  return re.sub(r"_ZT[VIST](N\w+)E", r"_Z\1D0Ev", symbol)


def exported(library, headers):
  """Maps the library's exported symbols to what is known of them."""
  kinds, found = {}, {}
  for line in output("nm", "-D", "--defined-only", library).splitlines():
    kind, name = line.split()[-2:]
    if kind != "A":  # the version node itself
      name, _, node = name.partition("@")
      kinds[name] = kind
      found[name] = Symbol(node.strip("@"), internal=not headers.declare(name))
  instances = explicit_instantiations()
  for name, symbol in found.items():
    words, _ = nested(name)
    symbol.strong = (kinds[name] in STRONG
                     or kinds.get(destructor(name), "W") in STRONG
                     or bool(words) and words[-1] in instances)
  return found


def withheld(library, headers):
  """The functions and variables of the library that public headers declare and
  that it does not export; templates are left out."""
  names = {line.split()[-1] for line in output(
      "nm", "--defined-only", library).splitlines()}
  names -= exported(library, headers).keys()
  for name in sorted(names):
    words, rest = nested(name)
    if (re.fullmatch(r"_ZNK?\d\w*", name) and not rest.startswith("I")
        and len(words) > 1 and headers.declare(name)
        and headers.may_show(name)):
      yield name
