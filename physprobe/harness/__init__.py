"""The bridge to lmms-eval."""
