"""The ten ways to break physics."""
