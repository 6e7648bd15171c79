"""Many-body quantum physics with NetKet, in f64 and complex numbers: sampled
and exact energies, gradients, natural gradients, time evolution."""

import jax
import jax.numpy as jnp
import netket as nk
import numpy as np

from library import Library

LIBRARY = Library("netket")


def chain(length=8):
  graph = nk.graph.Chain(length)
  hilbert = nk.hilbert.Spin(0.5, length)
  return graph, hilbert, nk.operator.IsingJax(hilbert, graph, h=1.2)


def state_of(model, exact=True, seed=1, samples=256):
  """A variational state, its parameters fixed by the seed."""
  graph, hilbert, operator = chain()
  if exact:
    return nk.vqs.FullSumState(hilbert, model, seed=seed), operator
  sampler = nk.sampler.MetropolisLocal(hilbert, n_chains=16)
  return nk.vqs.MCState(sampler, model, n_samples=samples, seed=seed,
                        sampler_seed=2), operator


@LIBRARY.program(tolerance=1e-6, jit=False)
def exact_energy_gradients():
  """Full sums for networks with real and complex parameters."""
  def run():
    found = {}
    for name, model in {
        "rbm": nk.models.RBM(alpha=1, param_dtype=complex),
        "jastrow": nk.models.Jastrow(),
        "mean": nk.models.LogStateVector(chain()[1]),
        "gcnn": nk.models.GCNN(symmetries=chain()[0], layers=2, features=2),
    }.items():
      state, operator = state_of(model)
      energy, grads = state.expect_and_grad(operator)
      found[name] = energy.mean, grads
    return found
  return run,


@LIBRARY.program(tolerance=1e-6, jit=False)
def vmc_exact_natural_gradient():
  """Steps of stochastic reconfiguration without noise."""
  def run():
    state, operator = state_of(nk.models.RBM(alpha=1))
    driver = nk.driver.VMC(operator, nk.optimizer.Sgd(0.05),
                           variational_state=state,
                           preconditioner=nk.optimizer.SR(diag_shift=0.05))
    energies = []
    for _ in range(5):
      driver.run(1, out=(), show_progress=False)
      energies.append(state.expect(operator).mean)
    return energies, state.parameters
  return run,


@LIBRARY.program(tolerance=1e-6, jit=False)
def sampled_energy():
  """Markov chains from the same keys: equal until rounding decides."""
  def run():
    state, operator = state_of(nk.models.RBM(alpha=1), exact=False)
    energy = state.expect(operator)
    return energy.mean, energy.variance, state.samples
  return run,


@LIBRARY.program(tolerance=0.05, unit=1.0, jit=False)
def vmc_sampled():
  """Statistics of the energy after steps with Adam."""
  def run():
    state, operator = state_of(nk.models.RBM(alpha=2), exact=False,
                               samples=1024)
    driver = nk.driver.VMC(operator, nk.optimizer.Adam(0.02),
                           variational_state=state)
    driver.run(20, out=(), show_progress=False)
    return state.expect(operator).mean.real
  return run,


@LIBRARY.program(tolerance=1e-6, jit=False)
def log_amplitudes_vmap_grad():
  """A network's log amplitudes over all states, and gradients of each by
  vmap."""
  model = nk.models.RBM(alpha=2, param_dtype=complex)
  # A numpy array, because NetKet keeps its states on JAX's default device.
  states = np.asarray(chain()[1].all_states())
  variables = model.init(jax.random.key(0), states[:1])

  def run(variables):
    one = lambda v, s: model.apply(v, s)
    grads = jax.vmap(jax.grad(one, holomorphic=True), in_axes=(None, 0))(
        variables, states)
    return model.apply(variables, states), grads

  return jax.jit(run), variables


@LIBRARY.program(tolerance=1e-6, jit=False)
def quantum_geometric_tensor():
  """A geometric tensor, dense and on the fly, and a linear system with it."""
  def run():
    state, operator = state_of(nk.models.RBM(alpha=1))
    _, grads = state.expect_and_grad(operator)
    dense = state.quantum_geometric_tensor(nk.optimizer.qgt.QGTJacobianDense(
        diag_shift=0.1))
    lazy = state.quantum_geometric_tensor(nk.optimizer.qgt.QGTOnTheFly(
        diag_shift=0.1))
    return dense.to_dense(), lazy @ grads, dense.solve(
        nk.optimizer.solver.cholesky, grads)[0]
  return run,


@LIBRARY.program(tolerance=1e-6, jit=False)
def lattice_fermions():
  """A Slater determinant and hopping operators in second quantization."""
  def run():
    graph = nk.graph.Square(2)
    hilbert = nk.hilbert.SpinOrbitalFermions(4, n_fermions=2)
    c, d = (nk.operator.fermion.destroy, nk.operator.fermion.create)
    hopping = sum(d(hilbert, i) @ c(hilbert, j) + d(hilbert, j) @ c(hilbert, i)
                  for i, j in graph.edges())
    operator = hopping.to_jax_operator()
    model = nk.models.Slater2nd(hilbert)
    state = nk.vqs.FullSumState(hilbert, model, seed=3)
    energy, grads = state.expect_and_grad(operator)
    return energy.mean, grads, operator.to_dense()
  return run,


@LIBRARY.program(tolerance=1e-6, jit=False)
def autoregressive_sampling():
  """Direct samples of an autoregressive network, and their energy."""
  def run():
    graph, hilbert, operator = chain()
    model = nk.models.ARNNDense(hilbert=hilbert, layers=2, features=4)
    state = nk.vqs.MCState(nk.sampler.ARDirectSampler(hilbert), model,
                           n_samples=128, seed=4, sampler_seed=5)
    energy, grads = state.expect_and_grad(operator)
    return state.samples, energy.mean, grads
  return run,
