"""jax.numpy and jax.scipy through JAX, against platform cpu."""

import suite

if __name__ == "__main__":
  suite.main("numpy_functions,scipy_functions")
