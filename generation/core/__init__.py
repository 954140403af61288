"""Shared machinery of all generators: seeds, raw folders, workers, records."""
