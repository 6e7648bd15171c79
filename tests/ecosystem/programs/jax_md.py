"""Molecular dynamics of JAX MD, in f64: neighbor lists, ensembles, forces as
gradients, minimization, a derivative through a simulation."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax_md import energy, minimize, partition, quantity, simulate, space

from library import Library

LIBRARY = Library("jax_md")
BOX = 6.0


def positions(count=64, jitter=0.1):
  """A jittered cubic lattice."""
  side = round(count ** (1 / 3))
  grid = np.stack(np.meshgrid(*[np.arange(side)] * 3), -1).reshape(-1, 3)
  noise = np.random.default_rng(0).normal(size=grid.shape)
  return (grid + 0.5) * BOX / side + jitter * noise


def lennard_jones():
  displacement, shift = space.periodic(BOX)
  return energy.lennard_jones_pair(displacement, r_cutoff=2.5, sigma=1.2,
                                   r_onset=2.0), shift


def ensemble(maker, steps=20, every=5):
  """A trajectory's positions, energies and temperature."""
  def make():
    energy_fn, shift = lennard_jones()
    init, apply = maker(energy_fn, shift)

    def run(start, key):
      state = init(key, start, mass=1.5)
      def step(state, _):
        state = jax.lax.fori_loop(0, every, lambda _, s: apply(s), state)
        return state, (state.position, energy_fn(state.position))
      return jax.lax.scan(step, state, length=steps // every)[1]

    return run, positions(), jax.random.key(0)
  return make


ENSEMBLES = {
    "nve": lambda e, s: (lambda k, r, mass: simulate.nve(e, s, 2e-3)[0](
        k, r, kT=0.5, mass=mass), simulate.nve(e, s, 2e-3)[1]),
    "nvt_nose_hoover": lambda e, s: simulate.nvt_nose_hoover(
        e, s, 2e-3, kT=0.5),
    "nvt_langevin": lambda e, s: simulate.nvt_langevin(
        e, s, 2e-3, kT=0.5, gamma=0.3),
    "brownian": lambda e, s: simulate.brownian(e, s, 1e-4, kT=0.5),
}
for name, maker in ENSEMBLES.items():
  LIBRARY.add(name, ensemble(maker), tolerance=1e-6)


@LIBRARY.program(tolerance=1e-6)
def neighbor_list_dynamics():
  """A neighbor list that is updated in the loop; its overflow flag."""
  box = 9.0
  displacement, shift = space.periodic(box)
  neighbors, energy_fn = energy.lennard_jones_neighbor_list(
      displacement, box, r_onset=1.2, r_cutoff=1.5, dr_threshold=0.3,
      format=partition.Sparse, disable_cell_list=True)
  init, apply = simulate.nve(energy_fn, shift, 2e-3)
  start = positions(216) * box / BOX

  # Allocation chooses a size from values, so it runs outside of jit.
  allocated = neighbors.allocate(jnp.asarray(start))

  def run(start, key):
    lists = allocated.update(start)
    state = init(key, start, kT=0.3, neighbor=lists)
    def step(carry, _):
      state, lists = carry
      lists = lists.update(state.position)
      state = apply(state, neighbor=lists)
      return (state, lists), energy_fn(state.position, neighbor=lists)
    (state, lists), energies = jax.lax.scan(step, (state, lists), length=15)
    return state.position, energies, lists.did_buffer_overflow

  return run, start, jax.random.key(1)


@LIBRARY.program(tolerance=1e-6)
def fire_minimization():
  """Jammed soft spheres; the Hessian's spectrum at the minimum."""
  displacement, shift = space.periodic(2.8)
  energy_fn = energy.soft_sphere_pair(displacement, sigma=1.0)
  init, apply = minimize.fire_descent(energy_fn, shift)
  start = np.random.default_rng(2).uniform(0, 2.8, (12, 3))

  def run(start):
    state = jax.lax.fori_loop(0, 60, lambda _, s: apply(s), init(start))
    hessian = jax.hessian(energy_fn)(state.position).reshape(36, 36)
    return energy_fn(state.position), jnp.linalg.eigvalsh(hessian)

  return jax.vmap(run), np.stack([start, start[:, ::-1]])


@LIBRARY.program(tolerance=1e-6)
def potentials_and_forces():
  """Energies, forces and pressures of several potentials."""
  displacement, _ = space.periodic(BOX)
  potentials = {
      "lennard_jones": energy.lennard_jones_pair(displacement, sigma=1.1),
      "morse": energy.morse_pair(displacement, alpha=3.0),
      "soft": energy.soft_sphere_pair(displacement, sigma=1.8),
      "stillinger_weber": energy.stillinger_weber(displacement, sigma=1.2),
  }

  def run(r):
    return {name: (e(r), quantity.force(e)(r))
            for name, e in potentials.items()}

  start = positions(27)
  return jax.vmap(run), np.stack([start, start + 0.05 * np.sin(start * 7)])


@LIBRARY.program(tolerance=1e-4)
def graph_network_energy():
  """A learned potential in f32, its forces and a gradient of their error."""
  displacement, _ = space.periodic(BOX)
  r = positions(27)
  model = energy.graph_network(displacement, r_cutoff=1.8, n_recurrences=1,
                               mlp_sizes=(8, 8), key=jax.random.key(3)).model
  graph, params = nnx.split(model)

  def apply(params, r):
    return nnx.merge(graph, params)(r)

  def loss(params, r):
    force = -jax.grad(apply, argnums=1)(params, r)
    return apply(params, r) ** 2 + jnp.sum((force - jnp.sin(r)) ** 2)

  return jax.value_and_grad(loss), params, r


@LIBRARY.program(tolerance=1e-6)
def gradient_through_simulation():
  """How a final energy depends on particles' size, through 20 steps."""
  displacement, shift = space.periodic(BOX)

  def final(sigma, start):
    energy_fn = energy.soft_sphere_pair(displacement, sigma=sigma)
    init, apply = simulate.nve(energy_fn, shift, 5e-3)
    state = init(jax.random.key(4), start, kT=0.1)
    state = jax.lax.scan(lambda s, _: (apply(s), None), state, length=20)[0]
    return energy_fn(state.position)

  return (jax.vmap(jax.value_and_grad(final), in_axes=(0, None)),
          np.array([1.5, 1.8]), positions(27))
