"""Analyses of answers to physical consistency."""
