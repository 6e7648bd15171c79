"""Graph networks of jraph: message passing, attention, padding, segments."""

import jax
import jax.numpy as jnp
import jraph
import numpy as np

from library import Library

LIBRARY = Library("jraph")


def data(seed, *shape):
  return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def graph(seed=0, sizes=(5, 7, 3), width=6):
  """A batch of random graphs, with edges from everywhere to everywhere."""
  rng = np.random.default_rng(seed)
  graphs = []
  for size in sizes:
    edges = 3 * size
    graphs.append(jraph.GraphsTuple(
        nodes=rng.normal(size=(size, width)).astype(np.float32),
        edges=rng.normal(size=(edges, 4)).astype(np.float32),
        senders=rng.integers(0, size, edges), receivers=rng.integers(
            0, size, edges),
        globals=rng.normal(size=(1, 2)).astype(np.float32),
        n_node=np.array([size]), n_edge=np.array([edges])))
  return jraph.batch_np(graphs)


def weights(*sizes):
  return [data(20 + i, a, b) / np.sqrt(a) for i, (a, b) in enumerate(sizes)]


@LIBRARY.program(tolerance=1e-4)
def graph_network_gradient():
  """Full blocks: edges, nodes and globals, each from all."""
  def loss(params, g):
    for _ in range(3):
      net = jraph.GraphNetwork(
          jraph.concatenated_args(lambda x: jnp.tanh(x @ params[0])),
          jraph.concatenated_args(lambda x: jnp.tanh(x @ params[1])),
          jraph.concatenated_args(lambda x: jnp.tanh(x @ params[2])))
      g = net(g)
    return jnp.sum(g.globals ** 2) + jnp.sum(g.nodes ** 2)

  return (jax.value_and_grad(loss), weights(
      (4 + 6 + 6 + 2, 4), (6 + 4 + 4 + 2, 6), (6 + 4 + 2, 2)), graph())


@LIBRARY.program(tolerance=1e-4)
def attention_gradient():
  """GAT: a softmax over the edges of each node."""
  def loss(params, g):
    net = jraph.GAT(
        attention_query_fn=lambda nodes: nodes @ params[0],
        attention_logit_fn=lambda s, r, _: jax.nn.leaky_relu(
            jnp.concatenate([s, r], -1) @ params[1]),
        node_update_fn=jax.nn.elu)
    return jnp.sum(net(net(g)).nodes ** 2)

  return jax.value_and_grad(loss), weights((6, 6), (12, 1)), graph(1)


@LIBRARY.program(tolerance=1e-4)
def convolution_training():
  """GraphConvolution with symmetric normalization; steps under scan."""
  import optax
  g, target = graph(2), data(3, 15, 3)
  optimizer = optax.adam(0.02)

  def loss(params):
    hidden = g
    for weight in params:
      net = jraph.GraphConvolution(lambda n, w=weight: jnp.tanh(n @ w),
                                   add_self_edges=True,
                                   symmetric_normalization=True)
      hidden = net(hidden._replace(edges=None))
    return jnp.mean((hidden.nodes - target) ** 2)

  def step(carry, _):
    params, state = carry
    value, grads = jax.value_and_grad(loss)(params)
    updates, state = optimizer.update(grads, state)
    return (optax.apply_updates(params, updates), state), value

  def run(params):
    return jax.lax.scan(step, (params, optimizer.init(params)), length=10)

  return run, weights((6, 8), (8, 3))


@LIBRARY.program(tolerance=1e-5)
def padded_deep_sets():
  """Padding to fixed sizes, masks, and a set network over globals."""
  padded = jraph.pad_with_graphs(graph(4), 24, 60, 6)

  def run(params, g):
    net = jraph.DeepSets(
        jraph.concatenated_args(lambda x: jnp.tanh(x @ params[0])),
        jraph.concatenated_args(lambda x: jnp.tanh(x @ params[1])))
    out = net(g)
    real = jraph.get_node_padding_mask(g)
    return (out.globals, jnp.where(real[:, None], out.nodes, 0), jraph.get_node_padding_mask(g),
            jraph.get_graph_padding_mask(g), jraph.get_edge_padding_mask(g))

  return run, weights((6 + 2, 5), (5, 3)), padded


@LIBRARY.program(tolerance=1e-5)
def segments():
  """Every segment function and its gradient, with empty segments."""
  ids = np.sort(np.random.default_rng(5).integers(0, 7, 40))
  ids[ids == 3] = 4

  def run(x):
    return {
        "sum": jraph.segment_sum(x, ids, 8),
        "mean": jraph.segment_mean(x, ids, 8),
        "variance": jraph.segment_variance(x, ids, 8),
        "normalize": jraph.segment_normalize(x, ids, 8),
        "max": jraph.segment_max_or_constant(x, ids, 8),
        "min": jraph.segment_min_or_constant(x, ids, 8),
        "softmax": jraph.segment_softmax(x[:, 0], ids, 8),
        "partition": jraph.partition_softmax(
            x[:, 0], jnp.array([10, 0, 25, 5]), 40),
    }

  def both(x):
    def loss(x):
      out = run(x)
      del out["variance"], out["normalize"]  # Roots of 0 have no gradient.
      return sum(jnp.sum(v ** 2) for v in out.values())
    return run(x), jax.grad(loss)(x)

  return jax.vmap(both), data(6, 3, 40, 2)


@LIBRARY.program(tolerance=1e-4)
def interaction_rollout():
  """An interaction network as a simulator: a scan, its gradient by start."""
  g = graph(7)

  def loss(nodes, params):
    def step(nodes, _):
      net = jraph.InteractionNetwork(
          jraph.concatenated_args(lambda x: jnp.tanh(x @ params[0])),
          jraph.concatenated_args(lambda x: jnp.tanh(x @ params[1])))
      nodes = nodes + 0.1 * net(g._replace(
          nodes=nodes, globals=None)).nodes
      return nodes, jnp.mean(nodes ** 2)
    return jnp.sum(jax.lax.scan(step, nodes, length=12)[1])

  return (jax.value_and_grad(loss, argnums=(0, 1)), g.nodes,
          weights((4 + 6 + 6, 4), (6 + 4, 6)))


@LIBRARY.program(tolerance=1e-4)
def vmapped_fully_connected():
  """The same graph with many features: vmap over nodes of one structure."""
  def run(nodes, weight):
    senders, receivers = (1 - np.eye(12)).nonzero()
    g = jraph.GraphsTuple(nodes, None, receivers, senders, None,
                          np.array([12]), np.array([132]))
    net = jraph.GraphNetwork(
        lambda e, s, r, g: jnp.sum((s - r) ** 2, -1, keepdims=True),
        lambda n, s, r, _: jax.nn.softplus(n @ weight) * jnp.exp(-r))
    return net(g).nodes

  grad = jax.grad(lambda n, w: jnp.sum(run(n, w)), argnums=1)
  return (lambda n, w: (jax.vmap(run, (0, None))(n, w),
                        jax.vmap(grad, (0, None))(n, w)),
          data(8, 3, 12, 4), data(9, 4, 4))
