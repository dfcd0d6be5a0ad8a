"""The ledger: line ends, torn tails, bad lines, attempts."""

from __future__ import annotations

import pytest

from stbench_harness.ledger import Ledger, read_lines, read_responses
from stbench_scoring.errors import RecordError
from stbench_scoring.records.results import RunLabel

LABEL = RunLabel(system="s", channel="rgb_pose", pace="lockstep", transport="local", sandbox="in_process")
ODD = "a\u2028b\u0085c\x1cd\re"


def write(path, detail=ODD):
    with Ledger(path) as ledger:
        ledger.append("case", cid="c", label=LABEL)
        ledger.append("reply", qid="q0", outcome="malformed", detail=detail)
        ledger.append("reply", qid="q1", outcome="crashed", detail=detail)
        ledger.append("end", case_outcome="completed")


def test_only_a_line_feed_ends_a_line(tmp_path):
    write(tmp_path / "l")
    assert [line.detail for line in read_lines(tmp_path / "l")] == ["", ODD, ODD, ""]


def test_cut_at_every_byte_of_the_last_two_lines(tmp_path):
    path = tmp_path / "l"
    write(path)
    whole = path.read_bytes()
    starts = [0, *(i + 1 for i, byte in enumerate(whole) if byte == 10)]
    for cut in range(starts[2], len(whole)):
        path.write_bytes(whole[:cut])
        kept = whole[:cut].count(b"\n")
        assert read_responses(path).outcome == "cancelled"
        with Ledger(path) as ledger:
            ledger.append("finish")
        lines = read_lines(path)
        assert path.read_bytes().startswith(whole[: starts[kept]])
        assert [line.kind for line in lines] == ["case", "reply", "reply", "end"][:kept] + ["finish"]
        assert [line.seq for line in lines] == list(range(kept + 1))


def test_a_bad_line_in_the_middle_is_named(tmp_path):
    path = tmp_path / "l"
    write(path)
    lines = path.read_bytes().split(b"\n")
    lines[1] = lines[1][:-4]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(RecordError, match=":2: "):
        read_responses(path)
    with pytest.raises(RecordError, match=":2: "):
        Ledger(path)


def test_the_last_attempt_counts(tmp_path):
    path = tmp_path / "l"
    write(path)
    with Ledger(path) as ledger:
        ledger.append("case", cid="c", label=LABEL)
        ledger.append("reply", qid="q0", outcome="timed_out")
    responses = read_responses(path)
    assert (responses.outcome, [r.outcome for r in responses.responses]) == ("cancelled", ["timed_out"])


def test_a_question_ends_once(tmp_path):
    path = tmp_path / "l"
    write(path)
    with Ledger(path) as ledger:
        ledger.append("reply", qid="q0", outcome="crashed")
    with pytest.raises(RecordError, match="ends twice"):
        read_responses(path)


def test_text_that_is_no_utf8_is_kept_escaped(tmp_path):
    write(tmp_path / "l", detail="\ud800")
    assert read_lines(tmp_path / "l")[1].detail == "\\ud800"
