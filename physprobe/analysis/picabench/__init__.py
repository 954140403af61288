"""Analyses of answers to PICABench."""
