"""Networks of depthwise convolutions: MobileNetV3-Large, EfficientNet-B0."""

from networks.network import Network
from networks.resnet import image

# (window, expanded features, features, squeezes, function, stride)
MOBILENET = (
    (3, 16, 16, False, "relu", 1), (3, 64, 24, False, "relu", 2),
    (3, 72, 24, False, "relu", 1), (5, 72, 40, True, "relu", 2),
    (5, 120, 40, True, "relu", 1), (5, 120, 40, True, "relu", 1),
    (3, 240, 80, False, "hard_swish", 2), (3, 200, 80, False, "hard_swish", 1),
    (3, 184, 80, False, "hard_swish", 1), (3, 184, 80, False, "hard_swish", 1),
    (3, 480, 112, True, "hard_swish", 1), (3, 672, 112, True, "hard_swish", 1),
    (5, 672, 160, True, "hard_swish", 2), (5, 960, 160, True, "hard_swish", 1),
    (5, 960, 160, True, "hard_swish", 1))

# (expansion, features, blocks, window, stride)
EFFICIENTNET = ((1, 16, 1, 3, 1), (6, 24, 2, 3, 2), (6, 40, 2, 5, 2),
                (6, 80, 3, 3, 2), (6, 112, 3, 5, 1), (6, 192, 4, 5, 2),
                (6, 320, 1, 3, 1))


def _squeeze(nn, x, features, inner, function, gate):
  """x with each feature scaled by a function of all features' means."""
  s = function(nn.conv(nn.mean(x, keepdims=True), inner, 1, bias=True))
  return x * gate(nn.conv(s, features, 1, bias=True))


def mobilenet_v3_large(nn, x):
  x = nn.hard_swish(nn.batch_norm(nn.conv(x, 16, 3, 2)))
  before = 16
  for size, expanded, features, squeezes, name, stride in MOBILENET:
    function = getattr(nn, name)
    y = x
    if expanded != before:
      y = function(nn.batch_norm(nn.conv(y, expanded, 1)))
    y = function(nn.batch_norm(nn.conv(y, expanded, size, stride, groups=0)))
    if squeezes:
      inner = (expanded // 4 + 4) // 8 * 8
      y = _squeeze(nn, y, expanded, inner, nn.relu, nn.hard_sigmoid)
    y = nn.batch_norm(nn.conv(y, features, 1))
    x = x + y if stride == 1 and features == before else y
    before = features
  x = nn.hard_swish(nn.batch_norm(nn.conv(x, 960, 1)))
  return nn.linear(nn.hard_swish(nn.linear(nn.mean(x), 1280)), 1000)


def efficientnet_b0(nn, x):
  x = nn.silu(nn.batch_norm(nn.conv(x, 32, 3, 2)))
  before = 32
  for expansion, features, blocks, size, stride in EFFICIENTNET:
    for i in range(blocks):
      by = stride if i == 0 else 1
      y = x
      if expansion != 1:
        y = nn.silu(nn.batch_norm(nn.conv(y, expansion * before, 1)))
      y = nn.silu(nn.batch_norm(
          nn.conv(y, expansion * before, size, by, groups=0)))
      y = _squeeze(nn, y, expansion * before, max(1, before // 4), nn.silu,
                   nn.sigmoid)
      y = nn.batch_norm(nn.conv(y, features, 1))
      x = x + y if by == 1 and features == before else y
      before = features
  x = nn.silu(nn.batch_norm(nn.conv(x, 1280, 1)))
  return nn.linear(nn.mean(x), 1000)


def networks():
  for layout in ("NHWC", "NCHW"):
    end = layout.lower()
    yield Network(f"mobilenet_v3_large_1_{end}", mobilenet_v3_large,
                  (image(layout, 1),), layout)
    yield Network(f"efficientnet_b0_1_{end}", efficientnet_b0,
                  (image(layout, 1),), layout)
    yield Network(f"mobilenet_v3_large_train_8_{end}", mobilenet_v3_large,
                  (image(layout, 8),), layout, constants=False, training=True,
                  tolerance=0.25)
