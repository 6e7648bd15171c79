"""Compares random dots and convolutions with the evaluator, the same each
time; each way in which the compiler computes products must be among them."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness

COUNT = os.environ.get("TESSERA_FUZZ_CONTRACTIONS", "400")
SEED = os.environ.get("TESSERA_FUZZ_SEED", "1")


def test_contractions():
  print(harness.run("contraction_fuzz_tool", "--count", COUNT, "--seed", SEED,
                    timeout=120 + int(COUNT)))


if __name__ == "__main__":
  harness.main(globals())
