"""tessera show and tessera bench --html: the data of pages, and the pages in a
browser."""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

# A loop, a call of a reducer, a fusion once it is compiled, source lines.
PROGRAM = """HloModule shown
add {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT r = f32[] add(p, q)
}
cond {
  c = (s32[], f32[64,64]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] constant(7)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  c.1 = (s32[], f32[64,64]) parameter(0)
  i.1 = s32[] get-tuple-element(c.1), index=0
  x.1 = f32[64,64] get-tuple-element(c.1), index=1
  one = s32[] constant(1)
  next = s32[] add(i.1, one)
  y = f32[64,64] dot(x.1, x.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="while/dot" source_file="model.py" source_line=12}
  t.1 = f32[64,64] tanh(y)
  ROOT u = (s32[], f32[64,64]) tuple(next, t.1)
}
ENTRY main {
  x = f32[64,64] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[64,64]) tuple(zero, x)
  w = (s32[], f32[64,64]) while(t), condition=cond, body=body
  v = f32[64,64] get-tuple-element(w), index=1
  z = f32[] constant(0)
  s = f32[64] reduce(v, z), dimensions={1}, to_apply=add
  e = f32[64] exponential(s)
  ROOT out = (f32[64], f32[64,64]) tuple(e, v)
}
"""

HOSTILE = '</script><script>alert(1)</script><!-- "\u00e9\u2028\U0001f600 & \\'


def write(name, text):
  path = pathlib.Path(name)
  path.write_text(text)
  return path


def show(program, *flags):
  """The text of the page and its data."""
  harness.run("tessera", "show", program, "-o", "page.html", *flags)
  return read("page.html")


