"""Operations and collectives over meshes of eight devices: equal to one device
and to platform cpu, with cpu's shardings of results."""

import suite

if __name__ == "__main__":
  suite.main("sharded.operations,sharded.moves,sharded.collectives", devices=8)
