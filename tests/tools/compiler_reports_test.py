"""The command's output about the CPU compiler: dumps, reports, times."""

import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import harness

GELU = """HloModule gelu
ENTRY e {
  x = f32[64,128]{1,0} parameter(0)
  w = f32[128,32]{1,0} parameter(1)
  y = f32[64,32]{1,0} dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  unused = f32[64,128]{1,0} add(x, x)
  ROOT t = f32[64,32]{1,0} tanh(y)
}
"""

# The update overwrites a value that the result also needs.
UPDATE = """HloModule update
ENTRY e {
  x = f32[1024]{0} parameter(0)
  v = f32[1]{0} parameter(1)
  i = s32[] parameter(2)
  u = f32[1024]{0} dynamic-update-slice(x, v, i)
  ROOT t = (f32[1024]{0}, f32[1024]{0}) tuple(u, x)
}
"""

FILL = """HloModule fill
ENTRY e {
  c = f32[] constant(3)
  ROOT b = f32[8]{0} broadcast(c), dimensions={}
}
"""


LOOP = """HloModule loop
cond {
  c = (s32[], f32[4096]{0}) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] constant(100)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  c = (s32[], f32[4096]{0}) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  x = f32[4096]{0} get-tuple-element(c), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[4096]{0} multiply(x, x)
  ROOT t = (s32[], f32[4096]{0}) tuple(next, y)
}
ENTRY e {
  zero = s32[] constant(0)
  x = f32[4096]{0} parameter(0)
  t = (s32[], f32[4096]{0}) tuple(zero, x)
  w = (s32[], f32[4096]{0}) while(t), condition=cond, body=body
  ROOT r = f32[4096]{0} get-tuple-element(w), index=1
}
"""


# Rows over their sums, of ROWS rows.
ROWS = """HloModule rows
sum {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT r = f32[] add(p, q)
}
ENTRY e {
  x = f32[ROWS,1024]{1,0} parameter(0)
  zero = f32[] constant(0)
  s = f32[ROWS]{0} reduce(x, zero), dimensions={1}, to_apply=sum
  b = f32[ROWS,1024]{1,0} broadcast(s), dimensions={0}
  ROOT q = f32[ROWS,1024]{1,0} divide(x, b)
}
"""


def write(name, text):
  path = pathlib.Path(name)
  path.write_text(text)
  return path


def tessera(*arguments, flags="", expect=0):
  """Returns the standard output and error of the command on the CPU backend."""
  environment = dict(os.environ, XLA_FLAGS=flags)
  done = subprocess.run([harness.BIN / "tessera", *map(str, arguments)],
                        text=True, capture_output=True, timeout=300,
                        check=False, env=environment)
  harness.equal(done.returncode, expect, done.stderr)
  return done.stdout, done.stderr


def run(*arguments, **options):
  return tessera("run", *arguments, "--backend=cpu", **options)


def has(text, *parts):
  for part in parts:
    harness.equal(part in text, True, f"expected {part!r} in\n{text}")


def names(folder):
  return sorted(path.name for path in pathlib.Path(folder).iterdir())


def test_dump_to_writes_every_stage():
  program = write("gelu.hlo", GELU)
  plain, _ = run(program)
  dumped, warnings = run(program, "--dump-to=all")
  harness.equal(dumped, plain, "dumps change nothing")
  harness.equal(warnings, "")
  files = names("all")
  for name in ("before_optimizations.txt", "cpu_after_optimizations.txt",
               "cpu_after_optimizations-buffer-assignment.txt",
               "thunk_sequence.txt", "debug_options"):
    harness.equal(f"module_0000.gelu.{name}" in files, True, f"{name}: {files}")
  passes = [name for name in files if ".after_" in name]
  for number, name in enumerate(passes):
    harness.equal(bool(re.fullmatch(
        rf"module_0000\.gelu\.{number:04d}\.cpu\.after_[\w-]+\.txt", name)),
        True, name)
  harness.equal(any("after_schedule" in name for name in passes), True,
                str(passes))
  for end in (".ir-no-opt.ll", ".ir-with-opt.ll", ".s"):
    kernels = [name for name in files if name.endswith(end)]
    harness.equal(len(kernels) > 0, True, f"no {end}: {files}")
    has(pathlib.Path("all", kernels[0]).read_text(), "kernel.")
  before = pathlib.Path("all/module_0000.gelu.before_optimizations.txt")
  after = pathlib.Path("all/module_0000.gelu.cpu_after_optimizations.txt")
  has(before.read_text(), "unused")
  harness.equal("unused" in after.read_text(), False)
  has(pathlib.Path("all/module_0000.gelu.thunk_sequence.txt").read_text(),
      "0: ")
  # The result of all passes is a valid program.
  harness.run("tessera", "opt", after)


