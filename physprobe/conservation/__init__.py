"""conservationbench: vocabulary, prompts, answer matching and metrics."""
