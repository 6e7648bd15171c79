"""Example 5: a net for handwritten digits, trained in JAX on Tessera. The
trained net then classifies the test images in the command, without JAX.

    python examples/05_train_digits.py [--epochs N] [--tessera PROGRAM]
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "tessera,cpu")

import jax
import jax.numpy as jnp
import numpy as np

DIGITS = pathlib.Path(__file__).parent / "digits"
BATCH = 144
RATE = 0.3


def load():
  """((images, labels) to train with, (images, labels) to test with); images
  are [n, 8, 8, 1] from 0 to 1."""
  with np.load(DIGITS / "digits_labels.npz") as labels:
    train = labels["train_images"], labels["train_labels"]
    test_labels = labels["test_labels"]
  with np.load(DIGITS / "digits_predict.npz") as arrays:
    test = arrays["arg6"], test_labels
  return train, test


def initial_parameters():
  """Kernels [3, 3, from, to] and a matrix, each with its bias."""
  rng = np.random.default_rng(1)

  def weights(*shape):
    scale = np.sqrt(np.prod(shape[:-1]))
    return jnp.asarray(rng.standard_normal(shape) / scale, jnp.float32)

  layers = [(3, 3, 1, 16), (3, 3, 16, 32), (128, 10)]
  return [(weights(*shape), jnp.zeros(shape[-1])) for shape in layers]


def logits(parameters, images):
  """[n, 8, 8, 1] -> [n, 10]."""
  *convolutions, (matrix, bias) = parameters
  x = images
  for kernel, offset in convolutions:
    x = jax.lax.conv_general_dilated(
        x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    x = jax.nn.relu(x + offset)
    x = jax.lax.reduce_window(
        x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
  return x.reshape(len(x), -1) @ matrix + bias


def loss(parameters, images, labels):
  """Mean cross entropy."""
  scores = jax.nn.log_softmax(logits(parameters, images))
  return -jnp.take_along_axis(scores, labels[:, None], axis=1).mean()


@jax.jit
def step(parameters, images, labels):
  """One step of gradient descent: (new parameters, loss before it)."""
  value, gradients = jax.value_and_grad(loss)(parameters, images, labels)
  moved = jax.tree.map(lambda p, g: p - RATE * g, parameters, gradients)
  return moved, value


def predict(parameters, images):
  """The digit in each image, [n]."""
  return jnp.argmax(logits(parameters, images), axis=1).astype(jnp.int32)


def train(parameters, images, labels, epochs):
  """The parameters after `epochs` passes over the images, and the last loss."""
  value = jnp.nan
  for _ in range(epochs):
    for start in range(0, len(images), BATCH):
      batch = slice(start, start + BATCH)
      parameters, value = step(parameters, images[batch], labels[batch])
  return parameters, float(value)


def predict_with_command(program, parameters, images, folder):
  """Runs the exported net with `tessera run` and returns its predictions."""
  lowered = jax.jit(predict).lower(parameters, images)
  source, inputs = folder / "predict.mlir", folder / "inputs.npz"
  outputs = folder / "outputs.npz"
  source.write_text(lowered.as_text())
  leaves = jax.tree.leaves((parameters, images))
  np.savez(inputs, **{f"arg{i}": x for i, x in enumerate(leaves)})
  subprocess.run([program, "run", source, "--inputs", inputs, "--outputs",
                  outputs, "--quiet"], check=True)
  with np.load(outputs) as results:
    return results["out0"]


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("--epochs", type=int, default=30)
  parser.add_argument("--tessera", help="the tessera command")
  options = parser.parse_args()
  print("training on", jax.devices()[0])
  (images, labels), (test_images, test_labels) = load()
  parameters, value = train(initial_parameters(), images, labels,
                            options.epochs)
  predicted = np.asarray(predict(parameters, test_images))
  print(f"loss {value:.4f}, accuracy {np.mean(predicted == test_labels):.4f}")
  if options.tessera:
    with tempfile.TemporaryDirectory() as folder:
      again = predict_with_command(options.tessera, parameters, test_images,
                                   pathlib.Path(folder))
    assert np.array_equal(again, predicted), "the command predicts otherwise"
    print(f"`tessera run` says the same of {len(again)} images")


if __name__ == "__main__":
  main()
