"""The distinct contractions of networks, found in their programs: dots and
convolutions of forward runs and of gradients, by types, shapes and dimension
numbers."""

import dataclasses
import math

from networks import network as network_module


@dataclasses.dataclass
class Contraction:
  """One dot or convolution; `eqn` is JAX's description of it."""
  eqn: object
  kind: str
  networks: list  # names of those that have it
  dtype: str = None  # of operands and result, in place of float32
  name: str = ""

  def operands(self):
    """(shape, dtype) of both."""
    return [(each.aval.shape, self.dtype or str(each.aval.dtype))
            for each in self.eqn.invars]

  def arguments(self):
    """Random operands."""
    return tuple(
        network_module.Array(
            shape, dtype, range=(-9, 9) if "int" in dtype else ()).make((2, i))
        for i, (shape, dtype) in enumerate(self.operands()))

  def function(self, *operands):
    params = dict(self.eqn.params)
    if self.dtype and params["preferred_element_type"] is not None:
      params["preferred_element_type"] = operands[0].dtype
    return self.eqn.primitive.bind(*operands, **params)

  def terms(self):
    """How many products an element of the result is the sum of, at most."""
    lhs, rhs = (each.aval for each in self.eqn.invars)
    numbers = self.eqn.params["dimension_numbers"]
    if self.eqn.primitive.name == "dot_general":
      return math.prod(lhs.shape[d] for d in numbers[0][0])
    return rhs.size // rhs.shape[numbers.rhs_spec[0]]

  def bytes(self):
    arrays = [*self.eqn.invars, self.eqn.outvars[0]]
    return sum(each.aval.size * each.aval.dtype.itemsize for each in arrays)

  def text(self):
    eqn = self.eqn
    is_dot = eqn.primitive.name == "dot_general"
    lhs, rhs = (f"{SHORT.get(dtype, dtype)}[{','.join(map(str, shape))}]"
                for shape, dtype in self.operands())
    return (f"{'dot' if is_dot else 'conv'} {lhs} {rhs} "
            f"{_dot_text(eqn) if is_dot else _conv_text(eqn)}")


SHORT = {"float32": "f32", "bfloat16": "bf16", "int8": "s8", "int32": "s32"}


def _equations(jaxpr):
  """All dots and convolutions, those of inner functions included."""
  for eqn in jaxpr.eqns:
    if eqn.primitive.name in ("dot_general", "conv_general_dilated"):
      yield eqn
    for value in eqn.params.values():
      for inner in value if isinstance(value, (tuple, list)) else (value,):
        inner = getattr(inner, "jaxpr", inner)
        if hasattr(inner, "eqns"):
          yield from _equations(inner)


def _key(eqn):
  params = {name: str(value) for name, value in eqn.params.items()}
  return (eqn.primitive.name, *(str(each.aval) for each in eqn.invars),
          str(eqn.outvars[0].aval.dtype), *sorted(params.items()))


def _dot_text(eqn):
  (lc, rc), (lb, rb) = eqn.params["dimension_numbers"]

  def labels(rank, contracting, batch, free):
    text = []
    for d in range(rank):
      if d in contracting:
        text.append("kcdefg"[list(contracting).index(d)])
      else:
        text.append("bhijop"[list(batch).index(d)] if d in batch else free)
    return "".join(text)

  lhs, rhs = (each.aval for each in eqn.invars)
  return (f"{labels(lhs.ndim, lc, lb, 'm')},{labels(rhs.ndim, rc, rb, 'n')}")


def _spec_text(spec, letters):
  text = [""] * len(spec)
  for i, d in enumerate(spec):
    text[d] = letters[i] if i < 2 else str(i - 2)
  return "".join(text)


