"""From means of cells to a headline, for one set of means or for thousands at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# A cell with this many questions in the release weighs 1, one with fewer in proportion.
FULL_CELL = 20


def cell_weight(questions: int) -> float:
    """Weight of a cell that has so many questions in the whole release."""
    return min(1.0, questions / FULL_CELL)


def column_mean(means: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Weighted mean of a column's cells and the column's weight, that of its largest cell.

    Args:
        means: (..., cells); NaN where a cell is empty: it is left out and the weights renormalised.
        weights: (cells,), above 0.

    Returns:
        Means (...), NaN where every cell is empty; weights (...), 0 there.
    """
    there = ~np.isnan(means)
    spread: Floats = np.where(there, weights, 0.0)
    total = spread.sum(axis=-1)
    summed = (np.where(there, means, 0.0) * spread).sum(axis=-1)
    mean = np.divide(summed, total, out=np.full(total.shape, np.nan), where=total > 0)
    return mean, spread.max(axis=-1, initial=0.0)


def headline(means: Floats, weights: Floats, columns: Sequence[str]) -> dict[str, Any]:
    """The headline and its two columns.

    Args:
        means: (..., cells) as in `column_mean`.
        weights: (cells,) from the whole release, whatever was run of it.
        columns: `now` or `memory` of each cell.

    Returns:
        `headline`, `now` and `memory`, each (...): the columns' mean by their weights, or the one that there is.
    """
    named = np.array(columns)
    parts = {c: column_mean(means[..., named == c], weights[named == c]) for c in ("now", "memory")}
    both = np.stack([parts["now"][0], parts["memory"][0]], axis=-1)
    heavy = np.stack([parts["now"][1], parts["memory"][1]], axis=-1)
    total = heavy.sum(axis=-1)
    summed = (np.where(heavy > 0, both, 0.0) * heavy).sum(axis=-1)
    mean = np.divide(summed, total, out=np.full(total.shape, np.nan), where=total > 0)
    return {"headline": mean, "now": parts["now"][0], "memory": parts["memory"][0]}
