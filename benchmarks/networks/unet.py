"""A U-Net like that of Stable Diffusion, with fewer features: group norms,
attention within the image and to a text."""

from networks.network import Array, Network
from networks.resnet import image

FEATURES = (96, 192, 384)
HEADS = 6


def _residual(nn, x, step, features):
  y = nn.conv(nn.silu(nn.group_norm(x)), features, 3, bias=True)
  y = y + nn.per_image(nn.linear(nn.silu(step), features), y)
  y = nn.conv(nn.silu(nn.group_norm(y)), features, 3, bias=True)
  if x.shape != y.shape:
    x = nn.conv(x, features, 1, bias=True)
  return x + y


def _attend(nn, x, to, features):
  q = nn.linear(x, features, bias=False)
  k = nn.linear(to, features, bias=False)
  v = nn.linear(to, features, bias=False)
  return nn.linear(nn.attention(q, k, v, HEADS), features)


def _transformer(nn, x, text, features):
  y = nn.tokens(nn.group_norm(x))
  y = nn.linear(y, features)
  z = nn.layer_norm(y)
  y = y + _attend(nn, z, z, features)
  y = y + _attend(nn, nn.layer_norm(y), text, features)
  up, gate = nn.split(nn.linear(nn.layer_norm(y), 8 * features), 2)
  y = y + nn.linear(up * nn.gelu(gate), features)
  return x + nn.image(nn.linear(y, features), x)


def unet(nn, x, step, text):
  step = nn.linear(nn.silu(nn.linear(step, 384)), 384)
  x = nn.conv(x, FEATURES[0], 3, bias=True)
  passed = [x]
  for i, features in enumerate(FEATURES):
    x = _residual(nn, x, step, features)
    if i > 0:
      x = _transformer(nn, x, text, features)
    passed.append(x)
    if features != FEATURES[-1]:
      x = nn.conv(x, features, 3, 2, bias=True)
      passed.append(x)
  x = _transformer(nn, _residual(nn, x, step, FEATURES[-1]), text,
                   FEATURES[-1])
  x = _residual(nn, x, step, FEATURES[-1])
  for i, features in reversed(list(enumerate(FEATURES))):
    for _ in range(2):
      x = _residual(nn, nn.join_features(x, passed.pop()), step, features)
    if i > 0:
      x = _transformer(nn, x, text, features)
      x = nn.conv(nn.upsample(x), features, 3, bias=True)
  return nn.conv(nn.silu(nn.group_norm(x)), 4, 3, bias=True)


def networks():
  for layout in ("NHWC", "NCHW"):
    inputs = (image(layout, 1, 64, 4), Array((1, 96)), Array((1, 77, 384)))
    end = layout.lower()
    yield Network(f"unet_1_{end}", unet, inputs, layout,
                  gives_image=True)
    yield Network(f"unet_train_1_{end}", unet, inputs, layout, constants=False,
                  training=True)
