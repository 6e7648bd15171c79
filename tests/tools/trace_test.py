"""`tessera run --trace`: the JSON and the XSpace of a program's run."""

import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

PROGRAM = """HloModule small
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT lt = pred[] compare(a, b), direction=LT
}
ENTRY e {
  x = f32[300,300]{1,0} parameter(0)
  w = f32[300,300]{1,0} parameter(1)
  y = f32[300,300]{1,0} dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/dot_general" source_file="model.py" source_line=12}
  ROOT s = f32[300,300]{1,0} sort(y), dimensions={1}, to_apply=less
}
"""


def program():
  path = pathlib.Path("small.hlo")
  path.write_text(PROGRAM)
  return path


def trace(*flags):
  harness.run("tessera", "run", program(), "--quiet", "--trace=t.json", *flags)
  return json.loads(pathlib.Path("t.json").read_text())


def test_thunks_have_names_sources_and_costs():
  recorded = trace("--repeat", "3")
  events = [e for e in recorded["traceEvents"] if e["ph"] == "X"]
  dots = [e for e in events
          if e["cat"] == "thunk" and e["args"]["opcode"] == "dot"]
  harness.equal(len(dots), 3)
  harness.equal([e["args"]["run_id"] for e in dots], [0, 1, 2])
  args = dots[0]["args"]
  harness.equal(args["hlo"], dots[0]["name"])
  harness.equal(args["computation"], "e")
  harness.equal(args["op_name"], "jit(f)/dot_general")
  harness.equal(args["source"], "model.py:12")
  harness.equal(args["flops"], 2 * 300**3)
  harness.equal(args["bytes"], 3 * 4 * 300**2)
  harness.equal(args["roofline_share"] > 0, True, args)
  harness.equal(recorded["otherData"]["dropped_events"], 0)
  named = {e["tid"] for e in recorded["traceEvents"] if e["ph"] == "M"}
  harness.equal({e["tid"] for e in events} <= named, True)


def test_events_of_a_thread_are_nested():
  events = [e for e in trace("--threads", "4")["traceEvents"]
            if e["ph"] == "X"]
  for thread in {e["tid"] for e in events}:
    open_ends = []
    # The file rounds to nanoseconds, as the clock does.
    of_thread = sorted(
        ((round(e["ts"] * 1000), -round(e["dur"] * 1000), e["name"])
         for e in events if e["tid"] == thread))
    for begin, minus_duration, name in of_thread:
      end = begin - minus_duration
      while open_ends and open_ends[-1] <= begin:
        open_ends.pop()
      harness.equal(not open_ends or end <= open_ends[-1], True, name)
      open_ends.append(end)


def test_compilation_is_recorded():
  names = {e["name"] for e in trace()["traceEvents"]
           if e["ph"] == "X" and e["cat"] == "compile"}
  expected = {"compile small", "check", "passes", "buffers", "plan", "thunks"}
  harness.equal(expected - names, set())


def test_loops_leave_an_event_for_each_execution():
  harness.run("tessera", "run",
              harness.SRC / "tests/pjrt/programs/power_iteration.hlo",
              "--quiet", "--trace=loop.json")
  events = json.loads(pathlib.Path("loop.json").read_text())["traceEvents"]
  harness.equal(sum(e.get("cat") == "thunk" for e in events) > 0, True)


def test_xspace():
  """Reads the file with a parser of the wire format, by XPlane's numbers."""
  harness.run("tessera", "run", program(), "--quiet", "--trace=t.xplane.pb")
  planes = [fields(plane) for plane in
            fields(pathlib.Path("t.xplane.pb").read_bytes())[1]]
  names = [plane[2][0].decode() for plane in planes]
  harness.equal(names, ["/host:CPU", "/device:TPU:0",
                        "/host:metadata"])
  lines = [fields(line)[2][0].decode() for line in planes[1][3]]
  harness.equal(lines, ["Steps", "XLA Modules", "XLA Ops"])
  metadata = [fields(fields(entry)[2][0]) for entry in planes[1][4]]
  shown = {m[4][0].decode() for m in metadata if 4 in m}
  harness.equal("s" in shown or any(n.startswith("s") for n in shown), True,
                str(shown))


def fields(message):
  """The fields of a serialized message: lists of values by number."""
  found, at = {}, 0

  def varint():
    nonlocal at
    value = shift = 0
    while True:
      byte = message[at]
      at += 1
      value |= (byte & 0x7f) << shift
      shift += 7
      if byte < 0x80:
        return value

  while at < len(message):
    key = varint()
    if key & 7 == 0:
      value = varint()
    elif key & 7 == 1:
      value, at = message[at:at + 8], at + 8
    else:
      harness.equal(key & 7, 2)
      size = varint()
      value, at = message[at:at + size], at + size
    found.setdefault(key >> 3, []).append(value)
  return found


def test_only_the_cpu_backend_has_thunks():
  done = subprocess.run(
      [harness.BIN / "tessera", "run", program(), "--backend=evaluator",
       "--trace=no.json"], text=True, capture_output=True, check=False)
  harness.equal(done.returncode, 1)
  harness.equal("--trace shows thunks of backend cpu" in done.stderr, True,
                done.stderr)


if __name__ == "__main__":
  harness.main(globals())
