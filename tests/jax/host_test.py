"""Callbacks, exports and buffers through JAX, against platform cpu."""

import suite

if __name__ == "__main__":
  suite.main("callbacks,export,runtime,rare")
