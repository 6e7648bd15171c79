"""Tessera from Python, beside JAX (jax_plugins.tessera): see tessera.aot."""
