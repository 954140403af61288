"""Sweeps: many models on many tasks, each job a process of its own, put on GPUs by Ray."""
