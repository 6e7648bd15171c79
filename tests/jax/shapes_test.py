"""Shapes, indexing and images through JAX, against platform cpu."""

import suite

if __name__ == "__main__":
  suite.main("shapes,indexing,image")
