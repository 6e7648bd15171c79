"""WaveNet: causal convolutions whose taps are ever further apart."""

from networks.network import Array, Network

FEATURES, SKIP, STACKS, DEPTH = 64, 256, 2, 10


def wavenet(nn, x):
  x = nn.conv(x, FEATURES, 1, bias=True)
  total = None
  for i in range(STACKS * DEPTH):
    by = {"dilation": 2 ** (i % DEPTH), "padding": "CAUSAL", "bias": True}
    y = (nn.tanh(nn.conv(x, FEATURES, 2, **by)) *
         nn.sigmoid(nn.conv(x, FEATURES, 2, **by)))
    skip = nn.conv(y, SKIP, 1, bias=True)
    total = skip if total is None else total + skip
    x = x + nn.conv(y, FEATURES, 1, bias=True)
  y = nn.relu(nn.conv(nn.relu(total), SKIP, 1, bias=True))
  return nn.conv(y, 256, 1, bias=True)


def networks():
  for layout in ("NHWC", "NCHW"):
    order = (0, 2, 1) if layout == "NHWC" else ()
    end = "nwc" if layout == "NHWC" else "ncw"
    sound = (Array((1, 1, 8000), order=order),)
    yield Network(f"wavenet_1x8000_{end}", wavenet, sound, layout,
                  gives_image=True)
    yield Network(f"wavenet_train_1x8000_{end}", wavenet, sound, layout,
                  constants=False, training=True)
