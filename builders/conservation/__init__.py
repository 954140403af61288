"""conservationbench: its configs, rows, card facts and checks."""
