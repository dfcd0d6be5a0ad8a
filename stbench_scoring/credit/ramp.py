"""The one function behind every smooth credit."""

from __future__ import annotations


def ramp(error: float, whole: float, nothing: float) -> float:
    """Credit of an error: 1 up to `whole`, 0 from `nothing` on, linear between.

    Args:
        error: The error, 0 or more; the same unit as the bounds.
        whole: Up to here the credit is whole. At or above `nothing` the ramp is a step: 1 up to and at `nothing`.
        nothing: From here on there is no credit.
    """
    if error <= min(whole, nothing):
        return 1.0
    if error >= nothing:
        return 0.0
    return (nothing - error) / (nothing - whole)
