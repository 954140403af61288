"""A package, for another distribution installs a top-level `tests` that would be found instead."""
