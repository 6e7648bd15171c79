"""Programs by family. Each module has a registry.Family named FAMILY."""
