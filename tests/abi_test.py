"""The ABI of libtessera.so (docs/abi.md): what it exports, and that programs
which were linked with the last release still run; and that the check of this
finds what would break them."""

import contextlib
import dataclasses
import functools
import io
import pathlib
import re
import shutil
import sys
import tempfile

import harness

sys.path.insert(0, str(harness.SRC / "scripts"))

import abi  # pylint: disable=wrong-import-position
import abi_symbols  # pylint: disable=wrong-import-position
import abi_types  # pylint: disable=wrong-import-position

LIBRARY = harness.BUILD / "lib" / "libtessera.so"


@functools.cache
def headers():
  return abi_symbols.Headers(harness.BUILD)


@functools.cache
def has_types():
  """Types do not depend on the sanitizers: they are read from one build."""
  return bool(shutil.which(abi_types.COMPILER)) and not harness.sanitized()


@functools.cache
def built():
  return abi.built(harness.BUILD, types=has_types())


def require_types():
  if harness.sanitized():
    raise harness.Skip("the build without sanitizers tests the types")
  if not has_types():
    raise harness.Skip(f"no {abi_types.COMPILER} here")


def run(action, version, *changes, drop=()):
  """Records the build's ABI as that of a version, with the changes, (file,
  pattern, text), and lets abi.py compare the build; returns the exit status and
  what it printed."""
  with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    abi.write(dataclasses.replace(built(), version=version), folder)
    for name, pattern, text in changes:
      path = folder / f"libtessera.{name}"
      changed = re.sub(pattern, text, path.read_text(), count=1, flags=re.M)
      assert changed != path.read_text(), pattern
      path.write_text(changed)
    new = dataclasses.replace(built(), symbols={
        name: symbol for name, symbol in built().symbols.items()
        if name not in drop})
    with contextlib.redirect_stdout(io.StringIO()) as printed:
      status = action(new, folder)
    kept = abi.recorded(folder)
    return status, printed.getvalue(), kept


def check(*changes, drop=()):
  return run(abi.check, built().version, *changes, drop=drop)[:2]


def test_every_symbol_has_the_node_of_the_abi():
  version = abi.abi_version(abi.project_version())
  harness.equal(built().soname, f"libtessera.so.{version}")
  others = {name: symbol.node for name, symbol in built().symbols.items()
            if symbol.node != f"TESSERA_{version}"}
  harness.equal(others, {})


def test_abi_is_that_of_the_minor_version_before_1():
  harness.equal([abi.abi_version(version) for version in
                 ("0.1.0", "0.1.7", "0.12.0", "1.0.0", "3.4.5")],
                ["0.1", "0.1", "0.12", "1", "3"])


def test_exports_only_what_is_ours():
  foreign = [name for name in built().symbols if not headers().may_show(name)]
  harness.equal(abi_symbols.demangled(foreign), {})


def test_knows_what_is_not_ours():
  for name in ("_ZNSt6vectorIN3xla5ShapeESaIS1_EED2Ev",
               "_ZN4absl7debian310InlinedVecIN3xla4TileELm2EE4growEv",
               "_ZTIN6google8protobuf8internal8MapFieldIN3xla5ShapeEEE",
               "_ZN3xla3cpu11CpuCompiler7CompileEv", "_ZTVN3xla3cpu5ThunkE",
               "_ZN4llvm9StringMapIiE5clearEv", "xla_helper", "_Z7toolongv"):
    harness.equal(headers().may_show(name), False, name)
  for name in ("_ZN3xla5Shape5clearEv", "_ZTVN3xla13HloModulePassE",
               "_ZThn16_N3xla14HloInstructionD0Ev", "_ZN3xlaplENS_5XlaOpES0_",
               "_ZN3xla3ffi11FindHandlerEi", "GetPjrtApi"):
    harness.equal(headers().may_show(name), True, name)


def test_exports_what_public_headers_declare():
  found = list(abi_symbols.withheld(LIBRARY, headers()))
  harness.equal(abi_symbols.demangled(found), {})


def test_has_the_abi_of_the_last_release():
  old = abi.recorded()
  assert old, "abi/ has no record; ./dev abi release writes it"
  reason = abi.incomparable(old, built())
  if reason:
    raise harness.Skip(reason)
  if not has_types():
    old.types = {}
  found = abi.breaks(old, built())
  if found:
    raise AssertionError("\n".join([*found, abi.advice(old)]))


