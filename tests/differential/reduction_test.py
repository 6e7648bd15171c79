"""Reductions, windows and batch normalisation against XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_reduction")
