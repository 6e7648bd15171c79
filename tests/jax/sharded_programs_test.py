"""Models, loops and modes of sharding over meshes of eight devices: equal to
one device and to platform cpu, with cpu's shardings of results."""

import suite

if __name__ == "__main__":
  suite.main("sharded.models,sharded.control,sharded.modes,sharded.training,"
             "sharded.expectations,sharded.counts", devices=8)
