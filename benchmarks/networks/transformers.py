"""Transformers that read everything at once: ViT-B/16 and BERT-base."""

from networks.network import Array, Network
from networks.resnet import image

WIDTH, HEADS, LAYERS = 768, 12, 12


def _self_attention(nn, x, mask=None):
  q, k, v = (nn.linear(x, WIDTH) for _ in range(3))
  return nn.linear(nn.attention(q, k, v, HEADS, mask=mask), WIDTH)


def _feed_forward(nn, x):
  return nn.linear(nn.gelu(nn.linear(x, 4 * WIDTH)), WIDTH)


def vit_b16(nn, x):
  x = nn.with_class_token(nn.tokens(nn.conv(x, WIDTH, 16, 16, bias=True)))
  x = x + nn.weight(Array((1, x.shape[1], WIDTH), scale=0.5))
  for _ in range(LAYERS):
    x = x + _self_attention(nn, nn.layer_norm(x))
    x = x + _feed_forward(nn, nn.layer_norm(x))
  return nn.linear(nn.first_token(nn.layer_norm(x)), 1000)


def bert_base(nn, ids, mask):
  x, _ = nn.embedding(ids, 30522, WIDTH)
  x = nn.layer_norm(x + nn.weight(Array((ids.shape[1], WIDTH), scale=0.5)))
  for _ in range(LAYERS):
    x = nn.layer_norm(x + _self_attention(nn, x, mask))
    x = nn.layer_norm(x + _feed_forward(nn, x))
  return x, nn.tanh(nn.linear(nn.first_token(x), WIDTH))


def _text(batch, length):
  return (Array((batch, length), "int32", range=(0, 30522)),
          Array((batch, length), scale=0, shift=1))


def networks():
  for layout in ("NHWC", "NCHW"):
    yield Network(f"vit_b16_1_{layout.lower()}", vit_b16, (image(layout, 1),),
                  layout)
  yield Network("bert_base_1x128", bert_base, _text(1, 128))
  yield Network("bert_base_1x128_arguments", bert_base, _text(1, 128),
                constants=False)
  yield Network("bert_base_8x128", bert_base, _text(8, 128))
  yield Network("bert_base_train_4x128", bert_base, _text(4, 128),
                constants=False, training=True)
