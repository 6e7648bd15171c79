"""Checkpoints of orbax: arrays of a platform written, read back to it, and
used on."""

import tempfile

import jax
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp

from library import Library

LIBRARY = Library("orbax")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def tree():
  """A tree of all types that training uses, made on the platform."""
  return {"weights": jnp.asarray(data(0, 16, 8)) * 2,
          "half": jnp.asarray(data(1, 5, 3), jnp.bfloat16),
          "step": jnp.int32(7), "mask": jnp.arange(6) % 2 == 0,
          "bytes": jnp.arange(12, dtype=jnp.uint8).reshape(3, 4),
          "nested": [jnp.zeros((2, 1, 3)), {"x": jnp.float32(1.5)}]}


def round_trip(save_and_restore, make=tree):
  """Returns the restored tree and a computation on it."""
  def run():
    with tempfile.TemporaryDirectory() as folder:
      restored = save_and_restore(folder, make())
    square = jax.jit(lambda t: jax.tree.map(lambda x: x * x if jnp.issubdtype(
        x.dtype, jnp.inexact) else x, t))
    return restored, square(restored)
  return run,


@LIBRARY.program(jit=False)
def standard():
  def both(folder, value):
    with ocp.StandardCheckpointer() as checkpointer:
      checkpointer.save(folder + "/c", value)
      checkpointer.wait_until_finished()
      return checkpointer.restore(folder + "/c", jax.tree.map(
          ocp.utils.to_shape_dtype_struct, value))
  return round_trip(both)


@LIBRARY.program(jit=False)
def untyped_restore():
  """Arrays restored as numpy arrays, without a description of the tree."""
  def both(folder, value):
    with ocp.PyTreeCheckpointer() as checkpointer:
      checkpointer.save(folder + "/c", value)
      restored = checkpointer.restore(folder + "/c", restore_args=jax.tree.map(
          lambda _: ocp.RestoreArgs(restore_type=np.ndarray), value))
      return jax.tree.map(jnp.asarray, restored)
  return round_trip(both)


@LIBRARY.program(jit=False)
def cast_on_restore():
  """Arrays restored as another type."""
  def both(folder, value):
    with ocp.StandardCheckpointer() as checkpointer:
      checkpointer.save(folder + "/c", value)
      checkpointer.wait_until_finished()
      return checkpointer.restore(folder + "/c", jax.tree.map(
          lambda x: jax.ShapeDtypeStruct(x.shape, jnp.float32,
                                         sharding=x.sharding), value))
  return round_trip(both, lambda: {"a": jnp.arange(6.0).astype(jnp.bfloat16),
                                   "b": jnp.float32(0.25)})


@LIBRARY.program(tolerance=1e-5, jit=False)
def manager_during_training():
  """A manager keeps the last two steps; training goes on from one."""
  optimizer = optax.adam(1e-2)
  x, y = data(2, 32, 4), data(3, 32)

  @jax.jit
  def step(params, state):
    grads = jax.grad(lambda p: jnp.mean((x @ p - y) ** 2))(params)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state

  def run():
    params = jnp.zeros(4)
    state = optimizer.init(params)
    with tempfile.TemporaryDirectory() as folder:
      options = ocp.CheckpointManagerOptions(max_to_keep=2)
      with ocp.CheckpointManager(folder, options=options) as manager:
        for i in range(4):
          params, state = step(params, state)
          manager.save(i, args=ocp.args.StandardSave((params, state)))
        manager.wait_until_finished()
        steps = manager.all_steps()
        restored = manager.restore(
            3, args=ocp.args.StandardRestore((params, state)))
    return list(steps), restored, step(*restored)

  return run,


@LIBRARY.program(jit=False)
def keys_and_metadata():
  """A key's data, JSON beside arrays, and metadata without reading."""
  def run():
    key = jax.random.key(5)
    value = {"key": jax.random.key_data(key), "x": jnp.arange(4.0)}
    with tempfile.TemporaryDirectory() as folder:
      with ocp.Checkpointer(ocp.CompositeCheckpointHandler()) as checkpointer:
        checkpointer.save(folder + "/c", ocp.args.Composite(
            state=ocp.args.StandardSave(value),
            config=ocp.args.JsonSave({"rate": 0.5})))
        back = checkpointer.restore(folder + "/c", ocp.args.Composite(
            state=ocp.args.StandardRestore(value),
            config=ocp.args.JsonRestore()))
    again = jax.random.wrap_key_data(back["state"]["key"])
    return back["state"], back["config"]["rate"], jax.random.normal(again, (3,))

  return run,


@LIBRARY.program(jit=False, tolerance=1e-5)
def asynchronous_gradients_of_restored():
  """Arrays saved while their computation may still run; then vmap of grad."""
  def run():
    weights = jnp.asarray(data(4, 64, 64))
    for _ in range(10):
      weights = jnp.tanh(weights @ weights * 0.1)
    with tempfile.TemporaryDirectory() as folder:
      with ocp.AsyncCheckpointer(ocp.StandardCheckpointHandler()) as saver:
        saver.save(folder + "/c", args=ocp.args.StandardSave([weights]))
        later = weights * 2  # Runs while the checkpoint is being written.
        saver.wait_until_finished()
        back, = saver.restore(folder + "/c", args=ocp.args.StandardRestore(
            [weights]))
    grad = jax.vmap(jax.grad(lambda v, w: jnp.sum(jnp.sin(w @ v))),
                    in_axes=(0, None))
    return back, later, grad(jnp.asarray(data(5, 3, 64)), back)

  return run,
