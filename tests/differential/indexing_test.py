"""Slices and updates at runtime positions, gather and scatter against
XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_indexing")
