"""Makes raw data from code and a seed: scenes, motion, rendering, annotation."""
