"""Analyses of answers to QuantiPhy questions: from a data frame of answers to Finding tables."""
