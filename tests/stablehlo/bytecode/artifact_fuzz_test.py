"""100,000 changed artifacts for the reader of bytecode."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness

COUNT = int(os.environ.get("TESSERA_FUZZ_COUNT", "100000"))
SEED = os.environ.get("TESSERA_FUZZ_SEED", "1")


def test_bytecode():
  files = sorted(harness.SRC.glob("tests/stablehlo/artifacts/*.mlirbc"))
  print(harness.run("artifact_fuzz_tool", COUNT, SEED, *files, timeout=600))


if __name__ == "__main__":
  harness.main(globals())