def _conv_text(eqn):
  params = eqn.params
  numbers = params["dimension_numbers"]
  text = "_".join((_spec_text(numbers.lhs_spec, "bf"),
                   _spec_text(numbers.rhs_spec, "oi"))) + "->" + _spec_text(
                       numbers.out_spec, "bf")
  for name, key in (("stride", "window_strides"), ("lhs", "lhs_dilation"),
                    ("rhs", "rhs_dilation")):
    if any(n != 1 for n in params[key]):
      text += f" {name}{'x'.join(map(str, params[key]))}"
  pads = {tuple(p) for p in params["padding"]} - {(0, 0)}
  if pads:
    text += " pad" + "x".join(f"{low}_{high}"
                              for low, high in params["padding"])
  for name, key in (("groups", "feature_group_count"),
                    ("batch-groups", "batch_group_count")):
    if params[key] != 1:
      text += f" {name}{params[key]}"
  return text


class Found:
  """Contractions by what tells them apart."""

  def __init__(self):
    self.by_key = {}

  def add(self, eqn, kind, network):
    key = _key(eqn)
    if key not in self.by_key:
      self.by_key[key] = Contraction(eqn, kind, [])
    names = self.by_key[key].networks
    if network not in names:
      names.append(network)


def _op(eqn):
  if eqn.primitive.name == "dot_general":
    return "dot"
  groups = (eqn.params["feature_group_count"] *
            eqn.params["batch_group_count"])
  return "conv" if groups == 1 else "grouped conv"


def _gradient_kind(eqn, kernels):
  """Which gradient it is; `kernels` has the shapes of kernels or right operands
  of the forward run."""
  if eqn.primitive.name == "dot_general":
    return "gradient"
  shape = eqn.outvars[0].aval.shape
  return "gradient of kernel" if shape in kernels else "gradient of input"


def _abstract(network):
  return ([each.abstract() for each in network.weight_arrays()],
          network.abstract_inputs())


def _forward(network):
  import jax
  weights, inputs = _abstract(network)
  return list(_equations(
      jax.make_jaxpr(network.forward)(weights, *inputs).jaxpr))


def _gradient(network):
  """The contractions of the forward run and of the gradients by weights and
  floating-point inputs; none if weights have no gradients."""
  import jax
  import jax.numpy as jnp

  def is_float(tree):
    return all(jnp.issubdtype(x.dtype, jnp.floating)
               for x in jax.tree.leaves(tree))

  weights, inputs = _abstract(network)
  if not is_float(weights):
    return []
  places = [i + 1 for i, each in enumerate(inputs) if is_float(each)]
  gradient = jax.grad(network.loss, argnums=(0, *places))
  return list(_equations(jax.make_jaxpr(gradient)(weights, *inputs).jaxpr))


def _groups(some_networks):
  """Networks of one model and layout, those for training last."""
  groups = {}
  for network in some_networks:
    key = (str(network.model), network.layout)
    groups.setdefault(key, []).append(network)
  return [sorted(group, key=lambda n: n.training) for group in groups.values()]


def contractions(some_networks, dtypes=("bfloat16",)):
  """The distinct Contractions of networks, those of f32 also in other types.

  Of each model, forward runs are those of the first network, which usually
  has a batch of one, and gradients those of a network for training, if there
  is one. Names are unique.
  """
  found = Found()
  for group in _groups(some_networks):
    forward = _forward(group[0])
    for eqn in forward:
      found.add(eqn, f"{_op(eqn)}, forward", group[0].name)
    trained = group[-1]
    inside = forward if trained is group[0] else _forward(trained)
    known = {_key(eqn) for eqn in inside}
    kernels = {eqn.invars[1].aval.shape for eqn in inside}
    for eqn in _gradient(trained):
      if _key(eqn) not in known:
        found.add(eqn, f"{_op(eqn)}, {_gradient_kind(eqn, kernels)}",
                  trained.name)
  all_found = list(found.by_key.values())
  for dtype in dtypes:
    all_found += [dataclasses.replace(each, dtype=dtype)
                  for each in found.by_key.values()
                  if all(str(v.aval.dtype) == "float32"
                         for v in (*each.eqn.invars, *each.eqn.outvars))]
  names = {}
  for each in all_found:
    text = each.text()
    count = names[text] = names.get(text, 0) + 1
    each.name = text if count == 1 else f"{text} #{count}"
  return all_found
