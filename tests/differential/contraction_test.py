"""Dot and convolution against XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_contraction")
