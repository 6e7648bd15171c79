"""Text and protos go between jaxlib and Tessera without loss.

For each program of programs.py, of the corpus, of this folder and of tests/ops:
what jaxlib prints is read and written here in every form, and what jaxlib makes
of that is the module it began with; the same for protos.
"""

import difflib
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness


class Tool:
  """A running round_trip_tool."""

  def __init__(self):
    self._process = subprocess.Popen([harness.BIN / "round_trip_tool"],
                                     stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)

  def __call__(self, source, target, data):
    """Converts `data` from form `source` to `target`; raises if refused."""
    if isinstance(data, str):
      data = data.encode()
    pipe = self._process.stdin
    pipe.write(f"{source} {target} {len(data)}\n".encode() + data)
    pipe.flush()
    status, size = self._process.stdout.readline().split()
    answer = self._process.stdout.read(int(size))
    if status != b"ok":
      raise AssertionError(f"{source} to {target}: " + answer.decode())
    return answer if target == "proto" else answer.decode()

  def close(self):
    self._process.stdin.close()
    harness.equal(self._process.wait(), 0, "status of round_trip_tool")


def same_text(got, want, what):
  if got != want:
    lines = difflib.unified_diff(want.split("\n"), got.split("\n"), "jaxlib",
                                 "tessera", lineterm="", n=1)
    raise AssertionError(f"{what}\n" + "\n".join(list(lines)[:40]))


class Jaxlib:
  """jaxlib's reader and printer of HLO."""

  def __init__(self):
    harness.require("jaxlib")
    from jaxlib import _hlo
    self._hlo = _hlo
    self._options = _hlo.HloPrintOptions()
    self._options.print_large_constants = True

  def text_of_text(self, text):
    return self._hlo.hlo_module_from_text(text).to_string(self._options)

  def text_of_proto(self, proto):
    module = self._hlo.HloModule.from_serialized_hlo_module_proto(proto)
    return module.to_string(self._options)

  def forms_of_text(self, text):
    """The texts that the printer makes of a module, by form."""
    module = self._hlo.hlo_module_from_text(text)
    options = self._hlo.HloPrintOptions
    return {"long": module.to_string(options()),
            "short": module.to_string(options.short_parsable()),
            "canonical": module.to_string(options.canonical()),
            "fingerprint": module.to_string(options.fingerprint())}

  def proto_of_text(self, text):
    return self._hlo.hlo_module_from_text(
        text).as_serialized_hlo_module_proto()


def comparable(form, text):
  """Returns a printed module without what differs from one of jaxlib's own
  prints to the next: the numbers of stack frames and, where computations are
  sorted by their hashes, their order."""
  text = re.sub(r" ?stack_frame_id=\d+", "", text)
  text = re.sub(r"(?m)^\d+ .*\n", "", text)
  if form != "fingerprint":
    return text
  return "\n\n".join(sorted(text.strip().split("\n\n")))


def check(tool, jaxlib, text):
  """Checks every form of `text`, which jaxlib printed."""
  want = jaxlib.text_of_text(text)
  ours = tool("text", "text", text)
  same_text(jaxlib.text_of_text(ours), want, "text to text")
  same_text(tool("text", "text", ours), ours, "our text is not stable")
  for form, printed in jaxlib.forms_of_text(text).items():
    same_text(comparable(form, tool("text", form, text)),
              comparable(form, printed), f"the {form} form")
  same_text(jaxlib.text_of_text(tool("text", "shapes", text)), want,
            "text with operand shapes")
  # Names change if computations are printed inside instructions.
  jaxlib.text_of_text(tool("text", "inline", text))
  proto = jaxlib.proto_of_text(text)
  if "T(*," in text:
    # jaxlib writes combined dimensions to protos, and then cannot read them.
    for source, data in ("text", text), ("proto", proto):
      again = tool("proto", "text", tool(source, "proto", data))
      same_text(jaxlib.text_of_text(again), want, f"{source} to proto to text")
    return
  # Protos do not have the numbers of replicas and partitions.
  want = jaxlib.text_of_proto(proto)
  same_text(jaxlib.text_of_proto(tool("text", "proto", text)), want,
            "text to proto")
  same_text(jaxlib.text_of_text(tool("proto", "text", proto)), want,
            "proto to text")
  same_text(jaxlib.text_of_proto(tool("proto", "proto", proto)), want,
            "proto to proto")


def check_proto(tool, jaxlib, proto):
  check(tool, jaxlib, jaxlib.text_of_proto(proto))


def test_jax_functions():
  try:
    jaxlib = Jaxlib()
    import programs
  except (harness.Skip, ImportError) as reason:
    why = str(reason)
    yield "all", lambda: (_ for _ in ()).throw(harness.Skip(why))
    return
  tool = Tool()
  for name, proto in programs.programs():
    yield name, check_proto, tool, jaxlib, proto
  tool.close()


def modules_in(path):
  """Returns the valid modules of a file of tests/ops."""
  for module in path.read_text().split("// -----"):
    if "ERROR:" not in module:
      yield module


def check_alone(path):
  """Without jaxlib: text and proto of a file's modules are stable."""
  tool = Tool()
  for module in modules_in(path):
    # Computations follow the list of instructions, whose order text changes.
    text = tool("text", "text", tool("text", "text", module))
    same_text(tool("text", "text", text), text, "our text is not stable")
    again = tool("proto", "text", tool("text", "proto", text))
    # Protos do not have the numbers of replicas and partitions.
    same_text(again.split("\n", 1)[1], text.split("\n", 1)[1], "proto to text")
  tool.close()


def check_file(path):
  jaxlib, tool = Jaxlib(), Tool()
  for module in modules_in(path):
    check(tool, jaxlib, jaxlib.text_of_text(module))
  tool.close()


# Files of tests/ops with operations that XLA does not have.
NOT_OF_XLA = ("erfc",)


def test_files():
  root = harness.SRC
  for folder in ("tests/hlo/parser", "tests/ops", "tests/corpus", "examples"):
    for path in sorted((root / folder).glob("**/*.hlo")):
      if path.stem not in NOT_OF_XLA:
        yield f"{folder}/{path.stem}", check_file, path
      yield f"{folder}/{path.stem}/alone", check_alone, path


if __name__ == "__main__":
  harness.main(globals())
