"""Runs some hundred random programs, the same each time, on both backends."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

COUNT = os.environ.get("TESSERA_FUZZ_PROGRAMS", "200")
SEED = os.environ.get("TESSERA_FUZZ_SEED", "1")


def test_programs():
  print(harness.run("program_fuzz_tool", "--count", COUNT, "--seed", SEED,
                    timeout=120 + int(COUNT)))


# Divided among 2 to 8 devices as random shardings say.
def test_sharded_programs():
  print(harness.run("program_fuzz_tool", "--count", str(int(COUNT) // 2),
                    "--seed", SEED, "--sharded", "1",
                    timeout=120 + int(COUNT)))


# Two results of one op shared memory because nobody reads the second one.
def test_seeds_that_failed():
  for seed in ("44374",):
    print(harness.run("program_fuzz_tool", "--count", "1", "--seed", seed,
                      timeout=60))


if __name__ == "__main__":
  harness.main(globals())
