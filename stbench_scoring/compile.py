"""From a script to its cases with questions and gold. Pure: the same script and seed give the same bytes."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from stbench_scoring.errors import StbenchError
from stbench_scoring.families import Draft, Look
from stbench_scoring.jobs import job_spec
from stbench_scoring.records import Case, Gold, Params, Question, ReleaseTree
from stbench_scoring.records.case import Length
from stbench_scoring.records.release import FORMAT_VERSION
from stbench_scoring.score import SCORER_VERSION
from stbench_scoring.seeds import hex_id
from stbench_scoring.seen.memory import Seen
from stbench_scoring.seen.script import Script, read_script
from stbench_scoring.select import Balance, at_end, during, look_points

_MEDIUM_TASKS, _LONG_TASKS, _LEAST_LONG = 3, 6, 4


@dataclass(frozen=True)
class CompiledCase:
    """A case with its questions in the order they are asked, and a gold row each in the same order."""

    case: Case
    questions: tuple[Question, ...]
    gold: tuple[Gold, ...]


def windows(tasks: int) -> tuple[tuple[Length, int, int], ...]:
    """The windows of a script of so many tasks: every single task, one of 2 or 3, one of 4 to 6; both ends included."""
    found: list[tuple[Length, int, int]] = [("short", i, i) for i in range(tasks)]
    if tasks >= 2:
        found.append(("medium", 0, min(_MEDIUM_TASKS, tasks) - 1))
    if tasks >= _LEAST_LONG:
        found.append(("long", 0, min(_LONG_TASKS, tasks) - 1))
    return tuple(found)


def compile_script(tree: ReleaseTree, sid: str, *, seed: int = 0) -> tuple[CompiledCase, ...]:
    """Compiles every case of a script.

    Raises:
        StbenchError: A file of the script cannot be read, or a task has no frame.
    """
    script = read_script(tree, sid)
    return tuple(compile_case(script, *window, seed=seed) for window in windows(len(script.timeline.tasks)))


def make_case(script: Script, length: Length, first_task: int, last_task: int) -> Case:
    """The window's record. Raises StbenchError where it holds no frame."""
    timeline = script.timeline
    steps = [f.step for f in timeline.frames if first_task <= f.task <= last_task]
    if not steps:
        raise StbenchError(f"script {timeline.sid}: tasks {first_task} to {last_task} have no frame in timeline.json")
    return Case(
        format_version=FORMAT_VERSION, cid=hex_id(timeline.sid, first_task, last_task), sid=timeline.sid,
        job=timeline.job, layout=timeline.layout, length=length, first_task=first_task, last_task=last_task,
        first_step=steps[0], last_step=steps[-1], start_ns=timeline.tasks[first_task].start_ns,
        end_ns=timeline.tasks[last_task].end_ns,
    )  # fmt: skip


def compile_case(script: Script, length: Length, first_task: int, last_task: int, *, seed: int) -> CompiledCase:
    """Chooses a window's questions and computes their gold."""
    case = make_case(script, length, first_task, last_task)
    job = job_spec(case.job)
    balance = Balance()
    pairs: list[tuple[Question, Gold]] = []
    frames = script.timeline.frames[case.first_step : case.last_step + 1]
    for step in look_points(case.cid, frames, job):
        look = Look(Seen(script, case.first_step, step), job, case.last_step)
        pairs += [
            _number(case, d, step, slot, "during", seed) for slot, d in enumerate(during(case.cid, look, balance))
        ]
    look = Look(Seen(script, case.first_step, case.last_step), job, case.last_step)
    ends = at_end(case.cid, look, last_task - first_task + 1, balance)
    pairs += [_number(case, d, case.last_step, slot, "end", seed) for slot, d in enumerate(ends)]
    return CompiledCase(case, tuple(q for q, _ in pairs), tuple(g for _, g in pairs))


def _number(case: Case, draft: Draft, step: int, slot: int, when: str, seed: int) -> tuple[Question, Gold]:
    question = Question(
        qid="", family=draft.family, when="during" if when == "during" else "end", step=step - case.first_step,
        slot=slot, text=draft.text, expected=draft.expected, params=_params(draft.params, case),
    )  # fmt: skip
    gold = Gold(
        qid="", family=draft.family, kind=draft.kind, ability=draft.ability, column=draft.column, answer=draft.answer,
        evidence=tuple(s - case.first_step for s in draft.evidence), age_s=draft.age_s, age_band=draft.age_band,
        need_m=draft.need_m, resolution_m=draft.resolution_m, pixel_m=draft.pixel_m, distance_m=draft.distance_m,
        harmful=draft.harmful, contact=draft.contact, half_width_m=draft.half_width_m, critical=draft.critical,
        thing=draft.thing, runs_m=draft.runs_m, ignored=draft.ignored, item_resolutions_m=draft.item_resolutions_m,
    )  # fmt: skip
    parts = (msgspec.json.encode(record).decode() for record in (question, gold))
    qid = hex_id(case.cid, *parts, SCORER_VERSION, seed)
    return msgspec.structs.replace(question, qid=qid), msgspec.structs.replace(gold, qid=qid)


def _params(params: Params, case: Case) -> Params:
    if params.task is None:
        return params
    return msgspec.structs.replace(params, task=params.task - case.first_task)
