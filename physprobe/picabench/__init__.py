"""PICABench: region-grounded yes/no questions on edited images (arXiv:2510.17681)."""