def test_dump_flags_are_those_of_xla():
  program = write("gelu.hlo", GELU)
  run(program, flags="--xla_dump_to=some")
  files = names("some")
  harness.equal("module_0000.gelu.before_optimizations.txt" in files, True)
  harness.equal([name for name in files if ".after_" in name], [],
                "passes need --xla_dump_hlo_pass_re")
  run(program, flags="--xla_dump_to=one --xla_dump_hlo_pass_re=^schedule$")
  harness.equal([name for name in names("one") if ".after_" in name],
                ["module_0000.gelu.0000.cpu.after_schedule.txt"])
  run(program, flags="--xla_dump_to=protos --xla_dump_hlo_as_proto")
  files = names("protos")
  harness.equal("module_0000.gelu.before_optimizations.hlo.pb" in files, True)
  harness.equal("module_0000.gelu.before_optimizations.txt" in files, False)
  harness.run("tessera", "translate", "--to=text",
              "protos/module_0000.gelu.cpu_after_optimizations.hlo.pb")
  run(program, flags="--xla_dump_to=none --xla_dump_hlo_module_re=other")
  harness.equal(pathlib.Path("none").exists(), False)
  printed, _ = run(program, flags="--xla_dump_hlo_as_long_text")
  harness.equal("***" in printed, False, "that says how, not that")
  printed, _ = run(program, flags="--xla_dump_hlo_as_text")
  has(printed, "*** Begin module_0000.gelu.before_optimizations.txt ***")


def test_dump_that_fails_is_a_warning():
  program = write("gelu.hlo", GELU)
  write("file", "in the way")
  printed, warnings = run(program, "--dump-to=file")
  has(printed, "out0")
  has(warnings, "dump: cannot write file/module_0000.gelu")
  harness.equal(warnings.count("cannot write"), 1, warnings)
  _, warnings = run(program, flags="--xla_dump_to=odd --xla_dump_hlo_pass_re=[")
  has(warnings, "not a regular expression: [")


def test_large_arrays_are_fetched_ahead_and_written_past_the_caches():
  for rows, large in ((4096, True), (64, False)):
    program = write("rows.hlo", ROWS.replace("ROWS", str(rows)))
    folder = f"rows{rows}"
    run(program, "-q", f"--dump-to={folder}")
    code = "".join(path.read_text()
                   for path in pathlib.Path(folder).glob("*.ir-no-opt.ll"))
    harness.equal("llvm.prefetch" in code, large, f"{rows} rows")
    harness.equal("!nontemporal" in code, large, f"{rows} rows")


def test_explain_copies():
  printed, _ = run(write("update.hlo", UPDATE), "--explain-copies", "-q")
  harness.equal(bool(re.search(r"copy [\w.-]+ in [\w.-]+: 4\.10 kB, .+",
                               printed)), True, printed)
  printed, _ = run(write("fill.hlo", FILL), "--explain-copies", "-q")
  has(printed, "no copies")


def test_report():
  printed, _ = run(write("gelu.hlo", GELU), "--report", "-q")
  has(printed, "cost: ", "flops", "memory: arguments ", "peak", "compile time",
      "passes", "buffers", "codegen", "optimise", "emit", "link",
      "instructions", "kernels", "pass dce", "predicted on one thread: ",
      "thunks:\n0: ")
  printed, _ = tessera("run", "gelu.hlo", "--backend=evaluator", "--report",
                       "-q")
  has(printed, "cost: ", "memory: ")


# The listing says how products are computed.
def test_report_of_products():
  text = """HloModule product
ENTRY e {
  a = f32[128,200] parameter(0)
  b = f32[200,96] parameter(1)
  ROOT r = f32[128,96] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
"""
  printed, _ = run(write("product.hlo", text), "--report", "-q")
  has(printed, "thunks:\n0: dot r (packed)\n")


def flops(text):
  printed, _ = run(write("cost.hlo", text), "--report", "-q")
  has(printed, "cost: ")
  return (float(re.search(r"cost: (\S+) flops", printed)[1]),
          "counted once" in printed)


def test_report_counts_loops_as_often_as_they_run():
  # One comparison more than iterations of the body, which also adds to the
  # counter.
  number, unknown = flops(LOOP)
  harness.equal(unknown, False)
  harness.equal(100 * 4096 <= number <= 100 * 4096 + 300, True, str(number))
  doubling = LOOP.replace("add(i, one)", "add(i, i)")
  number, unknown = flops(doubling.replace("constant(0)", "constant(1)"))
  harness.equal(unknown, True)
  harness.equal(number < 2 * 4096, True, str(number))


