"""ConvNeXt-T: depthwise convolutions of 7x7 with layer norms."""

from networks.network import Array, Network
from networks.resnet import image

STAGES = ((96, 3), (192, 3), (384, 9), (768, 3))


def _image_norm(nn, x):
  return nn.features_back(nn.layer_norm(nn.features_last(x)))


def convnext_t(nn, x):
  x = _image_norm(nn, nn.conv(x, 96, 4, 4, bias=True))
  for features, blocks in STAGES:
    if features != 96:
      x = nn.conv(_image_norm(nn, x), features, 2, 2, bias=True)
    for _ in range(blocks):
      y = nn.features_last(nn.conv(x, features, 7, groups=0, bias=True))
      y = nn.gelu(nn.linear(nn.layer_norm(y), 4 * features))
      y = nn.linear(y, features)
      y = y * nn.weight(Array((features,), scale=0.1))
      x = x + nn.features_back(y)
  return nn.linear(nn.layer_norm(nn.mean(x)), 1000)


def networks():
  for layout in ("NHWC", "NCHW"):
    yield Network(f"convnext_t_1_{layout.lower()}", convnext_t,
                  (image(layout, 1),), layout)