def read(name):
  text = pathlib.Path(name).read_text()
  found = re.findall(
      r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
  harness.equal(len(found), 1, "scripts with data")
  return text, json.loads(found[0])


def fails(*command, status=1, saying=""):
  done = subprocess.run([harness.BIN / "tessera", *map(str, command)],
                        text=True, capture_output=True, timeout=60,
                        check=False)
  harness.equal(done.returncode, status, done.stderr)
  harness.equal(saying in done.stderr + done.stdout, True,
                f"expected {saying!r} in\n{done.stdout}{done.stderr}")


def check_graph(module):
  """Every number is in range, and operands precede users of their
  computation."""
  instructions = module["instructions"]
  names = [node["name"] for node in instructions]
  harness.equal(len(set(names)), len(names), "each instruction is there once")
  harness.equal(sum(c["count"] for c in module["computations"]), len(names))
  first = 0
  for computation in module["computations"]:
    end = first + computation["count"]
    harness.equal(first <= computation["root"] < end, True, computation["name"])
    for number in range(first, end):
      node = instructions[number]
      for operand in node.get("operands", []) + node.get("after", []):
        harness.equal(first <= operand < number, True, node["name"])
      for called in node.get("calls", []):
        harness.equal(0 <= called < len(module["computations"]), True)
    first = end


def test_every_instruction_is_there_once():
  program = write("program.hlo", PROGRAM)
  _, data = show(program, "--uncompiled")
  check_graph(data["module"])
  given = re.findall(r"^  (?:ROOT )?(\S+) = ", PROGRAM, re.M)
  nodes = {node["name"]: node for node in data["module"]["instructions"]}
  harness.equal(sorted(nodes), sorted(given))
  dot = nodes["y"]
  harness.equal(dot["shape"], "f32[64,64]{1,0}")
  harness.equal(dot["flops"], 2 * 64**3)
  harness.equal(dot["op_name"], "while/dot")
  harness.equal(data["module"]["sources"][dot["source"]], "model.py:12")
  harness.equal(dot["attributes"],
                "lhs_contracting_dims={1}, rhs_contracting_dims={0}")
  harness.equal(nodes["n"]["payload"], "7")
  harness.equal("memory" in data or "thunks" in data, False)


def test_compiled_program():
  _, data = show(write("program.hlo", PROGRAM))
  check_graph(data["module"])
  names = {node["name"] for node in data["module"]["instructions"]}
  harness.equal({thunk["name"] for thunk in data["thunks"]} - names, set())
  harness.equal(any(node.get("predicted_ns", 0) > 0
                    for node in data["module"]["instructions"]), True)
  memory = data["memory"]
  for buffer in memory["buffers"]:
    size = memory["allocations"][buffer["allocation"]]["size"]
    harness.equal(0 <= buffer["offset"] <= buffer["offset"] + buffer["size"] <=
                  size, True, buffer)
    harness.equal(0 <= buffer["begin"] < buffer["end"], True, buffer)
  # What is alive at the same time is at different places.
  for i, a in enumerate(memory["buffers"]):
    for b in memory["buffers"][:i]:
      both_alive = a["begin"] < b["end"] and b["begin"] < a["end"]
      overlap = (a["allocation"] == b["allocation"] and
                 a["offset"] < b["offset"] + b["size"] and
                 b["offset"] < a["offset"] + a["size"])
      harness.equal(both_alive and overlap, False, (a, b))


def test_jumps_have_no_costs():
  _, data = show(write("program.hlo", PROGRAM))
  jumps = [thunk for thunk in data["thunks"]
           if thunk["kind"].startswith("jump")]
  harness.equal(len(jumps) >= 2, True, data["thunks"])
  for jump in jumps:
    harness.equal(sorted(jump), ["kind", "name", "number"])


def test_text_of_the_program_cannot_end_the_data():
  escaped = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
  text = PROGRAM.replace("while/dot", escaped)
  page, data = show(write("hostile.hlo", text), "--uncompiled", "--replicas=1")
  nodes = {node["name"]: node for node in data["module"]["instructions"]}
  harness.equal(nodes["y"]["op_name"], HOSTILE)
  harness.equal(page.count("</script"), 2, "the data's and the page's scripts")
  harness.equal("alert(1)</" in page, False)


def test_bytes_that_are_no_utf8():
  program = pathlib.Path("bytes.hlo")
  bad = b"a\xffb\xc3(\xed\xa0\x80\xf5\xe2\x82"
  program.write_bytes(PROGRAM.encode().replace(b"while/dot", bad))
  _, data = show(program, "--uncompiled")
  nodes = {node["name"]: node for node in data["module"]["instructions"]}
  harness.equal(nodes["y"]["op_name"],
                "a\ufffdb\ufffd(" + 3 * "\ufffd" + "\ufffd" + 2 * "\ufffd")


def test_pages_load_nothing():
  program = write("program.hlo", PROGRAM)
  harness.run("tessera", "bench", program, "--seconds=0", "--no-limits",
              "--html", "bench.html")
  for page in (show(program)[0], read("bench.html")[0]):
    harness.equal("default-src 'none'" in page, True)
    harness.equal(set(re.findall(r'\w+://[^"]*', page)),
                  {"http://www.w3.org/2000/svg"}, "only the name of SVG")
    harness.equal(re.findall(r"<(?:link|img|iframe)|\ssrc=|@import|url\(", page),
                  [])


def test_stages():
  _, data = show(write("program.hlo", PROGRAM), "--stages")
  lines = data["stages"]["lines"]
  harness.equal(len(set(lines)), len(lines), "each line is there once")
  stages = data["stages"]["stages"]
  harness.equal(stages[0]["name"], "as given")
  texts = []
  for stage in stages:
    runs = stage["runs"]
    texts.append([lines[first + k] for first, count in zip(runs[::2], runs[1::2])
                  for k in range(count)])
  for name in re.findall(r"^  (?:ROOT )?(\S+) = ", PROGRAM, re.M):
    harness.equal(sum(line.removeprefix("  ROOT ").strip().startswith(name + " ")
                      for line in texts[0]), 1, name)
  for before, after in zip(texts, texts[1:]):
    harness.equal(before == after, False, "a stage that changed nothing")
  final = "\n".join(texts[-1])
  for node in data["module"]["instructions"]:
    harness.equal(f"{node['name']} = " in final, True, node["name"])


TRACE = {"traceEvents": [
    {"ph": "M", "name": "thread_name", "tid": 1},
    {"ph": "X", "cat": "thunk", "name": "dot", "ts": 1, "dur": 2.5, "tid": 1,
     "args": {"hlo": "y"}},
    {"ph": "X", "cat": "thunk", "name": "dot", "ts": 5, "dur": 1.5, "tid": 2,
     "args": {"hlo": "y"}},
    {"ph": "X", "cat": "run", "name": "run", "ts": 0, "dur": 9, "pid": 3},
]}


def test_trace():
  program = write("program.hlo", PROGRAM)
  trace = write("trace.json", json.dumps(TRACE))
  _, data = show(program, f"--trace={trace}")
  harness.equal([(e["name"], e.get("hlo"), e["start_us"], e["duration_us"],
                  e["process"], e["thread"]) for e in data["events"]],
                [("dot", "y", 1, 2.5, 0, 1), ("dot", "y", 5, 1.5, 0, 2),
                 ("run", None, 0, 9, 3, 0)])
  write("trace.json", json.dumps(TRACE["traceEvents"]))
  harness.equal(show(program, f"--trace={trace}")[1]["events"], data["events"])


def test_run():
  program = write("program.hlo", PROGRAM)
  _, data = show(program, "--run")
  thunks = [e for e in data["events"] if e["category"] == "thunk"]
  names = {node["name"] for node in data["module"]["instructions"]}
  harness.equal(bool(thunks), True)
  for thunk in thunks:
    harness.equal(thunk["hlo"] in names, True, thunk["hlo"])


def test_wrong_traces():
  program = write("program.hlo", PROGRAM)
  event = dict(TRACE["traceEvents"][1])
  for text, saying in (
      ("[1, 2", "not JSON"),
      ("{}", "neither an array of events"),
      ("[7]", "event 0 is not an object"),
      (json.dumps([event, event | {"dur": -1}]), "event 1: dur"),
      (json.dumps([event | {"ts": "soon"}]), "event 0: ts"),
      (json.dumps([event | {"args": 3}]), "event 0: args"),
      (json.dumps([event | {"tid": 1e300}]), "event 0: tid")):
    trace = write("wrong.json", text)
    fails("show", program, "-o", "no.html", f"--trace={trace}", saying=saying)
  fails("show", program, "-o", "no.html", "--trace=none.json",
        saying="none.json")


def test_flags():
  program = write("program.hlo", PROGRAM)
  fails("show", program, status=2, saying="--output")
  fails("show", program, "-o", "no.html", "--inputs=a.npz", status=2,
        saying="--run")
  fails("show", program, "-o", "no.html", "--uncompiled", "--stages", status=2)
  fails("show", program, "-o", "no.html", "--backend=evaluator", "--stages",
        saying="backend evaluator has none")
  fails("show", program, "-o", "no.html", "--backend=evaluator", "--run",
        saying="backend evaluator has none")
  harness.equal(pathlib.Path("no.html").exists(), False)


def test_bench_of_several_programs():
  names = [write("one.hlo", PROGRAM),
           write("two.hlo", PROGRAM.replace("shown", "also"))]
  printed = harness.run("tessera", "bench", *names, "--seconds=0", "--json",
                        "--no-limits", "--html", "bench.html")
  _, data = read("bench.html")
  harness.equal([b["program"] for b in data["benchmarks"]], ["shown", "also"])
  harness.equal([b["file"] for b in data["benchmarks"]],
                ["one.hlo", "two.hlo"])
  harness.equal([json.loads(line) for line in printed.splitlines()],
                data["benchmarks"])
  fails("bench", *names, "--inputs=a.npz", saying="there are several")


def browser():
  for name in ("chromium", "chromium-browser", "google-chrome"):
    if shutil.which(name):
      return name
  raise harness.Skip("no chromium here")


# Runs in the page after its own script; what it throws is the test's failure.
DRIVER = """<script>
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const $ = (selector) => document.querySelector(selector);
async function until(what, holds) {
  for (let i = 0; i < 400; ++i) {
    if (holds()) return;
    await sleep(25);
  }
  throw new Error("never: " + what);
}
function check(what, holds) {
  if (!holds) throw new Error("not: " + what);
}
function click(text) {
  [...document.querySelectorAll("button")]
      .find((button) => button.textContent === text).click();
}
function press(key) {
  $(".tab-panel:not([hidden]) canvas").dispatchEvent(
      new KeyboardEvent("keydown", {key, bubbles: true}));
}
async function searchFor(text) {
  const input = $("input[type=search]");
  input.value = text;
  input.dispatchEvent(new Event("input"));
  await until("a count of hits",
              () => $(".search-status").textContent.includes("hit"));
  await sleep(200);
}
const nodes = () => $(".graph-tab .toolbar [role=status]").textContent;
const problems = [];
addEventListener("error", (event) => problems.push(event.message));
(async () => {
  try {
    await drive();
    check(problems.join(), problems.length === 0);
    document.title = "TEST PASSED";
  } catch (error) {
    document.title = "TEST FAILED " + error;
  }
})();
async function drive() {
%s
}
</script>"""


def drive(page, steps):
  """Opens the page in a browser of its own and runs JavaScript in it."""
  command = browser()
  text = pathlib.Path(page).read_text()
  path = write("driven.html", text.replace("</body>", DRIVER % steps + "</body>"))
  with tempfile.TemporaryDirectory() as profile:
    done = subprocess.run(
        [command, "--headless", "--no-sandbox", "--disable-gpu",
         f"--user-data-dir={profile}", "--window-size=1200,800",
         "--virtual-time-budget=60000", "--dump-dom", path.resolve().as_uri()],
        text=True, capture_output=True, timeout=300, check=False)
  titles = re.findall(r"<title>(.*?)</title>", done.stdout, re.S)
  harness.equal(html.unescape(titles[0]) if titles else done.stderr,
                "TEST PASSED")


def large_program(count):
  """`count` instructions: a flat computation that calls one of seven."""
  lines = ["HloModule large", "inner {", "  a = f32[8] parameter(0)"]
  lines += [f"  i{k} = f32[8] tanh({f'i{k - 1}' if k else 'a'})"
            for k in range(5)]
  lines += ["  ROOT last = f32[8] negate(i4)", "}", "ENTRY main {",
            "  v0 = f32[8] parameter(0)"]
  flat = count - 7 - 2
  for k in range(1, flat + 1):
    other = max(0, k - 1 - k % 50)
    lines.append(f"  v{k} = f32[8] add(v{k - 1}, v{other})")
  lines += [f"  ROOT called = f32[8] call(v{flat}), to_apply=inner", "}"]
  return "\n".join(lines)


def test_large_graph_in_a_browser():
  browser()
  _, data = show(write("large.hlo", large_program(50000)), "--uncompiled")
  harness.equal(len(data["module"]["instructions"]), 50000)
  drive("page.html", """
    check("the count", nodes() === "49,993 nodes");
    await searchFor("v4321");
    check("v4321, v43210 to v43219",
          $(".search-status").textContent.startsWith("11 hits"));
    $(".search .hits button").click();
    await until("the instruction", () => $(".panel h2")?.textContent === "v4321");
    check("its address", location.hash === "#graph/v4321");
    check("its shape", $(".panel").textContent.includes("f32[8]{0}"));
    check("links to operands and users",
          [...document.querySelectorAll(".panel li a")].some(
              (a) => a.textContent === "v4322"));
    await searchFor("name:i3");
    $(".search .hits button").click();
    await until("an unfolded call", () => nodes() === "50,000 nodes");
    check("the hidden instruction", $(".panel h2").textContent === "i3");
    location.hash = "#graph/called";
    await until("the caller", () => $(".panel h2").textContent === "called");
    press("Enter");
    check("the call folded", nodes() === "49,993 nodes");
    press("Enter");
    check("the call unfolded", nodes() === "50,000 nodes");
    press("ArrowUp");
    check("the operand", $(".panel h2").textContent === "v49991");
    await searchFor("opcode:call");
    check("the call", $(".search-status").textContent.startsWith("1 hit"));
    await searchFor("nowhere");
    check("nothing", $(".search-status").textContent.startsWith("0 hits"));
    check("few elements", document.querySelectorAll("*").length < 3000);
  """)


def test_tabs_in_a_browser():
  browser()
  program = write("program.hlo",
                  PROGRAM.replace("while/dot", "<img src=x onerror=boom()>"))
  trace = write("trace.json", json.dumps(TRACE))
  show(program, "--stages", f"--trace={trace}")
  drive("page.html", """
    location.hash = "#graph/y";
    await until("the dot", () => $(".panel h2")?.textContent === "y");
    check("its source", $(".panel").textContent.includes("model.py:12"));
    check("its time", $(".panel").textContent.includes("4 \\u00b5s in 2 executions")
          || $(".panel").textContent.includes("4\\u00a0\\u00b5s in 2 executions"));
    check("text is not markup", $("img") === null);
    $(".panel a[href^='#memory/']").click();
    await until("the buffer", () => $("#panel-memory li.current") !== null);
    press("p");
    check("the peak",
          $("#panel-memory .panel h2").textContent.startsWith("Peak"));
    location.hash = "#timeline";
    await until("the timeline", () => $("#panel-timeline canvas") !== null);
    check("its events",
          $("#panel-timeline .toolbar").textContent.includes("3 events"));
    location.hash = "#stages";
    await until("lines", () => $("#panel-stages .line") !== null);
    click("pass \\u203a");
    check("what a pass changed",
          $("#panel-stages .changed, #panel-stages .added, #panel-stages " +
            ".removed, #panel-stages .moved") !== null);
    location.hash = "#summary";
    await until("thunks", () => $("#panel-summary caption") !== null);
    check("all tables",
          document.querySelectorAll("#panel-summary table caption").length === 3);
  """)


# An instruction in a fusion moves nothing, the fusion computes nothing beside
# it, and what is applied to elements counts as part of the reduction. So columns
# add up to the totals.
def test_sums_of_opcodes_in_a_browser():
  browser()
  program = write("sums.hlo", """HloModule sums
add {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT r = f32[] add(p, q)
}
ENTRY main {
  x = f32[256,512] parameter(0)
  y = f32[512,64] parameter(1)
  a = f32[256,512] add(x, x)
  b = f32[256,512] multiply(a, x)
  d = f32[256,64] dot(b, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[] constant(0)
  ROOT s = f32[256] reduce(d, z), dimensions={1}, to_apply=add
}
""")
  _, data = show(program, f"--trace={write('trace.json', json.dumps(TRACE))}")
  phases = sum(phase["seconds"] for phase in data["compile"]["phases"])
  drive("page.html", """
    location.hash = "#summary";
    await until("tables", () => $("#panel-summary caption") !== null);
    const rows = (caption) => [...document.querySelectorAll(
        "#panel-summary table")].find((table) => table.caption &&
        table.caption.textContent.startsWith(caption)).tBodies[0].rows;
    const cells = {};
    for (const row of rows("Opcodes")) {
      cells[row.cells[0].textContent] =
          [...row.cells].map((cell) => cell.textContent);
    }
    check("arithmetic is that of fused operations: " + JSON.stringify(cells),
          cells.multiply[2] === cells.add[2] && cells.multiply[2] !== "");
    check("they move nothing", cells.multiply[3] === "" && cells.add[3] === "");
    check("a fusion moves", cells.fusion[2] === "" && cells.fusion[3] !== "");
    const cards = $("#panel-summary .cards").textContent;
    check("scratch of the product",
          cards.includes("of these scratch") === %s);
    check("a note on sums over threads",
          cards.includes("sums over threads") === %s);
  """ % ("true" if data["memory_stats"]["temporaries"] > sum(
      each["size"] for each in data["memory"]["allocations"]
      if each["kind"] == "temporaries") else "false",
         "true" if phases > data["compile"]["seconds"] else "false"))


def test_benchmarks_of_one_name_in_a_browser():
  browser()
  names = [write("one.hlo", PROGRAM), write("two.hlo", PROGRAM)]
  harness.run("tessera", "bench", *names, "--seconds=0", "--no-limits",
              "--html", "bench.html")
  drive("bench.html", """
    const names = [...document.querySelectorAll(".table tbody td:first-child")]
        .map((cell) => cell.textContent).sort().join();
    check(names, names === "shown (one.hlo),shown (two.hlo)");
  """)


def test_benchmarks_in_a_browser():
  browser()
  program = write("program.hlo", PROGRAM)
  harness.run("tessera", "bench", program, "--seconds=0", "--html",
              "bench.html")
  drive("bench.html", """
    check("a row", document.querySelectorAll(".table tbody tr").length === 1);
    check("a point", document.querySelectorAll(".plot circle").length === 1);
    check("a roof", document.querySelectorAll(".plot .roof").length === 1);
  """)


if __name__ == "__main__":
  harness.main(globals())
