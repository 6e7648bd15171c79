"""The line of progress of ./dev test and ./dev bench."""

import concurrent.futures
import io
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

sys.path.insert(0, str(harness.SRC / "scripts"))
import progress_line
import run_tests

CLEAR = "\r\x1b[2K"


class Clock:
  now = 100.0

  def __call__(self):
    return self.now


def line(terminal, clock, total=67):
  stream = io.StringIO()
  return stream, progress_line.ProgressLine(total, "programs", stream, terminal,
                                            clock)


def test_counts_and_goes():
  clock = Clock()
  stream, shown = line(True, clock)
  with shown:
    shown.show(0)
    clock.now += 12
    shown.show(3, 1, "softmax")
    shown.erase()
    shown.erase()
  harness.equal(stream.getvalue(),
                f"{CLEAR}0 of 67 programs, 0 s"
                f"{CLEAR}3 of 67 programs, 12 s, 1 failed: softmax{CLEAR}")


def test_is_cut_at_the_end_of_the_terminal():
  os.environ["COLUMNS"] = "10"
  try:
    stream, shown = line(True, Clock())
    shown.show(3, 1, "softmax")
  finally:
    del os.environ["COLUMNS"]
  harness.equal(stream.getvalue(), f"{CLEAR}3 of 67 p")


def test_writes_nothing_in_pipes():
  stream, shown = line(False, Clock())
  with shown:
    shown.show(1)
  harness.equal(stream.getvalue(), "")
  # A StringIO is no terminal.
  stream = io.StringIO()
  with progress_line.ProgressLine(1, "things", stream) as shown:
    shown.show(1)
  harness.equal(stream.getvalue(), "")


def test_the_runner_counts_suites():
  stream, shown = line(True, Clock(), total=2)
  with concurrent.futures.ThreadPoolExecutor(1) as pool:
    futures = {
        pool.submit(lambda: [run_tests.Case("a", "FAIL")]): "first",
        pool.submit(lambda: [run_tests.Case("b", "PASS")]): "second"}
    concurrent.futures.wait(futures)
    ended = [futures[each] for each in run_tests.as_they_end(futures, shown)]
  harness.equal(sorted(ended), ["first", "second"])
  harness.equal(stream.getvalue(), f"{CLEAR}0 of 2 programs, 0 s{CLEAR}")


if __name__ == "__main__":
  harness.main(globals())
