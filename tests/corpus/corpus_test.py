"""Real programs from JAX: `tessera run` gives the results of XLA:CPU, from
HLO text and protos, StableHLO text and artifacts."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

CORPUS = harness.SRC / "tests" / "corpus"
DIGITS = harness.SRC / "examples" / "digits"


# Adam divides a gradient by its own magnitude, so the rounding of one close to
# zero moves a weight by a part of the learning rate, 0.002.
TOLERANCE = {"text_train_step": ("--atol", "2e-4")}


def run(program, arrays):
  out = harness.run("tessera", "run", program, "--inputs", arrays, "--expect",
                    arrays, "--quiet", *TOLERANCE.get(arrays.stem, ()))
  harness.equal("results are as in" in out, True, out)


def test_program():
  for name, folder in (("digits_predict", DIGITS),
                       ("digits_train_step", DIGITS),
                       ("text_generate", CORPUS),
                       ("text_train_step", CORPUS)):
    arrays = folder / f"{name}.npz"
    yield f"{name}_text", run, folder / f"{name}.hlo", arrays
    for suffix in ("hlo.pb", "mlir", "mlirbc"):
      yield f"{name}_{suffix}", run, CORPUS / f"{name}.{suffix}", arrays


if __name__ == "__main__":
  harness.main(globals())