def test_threads_do_not_change_results():
  program = write("gelu.hlo", GELU)
  one, _ = run(program, "--threads=1")
  harness.equal(run(program, "--threads=3")[0], one)
  tessera("run", program, "--threads=0", expect=2)


def test_bench_table():
  printed, _ = tessera("bench", write("gelu.hlo", GELU), "--backend=cpu",
                       "--repeat=3", "--threads=2")
  has(printed, "gelu: backend cpu, 2 threads", "compile ", "passes", "codegen",
      "run      median ", "quartiles ", "3 samples", "GFLOP/s", "GB/s",
      "% of ", "memory: arguments ")


def test_bench_json():
  printed, _ = tessera("bench", write("gelu.hlo", GELU), "--backend=cpu",
                       "--seconds=0.01", "--json")
  result = json.loads(printed)
  harness.equal(result["program"], "gelu")
  harness.equal(result["run"]["samples"] >= 5, True)
  run_times = result["run"]
  harness.equal(0 < run_times["least"] <= run_times["lower_quartile"]
                <= run_times["median"] <= run_times["upper_quartile"], True)
  harness.equal(sorted(result["limits"]), [
      "f32_flops_per_second", "f64_flops_per_second",
      "stream_bytes_per_second"])
  harness.equal(all(value > 0 for value in result["limits"].values()), True)
  harness.equal(result["flops"] >= 2 * 64 * 128 * 32, True)
  harness.equal(result["memory"]["arguments"], 4 * (64 * 128 + 128 * 32))
  for phase in ("passes", "buffers", "plan", "codegen", "optimise", "emit",
                "link"):
    harness.equal(phase in result["compile"]["phases"], True, phase)
  tessera("bench", "gelu.hlo", "--repeat=1", "--seconds=1", expect=2)
  _, error = tessera("bench", "no.hlo", expect=1)
  has(error, "cannot read no.hlo")


def test_bench_tune():
  text = """HloModule products
ENTRY e {
  a = f32[96,200] parameter(0)
  b = f32[200,64] parameter(1)
  ROOT d = f32[96,64] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
"""
  folder = pathlib.Path("cache/of/tunings")
  os.environ["TESSERA_CACHE_DIR"] = str(folder)
  try:
    flags = ("--tune", "--seconds=0.01", "--no-limits")
    _, report = tessera("bench", write("products.hlo", text), *flags)
    harness.equal("tuning: 1 kernels" in report, True, report)
    [table] = folder.glob("tuning-*.txt")
    lines = table.read_text().splitlines()
    harness.equal(lines[0], "tessera tuning 1")
    harness.equal(len(lines), 3, lines)
    harness.equal("f32[96,64]{1,0} dot(f32[96,200]" in lines[2], True, lines)
    # Other programs add to the table; one without products does not.
    tessera("bench", write("other.hlo", text.replace("96", "80")), *flags)
    harness.equal(len(table.read_text().splitlines()), 4)
    _, report = tessera("bench", write("fill.hlo", FILL), *flags)
    harness.equal("no products" in report, True, report)
    # A damaged one is not used, and changes nothing else.
    table.write_text("no table")
    _, error = tessera("run", "products.hlo")
    harness.equal("kernels are not tuned" in error, True, error)
    tessera("bench", "products.hlo", "--backend=evaluator", *flags, expect=1)
    tessera("bench", "products.hlo", "--replicas=2", *flags, expect=1)
  finally:
    del os.environ["TESSERA_CACHE_DIR"]


def test_bench_updates_donated_arguments_in_place():
  text = UPDATE.replace("HloModule update", "HloModule update, "
                        "input_output_alias={ {}: (0, {}, may-alias) }")
  text = text.replace("  ROOT t = (f32[1024]{0}, f32[1024]{0}) tuple(u, x)\n",
                      "").replace("  u =", "  ROOT u =")
  printed, _ = tessera("bench", write("donated.hlo", text), "--backend=cpu",
                       "--seconds=0", "--json")
  harness.equal(json.loads(printed)["memory"]["aliases"], 4096)


def test_opt_runs_the_pipeline():
  program = write("gelu.hlo", GELU)
  printed, times = tessera("opt", program, "--pipeline=cpu", "--time-passes")
  harness.equal("unused" in printed, False, printed)
  has(printed, "is_scheduled=true")
  has(times, "pass dce", " ms, ", "runs changed")
  printed, times = tessera("opt", program, "--passes=dce", "--time-passes")
  harness.equal(times.count("pass "), 1, times)
  tessera("opt", program, "--pipeline=gpu", expect=2)


if __name__ == "__main__":
  harness.main(globals())
