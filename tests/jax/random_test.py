"""Random numbers through JAX, against platform cpu."""

import suite

if __name__ == "__main__":
  suite.main("randomness")
