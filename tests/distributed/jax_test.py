"""JAX programs over the devices of several processes, against one process with
as many devices: the same bits. And what happens when a process dies.
"""

import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))
import tessera_jax
import harness

JOB = pathlib.Path(__file__).with_name("jax_job.py")
_SECONDS = 120


def _port():
  """A free port, below those that the system gives to other connections
  before the job listens at it."""
  while True:
    port = random.randrange(12000, 32000)
    with socket.socket() as s:
      try:
        s.bind(("127.0.0.1", port))
        return port
      except OSError:
        pass


def _require():
  harness.require("jax")
  tessera_jax.plugin()
  if not (pathlib.Path(tessera_jax.plugin()).parent
          / "libtessera_gloo.so").exists():
    raise harness.Skip("the plugin was built without Gloo")


class Job:
  """The processes of a job; ends them when it goes out of scope."""

  def __init__(self, case, devices, folder, **options):
    """`devices` has the number of devices of each process. `options` are
    variables in the environment; a list has the value for each process."""
    port = _port()
    self.folder = folder
    self.outputs = [folder / f"{case}_{len(devices)}_{p}.npz"
                    for p in range(len(devices))]
    self.logs = [open(f"{out}.log", "w+") for out in self.outputs]
    self.processes = []
    for p, count in enumerate(devices):
      mine = {name: value[p] if isinstance(value, list) else value
              for name, value in options.items()}
      environment = tessera_jax.environment(
          TESSERA_NUM_DEVICES=str(count), TESSERA_NUM_THREADS="2", **mine)
      environment["JAX_PLATFORMS"] = "tessera"
      self.processes.append(subprocess.Popen(
          [sys.executable, str(JOB), case, str(p), str(len(devices)),
           str(port), str(self.outputs[p])],
          env=environment, stdout=self.logs[p], stderr=subprocess.STDOUT))

  def __enter__(self):
    return self

  def __exit__(self, *_):
    for process in self.processes:
      if process.poll() is None:
        process.kill()
      process.wait()
    for log in self.logs:
      log.close()

  def text(self, p):
    """What process p has printed so far."""
    return pathlib.Path(self.logs[p].name).read_text()

  def wait_for(self, p, word):
    """Waits until process p has printed `word`; returns its output."""
    deadline = time.monotonic() + _SECONDS
    while word not in self.text(p):
      if time.monotonic() > deadline or self.processes[p].poll() is not None:
        if word in self.text(p):
          break
        raise AssertionError(f"process {p} did not print {word}:\n"
                             + self.text(p)[-3000:])
      time.sleep(0.02)
    return self.text(p)

  def finish(self):
    """Waits for the end of all; returns their shards, by name and device."""
    numpy = harness.require("numpy")
    shards = {}
    for p, process in enumerate(self.processes):
      try:
        status = process.wait(_SECONDS)
      except subprocess.TimeoutExpired:
        status = "hangs"
      if status != 0:
        raise AssertionError(f"process {p}: {status}\n{self.text(p)[-3000:]}")
    for out in self.outputs:
      with numpy.load(out) as arrays:
        shards.update({name: arrays[name].tobytes() for name in arrays})
    return shards


def _run(case, devices, folder, **options):
  with Job(case, devices, folder, **options) as job:
    return job.finish()


