"""Every adjoint of diffrax: gradients of one fit by each, through loops that
are checkpointed, bounded, reversed or integrated backwards."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import numpy as np
import optimistix as optx

from library import Library

LIBRARY = Library("diffrax_adjoints")


def field(t, y, args):
  weight, scale = args
  return jnp.tanh(weight @ y) - scale * y + 0.1 * jnp.cos(t)


def gradient(adjoint, solver=dfx.Tsit5, controller=None, event=None,
             saveat=None, forward=False, batched=False):
  """The gradient (or Jacobian forwards) of a sum over saved states."""
  def make():
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(5, 5)).astype(np.float32) * 0.6
    y0s = rng.normal(size=(4, 5)).astype(np.float32)
    chosen = adjoint() if callable(adjoint) else adjoint

    def loss(args, y0):
      result = dfx.diffeqsolve(
          dfx.ODETerm(field), solver(), 0.0, 3.0, 0.1, y0, args=args,
          stepsize_controller=controller or dfx.PIDController(
              rtol=1e-5, atol=1e-6),
          saveat=saveat or dfx.SaveAt(ts=jnp.linspace(0.5, 3.0, 6)),
          adjoint=chosen, event=event, max_steps=256)
      return jnp.sum(jnp.sin(result.ys[-1]) + result.ys[0] ** 2)

    def run(args, y0s):
      if forward:
        return jax.jacfwd(loss)(args, y0s[0])
      one = jax.value_and_grad(loss, argnums=(0, 1))
      if not batched:
        return one(args, y0s[0])
      # Lengths differ under vmap, so steps are taken until all are done.
      return jax.vmap(one, in_axes=(None, 0))(args, y0s)

    return run, (weight, np.float32(0.7)), y0s
  return make


CONSTANT = dfx.ConstantStepSize()
ADJOINTS = {
    "recursive_checkpoint": (dfx.RecursiveCheckpointAdjoint, {}),
    "recursive_checkpoint_vmap": (dfx.RecursiveCheckpointAdjoint,
                                  {"batched": True}),
    "recursive_checkpoint_3": (
        lambda: dfx.RecursiveCheckpointAdjoint(checkpoints=3), {}),
    "recursive_checkpoint_end": (
        dfx.RecursiveCheckpointAdjoint, {"saveat": dfx.SaveAt(t1=True)}),
    "recursive_checkpoint_implicit": (
        dfx.RecursiveCheckpointAdjoint, {"solver": dfx.Kvaerno3}),
    "recursive_checkpoint_event": (
        dfx.RecursiveCheckpointAdjoint,
        {"event": dfx.Event(lambda t, y, args, **_: jnp.sum(y) - 9.0,
                            optx.Newton(1e-5, 1e-5)),
         "saveat": dfx.SaveAt(t1=True)}),
    "direct": (dfx.DirectAdjoint, {}),
    "direct_constant_steps": (dfx.DirectAdjoint, {"controller": CONSTANT}),
    "forward_mode": (dfx.ForwardMode, {"forward": True}),
    "direct_forward": (dfx.DirectAdjoint, {"forward": True}),
    "backsolve": (dfx.BacksolveAdjoint, {}),
    "backsolve_vmap": (dfx.BacksolveAdjoint, {"batched": True}),
    "backsolve_constant_steps": (dfx.BacksolveAdjoint,
                                 {"controller": CONSTANT}),
    "reversible": (dfx.ReversibleAdjoint,
                   {"solver": lambda: dfx.Reversible(dfx.Tsit5())
                    if hasattr(dfx, "Reversible") else dfx.ReversibleHeun(),
                    "controller": CONSTANT,
                    "saveat": dfx.SaveAt(t1=True)})
    if hasattr(dfx, "ReversibleAdjoint") else None,
}
for name, entry in ADJOINTS.items():
  if entry:
    LIBRARY.add(name, gradient(entry[0], **entry[1]), tolerance=1e-3,
                quick=name == "recursive_checkpoint")


@LIBRARY.program(tolerance=1e-3)
def implicit_adjoint():
  """The derivative of a steady state by the implicit function theorem."""
  def steady(args):
    return dfx.diffeqsolve(
        dfx.ODETerm(lambda t, y, args: jnp.tanh(args[0] @ y) * 0.3 + args[1]
                    - y),
        dfx.Kvaerno3(), 0.0, 100.0, 0.1, jnp.zeros(4), args=args,
        stepsize_controller=dfx.PIDController(rtol=1e-5, atol=1e-6),
        adjoint=dfx.ImplicitAdjoint(),
        event=dfx.Event(dfx.steady_state_event(1e-4, 1e-5)),
        max_steps=512).ys[-1]

  rng = np.random.default_rng(1)
  args = (rng.normal(size=(4, 4)).astype(np.float32),
          rng.normal(size=4).astype(np.float32))
  return lambda args: (steady(args), jax.jacrev(steady)(args)), args


@LIBRARY.program(tolerance=2e-3)
def latent_fit():
  """Steps of a fit: a checkpointed solve in a gradient in a scan."""
  import optax
  rng = np.random.default_rng(2)
  weight = rng.normal(size=(5, 5)).astype(np.float32) * 0.4
  y0s = rng.normal(size=(3, 5)).astype(np.float32)
  target = rng.normal(size=(3, 4, 5)).astype(np.float32)
  optimizer = optax.adam(1e-2)

  def loss(args):
    def one(y0):
      return dfx.diffeqsolve(
          dfx.ODETerm(field), dfx.Tsit5(), 0.0, 2.0, 0.1, y0, args=args,
          stepsize_controller=dfx.PIDController(rtol=1e-4, atol=1e-5),
          saveat=dfx.SaveAt(ts=jnp.linspace(0.5, 2.0, 4)), max_steps=64).ys
    return jnp.mean((jax.vmap(one)(y0s) - target) ** 2)

  def step(carry, _):
    args, state = carry
    value, grads = jax.value_and_grad(loss)(args)
    updates, state = optimizer.update(grads, state)
    return (optax.apply_updates(args, updates), state), value

  def run(args):
    return jax.lax.scan(step, (args, optimizer.init(args)), length=5)

  return run, (weight, np.float32(0.7))


@LIBRARY.program(tolerance=2e-3)
def sde_backsolve():
  """A stochastic equation backwards along the same Brownian tree."""
  def loss(args, key):
    path = dfx.VirtualBrownianTree(0.0, 1.0, tol=1e-2, shape=(), key=key)
    terms = dfx.MultiTerm(
        dfx.ODETerm(lambda t, y, args: -args[0] * y),
        dfx.ControlTerm(lambda t, y, args: args[1] * jnp.ones(3), path))
    result = dfx.diffeqsolve(
        terms, dfx.Heun(), 0.0, 1.0, 0.05, jnp.ones(3), args=args,
        adjoint=dfx.BacksolveAdjoint(solver=dfx.Heun()))
    return jnp.sum(result.ys ** 2)

  return (lambda args, keys: jax.vmap(
      jax.value_and_grad(loss), in_axes=(None, 0))(args, keys),
          (np.float32(1.0), np.float32(0.4)),
          jax.random.split(jax.random.key(3), 3))
