"""`tessera reduce`, `tessera opt --bisect` and `tessera run --explain` as
commands: each kind of failure, what is left of the program, wrong usage."""

import os
import pathlib
import re
import resource
import select
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

# Native code and the evaluator round some sines differently, at each level of
# instructions.
DIFFER = """HloModule differ
ENTRY e {
  x = f32[40,30] parameter(0)
  y = f32[40,30] parameter(1)
  a = f32[40,30] add(x, y)
  b = f32[40,30] multiply(a, x)
  c = f32[40,30] sine(b)
  t = f32[30,40] transpose(c), dimensions={1,0}
  r = f32[30,40] reverse(t), dimensions={0}
  ROOT z = f32[30,40] negate(r)
}
"""

# The loop does not end.
ENDLESS = """HloModule endless
cond {
  c = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] constant(-1)
  ROOT ne = pred[] compare(i, n), direction=NE
}
body {
  c = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  x = f32[4] get-tuple-element(c), index=1
  y = f32[4] sine(x)
  ROOT t = (s32[], f32[4]) tuple(i, y)
}
ENTRY e {
  x = f32[4] parameter(0)
  v = f32[4] negate(x)
  zero = s32[] constant(0)
  t = (s32[], f32[4]) tuple(zero, v)
  w = (s32[], f32[4]) while(t), condition=cond, body=body
  r = f32[4] get-tuple-element(w), index=1
  ROOT q = f32[4] add(r, v)
}
"""

# A loop in a loop, with a sine that counts from iteration 2 of both on.
NESTED = """HloModule nested
inner_cond {
  c = (s32[], s32[], f32[40,30]) parameter(0)
  j = s32[] get-tuple-element(c), index=1
  n = s32[] constant(3)
  ROOT lt = pred[] compare(j, n), direction=LT
}
inner_body {
  c = (s32[], s32[], f32[40,30]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  j = s32[] get-tuple-element(c), index=1
  x = f32[40,30] get-tuple-element(c), index=2
  one = s32[] constant(1)
  j2 = s32[] add(j, one)
  s = f32[40,30] sine(x), metadata={op_name="sine" source_file="model.py" source_line=12}
  four = s32[] constant(4)
  ij = s32[] add(i, j)
  hit = pred[] compare(ij, four), direction=GE
  hits = pred[40,30] broadcast(hit), dimensions={}
  y = f32[40,30] select(hits, s, x)
  ROOT t = (s32[], s32[], f32[40,30]) tuple(i, j2, y)
}
cond {
  c = (s32[], f32[40,30]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] constant(5)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  c = (s32[], f32[40,30]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  x = f32[40,30] get-tuple-element(c), index=1
  zero = s32[] constant(0)
  one = s32[] constant(1)
  i2 = s32[] add(i, one)
  t = (s32[], s32[], f32[40,30]) tuple(i, zero, x)
  u = (s32[], s32[], f32[40,30]) while(t), condition=inner_cond, body=inner_body, metadata={op_name="inner" source_file="model.py" source_line=10}
  y = f32[40,30] get-tuple-element(u), index=2
  ROOT t2 = (s32[], f32[40,30]) tuple(i2, y)
}
ENTRY e {
  x = f32[40,30] parameter(0)
  v = f32[40,30] negate(x)
  zero = s32[] constant(0)
  t = (s32[], f32[40,30]) tuple(zero, v)
  w = (s32[], f32[40,30]) while(t), condition=cond, body=body, metadata={op_name="outer" source_file="model.py" source_line=8}
  r = f32[40,30] get-tuple-element(w), index=1
  ROOT q = f32[40,30] add(r, v)
}
"""

# Two products, of which the second's result is turned around.
PRODUCTS = """HloModule products
ENTRY e {
  x = f32[64,64] parameter(0)
  y = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[64,64] sine(y), metadata={op_name="sine" source_file="m.py" source_line=7}
  d = f32[64,64] dot(s, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT z = f32[64,64] transpose(d), dimensions={1,0}
}
"""


def write(name, text):
  path = pathlib.Path(name)
  path.write_text(text)
  return path


def tessera(*arguments, status=0, **options):
  """Returns both streams of the command, which has to end by itself."""
  done = subprocess.run([harness.BIN / "tessera", *map(str, arguments)],
                        text=True, stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                        timeout=120, check=False, **options)
  harness.equal(done.returncode, status, done.stdout)
  return done.stdout


def has(text, *parts):
  for part in parts:
    harness.equal(part in text, True, f"expected {part!r} in\n{text}")


def opcodes(path):
  """The opcodes of the entry of an HLO file, without parameters, in order."""
  text = pathlib.Path(path).read_text()
  found = re.findall(r"= \S+ ([a-z-]+)\(", text[text.index("ENTRY"):])
  return [name for name in found if name != "parameter"]


