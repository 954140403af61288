"""Whether low-level traces give violations away: simple classifiers, clean against violated."""
