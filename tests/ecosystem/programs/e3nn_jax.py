"""Equivariant functions of e3nn-jax: harmonics, tensor products, layers."""

import e3nn_jax as e3nn
import jax
import jax.numpy as jnp
import numpy as np

from library import Library

LIBRARY = Library("e3nn_jax")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@LIBRARY.program(tolerance=1e-4)
def spherical_harmonics():
  """Spherical harmonics up to degree 6, with Jacobians."""
  def run(x):
    f = lambda x: e3nn.spherical_harmonics(
        list(range(7)), e3nn.IrrepsArray("1o", x), True, "component").array
    return f(x), jax.jacobian(f)(x)

  return jax.vmap(run), data(0, 12, 3)


@LIBRARY.program(tolerance=1e-4)
def tensor_products():
  """Products of irreps, their gradients, the square, the elementwise one."""
  def run(a, b):
    x = e3nn.IrrepsArray("3x0e + 2x1o + 1x2e", a)
    y = e3nn.IrrepsArray("2x0o + 1x1e + 1x2e", b)
    product = e3nn.tensor_product(x, y)
    square = e3nn.tensor_square(x)
    each = e3nn.elementwise_tensor_product(
        x.filter("1o"), e3nn.IrrepsArray("2x1o", b[:6]))
    return product.array, square.array, each.array, e3nn.norm(x).array

  grad = jax.grad(lambda a, b: sum(jnp.sum(v ** 2) for v in run(a, b)),
                  argnums=(0, 1))
  return (jax.vmap(lambda a, b: (run(a, b), grad(a, b))), data(1, 5, 14),
          data(2, 5, 10))


@LIBRARY.program(tolerance=1e-4)
def rotations():
  """Conversions between ways to write a rotation, and Wigner matrices."""
  def run(angles):
    a, b, c = angles
    matrix = e3nn.angles_to_matrix(a, b, c)
    quaternion = e3nn.matrix_to_quaternion(matrix)
    axis, angle = e3nn.matrix_to_axis_angle(matrix)
    irreps = e3nn.Irreps("0e + 1o + 2e + 3o")
    return (matrix, e3nn.quaternion_to_matrix(quaternion),
            e3nn.axis_angle_to_matrix(axis, angle),
            irreps.D_from_angles(a, b, c),
            e3nn.IrrepsArray("1o + 2e", jnp.arange(8.0)).transform_by_matrix(
                matrix).array)

  return jax.vmap(run), 0.3 + np.abs(data(3, 6, 3))


def layer(params, positions, features, senders, receivers):
  """A convolution over edges with radial weights and a gate."""
  edge = e3nn.IrrepsArray("1o", positions[receivers] - positions[senders])
  length = jnp.linalg.norm(edge.array, axis=-1)
  sh = e3nn.spherical_harmonics("0e + 1o + 2e", edge, True)
  radial = e3nn.bessel(length, 8, 4.0) * e3nn.poly_envelope(5, 2, 4.0)(
      length)[:, None]
  messages = e3nn.tensor_product(features[senders], sh)
  messages = messages * (radial @ params["radial"])
  gathered = e3nn.scatter_sum(messages, dst=receivers,
                              output_size=positions.shape[0])
  linear = e3nn.flax.Linear("8x0e + 4x0o + 4x1o + 4x1e")
  return e3nn.gate(linear.apply(params["linear"], gathered.filter(
      ["0e", "0o", "1o", "1e"])), even_act=jax.nn.silu, odd_act=jnp.tanh)


def network():
  positions = data(4, 9, 3) * 1.5
  senders, receivers = (1 - np.eye(9)).nonzero()
  start = e3nn.IrrepsArray("4x0e + 2x1o", data(5, 9, 10))
  sh = e3nn.Irreps("0e + 1o + 2e")
  product = e3nn.tensor_product(start, e3nn.IrrepsArray(sh, data(6, 9, 9)))
  kept = product.filter(["0e", "0o", "1o", "1e"])
  linear = e3nn.flax.Linear("8x0e + 4x0o + 4x1o + 4x1e")
  params = {"radial": data(7, 8, 1),
            "linear": linear.init(jax.random.key(0), kept)}
  return params, positions, start, senders, receivers


@LIBRARY.program(tolerance=2e-4)
def message_passing_forces():
  """Energies, forces (minus their gradient) and a gradient of both."""
  params, positions, start, senders, receivers = network()

  def energy(positions, params):
    out = layer(params, positions, start, senders, receivers)
    return jnp.sum(out.filter("0e").array)

  def loss(params, positions):
    value, force = jax.value_and_grad(energy)(positions, params)
    return value ** 2 + jnp.sum(force ** 2), force

  return (jax.value_and_grad(loss, has_aux=True), params,
          positions)


@LIBRARY.program(tolerance=1e-3)
def equivariance():
  """A layer's results for rotated points, rotated back."""
  params, positions, start, senders, receivers = network()

  def run(angles):
    matrix = e3nn.angles_to_matrix(*angles)
    out = layer(params, positions @ matrix.T, start.transform_by_matrix(
        matrix), senders, receivers)
    return out.transform_by_matrix(matrix.T).array

  return jax.vmap(run), data(8, 3, 3)


@LIBRARY.program(tolerance=1e-4)
def spherical_signals():
  """Signals to a grid on the sphere and back by FFT, with a nonlinearity."""
  def run(x):
    x = e3nn.IrrepsArray("0e + 1o + 2e + 3o", x)
    signal = e3nn.to_s2grid(x, 20, 19, quadrature="gausslegendre",
                            normalization="component")
    back = e3nn.from_s2grid(signal.apply(jnp.tanh), "0e + 1o + 2e + 3o",
                            normalization="component")
    return signal.grid_values, back.array

  grad = jax.grad(lambda x: jnp.sum(run(x)[1] ** 2))
  return jax.vmap(lambda x: (run(x), grad(x))), data(9, 3, 16)


@LIBRARY.program(tolerance=1e-4)
def activations_and_radial():
  def run(x, r):
    x = e3nn.IrrepsArray("4x0e + 2x0o + 2x1o", x)
    return (e3nn.scalar_activation(x, [jax.nn.gelu, jnp.tanh, None]).array,
            e3nn.norm_activation(
                x, [jax.nn.silu, jnp.tanh, jax.nn.sigmoid]).array,
            e3nn.soft_one_hot_linspace(r, start=0.0, end=3.0, number=6,
                                       basis="smooth_finite", cutoff=True),
            e3nn.bessel(r, 5, 3.0), e3nn.soft_envelope(r, 3.0),
            e3nn.sus(r))

  grad = jax.grad(lambda x, r: sum(jnp.sum(v ** 2) for v in run(x, r)),
                  argnums=(0, 1))
  return (lambda x, r: (run(x, r), grad(x, r)), data(10, 3, 12),
          0.2 + np.abs(data(11, 7)))