def test_different_results():
  out = tessera("reduce", write("differ.hlo", DIFFER), "--atol=0", "--rtol=0",
                "-o", "small.hlo")
  has(out, "running: differ", "8 instructions became 2",
      "tessera opt --bisect small.hlo --inputs small.npz --atol=0 --rtol=0\n")
  harness.equal(opcodes("small.hlo"), ["sine"])
  # What is left shows the failure again, with the arguments beside it.
  out = tessera("opt", "--bisect", "small.hlo", "--inputs", "small.npz",
                "--atol=0", "--rtol=0", "-o", "smaller.hlo", status=1)
  has(out, "passes: the evaluator's result is the same after all",
      "native code computes something else than the evaluator",
      "is in smaller.hlo")
  harness.equal(opcodes("smaller.hlo"), ["sine"])


def test_errors_keep_their_text():
  """The backend refuses to compile anything with a wrong setting."""
  program = write("products.hlo", PRODUCTS)
  environment = dict(os.environ, TESSERA_JIT_SYMBOLS="nosuch")
  out = tessera("reduce", program, "--error-text=nosuch", "-o", "small.hlo",
                env=environment)
  has(out, "compiling: error", "error of cpu: ",
      "the failure is in tessera run --backend cpu small.hlo\n")
  harness.equal(opcodes("small.hlo"), [])
  out = tessera("reduce", program, "--error-text=another", status=1,
                env=environment)
  has(out, "what happens (error) does not have the text of --error-text")


def test_time_limit():
  program = write("endless.hlo", ENDLESS)
  # It also asks the evaluator for values, which must not take forever. What is
  # left depends on how busy the machine is.
  out = tessera("reduce", program, "--time-limit=0.5", "--max-tests=4", "-o",
                "small.hlo")
  has(out, "running: time limit", "no result after 0.5 s")
  # Nothing can be bisected if the evaluator does not end.
  out = tessera("opt", "--bisect", program, "--time-limit=0.5", status=1)
  has(out, "the evaluator, with whose result others are compared: time limit")


def test_time_limit_of_smaller_programs():
  """They get a second where the whole program takes none."""
  program = write("differ.hlo", DIFFER)
  seen, slept = pathlib.Path("seen"), pathlib.Path("slept")
  seen.unlink(missing_ok=True)
  tessera("reduce", program, "--max-tests=1", "-o", "small.hlo",
          "--test=[ -e seen ] || exec touch seen; sleep 30; touch slept")
  harness.equal((seen.exists(), slept.exists()), (True, False))


def test_crashes():
  """The system ends a process that takes more than a second of CPU time."""
  program = write("endless.hlo", ENDLESS)
  out = tessera("reduce", program, "--time-limit=30", "--max-tests=0", "-o",
                "small.hlo", preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_CPU, (1, 20)))
  has(out, "running: crash", "CPU time limit exceeded")


def test_commands():
  program = write("products.hlo", PRODUCTS)
  # The quotes of the test are those of a shell in the command that is printed.
  test = "grep -q 'sine(' $PROGRAM"
  out = tessera("reduce", program, f"--test={test}", "-o", "small.hlo")
  harness.equal(opcodes("small.hlo"), ["sine"])
  command = re.search(r"the failure is in (.*)", out).group(1)
  subprocess.run(["/bin/sh", "-c", command], check=True)
  # Arguments are there if --inputs is.
  np = harness.require("numpy")
  np.savez("in.npz", arg0=np.ones((64, 64), np.float32))
  tessera("reduce", program, "--inputs=in.npz", "-o", "small.hlo",
          "--test=test -f $INPUTS && grep -q transpose $PROGRAM")
  harness.equal(opcodes("small.hlo"), ["transpose"])
  harness.equal(sorted(np.load("small.npz").files), ["arg0"])
  # A test that never fails leaves an error.
  out = tessera("reduce", program, "--test=false", status=1)
  has(out, "fail")


def test_bisect_finds_nothing():
  program = write("products.hlo", PRODUCTS)
  out = tessera("opt", "--bisect", program, "--atol=0.1")
  has(out, "no difference found")
  out = tessera("opt", "--bisect", program, "--passes=algsimp,dce")
  has(out, "the same after all passes")


def test_bisect_goes_into_loops():
  out = tessera("opt", "--bisect", write("nested.hlo", NESTED), "--atol=0",
                "--rtol=0", "-o", "small.hlo", status=1)
  has(out, "native code alone has another value is s (model.py:12) of "
      "computation inner_body\n"
      "  in the body of while u (model.py:10) of computation body, in "
      "iteration 2\n"
      "  in the body of while w (model.py:8) of computation e, in iteration 2\n")
  # What is left is of the body, with the state of that iteration.
  harness.equal(opcodes("small.hlo"), ["sine"])
  has(pathlib.Path("small.hlo").read_text(), "ENTRY %inner_body")


def test_explain():
  program = write("products.hlo", PRODUCTS)
  out = tessera("run", program, "--explain", "--quiet")
  has(out, "m.py:7: ", "not fused", "read by ")
  has(tessera("run", program, "--explain=all", "--quiet"), "not fused")
  out = tessera("run", write("differ.hlo", DIFFER.replace(
      "transpose(c), dimensions={1,0}", "reshape(c)")), "--explain", "--quiet")
  has(out, "explain: all is fused, in place and vectorized")


