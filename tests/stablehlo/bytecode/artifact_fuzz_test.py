"""Ten seconds of changed artifacts, through reader, conversion and verifier.

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


def test_bytecode():
  files = sorted(harness.SRC.glob("tests/stablehlo/artifacts/*.mlirbc"))
  files += sorted(harness.SRC.glob("tests/stablehlo/artifacts/plain/*.mlirbc"))
  files += sorted(harness.SRC.glob("tests/corpus/*.mlirbc"))
  print(harness.run("artifact_fuzz_tool", LENGTH, SEED, *files, timeout=7200))


if __name__ == "__main__":
  harness.main(globals())
