"""Grounded physical consistency: does an image break physics, which law, where, and why?"""
