# lit's configuration: every .hlo or .mlir file with a RUN line is a test.
# Programs come from the build folder (TESSERA_BIN), FileCheck and `not` from
# LLVM 19.
import os
import shutil
import sys

SRC = os.path.dirname(os.path.abspath(__file__))
BIN = os.environ.get("TESSERA_BIN", os.path.join(SRC, "..", "build", "bin"))
LLVM_BIN = "/usr/lib/llvm-19/bin"

sys.path.insert(0, SRC)
import lit_format  # pylint: disable=wrong-import-position

config.name = "tessera"
config.test_format = lit_format.RunLineTest(execute_external=False)
config.suffixes = [".hlo", ".mlir"]
config.test_source_root = SRC
config.test_exec_root = os.path.join(BIN, "..", "lit")
config.environment["PATH"] = os.pathsep.join(
    [BIN, LLVM_BIN, config.environment["PATH"]])
config.environment["TESSERA_SRC"] = os.path.dirname(SRC)
# What the compiler decides must not depend on the machine that tests run on.
config.environment["TESSERA_COST_TABLE"] = "default"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
  if name in os.environ:
    config.environment[name] = os.environ[name]
config.substitutions.append(("%tessera", os.path.join(BIN, "tessera")))

if not os.path.exists(os.path.join(LLVM_BIN, "FileCheck")):
  filecheck = shutil.which("FileCheck-19") or shutil.which("filecheck")
  if filecheck:
    config.substitutions.append((r"\bFileCheck\b", filecheck))
