"""Which listed place stands for which thing: the pairing of the largest credit, exactly."""

from __future__ import annotations

from collections.abc import Mapping

# Credits and errors are compared in billionths, as everywhere; so ties are ties and not noise of the last bit.
_UNITS = 1_000_000_000

Pair = tuple[int, int]


def best_pairing(pairs: Mapping[Pair, tuple[float, float]]) -> dict[int, int]:
    """Pairs things with places so that the sum of credit is largest, then the pairs most, then the error least.

    Args:
        pairs: (credit, error in metres) of every (thing, place) that may be paired; the credit of a thing's places
            must not rise with their error.

    Returns:
        The place of each paired thing.
    """
    close = _closest(pairs)
    things = sorted({thing for thing, _ in close})
    places = sorted({place for _, place in close})
    if not things:
        return {}
    units = {key: (round(credit * _UNITS), round(error * _UNITS)) for key, (credit, error) in close.items()}
    # One whole number holds the three aims in turn: no sum of a later aim reaches one unit of the aim before it.
    error_bound = (max(error for _, error in units.values()) + 1) * len(things)
    gains = {key: (credit * (len(things) + 1) + 1) * error_bound - error for key, (credit, error) in units.items()}
    table = [[gains.get((thing, place), 0) for place in places] for thing in things]
    found = _most_gain(table)
    return {things[i]: places[j] for i, j in enumerate(found) if j < len(places) and (things[i], places[j]) in gains}


def _closest(pairs: Mapping[Pair, tuple[float, float]]) -> dict[Pair, tuple[float, float]]:
    """Of each thing, as many of its closest places as there are things: the others can take all but one of them."""
    by_thing: dict[int, list[tuple[float, int]]] = {}
    for (thing, place), (_, error) in pairs.items():
        by_thing.setdefault(thing, []).append((error, place))
    keep = len(by_thing)
    return {(thing, place): pairs[thing, place] for thing, near in by_thing.items() for _, place in sorted(near)[:keep]}


def _most_gain(gains: list[list[int]]) -> list[int]:
    """The column of each row so that the sum of gains (0 or more) is largest; a column past the last means none.

    The Hungarian method with potentials on whole numbers, so that nothing is rounded: rows² · columns steps.
    """
    rows, columns = len(gains), len(gains[0]) + len(gains)
    row_price, column_price = [0] * (rows + 1), [0] * (columns + 1)
    owner = [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0], column = row, 0
        least: list[int | None] = [None] * (columns + 1)
        came_from, used = [0] * (columns + 1), [False] * (columns + 1)
        while owner[column] != 0:
            used[column] = True
            at, step, following = owner[column], None, 0
            own = gains[at - 1]
            for j in range(1, columns + 1):
                if used[j]:
                    continue
                cost = (-own[j - 1] if j <= len(own) else 0) - row_price[at] - column_price[j]
                known = least[j]
                if known is None or cost < known:
                    least[j], came_from[j], known = cost, column, cost
                if step is None or known < step:
                    step, following = known, j
            assert step is not None  # there are more columns than rows
            for j in range(columns + 1):
                held = least[j]
                if used[j]:
                    row_price[owner[j]] += step
                    column_price[j] -= step
                elif held is not None:
                    least[j] = held - step
            column = following
        while column:
            owner[column] = owner[came_from[column]]
            column = came_from[column]
    found = [columns] * rows
    for j in range(1, columns + 1):
        if owner[j]:
            found[owner[j] - 1] = j - 1
    return found
