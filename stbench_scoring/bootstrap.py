"""95 % intervals: a percentile bootstrap over scripts, as the cases and questions of one script are not independent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stbench_scoring.headline import Floats, headline
from stbench_scoring.seeds import rng

DRAWS = 10_000
LIMITS_PCT = (2.5, 97.5)


def script_draws(scripts: int, draws: int, *seed: str | int) -> Floats:
    """How often each script is drawn, (draws, scripts): as many with replacement as there are."""
    return rng("bootstrap", *seed).multinomial(scripts, np.full(scripts, 1.0 / scripts), size=draws).astype(float)


def intervals(
    sums: Floats, counts: Floats, weights: Floats, columns: Sequence[str], *seed: str | int, draws: int = DRAWS
) -> dict[str, tuple[float, float]]:
    """Intervals of the headline and of its columns, for the scripts of one job (the stratum).

    Args:
        sums: (scripts, cells) summed scores.
        counts: (scripts, cells) numbers of questions.
        weights, columns: As in `headline`.
        seed: What the draws depend on.
        draws: How many draws.

    Returns:
        (low, high) of `headline`, and of `now` and `memory` where there is such a column. A cell that is empty in
        a draw is left out there and the weights renormalised. With one script both ends are its own value.
    """
    drawn = script_draws(len(sums), draws, *seed)
    asked = drawn @ counts
    means = np.divide(drawn @ sums, asked, out=np.full(asked.shape, np.nan), where=asked > 0)
    result: dict[str, tuple[float, float]] = {}
    for name, values in headline(means, weights, columns).items():
        finite = values[~np.isnan(values)]
        if finite.size:
            low, high = np.percentile(finite, LIMITS_PCT)
            result[name] = (float(low), float(high))
    return result
