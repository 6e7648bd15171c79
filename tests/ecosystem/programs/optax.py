"""Optimizers and losses of optax: steps under scan, schedules, clipping,
gradient accumulation, projections."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from library import Library

LIBRARY = Library("optax")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def network(params, x):
  for weight, bias in params[:-1]:
    x = jax.nn.gelu(x @ weight + bias)
  weight, bias = params[-1]
  return x @ weight + bias


def network_params(sizes):
  return [(data(i, a, b) / np.sqrt(a), np.zeros(b, np.float32))
          for i, (a, b) in enumerate(zip(sizes, sizes[1:]))]


def train(optimizer, steps=20):
  """Steps of a regression; the losses and the parameters after them."""
  x, y = data(10, 64, 8), data(11, 64, 4)

  def loss(params):
    return jnp.mean((network(params, x) - y) ** 2)

  def step(carry, _):
    params, state = carry
    value, grads = jax.value_and_grad(loss)(params)
    updates, state = optimizer.update(grads, state, params)
    return (optax.apply_updates(params, updates), state), value

  def run(params):
    (params, _), losses = jax.lax.scan(
        step, (params, optimizer.init(params)), length=steps)
    return losses, params

  return run, network_params((8, 32, 32, 4))


OPTIMIZERS = {
    "sgd_momentum": lambda: optax.sgd(0.05, momentum=0.9, nesterov=True),
    "adam": lambda: optax.adam(1e-2),
    "adamw_cosine": lambda: optax.adamw(
        optax.warmup_cosine_decay_schedule(0.0, 1e-2, 5, 20),
        weight_decay=1e-2),
    "lamb": lambda: optax.lamb(1e-2),
    "lion": lambda: optax.lion(1e-3),
    "adafactor": lambda: optax.adafactor(1e-2, min_dim_size_to_factor=8),
    "rmsprop_clipped": lambda: optax.chain(
        optax.clip_by_global_norm(1.0), optax.rmsprop(1e-2)),
    "adabelief": lambda: optax.adabelief(1e-2),
    "radam": lambda: optax.radam(1e-2),
    "yogi": lambda: optax.yogi(1e-2),
    "novograd": lambda: optax.novograd(1e-2),
    "muon": lambda: optax.contrib.muon(1e-2),
    "accumulated": lambda: optax.MultiSteps(
        optax.adam(1e-2), every_k_schedule=3).gradient_transformation(),
}
# Sign and orthogonalization amplify rounding: few steps, larger tolerances.
LOOSE = {"lion": 1e-2, "muon": 1e-3}

for name, maker in OPTIMIZERS.items():
  LIBRARY.add(f"train_{name}", lambda maker=maker: train(maker()),
              tolerance=LOOSE.get(name, 1e-4), quick=name == "adam")


@LIBRARY.program(tolerance=1e-4, quick=True)
def lbfgs():
  """L-BFGS, whose line search is a while loop with conditionals."""
  def fun(x):
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

  solver = optax.lbfgs(memory_size=5)
  value_and_grad = optax.value_and_grad_from_state(fun)

  def step(carry, _):
    params, state = carry
    value, grad = value_and_grad(params, state=state)
    updates, state = solver.update(grad, state, params, value=value, grad=grad,
                                   value_fn=fun)
    return (optax.apply_updates(params, updates), state), value

  def run(x):
    (x, _), values = jax.lax.scan(step, (x, solver.init(x)), length=15)
    return x, values[:10]

  return run, np.full(6, -1.0, np.float32)


@LIBRARY.program()
def losses():
  """Values and gradients of the losses."""
  logits, targets = data(0, 16, 10), np.arange(16) % 10

  def run(logits, targets):
    hot = jax.nn.one_hot(targets, 10)
    total = {
        "softmax": optax.softmax_cross_entropy_with_integer_labels(
            logits, targets),
        "sigmoid": optax.sigmoid_binary_cross_entropy(logits, hot),
        "focal": optax.sigmoid_focal_loss(logits, hot),
        "huber": optax.huber_loss(logits, hot),
        "cosine": optax.cosine_distance(logits, hot, epsilon=1e-6),
        "log_cosh": optax.log_cosh(logits, hot),
        "hinge": optax.hinge_loss(logits, 2 * hot - 1),
        "kl": optax.kl_divergence(jax.nn.log_softmax(logits), hot + 0.1),
        "smooth": optax.softmax_cross_entropy(
            logits, optax.smooth_labels(hot, 0.1)),
    }
    return total

  def both(logits, targets):
    grad = jax.grad(lambda x: sum(v.sum() for v in run(x, targets).values()))
    return run(logits, targets), grad(logits)

  return both, logits, targets


@LIBRARY.program(tolerance=1e-4)
def ctc_loss_gradient():
  """The forward recursion of CTC, a scan, and its gradient."""
  logits = data(1, 4, 20, 7)
  labels = np.random.default_rng(2).integers(1, 7, (4, 6))
  padding = (np.arange(6) >= np.array([[6], [4], [5], [2]])).astype(np.float32)

  def run(logits):
    return jax.value_and_grad(lambda x: optax.ctc_loss(
        x, jnp.zeros((4, 20)), labels, padding).sum())(logits)

  return run, logits


@LIBRARY.program(tolerance=1e-4)
def vmapped_learning_rates():
  """A sweep over hyperparameters: vmap of whole training runs."""
  def train_with(rate):
    optimizer = optax.inject_hyperparams(optax.adam)(learning_rate=rate)
    run, params = train(optimizer, steps=10)
    return run(params)[0]

  return jax.vmap(train_with), np.geomspace(1e-4, 1e-1, 6, dtype=np.float32)


@LIBRARY.program(tolerance=1e-4)
def gradient_through_training():
  """The derivative of a final loss by the learning rate, through ten steps."""
  def final(rate):
    run, params = train(optax.sgd(rate, momentum=0.9), steps=10)
    return run(params)[0][-1]

  return jax.value_and_grad(final), np.float32(0.03)


@LIBRARY.program()
def projections():
  """Projections onto simplex, balls and boxes, and their Jacobian."""
  def run(x):
    return (optax.projections.projection_simplex(x),
            optax.projections.projection_l1_ball(x, 2.0),
            optax.projections.projection_l2_ball(x, 1.0),
            optax.projections.projection_box(x, -0.5, 0.5),
            jax.jacobian(optax.projections.projection_simplex)(x))

  return jax.vmap(run), data(3, 5, 12)


@LIBRARY.program(tolerance=1e-4)
def sam_and_ema():
  """Averaged parameters beside noisy gradients with a key in the state."""
  optimizer = optax.chain(
      optax.add_noise(eta=0.01, gamma=0.55, key=0),
      optax.adaptive_grad_clip(0.1),
      optax.sgd(0.05))
  average = optax.ema(0.9)
  run, params = train(optimizer, steps=10)

  def averaged(params):
    losses, final = run(params)
    state = average.init(params)
    mean, state = average.update(final, state)
    return losses, final, mean

  return averaged, params


@LIBRARY.program()
def assignment():
  """The Hungarian algorithm: loops in loops with conditionals."""
  return jax.vmap(optax.assignment.hungarian_algorithm), data(4, 3, 9, 12)
