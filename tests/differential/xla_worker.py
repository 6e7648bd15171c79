"""Runs HLO text on XLA:CPU. Some programs make XLA end the process, so it runs
in a child: `Worker` is the parent's side; run as a program, this file is the
child.
"""

import os
import pickle
import subprocess
import sys

# XLA:CPU's settings: "default", "quick" (without LLVM's optimizations), or
# "old" (also with its older code generator, which compiles ten times as fast,
# but is wrong for some narrow types). TESSERA_XLA overrides the setting of a
# test.
OLD_FLAGS = "--xla_cpu_use_fusion_emitters=false"


class Died(Exception):
  """The child ended while it ran a program."""


class Worker:
  """A child process with XLA:CPU of `devices` devices."""

  def __init__(self, devices=1, mode="quick"):
    self.devices = devices
    self.mode = os.environ.get("TESSERA_XLA", mode)
    self.process = None

  def run(self, text, arguments):
    """Returns the results of HLO `text`, per device a list of arrays, or a
    string with XLA's reason to reject it. `arguments` are lists of arrays, per
    device."""
    if self.process is None:
      self.start()
    try:
      pickle.dump((text, arguments), self.process.stdin)
      self.process.stdin.flush()
      return pickle.load(self.process.stdout)
    except (EOFError, BrokenPipeError):
      self.close()
      return "XLA:CPU ends the process: " + self.last_words()

  def last_words(self):
    """The output of XLA when it ended."""
    self.log.seek(0)
    lines = [line for line in self.log.read().splitlines() if line.strip()]
    for line in lines:
      if "Check failed" in line or line.startswith(("F0", "F1")):
        return line[line.find("]") + 2:]
    return lines[-1] if lines else "no message"

  def start(self):
    import tempfile
    env = dict(os.environ, JAX_PLATFORMS="cpu")
    # The reference does not change when Tessera is limited to a level.
    flags = " ".join(flag for flag in env.get("XLA_FLAGS", "").split()
                     if not flag.startswith("--xla_cpu_max_isa="))
    env["TESSERA_XLA"] = self.mode
    if self.mode == "old":
      flags += " " + OLD_FLAGS
    flags += f" --xla_force_host_platform_device_count={self.devices}"
    env["XLA_FLAGS"] = flags
    self.log = tempfile.TemporaryFile("w+", errors="replace")
    self.process = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=self.log, env=env)

  def close(self):
    if self.process is not None:
      self.process.stdin.close()
      self.process.wait()
      self.process = None


class Child:
  """Compiles and runs in this process."""

  def __init__(self):
    import jax
    jax.config.update("jax_enable_x64", True)
    from jaxlib import _hlo
    from jaxlib import _jax
    from jaxlib import xla_client
    self.jax, self.hlo, self.lib, self.client = jax, _hlo, _jax, xla_client
    self.devices = jax.devices("cpu")
    self.backend = self.devices[0].client

  def options(self, replicas, partitions):
    options = self.client.CompileOptions()
    options.num_replicas = replicas
    options.num_partitions = partitions
    build = options.executable_build_options
    build.num_replicas = replicas
    build.num_partitions = partitions
    build.use_spmd_partitioning = partitions > 1
    if os.environ.get("TESSERA_XLA") != "default":
      build.debug_options.xla_backend_optimization_level = 0
    return options

  def run(self, text, arguments):
    module = self.hlo.hlo_module_from_text(text)
    counts = [int((text.split(key, 1) + ["1"])[1].split(",")[0].split()[0])
              if key in text.splitlines()[0] else 1
              for key in ("replica_count=", "num_partitions=")]
    proto = module.as_serialized_hlo_module_proto()
    stablehlo = self.client._xla.mlir.hlo_to_stablehlo(proto)
    devices = self.devices[:len(arguments)]
    program = self.backend.compile_and_load(
        stablehlo, self.lib.DeviceList(tuple(devices)), self.options(*counts))
    if len(devices) == 1:
      inputs = [self.jax.device_put(x, devices[0]) for x in arguments[0]]
    else:
      inputs = [self.sharded(parts, devices) for parts in zip(*arguments)]
    results = program.execute_sharded(inputs)
    arrays = results.disassemble_into_single_device_arrays()
    import numpy as np
    return [[np.asarray(array[device]) for array in arrays]
            for device in range(len(devices))]

  def sharded(self, parts, devices):
    """An array whose part on device i is parts[i]."""
    import numpy as np
    jax = self.jax
    mesh = jax.sharding.Mesh(np.array(devices), ("d",))
    sharding = jax.sharding.NamedSharding(mesh,
                                          jax.sharding.PartitionSpec("d"))
    shape = (len(parts) * parts[0].shape[0],) + parts[0].shape[1:]
    return jax.make_array_from_single_device_arrays(
        shape, sharding,
        [jax.device_put(part, device) for part, device in zip(parts, devices)])


def main():
  out = os.fdopen(os.dup(1), "wb")
  os.dup2(2, 1)  # output must not disturb the pipe
  child = Child()
  while True:
    try:
      text, arguments = pickle.load(sys.stdin.buffer)
    except EOFError:
      return
    try:
      answer = child.run(text, arguments)
    except Exception as error:  # XLA's errors have many classes.
      answer = str(error).strip()
      answer = answer or type(error).__name__
    pickle.dump(answer, out)
    out.flush()


if __name__ == "__main__":
  main()
