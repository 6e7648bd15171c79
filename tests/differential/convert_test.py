"""Conversions of element types against XLA:CPU."""

import entry

if __name__ == "__main__":
  entry.main("ops_convert")
