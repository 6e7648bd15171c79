"""Slices and updates at run-time places, gather and scatter against XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_indexing")
