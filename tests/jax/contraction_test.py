"""Products, transforms and networks through JAX, against platform cpu."""

import suite

if __name__ == "__main__":
  suite.main("contraction,fft,neural")
