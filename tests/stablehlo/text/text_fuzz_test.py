"""Fifteen seconds of changed programs for the reader of StableHLO text."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness

SECONDS = int(os.environ.get("TESSERA_FUZZ_SECONDS", "15"))
SEED = os.environ.get("TESSERA_FUZZ_SEED", "1")


def test_text():
  files = sorted(harness.SRC.glob("tests/stablehlo/text/programs/*.mlir"))
  print(harness.run("text_fuzz_tool", SECONDS, SEED, *files,
                    timeout=SECONDS + 120))


if __name__ == "__main__":
  harness.main(globals())
