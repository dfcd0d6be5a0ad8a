"""What a kind of answer hands to the credit: how wrong it is, and whether it is wrong on the harmful side."""

from __future__ import annotations

from dataclasses import dataclass

from stbench_scoring.credit.ramp import ramp

# Differences of distances given in decimals carry noise of 1e-16; a nanometre decides no question.
DECIMALS = 9


@dataclass(frozen=True)
class AnswerError:
    """An answer against its gold.

    Attributes:
        error_m: How far it is off, metres, 0 or more.
        harmful: Whether acting on it errs towards harm.
        direction: The direction quarter: 1 or 0.
    """

    error_m: float
    harmful: bool
    direction: float


def metres(value: float) -> float:
    """Rounds a length to the nanometre, so that noise of the last bit decides no step, and turns -0.0 into 0.0."""
    return round(value, DECIMALS) + 0.0


def halved(need_m: float, harmful: bool) -> float:
    """The need N of an error: half of it on the harmful side."""
    return need_m / 2.0 if harmful else need_m


def quarters(error_m: float, need_m: float, resolution_m: float) -> tuple[float, float, float]:
    """The quarters of an error that fall smoothly: thing, amount and precision, each 0 to 1."""
    return (
        metres(ramp(error_m, 2.0 * need_m, 4.0 * need_m)),
        metres(ramp(error_m, need_m, 2.0 * need_m)),
        metres(ramp(error_m, min(resolution_m, need_m), need_m)),
    )
