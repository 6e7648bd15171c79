"""The tessera command: inputs, outputs, comparison, replicas, exit codes."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

ADD = """HloModule add
ENTRY e {
  p = f32[2]{0} parameter(0)
  q = (f32[2]{0}, s32[]) parameter(1)
  a = f32[2]{0} get-tuple-element(q), index=0
  n = s32[] get-tuple-element(q), index=1
  sum = f32[2]{0} add(p, a)
  ROOT t = (f32[2]{0}, (s32[])) tuple(sum, inner)
  inner = (s32[]) tuple(n)
}
"""

REPLICA = """HloModule replica, replica_count=2
ENTRY e {
  id = u32[] replica-id()
  p = u32[] parameter(0)
  ROOT r = u32[] add(id, p)
}
"""


def write(name, text):
  path = pathlib.Path(name)
  path.write_text(text)
  return path


def fails(*command, status=1, saying=""):
  """Expects the command to end with `status` and a message on standard
  error."""
  done = subprocess.run([harness.BIN / "tessera", *map(str, command)],
                        text=True, capture_output=True, timeout=60,
                        check=False)
  harness.equal(done.returncode, status, done.stderr)
  harness.equal(saying in done.stderr + done.stdout, True,
                f"expected {saying!r} in\n{done.stdout}{done.stderr}")


def test_inputs_and_outputs_are_flattened():
  np = harness.require("numpy")
  program = write("add.hlo", ADD)
  np.savez("in.npz", arg0=np.float32([1, 2]), arg1=np.float32([10, 20]),
           arg2=np.int32(7))
  printed = harness.run("tessera", "run", program, "--inputs", "in.npz",
                        "--outputs", "out.npz")
  harness.equal("out0: f32[2] {11, 22}" in printed, True, printed)
  out = np.load("out.npz")
  harness.equal(sorted(out.files), ["out0", "out1"])
  harness.equal(out["out0"].tolist(), [11, 22])
  harness.equal(out["out1"].tolist(), 7)
  # The output can be compared with; one file may hold both sides.
  np.savez("both.npz", **np.load("in.npz"), **out)
  harness.run("tessera", "run", program, "--inputs", "both.npz", "--expect",
              "both.npz")
  np.savez("wrong.npz", out0=np.float32([11, 22.5]), out1=np.int32(7))
  fails("run", program, "--inputs", "in.npz", "--expect", "wrong.npz",
        saying="out0")
  harness.run("tessera", "run", program, "--inputs", "in.npz", "--expect",
              "wrong.npz", "--atol=0.6")
  np.savez("missing.npz", out0=np.float32([11, 22]))
  fails("run", program, "--inputs", "in.npz", "--expect", "missing.npz",
        saying="out1: not among the expected arrays")


def test_output_that_does_not_fit():
  program = write("add.hlo", ADD)
  with open("/dev/full", "w", encoding="utf-8") as full:
    done = subprocess.run([harness.BIN / "tessera", "run", program],
                          stdout=full, stderr=subprocess.PIPE, text=True,
                          timeout=60, check=False)
  harness.equal(done.returncode, 1, done.stderr)
  harness.equal("cannot write all of the standard output" in done.stderr, True,
                done.stderr)


def test_wrong_inputs():
  np = harness.require("numpy")
  program = write("add.hlo", ADD)
  np.savez("few.npz", arg0=np.float32([1, 2]))
  fails("run", program, "--inputs", "few.npz", saying="no array arg1")
  np.savez("type.npz", arg0=np.float64([1, 2]), arg1=np.float32([10, 20]),
           arg2=np.int32(7))
  fails("run", program, "--inputs", "type.npz", saying="arg0")
  write("no.npz", "this is not an archive")
  fails("run", program, "--inputs", "no.npz", saying="no.npz")


def test_replicas():
  np = harness.require("numpy")
  program = write("replica.hlo", REPLICA)
  np.savez("in.npz", arg0=np.uint32(5), r1_arg0=np.uint32(50))
  harness.run("tessera", "run", program, "--inputs", "in.npz", "--outputs",
              "out.npz")
  out = np.load("out.npz")
  harness.equal({k: int(out[k]) for k in out.files},
                {"r0_out0": 5, "r1_out0": 51})
  harness.run("tessera", "run", program, "--inputs", "in.npz", "--replicas=3",
              "--outputs", "out3.npz")
  out = np.load("out3.npz")
  harness.equal([int(out[f"r{k}_out0"]) for k in range(3)], [5, 51, 7])


def test_random_inputs_follow_from_the_seed():
  program = write("add.hlo", ADD)
  first = harness.run("tessera", "run", program, "--seed=1")
  harness.equal(harness.run("tessera", "run", program, "--seed=1"), first)
  harness.equal(harness.run("tessera", "run", program, "--seed=2") == first,
                False, "another seed gives other inputs")


def test_repeat_prints_times():
  program = write("add.hlo", ADD)
  printed = harness.run("tessera", "run", program, "--repeat=3")
  harness.equal("3 runs: median" in printed, True, printed)


# Every thunk of these agrees with the evaluator; tests/backends/cpu/checking
# shows that wrong ones would not pass.
def test_check():
  program = write("add.hlo", ADD)
  printed = harness.run("tessera", "run", program, "--check", "--report")
  harness.equal("0: checked kernel " in printed, True, printed)
  fails("run", program, "--check", "--backend=evaluator",
        saying="--check compares thunks of backend cpu")
  program = write("all.hlo", """HloModule all
