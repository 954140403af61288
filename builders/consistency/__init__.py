"""The dataset physical-consistency."""
