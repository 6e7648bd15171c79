"""Control flow and tuples against XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_control")