more {
  p = (s32[], f32[300]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(5)
  ROOT c = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[300]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[300] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[300] sine(x)
  ROOT t = (s32[], f32[300]) tuple(j, y)
}
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}
ENTRY e {
  x = f32[300,300] parameter(0)
  d = f32[300,300] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  s = f32[300] reduce(d, zero), dimensions={1}, to_apply=sum
  i = s32[] constant(0)
  t = (s32[], f32[300]) tuple(i, s)
  w = (s32[], f32[300]) while(t), condition=more, body=body
  y = f32[300] get-tuple-element(w), index=1
  ROOT both = (f32[300], f32[300,300]) tuple(y, d)
}
""")
  harness.run("tessera", "run", program, "--check")


def test_translate():
  program = write("add.hlo", ADD)
  harness.run("tessera", "translate", program, "-o", "add.pb")
  text = harness.run("tessera", "translate", "add.pb")
  harness.run("tessera", "translate", write("again.hlo", text), "-o", "2.pb")
  harness.equal(harness.run("tessera", "translate", "2.pb"), text)
  harness.equal(harness.run("tessera", "translate", program, "--to=text"),
                text)


def test_large_results_are_abridged():
  program = write("iota.hlo", """HloModule iota
ENTRY e {
  ROOT i = s32[100000]{0} iota(), iota_dimension=0
}
""")
  printed = harness.run("tessera", "run", program)
  harness.equal(len(printed) < 10000, True, f"{len(printed)} characters")


def test_exit_codes():
  fails("run", status=2, saying="program")
  fails("no-such-command", status=2)
  fails("run", "no-such-file.hlo", saying="cannot read no-such-file.hlo")
  bad = write("bad.hlo", "HloModule m\nENTRY e {\n  ROOT p = f32[] ad(p)\n}\n")
  fails("run", bad, saying="bad.hlo:3:18")
  wrong = write("wrong.hlo", "HloModule m\nENTRY e {\n"
                "  p = f32[2]{0} parameter(0)\n"
                "  ROOT q = f32[3]{0} negate(p)\n}\n")
  fails("run", wrong, saying="instruction q")
  harness.run("tessera", "--help")
  harness.run("tessera", "run", "--help")


if __name__ == "__main__":
  harness.main(globals())