def test_signals_end_children_too():
  """Children are in groups of their own, which Ctrl-C does not reach."""
  program = write("products.hlo", PRODUCTS)
  temporary = pathlib.Path("temporary")
  temporary.mkdir(exist_ok=True)
  for signal_number in [signal.SIGINT, signal.SIGTERM]:
    pathlib.Path("alive").unlink(missing_ok=True)
    os.mkfifo("alive")
    # Whoever holds the other end of the pipe is the test, and what it starts.
    command = subprocess.Popen(
        [harness.BIN / "tessera", "reduce", program, "-o", "small.hlo",
         "--test=exec 3>alive; echo started >&3; sleep 1000"],
        env=dict(os.environ, TMPDIR=str(temporary.resolve())),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    with open("alive") as alive:
      harness.equal(alive.readline(), "started\n")
      command.send_signal(signal_number)
      harness.equal(command.wait(), -signal_number)
      # Ends when no process has the other end.
      ready, _, _ = select.select([alive], [], [], 60)
      harness.equal((bool(ready), alive.read() if ready else ""), (True, ""))
    os.unlink("alive")
    # Programs for the test's command lay there.
    harness.equal(list(temporary.iterdir()), [])


def test_wrong_usage():
  program = write("products.hlo", PRODUCTS)
  folder = pathlib.Path("folder")
  folder.mkdir(exist_ok=True)
  for status, saying, *command in [
      (1, "--test alone says what fails", "reduce", program, "--test=true",
       "--check"),
      (1, "--test alone says what fails", "reduce", program, "--test=true",
       "--error-text=x"),
      (1, "--check is for backend cpu", "reduce", program, "--check",
       "--backend=evaluator"),
      (1, "--test says what else fails", "reduce", program, "--atol=0.1"),
      (2, "--time-limit: expected a number of at least 0, got nan", "reduce",
       program, "--time-limit=nan"),
      (2, "--max-tests: expected an integer of at least 0, got 1e9", "reduce",
       program, "--max-tests=1e9"),
      (2, "--atol: expected a number of at least 0, or inf, got -1", "reduce",
       program, "--atol=-1"),
      (2, "--seed: expected an integer from 0 to 2^64 - 1, got -1", "reduce",
       program, "--seed=-1"),
      (2, "--atol requires --bisect", "opt", program, "--atol=1"),
      (1, "no pass 'nosuch'", "opt", "--bisect", program, "--passes=nosuch"),
      (1, "not both", "opt", "--bisect", program, "--passes=dce",
       "--pipeline=cpu"),
      (2, "--explain: some not in {top,all}", "run", program,
       "--explain=some"),
      (1, "does not optimise", "run", program, "--explain",
       "--backend=evaluator"),
      (2, "--repeat: expected an integer of at least 1", "run", program,
       "--repeat=99999999999999999999"),
      (2, "--seconds: expected a number from 0 to 3600, got nan", "bench",
       program, "--seconds=nan"),
      (1, "cannot write folder: it is a folder", "reduce", program,
       "--test=true", "-o", folder),
      (1, "cannot write folder: it is a folder", "opt", "--bisect", program,
       "-o", folder),
      (1, "cannot write folder: it is a folder", "run", program,
       "--trace", folder),
      (1, "cannot write folder: it is a folder", "show", program, "-o",
       folder),
      (1, "cannot write folder: it is a folder", "bench", program, "--html",
       folder),
      (1, "cannot write none/page.html: No such file", "show", program, "-o",
       "none/page.html"),
      (1, "trace: ", "show", program, "-o", "page.html", "--trace", program),
  ]:
    has(tessera(*command, status=status), saying)
  # Checking leaves nothing behind, and what is there as it is.
  kept = write("kept.html", "kept")
  tessera("show", "missing.hlo", "-o", kept, status=1)
  harness.equal(kept.read_text(), "kept")
  tessera("show", "missing.hlo", "-o", "new.html", status=1)
  harness.equal(pathlib.Path("new.html").exists(), False)


def test_programs_that_are_none():
  folder = pathlib.Path("folder")
  folder.mkdir(exist_ok=True)
  for program, saying in [
      ("missing.hlo", "cannot read missing.hlo: No such file"),
      (folder, "cannot read folder: it is a folder"),
      (write("empty.hlo", ""), "expected an HLO module, got an empty text"),
      (write("garbage.hlo", "\x01\x02 garbage"), "garbage.hlo"),
  ]:
    for command in (["show", program, "-o", "page.html"], ["reduce", program],
                    ["opt", "--bisect", program], ["bench", program],
                    ["run", program, "--explain"]):
      has(tessera(*command, status=1), saying)
  # Traces and arguments are read in the same way.
  program = write("products.hlo", PRODUCTS)
  has(tessera("show", program, "-o", "page.html", "--trace", folder, status=1),
      "it is a folder")
  has(tessera("reduce", program, "--inputs", folder, status=1),
      "it is a folder")


if __name__ == "__main__":
  harness.main(globals())
