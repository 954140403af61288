"""Answers of simulated models whose biases and abilities are known: to plan studies, and to test analyses.

A simulated model knows the answer to a question with some probability; else it guesses, and says "same" with
its invariance bias. All effects are on the probability to know.
"""
