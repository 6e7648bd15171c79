"""Whole models in JAX on platform tessera: the digit classifier trains as on
cpu; the text model's training step and generation give XLA:CPU's results."""

import importlib.util
import sys

import harness
import numpy as np
import tessera_jax as tj

EXAMPLE = harness.SRC / "examples" / "05_train_digits.py"
CORPUS = harness.SRC / "tests" / "corpus"


def lesson():
  """Imports the module of the digit classifier."""
  tj.jax().config.update("jax_enable_x64", False)
  spec = importlib.util.spec_from_file_location("train_digits", EXAMPLE)
  module = importlib.util.module_from_spec(spec)
  spec.loader.exec_module(module)
  return module


def arrays(name):
  """(inputs, expected results) of a program of the corpus."""
  with np.load(CORPUS / f"{name}.npz") as file:
    return [[file[f"{kind}{i}"] for i in range(sum(
        key.startswith(kind) for key in file))] for kind in ("arg", "out")]


def close(got, want, what, rtol=2e-4):
  got, want = np.asarray(got), np.asarray(want)
  scale = max(np.abs(want).max(initial=0), 1e-3)
  np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol * scale,
                             err_msg=what)


def test_digits_step_as_on_cpu():
  jax = tj.jax()
  digits = lesson()
  (images, labels), _ = digits.load()

  def step():
    return jax.tree.leaves(digits.step(
        digits.initial_parameters(), images[:144], labels[:144]))

  for n, (got, want) in enumerate(zip(step(), tj.on_cpu(step))):
    close(got, want, f"result {n}", rtol=1e-5)


def test_digits_train_as_on_cpu():
  # Not exact: a rounding decides which of two equal pixels the pooling takes,
  # and the next steps depend on it.
  tj.jax()
  digits = lesson()
  (images, labels), _ = digits.load()

  def train():
    return digits.train(digits.initial_parameters(), images[:432],
                        labels[:432], epochs=2)[1]

  close(train(), tj.on_cpu(train), "loss", rtol=1e-2)


def test_digits_predict_as_xla():
  digits = lesson()
  with np.load(harness.SRC / "examples/digits/digits_predict.npz") as file:
    parameters = [(file["arg0"], file["arg1"]), (file["arg2"], file["arg3"]),
                  (file["arg4"], file["arg5"])]
    images, want = file["arg6"], file["out0"]
  got = tj.jax().jit(digits.predict)(parameters, images)
  np.testing.assert_array_equal(got, want)


def test_digits_accuracy():
  """Runs the lesson from start to end, and the trained net in the command."""
  import os
  if importlib.util.find_spec("jax") is None:
    raise harness.Skip("no jax here")
  import subprocess
  done = subprocess.run(
      [sys.executable, str(EXAMPLE), "--tessera",
       str(harness.BIN / "tessera")],
      env=tj.environment(), text=True, stdout=subprocess.PIPE,
      stderr=subprocess.STDOUT, check=False, timeout=600)
  harness.equal(done.returncode, 0, done.stdout)
  words = done.stdout.split()
  accuracy = float(words[words.index("accuracy") + 1])
  assert accuracy >= 0.975, done.stdout
  tj.holds(done.stdout, "says the same of 357 images")


def test_text_train_step():
  jax = tj.jax()
  import text_model
  jax.config.update("jax_enable_x64", False)
  inputs, expected = arrays("text_train_step")
  size = (len(inputs) - 2) // 3
  groups = [text_model.tree_of(inputs[i * size:(i + 1) * size])
            for i in range(3)]
  got = jax.jit(text_model.train_step)((*groups, inputs[-2]), inputs[-1])
  leaves = jax.tree.leaves(got)
  harness.equal(len(leaves), len(expected))
  for n, (a, b) in enumerate(zip(leaves, expected)):
    close(a, b, f"result {n}", rtol=2e-3)


def test_text_generate():
  jax = tj.jax()
  import text_model
  jax.config.update("jax_enable_x64", False)
  inputs, (expected,) = arrays("text_generate")
  got = jax.jit(text_model.generate)(text_model.tree_of(inputs[:-1]),
                                     inputs[-1])
  np.testing.assert_array_equal(got, expected)


if __name__ == "__main__":
  harness.main(globals())
