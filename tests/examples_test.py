"""Runs each lesson of examples/, which checks its own results."""

import harness


def test_lessons():
  examples = harness.SRC / "examples"
  lessons = sorted([*examples.glob("*.cc"), *examples.glob("*_c_api.c")])
  assert lessons, "no lessons"
  for lesson in lessons:
    output = harness.run(f"example_{lesson.stem}")
    assert output.strip(), f"{lesson.name} prints nothing"


def test_first_lesson_is_short():
  [first] = (harness.SRC / "examples").glob("01_*.cc")
  lines = len(first.read_text().splitlines())
  assert lines < 40, f"{first.name} has {lines} lines"


if __name__ == "__main__":
  harness.main(globals())
