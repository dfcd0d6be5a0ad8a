"""Windows, look points, numbering and balance of compiled cases."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from stbench_scoring.compile import compile_script, windows
from stbench_scoring.errors import StbenchError
from stbench_scoring.jobs import HELPER_1
from stbench_scoring.records import Frame, ReleaseTree
from stbench_scoring.release import compile_release, load_case
from stbench_scoring.seeds import hex_id
from stbench_scoring.select import look_points


def test_windows():
    assert windows(1) == (("short", 0, 0),)
    assert windows(2) == (("short", 0, 0), ("short", 1, 1), ("medium", 0, 1))
    assert windows(7)[-2:] == (("medium", 0, 2), ("long", 0, 5))


def test_decision_frames_are_asked_first_and_the_first_frame_never():
    frames = [Frame(step=i, stamp_ns=i, task=0, phase="", decision=i in (0, 7, 13)) for i in range(20)]
    points = look_points("c", frames, HELPER_1)
    assert {7, 13} <= set(points) and 0 not in points
    assert len(points) == HELPER_1.look_points and list(points) == sorted(points)
    assert points == look_points("c", frames, HELPER_1) != look_points("d", frames, HELPER_1)


def test_cases_count_from_zero_and_agree_with_the_script(synthetic, tiny_release):
    tree = ReleaseTree(tiny_release)
    second = next(c for c in compile_script(tree, synthetic.SID) if c.case.first_task == 1)
    assert second.case.cid == hex_id(synthetic.SID, 1, 1)
    assert (second.case.first_step, second.case.last_step) == (8, 15)
    assert all(0 < q.step <= 7 for q in second.questions)
    steps = [q.step for q in second.questions]
    assert steps == sorted(steps) and [q.when for q in second.questions][-1] == "end"
    assert all(0 <= s <= q.step for q, g in zip(second.questions, second.gold, strict=True) for s in g.evidence)


def test_every_family_is_asked_and_unknown_stays_in_bounds(tiny_release):
    tree = ReleaseTree(tiny_release)
    cases = compile_script(tree, next((tiny_release / "scripts").iterdir()).name)
    gold = [g for c in cases for g in c.gold]
    families = Counter(g.family for g in gold)
    assert set(families) == {"clear_path", "ego_now", "ego_mem", "object_where"}
    unknown = Counter(g.family for g in gold if g.answer.unknown)
    assert all(unknown[name] <= 0.36 * count for name, count in families.items())
    assert all(g.column == "memory" and g.age_band is None for g in gold if g.answer.unknown)
    assert len({g.qid for g in gold}) == len(gold)


def test_the_same_script_and_seed_give_the_same_bytes(synthetic, tmp_path):
    for name in "ab":
        synthetic.write_release(tmp_path / name, pictures=False)
    files = [sorted((tmp_path / n / "private").rglob("*.json*")) for n in "ab"]
    assert [f.read_bytes() for f in files[0]] == [f.read_bytes() for f in files[1]]
    again = compile_release(tmp_path / "a", name="tiny", version="0", seed=1)
    first = load_case(ReleaseTree(tmp_path / "b"), again.cases[0].cid)
    other = load_case(ReleaseTree(tmp_path / "a"), again.cases[0].cid)
    assert [q.qid for q in first.questions] != [q.qid for q in other.questions]
    blank = [[msgspec.structs.replace(q, qid="") for q in c.questions] for c in (first, other)]
    assert blank[0] == blank[1]


def test_unknown_case_is_named(tiny_release):
    with pytest.raises(StbenchError, match="nope"):
        load_case(ReleaseTree(tiny_release), "nope")