def _mpirun(processes, folder, command, **options):
  """Runs `command` as the processes of mpirun, with the engine for MPI and a
  secret; returns what it prints."""
  if not shutil.which("mpirun"):
    raise harness.Skip("no mpirun here")
  if not (pathlib.Path(tessera_jax.plugin()).parent
          / "libtessera_mpi.so").exists():
    raise harness.Skip("the plugin was built without MPI")
  environment = tessera_jax.environment(
      TESSERA_NUM_THREADS="2", TESSERA_ENGINE="mpi",
      TESSERA_SECRET_FILE=_secret(folder, "mpi_secret", "word"),
      OMPI_ALLOW_RUN_AS_ROOT="1",
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **options)
  environment["JAX_PLATFORMS"] = "tessera"
  done = subprocess.run(
      ["mpirun", "--oversubscribe", "--mca", "oob_tcp_if_include", "lo",
       "--mca", "btl", "self,vader", "-np", str(processes), *command],
      env=environment, text=True, check=False, timeout=_SECONDS,
      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
  if done.returncode != 0:
    raise AssertionError(f"mpirun: {done.returncode}\n{done.stdout[-3000:]}")
  return done.stdout


def _run_by_mpi(case, processes, devices, folder):
  """As _run, with the processes of mpirun."""
  _mpirun(processes, folder,
          [sys.executable, str(JOB), case, "mpi", str(processes),
           str(_port()), str(folder / "mpi_RANK.npz")],
          TESSERA_NUM_DEVICES=str(devices))
  numpy = harness.require("numpy")
  shards = {}
  for p in range(processes):
    with numpy.load(folder / f"mpi_{p}.npz") as arrays:
      shards.update({name: arrays[name].tobytes() for name in arrays})
  return shards


def _compare(case, folders, layouts):
  one = {}
  for devices in layouts:
    total = sum(devices)
    if total not in one:
      one[total] = _run(case, [total], folders)
      assert one[total], "the case has no results"
    several = _run(case, devices, folders)
    harness.equal(sorted(several), sorted(one[total]), f"{case} {devices}")
    differing = [name for name in several if several[name] != one[total][name]]
    harness.equal(differing, [], f"{case} on {devices}: other bits than in one "
                  "process")


def test_collectives_have_the_bits_of_one_process():
  _require()
  with tempfile.TemporaryDirectory() as folder:
    _compare("collectives", pathlib.Path(folder), [[2, 2], [1, 1, 1, 1]])


def test_collectives_of_unequal_processes():
  _require()
  with tempfile.TemporaryDirectory() as folder:
    _compare("collectives", pathlib.Path(folder), [[3, 1]])


def test_work_beside_collectives():
  _require()
  with tempfile.TemporaryDirectory() as folder:
    _compare("layers", pathlib.Path(folder), [[2, 2], [1, 1, 1, 1], [3, 1]])


def test_work_beside_collectives_of_one_of_two_processes():
  """Collectives begin in one order, whether work runs beside them or not."""
  _require()
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    one = _run("layers", [4], folder)
    plain = "--xla_disable_hlo_passes=latency-hiding-scheduler"
    several = _run("layers", [2, 2], folder, XLA_FLAGS=["", plain])
    harness.equal([name for name in one if several[name] != one[name]], [],
                  "other bits than in one process")


def _compare_over_mpi(case, layouts):
  with tempfile.TemporaryDirectory() as folder:
    one = _run(case, [4], pathlib.Path(folder))
    for processes, devices in layouts:
      several = _run_by_mpi(case, processes, devices, pathlib.Path(folder))
      harness.equal(sorted(several), sorted(one), "names")
      differing = [name for name in several if several[name] != one[name]]
      harness.equal(differing, [], f"{case} on {processes} processes of "
                    f"{devices} devices: other bits than in one process")


def test_collectives_over_mpi():
  _require()
  _compare_over_mpi("collectives", [(2, 2)])


def test_work_beside_collectives_over_mpi():
  _require()
  _compare_over_mpi("layers", [(2, 2), (4, 1)])


def test_example_in_cplusplus():
  """examples_test.py runs it with two processes and Gloo."""
  _require()
  lesson = str(harness.BIN / "example_08_processes")
  outputs = [harness.run("example_08_processes", 4)]
  with tempfile.TemporaryDirectory() as folder:
    for processes in (2, 4):
      outputs.append(_mpirun(processes, pathlib.Path(folder),
                             [lesson, f"file:{folder}/store{processes}"]))
  for processes, output in zip((4, 2, 4), outputs):
    harness.equal(output.count("with the weights of one process"), processes,
                  output)


def test_example():
  _require()
  lesson = harness.SRC / "examples" / "09_train_processes.py"
  for processes in (2, 4):
    environment = tessera_jax.environment(TESSERA_NUM_THREADS="2")
    environment["JAX_PLATFORMS"] = "tessera"
    done = subprocess.run(
        [sys.executable, str(lesson), f"--processes={processes}"],
        env=environment, text=True, check=False, timeout=_SECONDS,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    harness.equal(done.returncode, 0, done.stdout[-3000:])
    harness.equal(done.stdout.count("as in one process"), processes,
                  done.stdout)


def test_arrays_of_all_processes():
  _require()
  with tempfile.TemporaryDirectory() as folder:
    several = {}
    for devices in ([2, 2], [1, 1, 1, 1]):
      shards = _run("arrays", devices, pathlib.Path(folder))
      several[len(devices)] = {
          name: value for name, value in shards.items()
          if not name.startswith("few")}
    harness.equal(several[2], several[4], "2 and 4 processes")
    one = _run("arrays", [4], pathlib.Path(folder))
    for name, value in several[2].items():
      harness.equal(value == one[name], True, name)


def test_devices():
  _require()
  with tempfile.TemporaryDirectory() as folder:
    with Job("devices", [2, 1], pathlib.Path(folder)) as job:
      job.finish()
      first, second = job.text(0), job.text(1)
  for text in (first, second):
    for line in ("device 0 0 ", "device 1 0 ", "device 2 1 "):
      assert line in text, text
  assert "index 0 count 2" in first and "local [0, 1]" in first, first
  assert "index 1 count 2" in second and "local [2]" in second, second


def _secret(folder, name, text):
  path = folder / name
  path.write_text(text)
  path.chmod(0o600)
  return str(path)


def test_processes_that_know_the_secret():
  _require()
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    secret = _secret(folder, "secret", "correct horse\n")
    with Job("devices", [1, 1, 1], folder, TESSERA_SECRET_FILE=secret) as job:
      job.finish()


def test_a_process_that_does_not_know_the_secret():
  _require()
  with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    files = [_secret(folder, "a", "correct horse"),
             _secret(folder, "b", "wrong horse")]
    with Job("devices", [1, 1], folder, TESSERA_SECRET_FILE=files) as job:
      for process in job.processes:
        assert process.wait(timeout=_SECONDS) != 0
      for p in range(2):
        text = job.text(p)
        assert "does not know the job's secret" in text, text
        assert "horse" not in text, text


def test_death_of_a_process():
  _require()
  with tempfile.TemporaryDirectory() as folder, Job(
      "sums", [1, 1, 1, 1], pathlib.Path(folder)) as job:
    for p in range(4):
      job.wait_for(p, "READY")
    time.sleep(0.3)
    killed = time.monotonic()
    job.processes[3].kill()
    for p in range(3):
      text = job.wait_for(p, "LOCAL")
      for word in ("FAILED", "all-reduce", "with process", "AGAIN"):
        assert word in text, text
    seconds = time.monotonic() - killed
    assert seconds < 10, f"{seconds} s until all had an error"


def _require_transfers():
  """Older JAX may have other transfers between processes."""
  _require()
  jax = harness.require("jax")
  if tuple(int(n) for n in jax.__version__.split(".")[:2]) < (0, 10):
    raise harness.Skip("this JAX has other transfers between processes")


def test_device_put_between_processes():
  _require_transfers()
  with tempfile.TemporaryDirectory() as folder:
    for devices in ([2, 2], [1, 1, 1]):
      with Job("puts", devices, pathlib.Path(folder)) as job:
        job.finish()


def test_device_put_over_mpi():
  _require_transfers()
  with tempfile.TemporaryDirectory() as folder:
    _run_by_mpi("puts", 2, 2, pathlib.Path(folder))


def test_device_put_from_a_process_that_dies():
  _require_transfers()
  with tempfile.TemporaryDirectory() as folder, Job(
      "put_to_the_dead", [1, 1], pathlib.Path(folder)) as job:
    for p in range(2):
      job.wait_for(p, "READY")
    time.sleep(0.3)
    killed = time.monotonic()
    job.processes[1].kill()
    text = job.wait_for(0, "LOCAL")
    assert time.monotonic() - killed < 10, text
    for word in ("FAILED", "from device 1 to 0", "with process 1"):
      assert word in text, text


def test_stopped_process():
  _require()
  with tempfile.TemporaryDirectory() as folder, Job(
      "sums", [1, 1, 1], pathlib.Path(folder),
      TESSERA_COLLECTIVE_TIMEOUT_SECONDS="2") as job:
    for p in range(3):
      job.wait_for(p, "READY")
    os.kill(job.processes[1].pid, 19)  # SIGSTOP
    begin = time.monotonic()
    texts = [job.wait_for(p, "LOCAL") for p in (0, 2)]
    assert time.monotonic() - begin < 20, texts
    assert any("in time" in text for text in texts), texts


def test_a_long_wait_is_logged():
  _require()
  with tempfile.TemporaryDirectory() as folder, Job(
      "late", [1, 1], pathlib.Path(folder),
      TESSERA_WAIT_WARNING_SECONDS="1") as job:
    job.finish()
    text = job.text(0)
  for word in ("waiting for 1s: ", "all-reduce", "with process 1",
               "nothing came yet from 1"):
    assert word in text, text


def test_other_programs_are_refused():
  _require()
  with tempfile.TemporaryDirectory() as folder, Job(
      "differs", [1, 1], pathlib.Path(folder)) as job:
    texts = [job.wait_for(p, "REFUSED") for p in range(2)]
  assert any("runs another program" in text for text in texts), texts


if __name__ == "__main__":
  harness.main(globals())
