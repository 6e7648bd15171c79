"""A recommendation model (DLRM): 13 numbers and 26 bags of categories."""

from networks.network import Array, Network

TABLES, ROWS, WIDTH, BAG = 26, 40_000, 64, 8


def _dense(nn, x, *widths):
  for features in widths:
    x = nn.relu(nn.linear(x, features))
  return x


def dlrm(nn, numbers, ids):
  """numbers [batch, 13], ids [TABLES, batch, BAG]"""
  vectors = [_dense(nn, numbers, 512, 256, WIDTH)]
  for i in range(TABLES):
    rows, _ = nn.embedding(nn.part(ids, i), ROWS, WIDTH, 0.05)
    vectors.append(nn.sum_of_bag(rows))
  x = nn.join_features(vectors[0], nn.products_of_pairs(vectors))
  return nn.sigmoid(nn.linear(_dense(nn, x, 512, 256), 1))


def networks():
  def inputs(batch):
    return (Array((batch, 13)),
            Array((TABLES, batch, BAG), "int32", range=(0, ROWS)))

  yield Network("dlrm_128", dlrm, inputs(128))
  yield Network("dlrm_2048", dlrm, inputs(2048))
  yield Network("dlrm_train_2048", dlrm, inputs(2048), constants=False,
                training=True)
