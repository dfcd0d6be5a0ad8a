"""Every family asked together: cases compile, and every gold answer scores 1."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from stbench_scoring import compile as compiling
from stbench_scoring.compile import compile_script
from stbench_scoring.credit import RULES, judge
from stbench_scoring.families import FAMILIES
from stbench_scoring.jobs import HELPER_1
from stbench_scoring.records import (
    Person,
    ReleaseTree,
    ThingView,
    Timeline,
    TrackPoint,
    VisibilityRow,
    read_json,
    read_jsonl,
    write_json,
    write_jsonl,
)

SECOND = 1_000_000_000
NEW = {"closest_approach", "approach_mem", "open_heading", "closest_person", "task_things"}


def with_person(tree, sid):
    """Somebody who stands in the second task, seen in its first half."""
    timeline, rows = read_json(tree.timeline_json(sid), Timeline), read_jsonl(tree.visibility_jsonl(sid), VisibilityRow)
    track = tuple(TrackPoint(stamp_ns=s * SECOND, x_m=2.2, y_m=5.0, yaw_rad=0.0) for s in (0, 200))
    person = Person(id="p", words="person", radius_m=0.25, height_m=1.7, tracks=(track,))
    write_json(tree.timeline_json(sid), msgspec.structs.replace(timeline, people=(person,)))
    view = ThingView(
        id="p", pixels=900, share=1.0, clear=True, nearest=(2.2, 4.75, 0.5), nearest_px=(320, 300), middle=(2.2, 5.0),
        top_above_camera=True,
    )  # fmt: skip
    seen = [msgspec.structs.replace(r, people=(view,)) if 8 <= r.step <= 11 else r for r in rows]
    write_jsonl(tree.visibility_jsonl(sid), seen)


@pytest.fixture(scope="module")
def compiled(synthetic, tmp_path_factory):
    root = tmp_path_factory.mktemp("all")
    sid = synthetic.write_script(root, pictures=False)
    with_person(ReleaseTree(root), sid)
    job = replace(
        HELPER_1,
        slots=(("closest_approach", "approach_mem", "clear_path"), ("open_heading",), ("ego_now", "ego_mem")),
        end_families=("closest_person", "task_things", "object_where"),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "job_spec", lambda _: job)
        return compile_script(ReleaseTree(root), sid)


def test_every_family_that_is_declared_can_be_scored():
    assert set(FAMILIES) <= set(RULES)


def test_cases_ask_the_new_families(compiled):
    asked = {g.family for case in compiled for g in case.gold}
    assert asked & NEW >= {"closest_person", "closest_approach"}


def test_every_gold_answer_scores_one_and_fits_its_rule(compiled):
    for case in compiled:
        for question, gold in zip(case.questions, case.gold, strict=True):
            rule = RULES[gold.family]
            assert (gold.kind, gold.harmful, question.expected) == (rule.kind, rule.harmful, rule.expected)
            assert judge(gold, gold.answer, HELPER_1.needs).score == 1
            last = case.case.last_step - case.case.first_step
            assert all(0 <= step <= last for step in gold.evidence)
            assert gold.answer.unknown == (gold.evidence == ())
            assert question.params.task is None or question.params.task <= case.case.last_task - case.case.first_task
