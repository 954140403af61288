"""``make demo``: every step of the pipeline, small, through the public commands."""
