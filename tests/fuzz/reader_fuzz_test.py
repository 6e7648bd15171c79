"""Mutates programs for the readers of text and protos for thirty seconds."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

SECONDS = int(os.environ.get("TESSERA_FUZZ_SECONDS", "30"))
SEED = os.environ.get("TESSERA_FUZZ_SEED", "1")


def fuzz(kind):
  files = sorted(harness.SRC.glob("tests/**/*.hlo")) + sorted(
      harness.SRC.glob("examples/**/*.hlo"))
  print(harness.run("reader_fuzz_tool", kind, SECONDS // 2, SEED, *files,
                    timeout=SECONDS + 120))


def test_text():
  fuzz("text")


def test_proto():
  fuzz("proto")


if __name__ == "__main__":
  harness.main(globals())
