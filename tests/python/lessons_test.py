"""Tests that the lesson about the plugin in C runs, and reports a wrong path.
(examples_test.py runs the lessons in C++, training_test.py the one in
Python.)"""

import harness
import tessera_jax as tj


def test_c():
  tj.plugin()
  out = harness.run("example_07_plugin")
  harness.equal(out.strip(), "x * x + x = 2 6 12 20")


def test_cplusplus():
  tj.plugin()
  tj.holds(harness.run("example_06_plugin", tj.plugin()), "4 5 10 11")


def test_missing_plugin():
  tj.plugin()
  for lesson in ("example_06_plugin", "example_07_plugin"):
    harness.run(lesson, "/no/such/plugin.so", status=1)


if __name__ == "__main__":
  harness.main(globals())
