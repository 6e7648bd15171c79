"""What a network is: a function of layers and inputs, and its random weights.

A model is a function `model(nn, *inputs)`, where `nn` has the layers
(layers.py for JAX, onnx_layers.py for ONNX). Layers ask `nn.weight` for their
weights in the order in which they are computed, so that a first run, on shapes
alone, finds out which weights a network has.
"""

import dataclasses
import math

import numpy as np

# Random numbers of larger arrays repeat.
DISTINCT = 1 << 22


@dataclasses.dataclass(frozen=True)
class Array:
  """A random array: normally distributed, or whole numbers in a range.

  `order` says which dimension of the array in the order of ONNX (features
  before positions, output before input) each dimension of this one is.
  """
  shape: tuple
  dtype: str = "float32"
  scale: float = 1.0
  shift: float = 0.0
  range: tuple = ()  # from, to below
  order: tuple = ()

  def ordered(self):
    """This array as an input, for example an image of another layout."""
    if not self.order:
      return self
    return dataclasses.replace(self, order=(),
                               shape=tuple(self.shape[d] for d in self.order))

  def abstract(self):
    import jax
    return jax.ShapeDtypeStruct(self.ordered().shape, _type(self.dtype))

  def make(self, seed):
    """The array in the order of ONNX; `seed` is any tuple of integers."""
    rng = np.random.default_rng(seed)
    count = math.prod(self.shape)
    distinct = min(count, DISTINCT)
    if self.range:
      values = rng.integers(*self.range, distinct, dtype=np.int32)
    else:
      values = rng.standard_normal(distinct, dtype=np.float32)
      values = values * np.float32(self.scale) + np.float32(self.shift)
    values = values.astype(_type(self.dtype))
    if count > distinct:
      values = np.resize(values, count)
    return values.reshape(self.shape)

  def from_onnx(self, array):
    """`array`, which is in the order of ONNX, in this one's."""
    if not self.order:
      return array
    return np.ascontiguousarray(array.transpose(self.order))


def _type(name):
  import ml_dtypes
  return np.dtype(getattr(ml_dtypes, name, None) or name)


@dataclasses.dataclass(frozen=True)
class Network:
  """One network in one layout, for one batch."""
  name: str
  model: object
  inputs: tuple  # of Array, or of lists and dicts of them
  layout: str = "NHWC"  # or NCHW; only images have one
  # Servers compile a program for weights that stay; training does not.
  constants: bool = True
  training: bool = False  # one step of gradient descent, donating the weights
  tolerance: float = 2e-2
  donated: tuple = ()  # numbers of inputs
  # Makes inputs of the ONNX model of those of JAX; None if there is no model.
  onnx_inputs: object = lambda *inputs: inputs
  gives_image: bool = False  # so that the result is in `layout`

  @property
  def has_onnx_model(self):
    """Models of networks whose weights are arguments would be the same."""
    return self.constants and self.onnx_inputs is not None

  def forward(self, weights, *inputs):
    """The outputs, in JAX, with the weights that weight_arrays() lists."""
    import jax.numpy as jnp

    from networks import layers
    return self.model(
        layers.Layers(map(jnp.asarray, weights).__next__, self.layout,
                      self.training),
        *inputs)

  def loss(self, weights, *inputs):
    """A number whose gradient by weights and inputs reaches every layer."""
    import jax
    import jax.numpy as jnp

    total = 0.0
    for output in jax.tree.leaves(self.forward(weights, *inputs)):
      if jnp.issubdtype(output.dtype, jnp.floating):
        total += jnp.mean(jnp.square(output.astype(jnp.float32)))
    return total

  def step(self, weights, *inputs):
    """New weights. The rate of one makes errors of gradients visible."""
    import jax
    return jax.tree.map(lambda w, g: w - g, weights,
                        jax.grad(self.loss)(weights, *inputs))

  def weight_arrays(self):
    """The Arrays of its weights, in the order of their use."""
    import jax
    import jax.numpy as jnp

    from networks import layers
    found = []

    def next_weight(array):
      found.append(array)
      abstract = array.abstract()
      return jnp.zeros(abstract.shape, abstract.dtype)

    nn = layers.Layers(None, self.layout, self.training)
    nn.weight = next_weight
    jax.eval_shape(lambda *inputs: self.model(nn, *inputs),
                   *self.abstract_inputs())
    return found

  def abstract_inputs(self):
    import jax
    return jax.tree.map(Array.abstract, self.inputs)

  def made_inputs(self):
    """(inputs for JAX, the same in the order of ONNX)."""
    import jax
    arrays, structure = jax.tree.flatten(self.inputs)
    made = [each.make((1, i)) for i, each in enumerate(arrays)]
    ordered = [each.from_onnx(value) for each, value in zip(arrays, made)]
    return (jax.tree.unflatten(structure, ordered),
            jax.tree.unflatten(structure, made))


def made_weights(arrays):
  """Values in the order of ONNX."""
  return [each.make((0, i)) for i, each in enumerate(arrays)]
