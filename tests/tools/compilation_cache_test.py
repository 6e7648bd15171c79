"""The command with the compilation cache: a second start compiles nothing."""

import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

CORPUS = harness.SRC / "tests" / "corpus"
TRANSFORMER = CORPUS / "text_train_step.mlir"
ADD = """HloModule add
ENTRY e {
  x = f32[8]{0} parameter(0)
  ROOT y = f32[8]{0} add(x, x)
}
"""


def fresh(*folders):
  """Removes what an earlier run of this test left."""
  for folder in folders:
    shutil.rmtree(folder, ignore_errors=True)


def counters(report):
  """The numbers of the report's line about the cache, by name."""
  [line] = [line for line in report.splitlines()
            if line.startswith("compilation cache:")]
  return {name: int(number)
          for number, name in re.findall(r"(\d+) ([a-z]+)", line)}


def test_a_second_start_of_the_transformer_compiles_nothing():
  """The training step of tests/python/text_model.py, in two processes."""
  fresh("transformer")
  arrays = CORPUS / "text_train_step.npz"
  flags = ("--inputs", arrays, "--expect", arrays, "--quiet", "--report",
           "--atol=2e-4", "--cache-dir=transformer")
  first = harness.run("tessera", "run", TRANSFORMER, *flags)
  second = harness.run("tessera", "run", TRANSFORMER, *flags)
  for report, hits in (first, 0), (second, 1):
    all_counters = counters(report)
    harness.equal(all_counters["hits"], hits)
    harness.equal(all_counters["misses"], 1 - hits)
    harness.equal(all_counters["stores"], 1 - hits)
    harness.equal(all_counters["errors"], 0)
    harness.equal("results are as in" in report, True, report)
  harness.equal("from the compilation cache" in first, False, first)
  harness.equal("from the compilation cache" in second, True, second)
  harness.equal("  passes " in second, False, second)
  thunks = [report.partition("thunks:")[2].partition("compilation cache")[0]
            for report in (first, second)]
  harness.equal(thunks[0], thunks[1])


def run_add(folder, *flags):
  pathlib.Path("add.hlo").write_text(ADD)
  return harness.run(
      "tessera", "run", "add.hlo", "--report", "--quiet", *flags,
      env=dict(os.environ, TESSERA_CACHE_DIR=folder))


def test_the_environment_and_the_flag():
  fresh("set", "given")
  harness.equal(counters(run_add("set"))["misses"], 1)
  harness.equal(counters(run_add("set"))["hits"], 1)
  harness.equal(counters(run_add("set", "--cache-dir=given"))["misses"], 1)
  harness.equal(counters(run_add("", "--cache-dir=given"))["hits"], 1)
  without = run_add("")
  harness.equal("compilation cache" in without, False, without)
  harness.run("tessera", "run", "add.hlo", "--cache-dir=given",
              "--backend=evaluator", status=1)
  harness.run("tessera", "run", "add.hlo", "--cache-dir=given", status=1,
              env=dict(os.environ, TESSERA_CACHE_MAX_BYTES="many"))


def test_dumps_are_written_by_compiling():
  fresh("dumps", "dumped")
  run_add("dumps")
  report = run_add("dumps", "--dump-to=dumped")
  harness.equal(counters(report)["uncached"], 1)
  harness.equal(len(list(pathlib.Path("dumped").iterdir())) > 0, True)


def test_bench_times_the_cache_only_if_it_is_asked_to():
  fresh("benched")
  pathlib.Path("add.hlo").write_text(ADD)
  flags = ("--seconds=0.01", "--no-limits")
  environment = dict(os.environ, TESSERA_CACHE_DIR="benched")
  without = harness.run("tessera", "bench", "add.hlo", *flags, env=environment)
  harness.equal("compilation cache" in without, False, without)
  harness.equal(pathlib.Path("benched").exists(), False)
  cached = harness.run("tessera", "bench", "add.hlo", *flags,
                       "--cache-dir=benched")
  harness.equal("from the compilation cache" in cached, True, cached)


if __name__ == "__main__":
  harness.main(globals())
