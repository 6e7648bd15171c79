"""Control flow and derivatives through JAX, against platform cpu."""

import suite

if __name__ == "__main__":
  suite.main("control_flow,autodiff")
