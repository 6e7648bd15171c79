"""Collectives on four devices against XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_collectives", devices=4)
