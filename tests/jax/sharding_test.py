"""Several devices through JAX, against platform cpu."""

import suite

if __name__ == "__main__":
  suite.main("sharding,partitioning", devices=4)
