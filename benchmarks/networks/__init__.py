"""Whole networks, as JAX functions and mostly as ONNX models too.

A file has one family of networks; network.py says what a network is.
"""

import importlib
import re

FAMILIES = ("resnet", "mobile", "convnext", "unet", "transformers", "gpt2",
            "decoders", "dlrm", "wavenet")


def selected(only=""):
  """The networks whose name matches, as network.Network."""
  for family in FAMILIES:
    module = importlib.import_module(f"networks.{family}")
    for network in module.networks():
      if re.search(only, network.name):
        yield network
