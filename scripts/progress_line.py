"""A line on a terminal that says how far a script is, written again in place."""

import os
import shutil
import sys
import time

_CLEAR = "\r\x1b[2K"


class ProgressLine:
  """The line of a script that works through `total` things, `unit` their name in
  the plural. Nothing is written unless standard error is a terminal whose cursor
  can go back, so that output in pipes stays as it is. Erase it before other
  output; as a context manager it is erased at the end."""

  def __init__(self, total, unit, stream=None, terminal=None,
               clock=time.monotonic):
    self._total, self._unit = total, unit
    self._stream = stream or sys.stderr
    if terminal is None:
      terminal = (self._stream.isatty()
                  and os.environ.get("TERM", "dumb") not in ("", "dumb"))
    self._terminal, self._clock = terminal, clock
    self._begin, self._shown = clock(), False

  def text(self, done, failed=0, what=""):
    """"3 of 67 programs, 12 s, 1 failed: softmax"."""
    text = (f"{done} of {self._total} {self._unit}, "
            f"{self._clock() - self._begin:.0f} s")
    text += f", {failed} failed" * bool(failed)
    return text + f": {what}" * bool(what)

  def show(self, done, failed=0, what=""):
    if not self._terminal:
      return
    columns = shutil.get_terminal_size().columns
    text = self.text(done, failed, what)[:max(columns - 1, 0)]
    self._stream.write(_CLEAR + text)
    self._stream.flush()
    self._shown = True

  def erase(self):
    if self._shown:
      self._stream.write(_CLEAR)
      self._stream.flush()
    self._shown = False

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.erase()
