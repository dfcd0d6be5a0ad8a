"""A memory that works from depth and detections, and knows nothing of the gold, must find the gold."""

from __future__ import annotations

import json

from click.testing import CliRunner

from stbench_harness.cli.run import run


def test_perfect_memory_agrees_with_the_gold(tiny_release, tmp_path):
    arguments = ["perfect_memory", "all", "--data", str(tiny_release), "--out", str(tmp_path / "run")]
    done = CliRunner().invoke(run, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    rows = json.loads((tmp_path / "run" / "results.json").read_bytes())["rows"]
    assert len(rows) > 60
    agree = sum(("unknown" in r["gold"]) == ("unknown" in (r["answer"] or {})) for r in rows)
    assert agree >= 0.95 * len(rows)
    assert sum(r["score_gate"] for r in rows) >= 0.95 * len(rows)
    assert not any(r["catastrophe"] for r in rows)
