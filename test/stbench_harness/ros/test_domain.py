"""A domain belongs to a run until the last of its processes has ended, however the run itself did."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from stbench_harness.ros.domain import take_domain

ROOT = Path(__file__).resolve().parents[3]
KILLED = """
import os, signal
from stbench_harness.ros.brain_process import BrainProcess
from stbench_harness.ros.domain import take_domain
with take_domain() as domain:
    BrainProcess(["sleep", "3"], domain, None, parent_death=signal.SIGURG)  # a node that takes a while to end
    print(domain, flush=True)
    os._exit(9)  # as a kill: nothing is tidied up
"""


def taken(domain: int) -> bool:
    """Whether somebody holds a domain, by asking for as many as it takes to reach it."""
    with take_domain() as first:
        if first >= domain:
            return first > domain
        return taken(domain)


def test_a_killed_runs_domain_is_free_only_when_its_nodes_have_ended() -> None:
    killed = subprocess.Popen([sys.executable, "-c", KILLED], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    domain = int(killed.stdout.readline())
    assert killed.wait() == 9 and taken(domain)
    end = time.monotonic() + 10
    while taken(domain) and time.monotonic() < end:
        time.sleep(0.2)
    assert not taken(domain)
