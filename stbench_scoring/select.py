"""Which questions are asked when: drawn from the case's id and the plan, never from pictures or answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from stbench_scoring.families import FAMILIES, Draft, Look
from stbench_scoring.jobs import JobSpec
from stbench_scoring.records import Frame
from stbench_scoring.seeds import rng

# Of a family's questions in a case: unknown golds aim at a quarter and stay within 35 %, golds at the horizon within 40 %.
_UNKNOWN_SHARE, _UNKNOWN_LIMIT = 0.25, 0.35
_HORIZON_LIMIT = 0.4
_SAME_THING_TIMES = 2


def look_points(cid: str, frames: Sequence[Frame], job: JobSpec) -> tuple[int, ...]:
    """Steps of the script at which a case asks: in every task decision frames first, then others, by the case's id.

    Args:
        cid: The case's id.
        frames: The case's frames in order. Its very first is never a look point: nothing has been shown before.
        job: Says how many a task.
    """
    chosen: list[int] = []
    for task in sorted({frame.task for frame in frames}):
        own = [f for f in frames[1:] if f.task == task]
        draw = rng(cid, "look_points", task)
        picked: list[int] = []
        for decision in (True, False):
            group = [f.step for f in own if f.decision == decision]
            picked += [group[i] for i in draw.permutation(len(group))]
        chosen += picked[: job.look_points]
    return tuple(sorted(chosen))


@dataclass
class Balance:
    """What a case has asked so far. Keeps unknown golds, horizons and repeats in bounds."""

    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def _subject(self, draft: Draft) -> tuple[str, str]:
        return draft.family, draft.params.words or f"{draft.params.turn} {draft.balance}"

    def choose(self, drafts: Iterable[Draft], draw: np.random.Generator) -> Draft | None:
        """The draft whose kind has been asked least for its share, ties drawn; None where none may be asked."""
        candidates = [d for d in drafts if self._allowed(d)]
        if not candidates:
            return None
        counts = self.kinds.setdefault(candidates[0].family, Counter())
        total = sum(counts.values()) + 1
        wanted = _UNKNOWN_SHARE * total - counts["unknown"] >= draw.random()
        group = [d for d in candidates if d.answer.unknown == wanted] or candidates
        least = min(counts[d.balance] for d in group)
        group = [d for d in group if counts[d.balance] == least]
        chosen = group[int(draw.integers(len(group)))]
        counts[chosen.balance] += 1
        self.asked[self._subject(chosen)] += 1
        return chosen

    def _allowed(self, draft: Draft) -> bool:
        if draft.params.words and self.asked[self._subject(draft)] >= _SAME_THING_TIMES:
            return False
        limit = {"unknown": _UNKNOWN_LIMIT, "horizon": _HORIZON_LIMIT}.get(draft.balance)
        counts = self.kinds.get(draft.family, Counter[str]())
        return limit is None or counts[draft.balance] + 1 <= limit * (sum(counts.values()) + 1)


def during(cid: str, look: Look, balance: Balance) -> list[Draft]:
    """Questions of one look point, a slot each: the first family of the slot that has one."""
    chosen: list[Draft] = []
    for slot, families in enumerate(look.job.slots):
        used = {d.params.words for d in chosen if d.params.words}
        for name in families:
            drafts = [d for d in FAMILIES[name].drafts(look) if d.params.words not in used]
            draft = balance.choose(drafts, rng(cid, look.step, slot, name))
            if draft is not None:
                chosen.append(draft)
                break
    return chosen


def at_end(cid: str, look: Look, tasks: int, balance: Balance) -> list[Draft]:
    """Questions after the last frame, up to the job's number a task, families in turn."""
    families, chosen = look.job.end_families, list[Draft]()
    pools = {name: list(FAMILIES[name].drafts(look)) for name in families}
    for number in range(look.job.end_questions * tasks):
        name = families[number % len(families)]
        used = {(d.family, d.params.words, d.params.task) for d in chosen}
        fresh = [d for d in pools[name] if (name, d.params.words, d.params.task) not in used]
        draft = balance.choose(fresh, rng(cid, "end", number, name))
        if draft is not None:
            chosen.append(draft)
    return chosen
