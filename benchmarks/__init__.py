"""Speed, quality and looks of what the commands make; run as ``python -m benchmarks.NAME``."""
