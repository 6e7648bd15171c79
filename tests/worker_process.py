"""A process that runs programs for its caller and prints a line about each, and
the loop that starts another one after a program that ended it."""

import os
import queue
import subprocess
import threading


class WorkerProcess:
  """A worker process whose lines come with a time limit."""

  def __init__(self, command):
    environment = dict(os.environ, PYTHONUNBUFFERED="1")
    # With tests/ on the path, Python would find tests/jax as the package jax.
    environment.pop("PYTHONPATH", None)
    self.process = subprocess.Popen(
        command, text=True, errors="replace", env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    self.lines = queue.Queue()
    threading.Thread(target=self._read, daemon=True).start()

  def _read(self):
    for line in self.process.stdout:
      self.lines.put(line.rstrip("\n"))
    self.lines.put(None)

  def line(self, seconds):
    """Returns the next line, None at the end. Raises queue.Empty if none
    arrives."""
    return self.lines.get(timeout=seconds)

  def close(self):
    """Ends the process and returns its exit status."""
    self.process.kill()
    return self.process.wait()


def run_all(run, name):
  """Yields what `run(done)` yields, and calls it again until it returns True.

  run: a generator function; `done` lists the names of what came already, which
      it leaves out.
  name: a function from what `run` yields to its name.
  """
  done, complete = [], False
  while not complete:
    results = run(done)
    while True:
      try:
        result = next(results)
      except StopIteration as end:
        complete = end.value
        break
      if name(result) not in done:
        done.append(name(result))
        yield result
