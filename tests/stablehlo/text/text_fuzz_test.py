"""Ten seconds of changed texts, through reader, conversion and verifier.

TESSERA_FUZZ_COUNT=100000 runs that many instead, TESSERA_FUZZ_SEED others.
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness

LENGTH = os.environ.get("TESSERA_FUZZ_COUNT") or (
    os.environ.get("TESSERA_FUZZ_SECONDS", "10") + "s")
SEED = os.environ.get("TESSERA_FUZZ_SEED", "1")


def test_text():
  files = sorted(harness.SRC.glob("tests/stablehlo/**/*.mlir"))
  files += sorted(harness.SRC.glob("tests/corpus/*.mlir"))
  print(harness.run("text_fuzz_tool", LENGTH, SEED, *files, timeout=7200))


if __name__ == "__main__":
  harness.main(globals())
