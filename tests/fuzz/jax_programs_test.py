"""Runs some random JAX functions, the same each time, natively, on the
evaluator, and with arguments that are divided over devices."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import harness
import jax_programs

COUNT = int(os.environ.get("TESSERA_FUZZ_JAX_PROGRAMS", "6"))
SEED = int(os.environ.get("TESSERA_FUZZ_SEED", "1"))


def check(failure):
  if failure:
    raise AssertionError(failure)


def skip(why):
  raise harness.Skip(why)


def test_difference():
  np = harness.require("numpy")
  inf, nan = np.inf, np.nan
  want = np.float32([inf, 1, -inf, nan])
  for got, agrees in (([inf, 1, -inf, nan], True), ([nan, 1, -inf, nan], False),
                      ([inf, 1, inf, nan], False), ([inf, 1, -inf, 2], False),
                      ([inf, 2, -inf, nan], False)):
    told, _ = jax_programs.difference([np.float32(got)], [want])
    harness.equal(told is None, agrees, str(got))


def test_functions():
  why = jax_programs.platforms.missing()
  if why:
    yield "all", skip, why
    return
  seeds = range(SEED, SEED + COUNT)
  for seed, failure, _ in jax_programs.compare(seeds, "evaluator"):
    yield f"seed_{seed}", check, failure
  for seed, failure, _ in jax_programs.compare(seeds, "sharded"):
    yield f"sharded_{seed}", check, failure


if __name__ == "__main__":
  harness.main(globals())
