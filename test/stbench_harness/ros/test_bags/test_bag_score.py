"""`stbench score BAG`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest


def score(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stbench_harness.cli", "score", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_results_are_those_of_the_ledger(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    before = sorted((path.name, path.read_bytes()) for path in bag.iterdir())
    done = score(bag, "--data", run.tree.root)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "bag-score" / "results.json").read_bytes() == run.results
    assert "<html" in (tmp_path / "bag-score" / "results.html").read_text()[:200]
    assert str(tmp_path / "bag-score" / "results.json") in done.stdout
    assert sorted((path.name, path.read_bytes()) for path in bag.iterdir()) == before


def test_what_is_missing_is_told_and_the_exit_code_is_1(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    kept = [item for item in run.items if item.name != "Answer" or item.message.qid != "q3"]
    bag = maker.write(tmp_path / "bag", kept)
    done = score(bag, "--data", run.tree.root, "--out", tmp_path / "out", "--json")
    assert done.returncode == 1
    assert f"{run.cid} is invalid and not scored" in done.stderr and "q3" in done.stderr
    coverage = json.loads(done.stdout)["coverage"]
    assert (coverage["cases_asked"], coverage["cases_scored"], coverage["questions_asked"]) == (1, 0, 6)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--out", "{bag}/score"), "lies in the bag"),
        (("--session", "4"), "has no session 4"),
        (("--case", "eeee"), "not of eeee"),
    ],
)
def test_bad_arguments_exit_2_without_a_traceback(
    arguments: tuple[str, str], told: str, run: Any, maker: SimpleNamespace, tmp_path: Path
) -> None:
    bag = maker.write(tmp_path / "bag", run.items)
    done = score(bag, "--data", run.tree.root, *(text.format(bag=bag) for text in arguments))
    assert done.returncode == 2
    assert told in done.stderr and "Traceback" not in done.stderr


def test_a_bag_that_is_none(run: Any, tmp_path: Path) -> None:
    done = score(tmp_path / "nothing", "--data", run.tree.root)
    assert done.returncode == 2 and "nothing does not exist" in done.stderr


def test_no_ros_is_needed(run: Any, maker: SimpleNamespace, tmp_path: Path) -> None:
    """With rclpy and the message packages out of reach the bag is scored all the same."""
    bag = maker.write(tmp_path / "bag", run.items)
    program = (
        "import sys\n"
        "class No:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('rclpy', 'stbench_msgs', 'std_msgs', 'sensor_msgs', 'ament_index_python'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, No())\n"
        "from stbench_harness.cli.main import main\n"
        f"sys.argv = ['stbench', 'score', {str(bag)!r}, '--data', {str(run.tree.root)!r}]\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "bag-score" / "results.json").read_bytes() == run.results
