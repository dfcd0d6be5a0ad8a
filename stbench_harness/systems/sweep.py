"""How far a convex body may move straight ahead, by points and seen floor. Own geometry of the scripted systems."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
UNSEEN_M = 0.2  # an unseen strip longer than this before contact makes the answer unknown
UNSEEN_SHARE = 0.5  # docs/questions.md: a station of the way is unseen where more than this share of the width is


def lanes(outline: Floats, spacing_m: float) -> tuple[Floats, Floats]:
    """Lateral offsets across the body and its front edge at each, in the body frame facing along +x, metres."""
    low, high = float(outline[:, 1].min()), float(outline[:, 1].max())
    count = max(2, math.ceil((high - low) / spacing_m))
    across = low + (np.arange(count) + 0.5) * (high - low) / count
    return across, front_edge(outline, across)


def front_edge(outline: Floats, across: Floats) -> Floats:
    """The body's largest x at each lateral offset; -inf outside of its width."""
    front = np.full(len(across), -np.inf)
    for (x0, y0), (x1, y1) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        low, high = min(y0, y1), max(y0, y1)
        within = (across >= low) & (across <= high)
        x = x0 + (across - y0) * (x1 - x0) / (y1 - y0) if high > low else np.full(len(across), max(x0, x1))
        front = np.where(within, np.maximum(front, x), front)
    return front


def first_contact(outline: Floats, points: Floats) -> float:
    """Least travel along +x at which the outline touches one of (n, 2) points ahead of it, metres; inf for none."""
    if not len(points):
        return math.inf
    travel = points[:, 0] - front_edge(outline, points[:, 1])
    ahead = np.isfinite(travel) & (travel >= 0.0)
    return float(travel[ahead].min()) if ahead.any() else math.inf


def unseen_length_m(seen: NDArray[np.bool_], spacing_m: float) -> float:
    """Length of the run over which more than UNSEEN_SHARE of the width was not seen; `seen` is (lanes, samples)."""
    return float((1.0 - seen.mean(axis=0) > UNSEEN_SHARE).sum() * spacing_m)
