"""Example 9: a net trained in JAX over the devices of several processes.

    python examples/09_train_processes.py

starts two processes with two devices each, which meet at an address of this
machine, and then one process with four devices. The batch is divided along one
axis of the mesh, the layers along the other (data and tensor parallelism in one);
both runs end with the same bits. `--processes=4` takes four, with a device each.
"""

import argparse
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

DEVICES = 4
STEPS = 20


def train():
  """Returns the weights after some steps, as bytes."""
  import jax
  import jax.numpy as jnp
  import numpy as np
  from jax import lax
  from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
  shard_map = getattr(jax, "shard_map", None)
  if shard_map is None:
    from jax.experimental.shard_map import shard_map

  mesh = Mesh(np.array(jax.devices()).reshape(2, 2), ("batch", "model"))
  x = np.cos(np.arange(64 * 8, dtype=np.float32)).reshape(64, 8)
  y = np.sin(x @ np.linspace(-1, 1, 8, dtype=np.float32))[:, None]
  first = np.cos(np.arange(8 * 32, dtype=np.float32) * 3).reshape(8, 32) / 3
  second = np.sin(np.arange(32, dtype=np.float32) * 5).reshape(32, 1) / 5

  def loss(weights, x, y):
    # Each device has half of the hidden units: the layer's outputs are summed.
    hidden = jnp.tanh(x @ weights[0])
    guess = lax.psum(hidden @ weights[1], "model")
    return jnp.sum((guess - y) ** 2) / 64

  def step(weights, x, y):
    gradients = jax.grad(loss)(weights, x, y)
    gradients = lax.psum(gradients, "batch")
    return [w - 0.1 * g for w, g in zip(weights, gradients)]

  layers = [P(None, "model"), P("model", None)]
  step = jax.jit(shard_map(
      step, mesh=mesh, in_specs=(layers, P("batch"), P("batch")),
      out_specs=layers))

  def place(array, spec):
    return jax.make_array_from_callback(
        array.shape, NamedSharding(mesh, spec), lambda index: array[index])

  weights = [place(w, spec) for w, spec in zip((first, second), layers)]
  batch = place(x, P("batch")), place(y, P("batch"))
  for _ in range(STEPS):
    weights = step(weights, *batch)
  whole = jax.jit(lambda w: w, out_shardings=NamedSharding(mesh, P()))
  return b"".join(np.asarray(whole(w)).tobytes() for w in weights)


def work(process, processes, address, out):
  """One process of the job."""
  import jax
  if processes > 1:
    jax.distributed.initialize(address, processes, process)
  pathlib.Path(out).write_bytes(train())


def start(processes, folder):
  """Runs a job; returns the weights that each process ended with."""
  with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    address = f"127.0.0.1:{s.getsockname()[1]}"
  environment = dict(os.environ,
                     TESSERA_NUM_DEVICES=str(DEVICES // processes))
  outs = [pathlib.Path(folder) / f"{processes}_{p}" for p in range(processes)]
  jobs = [subprocess.Popen([sys.executable, __file__, "--job", str(p),
                            str(processes), address, str(out)],
                           env=environment) for p, out in enumerate(outs)]
  if any([job.wait() for job in jobs]):
    raise SystemExit("a process failed")
  return [out.read_bytes() for out in outs]


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--processes", type=int, choices=(2, 4), default=2)
  parser.add_argument("--job", nargs=4, help=argparse.SUPPRESS)
  options = parser.parse_args()
  if options.job:
    process, processes, address, out = options.job
    work(int(process), int(processes), address, out)
    return
  with tempfile.TemporaryDirectory() as folder:
    several = start(options.processes, folder)
    [one] = start(1, folder)
  for process, weights in enumerate(several):
    print(f"process {process}: {len(weights)} bytes of weights,",
          "as in one process" if weights == one else "OTHERS than in one")
  if any(weights != one for weights in several):
    raise SystemExit(1)


if __name__ == "__main__":
  main()
