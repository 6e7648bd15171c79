"""Every solver of diffrax on a problem of its kind, under vmap and grad;
events, interpolation, step size control, noise."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import numpy as np

from library import Library

LIBRARY = Library("diffrax")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def lotka_volterra(t, y, args):
  a, b = args
  return jnp.stack([a * y[0] - b * y[0] * y[1],
                    0.5 * y[0] * y[1] - y[1] + 0.1 * jnp.sin(t)])


def stiff(t, y, args):
  k, _ = args
  return jnp.stack([-k * 20 * y[0] + y[1] ** 2, y[0] - y[1] * (1 + 0.1 * t)])


def solution(terms, solver, controller, args, y0, dt0=0.05, **options):
  """Four saved states between 0 and 2."""
  saveat = dfx.SaveAt(ts=jnp.linspace(0.0, 2.0, 4))
  return dfx.diffeqsolve(terms, solver, 0.0, 2.0, dt0, y0, args=args,
                         stepsize_controller=controller, saveat=saveat,
                         max_steps=512, throw=False, **options).ys


def with_gradient(solve, y0):
  """Solutions from several starts, gradients by parameters and starts."""
  def run(args, starts):
    def loss(args, y0):
      ys = solve(args, y0)
      return sum(jnp.sum(leaf ** 2) for leaf in jax.tree.leaves(ys)), ys
    return jax.vmap(jax.value_and_grad(loss, argnums=(0, 1), has_aux=True),
                    in_axes=(None, 0))(args, starts)
  starts = jax.tree.map(lambda y: y + 0.1 * np.arange(
      3, dtype=np.float32).reshape(-1, *[1] * y.ndim), y0)
  return run, (np.float32(1.2), np.float32(0.8)), starts


PID = lambda: dfx.PIDController(rtol=1e-4, atol=1e-6)
START = np.array([1.0, 0.6], np.float32)
EXPLICIT = {"euler": False, "heun": True, "midpoint": True, "ralston": True,
            "bosh3": True, "tsit5": True, "dopri5": True, "dopri8": True,
            "leapfrog_midpoint": False, "reversible_heun": True}
CLASSES = {name.lower().replace("_", ""): getattr(dfx, name)
           for name in dir(dfx) if isinstance(getattr(dfx, name), type)}


def solver_named(name):
  return CLASSES[name.replace("_", "")]()


def add_explicit(name, adaptive):
  def make():
    controller = PID() if adaptive else dfx.ConstantStepSize()
    return with_gradient(lambda args, y0: solution(
        dfx.ODETerm(lotka_volterra), solver_named(name), controller, args,
        y0), START)
  LIBRARY.add(name, make, tolerance=5e-4, quick=name == "tsit5")


def add_implicit(name):
  def make():
    return with_gradient(lambda args, y0: solution(
        dfx.ODETerm(stiff), solver_named(name), PID(), args, y0), START)
  LIBRARY.add(name, make, tolerance=2e-3, quick=name == "kvaerno5")


def add_split(name):
  """An implicit-explicit solver: the stiff part and the rest."""
  def make():
    terms = dfx.MultiTerm(
        dfx.ODETerm(lambda t, y, args: 0.1 * jnp.sin(y) * args[1]),
        dfx.ODETerm(stiff))
    return with_gradient(lambda args, y0: solution(
        terms, solver_named(name), PID(), args, y0), START)
  LIBRARY.add(name, make, tolerance=2e-3)


for solver, is_adaptive in EXPLICIT.items():
  add_explicit(solver, is_adaptive)
for solver in ("implicit_euler", "kvaerno3", "kvaerno4", "kvaerno5"):
  add_implicit(solver)
for solver in ("sil3", "kencarp3", "kencarp4", "kencarp5"):
  add_split(solver)


@LIBRARY.program(tolerance=5e-4)
def semi_implicit_euler():
  """A symplectic step of position and velocity."""
  terms = (dfx.ODETerm(lambda t, v, args: v),
           dfx.ODETerm(lambda t, x, args: -args[0] * jnp.sin(x)))
  return with_gradient(lambda args, y0: solution(
      terms, dfx.SemiImplicitEuler(), dfx.ConstantStepSize(), args, y0),
                       (START, 0.5 * START))


def sde(solver_of, noise, levy_area, drift=None, ito_free=False):
  """Paths of a stochastic equation, their mean over keys."""
  def make():
    def solve(args, y0, key=jax.random.key(0)):
      path = dfx.VirtualBrownianTree(0.0, 2.0, tol=0.02, shape=noise[0],
                                     key=key, levy_area=levy_area)
      terms = dfx.MultiTerm(
          dfx.ODETerm(drift or (lambda t, y, args: -args[0] * y)),
          dfx.ControlTerm(noise[1], path))
      return solution(terms, solver_of(), dfx.ConstantStepSize(), args, y0)

    def run(args, y0, keys):
      paths = jax.vmap(lambda key: solve(args, y0, key))(keys)
      grads = jax.grad(lambda args: jnp.sum(solve(args, y0) ** 2))(args)
      return paths, jnp.mean(paths, 0), grads

    return (run, (np.float32(1.2), np.float32(0.3)), START,
            jax.random.split(jax.random.key(1), 4))
  return make


DIAGONAL = ((2,), lambda t, y, args: jnp.diag(args[1] * y))
ADDITIVE = ((2,), lambda t, y, args: args[1] * jnp.eye(2))
SCALAR = ((), lambda t, y, args: args[1] * y)
STOCHASTIC = {
    "euler_heun": (dfx.EulerHeun, DIAGONAL, dfx.BrownianIncrement),
    "ito_milstein": (dfx.ItoMilstein, SCALAR, dfx.BrownianIncrement),
    "stratonovich_milstein": (dfx.StratonovichMilstein, SCALAR,
                              dfx.BrownianIncrement),
    "sea": (dfx.SEA, ADDITIVE, dfx.SpaceTimeLevyArea),
    "sra1": (dfx.SRA1, ADDITIVE, dfx.SpaceTimeLevyArea),
    "shark": (dfx.ShARK, ADDITIVE, dfx.SpaceTimeLevyArea),
    "spark": (dfx.SPaRK, DIAGONAL, dfx.SpaceTimeLevyArea),
    "general_shark": (dfx.GeneralShARK, DIAGONAL, dfx.SpaceTimeLevyArea),
    "slow_rk": (dfx.SlowRK, SCALAR, dfx.SpaceTimeTimeLevyArea),
}
for solver, (cls, noise_of, area) in STOCHASTIC.items():
  LIBRARY.add(solver, sde(cls, noise_of, area), tolerance=1e-3)


def langevin(cls):
  def make():
    def solve(args, y0, key):
      path = dfx.VirtualBrownianTree(
          0.0, 2.0, tol=0.02, key=key, levy_area=dfx.SpaceTimeTimeLevyArea,
          shape=jax.ShapeDtypeStruct((2,), jnp.float32))
      drift = dfx.UnderdampedLangevinDriftTerm(
          args[0], 1.0, lambda x, args: 2 * x + 0.1 * x ** 3)
      diffusion = dfx.UnderdampedLangevinDiffusionTerm(args[0], 1.0, path)
      return solution(dfx.MultiTerm(drift, diffusion), cls(),
                      dfx.ConstantStepSize(), None, y0)

    def run(args, y0, keys):
      return jax.vmap(lambda key: solve(args, y0, key))(keys)
    return (run, (np.float32(1.2), np.float32(0.8)), (START, 0 * START),
            jax.random.split(jax.random.key(2), 3))
  return make


for solver in ("ALIGN", "ShOULD", "QUICSORT"):
  LIBRARY.add(solver.lower(), langevin(getattr(dfx, solver)), tolerance=1e-3)


# A last bit decides whether a step is accepted and which noise it gets, so
# trajectories agree only roughly.
@LIBRARY.program(tolerance=5e-2)
def half_solver_adaptive_noise():
  """Adaptive steps of an SDE by step doubling, with a Brownian tree."""
  def solve(args, key):
    path = dfx.VirtualBrownianTree(0.0, 2.0, tol=1e-3, shape=(2,), key=key,
                                   levy_area=dfx.SpaceTimeLevyArea)
    terms = dfx.MultiTerm(dfx.ODETerm(lambda t, y, args: -args[0] * y),
                          dfx.ControlTerm(ADDITIVE[1], path))
    controller = dfx.PIDController(rtol=0, atol=0.05, pcoeff=0.2, icoeff=0.5)
    return solution(terms, dfx.HalfSolver(dfx.ShARK()), controller, args,
                    jnp.asarray(START), dt0=0.1)

  return (lambda args, keys: jax.vmap(solve, in_axes=(None, 0))(args, keys),
          (np.float32(1.0), np.float32(0.3)),
          jax.random.split(jax.random.key(3), 3))


@LIBRARY.program(tolerance=5e-4, quick=True)
def event_with_root():
  """A bouncing ball: where it meets the ground, and the derivative."""
  def fall(height, speed):
    import optimistix as optx
    event = dfx.Event(lambda t, y, args, **_: y[0],
                      root_finder=optx.Newton(1e-5, 1e-5,
                                              optx.rms_norm))
    result = dfx.diffeqsolve(
        dfx.ODETerm(lambda t, y, args: jnp.stack([y[1], -9.8 - 0.1 * y[1]])),
        dfx.Tsit5(), 0.0, 10.0, 0.1, jnp.stack([height, speed]),
        stepsize_controller=PID(), event=event,
        adjoint=dfx.RecursiveCheckpointAdjoint(), throw=False)
    return result.ts[0], result.ys[0]

  def run(heights, speed):
    return (jax.vmap(fall, in_axes=(0, None))(heights, speed),
            jax.grad(lambda h: fall(h, speed)[0])(heights[0]))

  return run, np.array([10.0, 3.0, 25.0], np.float32), np.float32(1.0)


@LIBRARY.program(tolerance=3e-3)
def steady_state_event():
  def solve(args, y0):
    return dfx.diffeqsolve(
        dfx.ODETerm(lambda t, y, args: args[0] - args[1] * y), dfx.Kvaerno3(),
        0.0, jnp.inf, 0.1, y0, args=args, stepsize_controller=PID(),
        event=dfx.Event(dfx.steady_state_event(1e-3, 1e-4)),
        max_steps=300, throw=False).ys[-1]

  return with_gradient(solve, START)


@LIBRARY.program(tolerance=5e-4)
def dense_output_and_steps():
  """Dense interpolation, saved steps and statistics, clipped steps."""
  def run(args, y0, at):
    result = dfx.diffeqsolve(
        dfx.ODETerm(lotka_volterra), dfx.Dopri5(), 0.0, 2.0, None, y0,
        args=args, max_steps=64,
        saveat=dfx.SaveAt(dense=True, steps=True, t0=True),
        stepsize_controller=dfx.ClipStepSizeController(
            PID(), step_ts=jnp.array([0.3, 1.7])))
    at = jax.vmap(result.evaluate)(at)
    slope = jax.vmap(result.derivative)(jnp.linspace(0.1, 1.9, 5))
    steps = jnp.where(jnp.isfinite(result.ts), result.ts, 0)
    return at, slope, jnp.sum(steps > 0)

  return (run, (np.float32(1.2), np.float32(0.8)), START,
          np.linspace(0, 2, 9, dtype=np.float32))


@LIBRARY.program(tolerance=3e-3)
def neural_cde():
  """A controlled equation along cubic splines, and its gradient."""
  import equinox as eqx
  ts = np.linspace(0, 1, 12, dtype=np.float32)
  xs = np.cumsum(data(4, 5, 12, 3), 1) * 0.2
  field = eqx.nn.MLP(4, 12, 16, 1, final_activation=jnp.tanh,
                     key=jax.random.key(5))
  params, static = eqx.partition(field, eqx.is_array)

  def loss(params, xs):
    field = eqx.combine(params, static)
    def one(x):
      path = dfx.CubicInterpolation(
          ts, dfx.backward_hermite_coefficients(ts, x))
      term = dfx.ControlTerm(lambda t, y, _: field(y).reshape(4, 3),
                             path).to_ode()
      return dfx.diffeqsolve(term, dfx.Tsit5(), 0.0, 1.0, None, jnp.ones(4),
                             stepsize_controller=dfx.PIDController(
                                 rtol=1e-3, atol=1e-5)).ys[-1]
    return jnp.sum(jax.vmap(one)(xs) ** 2)

  return jax.value_and_grad(loss), params, xs
