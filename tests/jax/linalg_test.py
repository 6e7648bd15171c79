"""Linear algebra, dense and sparse through JAX, against platform cpu."""

import suite

if __name__ == "__main__":
  suite.main("linalg,sparse")
