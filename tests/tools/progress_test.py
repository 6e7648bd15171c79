"""Ctrl-C and the line of progress of the tessera command, on a terminal of the
test's own and in pipes."""

import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

CLEAR = b"\r\x1b[2K"
# Generous: it only bounds tests that fail.
DEADLINE_SECONDS = 200

# Counts to the argument of `less`. A hundred thousand million iterations take
# some minutes at most, so that a program that nobody cancels ends.
LOOP = """HloModule loop
condition {
  t = (s64[], f32[]) parameter(0)
  i = s64[] get-tuple-element(t), index=0
  n = s64[] constant(%d)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  t = (s64[], f32[]) parameter(0)
  i = s64[] get-tuple-element(t), index=0
  one = s64[] constant(1)
  next = s64[] add(i, one)
  x = f32[] get-tuple-element(t), index=1
  half = f32[] constant(0.5)
  h = f32[] multiply(x, half)
  y = f32[] add(h, half)
  ROOT r = (s64[], f32[]) tuple(next, y)
}
ENTRY e {
  zero = s64[] constant(0)
  x = f32[] parameter(0)
  t = (s64[], f32[]) tuple(zero, x)
  w = (s64[], f32[]) while(t), condition=condition, body=body
  ROOT y = f32[] get-tuple-element(w), index=1
}
"""
LONG, SHORT = 10 ** 11, 10


def program(count):
  path = pathlib.Path(f"loop{count}.hlo")
  path.write_text(LOOP % count)
  return str(path)


def command(*arguments):
  return [str(harness.BIN / "tessera"), *arguments]


def read_until(file, wanted):
  """What comes from the descriptor up to and with `wanted`, or up to its end if
  `wanted` is None."""
  text = b""
  end = time.monotonic() + DEADLINE_SECONDS
  while wanted is None or wanted not in text:
    ready, _, _ = select.select([file], [], [], max(0, end - time.monotonic()))
    if not ready:
      raise AssertionError(f"no {wanted!r} in {text!r}")
    try:
      more = os.read(file, 4096)
    except OSError:  # a terminal that nobody has open any more
      more = b""
    if not more:
      if wanted is None:
        return text
      raise AssertionError(f"the end came before {wanted!r}: {text!r}")
    text += more
  return text


def on_terminal(*arguments, term="xterm"):
  """Starts the command on a terminal; returns its process and the other end."""
  process, terminal = pty.fork()
  if process == 0:
    os.environ["TERM"] = term
    program_and_arguments = command(*arguments)
    os.execv(program_and_arguments[0], program_and_arguments)
  return process, terminal


def status_of(process):
  return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def run_on_terminal(*arguments, term="xterm"):
  process, terminal = on_terminal(*arguments, term=term)
  text = read_until(terminal, None)
  harness.equal(status_of(process), 0, text)
  os.close(terminal)
  return text


def test_ctrl_c_on_a_terminal():
  process, terminal = on_terminal("run", program(LONG))
  # The line appears after two seconds, and takes no notice of anything else.
  read_until(terminal, CLEAR + b"run: loop")
  os.write(terminal, b"\x03")
  text = read_until(terminal, None)
  harness.equal(status_of(process), 130, text)
  os.close(terminal)
  before, message = text.rsplit(CLEAR, 1)
  harness.equal(
      b"tessera: cancelled: run of loop cancelled at thunk " in message, True,
      text)
  harness.equal(message.startswith(b"tessera") or b"^C" in before, True, text)


def test_sigint_in_pipes():
  with subprocess.Popen(command("run", "--progress=always", program(LONG)),
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE) as process:
    read_until(process.stderr.fileno(), b"run: loop")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE_SECONDS)
  harness.equal(process.returncode, 130, err)
  harness.equal(out, b"")
  harness.equal(b"tessera: cancelled: run of loop cancelled" in err, True, err)


def test_sigint_ends_the_evaluator():
  with subprocess.Popen(command("run", "--backend=evaluator",
                                "--progress=always", program(10 ** 7)),
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE) as process:
    read_until(process.stderr.fileno(), b"run: loop")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=DEADLINE_SECONDS)
  harness.equal(process.returncode, 130, err)
  harness.equal(b"cancelled at instruction " in err, True, err)


def test_samples_of_bench_are_cancelled():
  with subprocess.Popen(command("bench", "--progress=always", program(LONG)),
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE) as process:
    read_until(process.stderr.fileno(), b"samples: loop")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=DEADLINE_SECONDS)
  harness.equal(process.returncode, 130, err)


def test_sigint_ends_a_wait_for_input():
  with subprocess.Popen(command("run", "-"), stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE) as process:
    # A program that is there ends the wait; without one the signal does,
    # whether the command has begun to wait or not.
    process.send_signal(signal.SIGINT)
    process.wait(timeout=DEADLINE_SECONDS)
    harness.equal(process.returncode, -signal.SIGINT)


def test_ignored_signals_stay_ignored():
  # As those of jobs in the background are.
  with subprocess.Popen(
      command("run", "--progress=always", program(10 ** 9)),
      stdout=subprocess.PIPE, stderr=subprocess.PIPE,
      preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
  ) as process:
    read_until(process.stderr.fileno(), b"run: loop")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE_SECONDS)
  harness.equal(process.returncode, 0, err)
  harness.equal(out, b"out0: f32[] 1\n")


def test_progress_always_and_never():
  text = run_on_terminal("run", "--progress=always", program(SHORT))
  harness.equal(text.startswith(CLEAR + b"reading: "), True, text)
  shown, _, results = text.rpartition(CLEAR)
  harness.equal(b"run: loop" in shown, True, text)
  harness.equal(results.startswith(b"out0: f32[] 0."), True, text)
  text = run_on_terminal("run", "--progress=never", program(SHORT))
  harness.equal(text.startswith(b"out0: f32[] 0."), True, text)


def test_progress_of_other_commands():
  for arguments in (["bench", "--repeat=1", "--no-limits"],
                    ["show", "-o", "page.html"],
                    ["opt", "-o", "out.hlo", "--pipeline=cpu"]):
    text = run_on_terminal(*arguments, "--progress=always", program(SHORT))
    harness.equal(text.startswith(CLEAR), True, text)
    # What remains on the screen are results.
    harness.equal(b"\x1b" in text.rpartition(CLEAR)[2], False, text)


def test_no_progress_where_the_cursor_cannot_move():
  for term in ("dumb", ""):
    text = run_on_terminal("run", program(10 ** 9), term=term)
    harness.equal(text, b"out0: f32[] 1\r\n")


def test_no_progress_in_pipes():
  done = subprocess.run(command("run", program(SHORT)), capture_output=True,
                        timeout=DEADLINE_SECONDS, check=False,
                        env=dict(os.environ, TERM="xterm"))
  harness.equal(done.stderr, b"")
  harness.equal(done.stdout.startswith(b"out0: f32[] 0."), True, done.stdout)


def test_wrong_flag():
  done = subprocess.run(command("run", "--progress=maybe", program(SHORT)),
                        capture_output=True, timeout=DEADLINE_SECONDS,
                        check=False)
  harness.equal(done.returncode, 2, done.stderr)


if __name__ == "__main__":
  harness.main(globals())
