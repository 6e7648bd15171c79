"""ResNet-50 of images of 224x224, with batch norms as of a trained network."""

from networks.network import Array, Network

# (features within a block, features of its result, blocks, stride)
STAGES = ((64, 256, 3, 1), (128, 512, 4, 2), (256, 1024, 6, 2),
          (512, 2048, 3, 2))


def image(layout, batch, size=224, features=3):
  order = (0, 2, 3, 1) if layout == "NHWC" else ()
  return Array((batch, features, size, size), order=order)


def _conv_norm(nn, x, features, size, stride=1):
  return nn.batch_norm(nn.conv(x, features, size, stride))


def resnet50(nn, x):
  x = nn.relu(_conv_norm(nn, x, 64, 7, 2))
  x = nn.max_pool(x, 3, 2)
  for inner, outer, blocks, stride in STAGES:
    for i in range(blocks):
      by = stride if i == 0 else 1
      y = nn.relu(_conv_norm(nn, x, inner, 1))
      y = nn.relu(_conv_norm(nn, y, inner, 3, by))
      y = _conv_norm(nn, y, outer, 1)
      if i == 0:
        x = _conv_norm(nn, x, outer, 1, by)
      x = nn.relu(x + y)
  return nn.linear(nn.mean(x), 1000)


def networks():
  for layout in ("NHWC", "NCHW"):
    end = layout.lower()
    for batch in (1, 32):
      yield Network(f"resnet50_{batch}_{end}", resnet50,
                    (image(layout, batch),), layout)
    yield Network(f"resnet50_1_{end}_arguments", resnet50, (image(layout, 1),),
                  layout, constants=False)
    # Close to zero, activations have one sign or the other: against f64 both
    # compilers have errors of up to 0.2 of the largest gradient.
    yield Network(f"resnet50_train_8_{end}", resnet50, (image(layout, 8),),
                  layout, constants=False, training=True, tolerance=0.25)
