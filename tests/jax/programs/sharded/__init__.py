"""Programs over meshes. Each module has a ShardedFamily named FAMILY."""
