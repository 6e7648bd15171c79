"""GPT-2 small: reads a prompt of 512 tokens, or generates one token with keys
and values of those before it, which it updates in place."""

import numpy as np

from networks.network import Array, Network

WIDTH, HEADS, LAYERS, WORDS, LENGTH = 768, 12, 12, 50257, 512
HEAD = WIDTH // HEADS


def _feed_forward(nn, x):
  x = nn.linear(nn.layer_norm(x), 4 * WIDTH)
  return nn.linear(nn.gelu(x, exact=False), WIDTH)


def _positions(nn):
  return nn.weight(Array((1024, WIDTH), scale=0.1))


def prompt(nn, ids):
  """The scores of the next word, and keys and values of all tokens."""
  x, words = nn.embedding(ids, WORDS, WIDTH)
  x = x + nn.first_rows(_positions(nn), ids.shape[1])
  kept = []
  for _ in range(LAYERS):
    q, k, v = nn.split(nn.linear(nn.layer_norm(x), 3 * WIDTH), 3)
    kept += [k, v]
    x = x + nn.linear(nn.attention(q, k, v, HEADS, causal=True), WIDTH)
    x = x + _feed_forward(nn, x)
  return nn.scores(nn.last_token(nn.layer_norm(x)), words), kept


def decode(nn, word, position, kept):
  """The same for one word [1] at a position, given `kept`: for each layer keys
  and values [heads, LENGTH, HEAD], which it returns with the new ones."""
  x, words = nn.embedding(word, WORDS, WIDTH)
  x = x + nn.row(_positions(nn), position)
  new = []
  for keys, values in kept:
    q, k, v = nn.split(nn.linear(nn.layer_norm(x), 3 * WIDTH), 3)
    mixed, keys, values = nn.cached_attention(
        q, k, v, keys, values, position, HEADS)
    new.append((keys, values))
    x = x + nn.linear(mixed, WIDTH)
    x = x + _feed_forward(nn, x)
  return nn.scores(nn.layer_norm(x), words), new


def _before(word, position, kept):
  """Inputs of the ONNX model, which appends to what it is given."""
  return word, position, [(k[:, :LENGTH - 1], v[:, :LENGTH - 1])
                          for k, v in kept]


def networks():
  yield Network(f"gpt2_prompt_{LENGTH}", prompt,
                (Array((1, LENGTH), "int32", range=(0, WORDS)),))
  state = Array((HEADS, LENGTH, HEAD), scale=0.5)
  yield Network(
      "gpt2_decode", decode,
      (Array((1,), "int32", range=(0, WORDS)),
       Array((), "int32", range=(LENGTH - 1, LENGTH)),
       [(state, state)] * LAYERS),
      donated=(2,), onnx_inputs=_before)
