"""Reductions, windows and batch normalization against XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_reduction")
