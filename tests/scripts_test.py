"""Checks the tree's own rules: layers, sizes, rule labels."""

import pathlib
import subprocess
import sys
import tempfile

import harness

sys.path.insert(0, str(harness.SRC / "scripts"))

import check_layers  # pylint: disable=wrong-import-position
import check_rules  # pylint: disable=wrong-import-position
import check_sizes  # pylint: disable=wrong-import-position
import run_tests  # pylint: disable=wrong-import-position
import tree  # pylint: disable=wrong-import-position


def none(found):
  found = list(found)
  if found:
    raise AssertionError("\n" + "\n".join(found))


def test_layers():
  none(check_layers.problems())


def test_sizes():
  none(check_sizes.problems())


def test_rule_labels():
  none(check_rules.problems())


def test_layer_lines_reach_what_they_say():
  layers = tree.layers()
  assert "base" in layers["hlo/ir"], "a + adds the layers of layers"
  assert "hlo/builder" not in layers["hlo/parser"], "siblings stay apart"


def test_folders_of_a_layer_are_ordered():
  with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "LAYERS"
    path.write_text("base:\na: base\n  x:\n  y: x\n  z: + y\n"
                    "b:\n  x:\n  .: x\n  y: .\n")
    rooms = tree.rooms(path)
    harness.equal(sorted(rooms), ["a", "b"])
    harness.equal(rooms["a"]["a/y"], {"a/x", "a/y"})
    harness.equal(rooms["a"]["a/z"], {"a/x", "a/y", "a/z"}, "a + adds")
    harness.equal(rooms["a"]["a"], {"a", "a/x", "a/y", "a/z"}, "on top")
    harness.equal(rooms["b"]["b"], {"b", "b/x"}, "where its line is")
    harness.equal(rooms["b"]["b/y"], {"b", "b/y"})
    harness.equal(sorted(tree.layers(path)), ["a", "b", "base"])

    def problem(layer, place, name):
      return check_layers.room_problem(rooms, layer, place, name)

    harness.equal(problem("a", "a/y/f.cc", "a/x/f.h"), None)
    harness.equal(problem("a", "a/x/f.cc", "a/y/f.h"),
                  "a/x may not include a/y (a/y/f.h)")
    harness.equal(problem("a", "a/x/f.cc", "a/f.h"),
                  "a/x may not include a (a/f.h)")
    harness.equal(problem("a", "a/w/f.cc", "a/x/f.h"),
                  "no line below a in xla/LAYERS covers a/w/f.cc")
    harness.equal(problem("base", "base/f.cc", "base/g.h"), None)
    path.write_text("a:\n  y: x\n  x:\n")
    try:
      tree.rooms(path)
    except ValueError as error:
      harness.equal("a/x is not a line above" in str(error), True, str(error))
    else:
      raise AssertionError("a line that names one below it is an error")


def test_gtest_output_is_counted():
  cases = run_tests.gtest_cases(
      "[ RUN      ] A.ok\n[       OK ] A.ok (0 ms)\n"
      "[ RUN      ] A.bad\nx\n[  FAILED  ] A.bad, where GetParam() = 3 (1 ms)\n"
      "[ RUN      ] A.skip\n[  SKIPPED ] A.skip (0 ms)\n"
      "[  FAILED  ] A.bad, where GetParam() = 3\n"
      "[ RUN      ] A.crash\nSegmentation fault\n")
  harness.equal([(case.name, case.result) for case in cases],
                [("A.ok", "PASS"), ("A.bad", "FAIL"), ("A.skip", "SKIP"),
                 ("A.crash", "FAIL")])


def test_programs_run_under_an_emulator():
  with tempfile.TemporaryDirectory() as folder:
    build = pathlib.Path(folder)
    (build / "bin").mkdir()
    (build / "bin" / "a program").write_text("not for this processor")
    harness.equal(run_tests.emulated_programs(build), build / "bin")
    (build / "emulator.txt").write_text("/bin/echo\n-L\na sysroot\n")
    programs = run_tests.emulated_programs(build)
    output = subprocess.run([programs / "a program", "x y"], text=True,
                            stdout=subprocess.PIPE, check=True).stdout
    harness.equal(output, f"-L a sysroot {build}/bin/a program x y\n")


def test_levels_of_instruction_sets():
  item = run_tests.Item("gtest", "ops_test", ["ops_test"])
  harness.equal(item.environment({"A": "1"}), {"A": "1"})
  at = item.at("AVX2")
  harness.equal((item.name, at.name), ("ops_test", "ops_test at AVX2"))
  env = at.environment({"XLA_FLAGS": "--xla_dump_to=-"})
  harness.equal(env["XLA_FLAGS"], "--xla_dump_to=- --xla_cpu_max_isa=AVX2")
  for pattern in run_tests.LEVEL_SUITES:
    harness.equal(pattern in run_tests.VALUE_SUITES or any(
        run_tests.matches(pattern, [wider])
        for wider in run_tests.VALUE_SUITES), True, pattern)


if __name__ == "__main__":
  harness.main(globals())