def test_finds_nothing_new_in_the_same_library():
  status, text = check()
  harness.equal((status, text), (0, f"{built().soname} has the ABI of Tessera "
                                    f"{built().version}\n"))


def test_finds_a_symbol_that_is_gone():
  node = f"TESSERA_{abi.abi_version(built().version)}"
  line = f" _ZN3xla5Shape4GoneEv@{node} 0.1.0"
  status, text = check(("symbols", "^ GetPjrtApi", rf"{line}\n\g<0>"))
  harness.equal(status, 1)
  assert text.startswith("gone: xla::Shape::Gone() "), text
  assert "would break" in text and "./dev abi release" in text, text


def test_finds_a_symbol_that_the_library_lost():
  lost = next(name for name, symbol in built().symbols.items()
              if symbol.strong and not symbol.internal)
  harness.equal(check(drop=[lost])[0], 1)
  lost = next(name for name, symbol in built().symbols.items()
              if symbol.strong and symbol.internal)
  harness.equal(check(drop=[lost])[0], 0, "internal symbols may go")


def test_finds_a_symbol_that_has_another_node():
  status, text = check(("symbols", r"^( GetPjrtApi)@\S+", r"\1@TESSERA_OLD"))
  harness.equal(status, 1)
  assert text.startswith("gone: GetPjrtApi (GetPjrtApi@TESSERA_OLD)"), text


def test_finds_types_that_changed():
  require_types()
  cases = [
      (r"^xla::Shape: \d+ bytes", "xla::Shape: 8 bytes",
       "changed: xla::Shape had `8 bytes`, has `"),
      (r"(?<=<xla::CollectiveDeviceListBase::Protos> protos_ 16\n  virtual )"
       "2 version", "2 title",
       "changed: xla::CollectiveDeviceListBase had `virtual 2 title`, has "),
      (r"^  kAdd = \d+", "  kAdd = 99",
       "changed: xla::HloOpcode had `kAdd = 99`, has `"),
      (r"^xla::Layout: ", "xla::Gone: 1 bytes\n  0 char c 1\n\\g<0>",
       "gone: type xla::Gone"),
      (r"^  \d+ int64_t memory_space_ 8$", "  0 int64_t memory_space_ 8",
       "changed: xla::Layout had `0 int64_t memory_space_ 8`, has `")]
  for pattern, text, message in cases:
    status, printed = check(("types", pattern, text))
    harness.equal(status, 1, pattern)
    assert printed.startswith(message), printed


def test_sees_classes_whose_virtual_functions_the_library_has():
  require_types()
  harness.equal(built().types["xla::HloPassInterface"],
                ["8 bytes", "virtual 2 name", "virtual 3 Run",
                 "virtual 4 IsPassPipeline", "virtual 5 RunImpl",
                 "virtual 6 RunImpl"])


def test_lets_the_abi_grow():
  harness.equal(check(("symbols", r"^ GetPjrtApi.*\n", ""))[0], 0)
  if has_types():
    harness.equal(check(("types", r"^  kAdd = \d+\n", ""))[0], 0)


def test_compares_only_with_the_same_abi():
  status, text = check(("symbols", r"^libtessera\S+", "libtessera.so.0.0"),
                       ("symbols", r"^ GetPjrtApi", " Gone"))
  harness.equal(status, 0)
  assert text.startswith("not compared: "), text


def test_release_keeps_when_symbols_came():
  status, _, kept = run(
      abi.release, "0.0.9", ("symbols", r"^( GetPjrtApi@\S+) .*", r"\1 0.0.8"),
      ("symbols", r"^ XLA_FFI_GetApi.*\n", ""))
  harness.equal(status, 0)
  harness.equal(kept.version, built().version)
  harness.equal(kept.types, built().types)
  harness.equal(kept.symbols["GetPjrtApi"].since, "0.0.8")
  harness.equal(kept.symbols["XLA_FFI_GetApi"].since, built().version)


def test_release_refuses_to_break_an_earlier_one():
  change = ("symbols", r"^ GetPjrtApi", " Gone")
  status, text, kept = run(abi.release, "0.0.9", change)
  harness.equal(status, 1)
  assert text.startswith("gone: Gone "), text
  harness.equal(kept.version, "0.0.9", "the record is as it was")
  status, _, kept = run(abi.release, built().version, change)
  harness.equal(status, 0, "a version may be recorded again")
  assert "GetPjrtApi" in kept.symbols and "Gone" not in kept.symbols


if __name__ == "__main__":
  harness.main(globals())
