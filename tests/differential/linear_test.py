"""Decompositions, solves, FFT and random bits against XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_linear")
