"""The world as a system has seen it: from a case's first frame up to a step, and nothing else."""
