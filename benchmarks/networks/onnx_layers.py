"""Layers of networks as nodes of an ONNX model, with the operators that
exporters choose. Images are in NCHW. Those of layers.py that are missing here
have no ONNX model.
"""

import dataclasses
import math

import numpy as np
from onnx import helper, numpy_helper

OPSET = 21


@dataclasses.dataclass(eq=False)
class Value:
  """An array of the model."""
  nn: object
  name: str
  shape: tuple
  dtype: np.dtype

  @property
  def ndim(self):
    return len(self.shape)

  def __add__(self, other):
    return self.nn.elementwise("Add", self, other)

  def __mul__(self, other):
    return self.nn.elementwise("Mul", self, other)


class OnnxLayers:
  """A model under construction; `weights` are values in the order of their
  use, each as in the order of ONNX."""

  def __init__(self, weights):
    self._weights = iter(weights)
    self._nodes, self._inputs, self._constants, self._names = [], [], [], 0

  def input(self, array):
    value = self._value(np.shape(array), array.dtype)
    self._inputs.append(helper.make_tensor_value_info(
        value.name, helper.np_dtype_to_tensor_dtype(array.dtype), value.shape))
    return value

  def model(self, outputs):
    """The serialized model."""
    outputs = [helper.make_tensor_value_info(
        each.name, helper.np_dtype_to_tensor_dtype(each.dtype), None)
               for each in outputs]
    graph = helper.make_graph(self._nodes, "network", self._inputs, outputs,
                              self._constants)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 10
    return model.SerializeToString()

  def weight(self, array):
    del array
    return self._constant(next(self._weights))

  def elementwise(self, op, *xs, **attributes):
    shape = np.broadcast_shapes(*(np.shape(x) for x in xs))
    return self._node(op, xs, shape, **attributes)

  # Products.

  def linear(self, x, features, bias=True):
    y = self._node("MatMul", (x, self.weight(None)),
                   (*x.shape[:-1], features))
    return y + self.weight(None) if bias else y

  def conv(self, x, features, size, stride=1, groups=1, bias=False,
           dilation=1, padding="SAME"):
    rank = x.ndim - 2
    operands = [x, self.weight(None)] + ([self.weight(None)] if bias else [])
    if padding == "CAUSAL":
      pads = {"pads": [(size - 1) * dilation] * rank + [0] * rank}
    else:
      pads = {"auto_pad": "SAME_UPPER"}
    places = (-(-n // stride) for n in x.shape[2:])
    return self._node(
        "Conv", operands, (x.shape[0], features, *places),
        strides=[stride] * rank, dilations=[dilation] * rank,
        group=groups or x.shape[1], **pads)

  def embedding(self, ids, count, features, scale=0.5):
    del count, scale
    table = self.weight(None)
    return self._node("Gather", (table, ids), (*ids.shape, features)), table

  def scores(self, x, table):
    return self._node("MatMul", (x, self._transpose(table, (1, 0))),
                      (*x.shape[:-1], table.shape[0]))

  # Norms.

  def batch_norm(self, x, eps=1e-5):
    statistics = [self.weight(None) for _ in range(4)]
    return self._node("BatchNormalization", (x, *statistics), x.shape,
                      epsilon=eps)

  def layer_norm(self, x, eps=1e-5):
    return self._node("LayerNormalization",
                      (x, self.weight(None), self.weight(None)), x.shape,
                      axis=-1, epsilon=eps)

  def group_norm(self, x, groups=32, eps=1e-5):
    """With an instance norm, as exporters make it, which peers recognise."""
    ones = np.ones(groups, np.float32)
    scale, shift = (self._reshape(self.weight(None), (1, -1, 1, 1))
                    for _ in range(2))
    split = self._reshape(x, (x.shape[0], groups, -1))
    y = self._node("InstanceNormalization", (split, ones, 0 * ones),
                   split.shape, epsilon=eps)
    return self._reshape(y, x.shape) * scale + shift

  # Functions of elements.

  def relu(self, x):
    return self.elementwise("Relu", x)

  def sigmoid(self, x):
    return self.elementwise("Sigmoid", x)

  def silu(self, x):
    return x * self.sigmoid(x)

  def tanh(self, x):
    return self.elementwise("Tanh", x)

  def gelu(self, x, exact=True):
    return self.elementwise("Gelu", x,
                            approximate="none" if exact else "tanh")

  def hard_sigmoid(self, x):
    return self.elementwise("HardSigmoid", x, alpha=1 / 6, beta=0.5)

  def hard_swish(self, x):
    return self.elementwise("HardSwish", x)

  # Sums and movement.

  def max_pool(self, x, size, stride):
    places = (-(-n // stride) for n in x.shape[2:])
    rank = x.ndim - 2
    return self._node("MaxPool", (x,), (*x.shape[:2], *places),
                      kernel_shape=[size] * rank, strides=[stride] * rank,
                      auto_pad="SAME_UPPER")

  def mean(self, x, keepdims=False):
    ones = (1,) * (x.ndim - 2) if keepdims else ()
    return self._node("ReduceMean", (x, np.arange(2, x.ndim)),
                      (*x.shape[:2], *ones), keepdims=int(keepdims))

  def upsample(self, x):
    shape = (*x.shape[:2], 2 * x.shape[2], 2 * x.shape[3])
    scales = np.array([1, 1, 2, 2], np.float32)
    return self._node("Resize", (x, "", scales), shape, mode="nearest",
                      nearest_mode="floor",
                      coordinate_transformation_mode="asymmetric")

  def join_features(self, *xs):
    return self._join(xs, 1)

  def per_image(self, vector, x):
    return self._reshape(vector, vector.shape + (1,) * (x.ndim - 2))

  def features_last(self, x):
    return self._transpose(x, (0, *range(2, x.ndim), 1))

  def features_back(self, x):
    return self._transpose(x, (0, x.ndim - 1, *range(1, x.ndim - 1)))

  def tokens(self, x):
    x = self._reshape(x, (*x.shape[:2], -1))
    return self._transpose(x, (0, 2, 1))

  def image(self, tokens, like):
    x = self._transpose(tokens, (0, 2, 1))
    return self._reshape(x, (*x.shape[:2], *like.shape[2:]))

  def split(self, x, parts):
    shape = (*x.shape[:-1], x.shape[-1] // parts)
    values = [self._value(shape, x.dtype) for _ in range(parts)]
    self._nodes.append(helper.make_node(
        "Split", [x.name], [each.name for each in values], axis=-1,
        num_outputs=parts))
    return values

  def first_token(self, x):
    return self._take(x, 0, 1)

  def last_token(self, x):
    return self._take(x, x.shape[1] - 1, 1)

  def with_class_token(self, x):
    token = self.weight(None)
    if x.shape[0] != 1:
      token = self._node("Expand", (token, np.array([x.shape[0], 1, 1])),
                         (x.shape[0], 1, x.shape[2]))
    return self._join((token, x), 1)

  def attention(self, q, k, v, heads, causal=False, mask=None):
    size = q.shape[-1] // heads

    def split(x, order):
      x = self._reshape(x, (*x.shape[:2], heads, size))
      return self._transpose(x, order)

    queries, tokens = q.shape[1], k.shape[1]
    shape = (q.shape[0], heads, queries, tokens)
    scores = self._node(
        "MatMul", (split(q, (0, 2, 1, 3)), split(k, (0, 2, 3, 1))), shape)
    scores = scores * np.array(1 / math.sqrt(size), np.float32)
    if causal:
      seen = np.tril(np.ones((queries, tokens), bool))
      scores = scores + np.where(seen, 0, -1e9).astype(np.float32)
    if mask is not None:
      hidden = self.elementwise("Sub", np.float32(1), mask)
      hidden = self._reshape(hidden, (mask.shape[0], 1, 1, mask.shape[1]))
      scores = scores + hidden * np.float32(-1e9)
    weights = self._node("Softmax", (scores,), shape, axis=-1)
    mixed = self._node("MatMul", (weights, split(v, (0, 2, 1, 3))),
                       (q.shape[0], heads, queries, size))
    return self._reshape(self._transpose(mixed, (0, 2, 1, 3)), q.shape)

  def cached_attention(self, q, k, v, keys, values, position, heads):
    """Appends the token to keys and values, which hold those before it."""
    del position
    size = q.shape[-1] // heads
    q, k, v = (self._reshape(x, (heads, 1, size)) for x in (q, k, v))
    keys, values = self._join((keys, k), 1), self._join((values, v), 1)
    tokens = keys.shape[1]
    scores = self._node("MatMul", (q, self._transpose(keys, (0, 2, 1))),
                        (heads, 1, tokens))
    scores = scores * np.float32(1 / math.sqrt(size))
    weights = self._node("Softmax", (scores,), scores.shape, axis=-1)
    mixed = self._node("MatMul", (weights, values), q.shape)
    return self._reshape(mixed, (1, heads * size)), keys, values

  def first_rows(self, x, count):
    return self._node("Slice", (x, np.array([0]), np.array([count])),
                      (count, *x.shape[1:]))

  def row(self, x, position):
    return self._node("Gather", (x, self._reshape(position, (1,))),
                      (1, x.shape[1]))

  def part(self, x, i):
    return self._take(x, i, 0)

  def sum_of_bag(self, rows):
    return self._node("ReduceSum", (rows, np.array([1])),
                      (rows.shape[0], rows.shape[2]), keepdims=0)

  def products_of_pairs(self, vectors):
    batch, features = vectors[0].shape
    count = len(vectors)
    apart = [self._reshape(x, (batch, 1, features)) for x in vectors]
    x = self._join(apart, 1)
    products = self._node("MatMul", (x, self._transpose(x, (0, 2, 1))),
                          (batch, count, count))
    rows, columns = np.tril_indices(count, -1)
    products = self._reshape(products, (batch, count * count))
    return self._node("Gather", (products, rows * count + columns),
                      (batch, len(rows)), axis=1)

  # Nodes.

  def _value(self, shape, dtype):
    self._names += 1
    return Value(self, f"v{self._names}", tuple(shape), np.dtype(dtype))

  def _constant(self, array):
    array = np.asarray(array)
    value = self._value(array.shape, array.dtype)
    self._constants.append(numpy_helper.from_array(array, value.name))
    return value

  def _node(self, op, operands, shape, **attributes):
    operands = [each if isinstance(each, (Value, str)) else
                self._constant(each) for each in operands]
    dtype = next(each.dtype for each in operands if isinstance(each, Value))
    value = self._value(shape, dtype)
    self._nodes.append(helper.make_node(
        op, [each if isinstance(each, str) else each.name
             for each in operands], [value.name], **attributes))
    return value

  def _reshape(self, x, shape):
    known = math.prod(n for n in shape if n != -1)
    whole = math.prod(x.shape)
    shape = tuple(whole // known if n == -1 else n for n in shape)
    return self._node("Reshape", (x, np.array(shape, np.int64)), shape)

  def _transpose(self, x, order):
    return self._node("Transpose", (x,), tuple(x.shape[d] for d in order),
                      perm=list(order))

  def _join(self, xs, axis):
    shape = list(xs[0].shape)
    shape[axis] = sum(x.shape[axis] for x in xs)
    return self._node("Concat", xs, shape, axis=axis)

  def _take(self, x, i, axis):
    shape = x.shape[:axis] + x.shape[axis + 1:]
    return self._node("Gather", (x, np.array(i)), shape, axis=axis)


def onnx_model(model, weights, inputs):
  """(serialized model, inputs in a list)."""
  import jax
  nn = OnnxLayers(weights)
  flat, structure = jax.tree.flatten(inputs)
  values = [nn.input(np.asarray(each)) for each in flat]
  outputs = model(nn, *jax.tree.unflatten(structure, values))
  leaves = jax.tree.leaves(outputs, is_leaf=lambda x: isinstance(x, Value))
  return nn.model(leaves), [np.asarray(each, order="C") for each in flat]
