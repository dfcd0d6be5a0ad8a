"""The jobs: what each needs to act on an answer, and which families it asks when. One job a file."""

from stbench_scoring.jobs.helper_1 import HELPER_1
from stbench_scoring.jobs.spec import JobSpec, job_spec, register

register(HELPER_1)

__all__ = ["HELPER_1", "JobSpec", "job_spec"]
