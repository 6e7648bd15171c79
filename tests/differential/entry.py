"""The start of each test of this folder: looks for the Python packages before
it imports the tables, which need them."""

import importlib
import importlib.util
import pathlib
import sys


def main(table, devices=1):
  """Runs the cases of the module `table` on `devices` devices."""
  for package in ("jaxlib", "jax", "numpy", "ml_dtypes"):
    if importlib.util.find_spec(package) is None:
      print(f"SKIP {table}: no {package} here, which has XLA:CPU to compare to")
      sys.exit(0)
  sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
  suite = importlib.import_module("suite")
  suite.main(importlib.import_module(table), devices)
