// An empty source: the target that owns the precompiled header needs one.
