"""Real programs as StableHLO text, printed from HLO, give the same results."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
import harness

CORPUS = harness.SRC / "tests" / "corpus"
DIGITS = harness.SRC / "examples" / "digits"


def run(program, arrays):
  with tempfile.TemporaryDirectory() as folder:
    printed = pathlib.Path(folder) / "program.mlir"
    harness.run("tessera", "translate", "--to=stablehlo", "-o", printed,
                program)
    out = harness.run("tessera", "run", printed, "--inputs", arrays,
                      "--expect", arrays, "--quiet")
  harness.equal("results are as in" in out, True, out)


def test_program():
  for name, folder in (("digits_predict", DIGITS),
                       ("digits_train_step", DIGITS),
                       ("text_generate", CORPUS),
                       ("text_train_step", CORPUS)):
    yield name, run, folder / f"{name}.hlo", folder / f"{name}.npz"


if __name__ == "__main__":
  harness.main(globals())
