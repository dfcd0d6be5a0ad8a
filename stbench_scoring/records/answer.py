"""What a system may answer, and the strict reading of it.

`{"distance_m": 1.2}` · `{"ahead_m": 1.0, "left_m": -0.4}` · `{"heading_deg": 35}` · `{"x_m": 2.0, "y_m": 5.1}` ·
`{"places": [{"x_m": …, "y_m": …}]}` · or `{"unknown": true}` for any of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import msgspec

from stbench_scoring.errors import MalformedAnswer
from stbench_scoring.records.io import Record

AnswerKind = Literal["unknown", "number", "offset", "heading", "place", "places"]

FIELDS: Mapping[AnswerKind, tuple[str, ...]] = {
    "number": ("distance_m",),
    "offset": ("ahead_m", "left_m"),
    "heading": ("heading_deg",),
    "place": ("x_m", "y_m"),
}
MAX_PLACES = 1000


class PlaceXY(Record, frozen=True, kw_only=True):
    """A place on the map: metres in `map`."""

    x_m: float
    y_m: float


class Answer(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One answer; exactly the fields of one kind are set. Written as on the stream.

    Attributes:
        unknown: It cannot be known from what was shown.
        distance_m: How far, metres.
        ahead_m, left_m: Offset from the camera in the level frame of its heading, metres, left positive.
        heading_deg: From straight ahead, degrees, left positive, in (-180, 180].
        x_m, y_m: A place in `map`, metres.
        places: Places in `map`.
    """

    unknown: bool = False
    distance_m: float | None = None
    ahead_m: float | None = None
    left_m: float | None = None
    heading_deg: float | None = None
    x_m: float | None = None
    y_m: float | None = None
    places: tuple[PlaceXY, ...] | None = None

    @property
    def kind(self) -> AnswerKind:
        """The kind whose fields are set."""
        if self.unknown:
            return "unknown"
        if self.distance_m is not None:
            return "number"
        if self.ahead_m is not None:
            return "offset"
        if self.heading_deg is not None:
            return "heading"
        return "places" if self.places is not None else "place"


UNKNOWN = Answer(unknown=True)


def wrap_deg(angle_deg: float) -> float:
    """Wraps an angle into (-180, 180] degrees."""
    wrapped = math.fmod(angle_deg, 360.0)
    if wrapped > 180.0:
        return wrapped - 360.0
    return wrapped + 360.0 if wrapped <= -180.0 else wrapped


def _number(payload: Mapping[str, object], name: str) -> float:
    value = payload.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MalformedAnswer(f"{name} must be a number, not {_shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise MalformedAnswer(f"{name} is too large for a number") from None
    if not math.isfinite(number):
        raise MalformedAnswer(f"{name} must be finite, not {number}")
    return number


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _only(payload: Mapping[str, object], names: tuple[str, ...]) -> None:
    extra = sorted(set(payload) - set(names))
    if extra:
        raise MalformedAnswer(f"{extra[0]!r} does not belong in an answer of the fields {', '.join(names)}")


def _places(payload: Mapping[str, object]) -> Answer:
    _only(payload, ("places",))
    listed = payload["places"]
    if not isinstance(listed, list | tuple):
        raise MalformedAnswer(f"places must be a list, not {_shown(listed)}")
    if len(listed) > MAX_PLACES:
        raise MalformedAnswer(f"places holds {len(listed)}; at most {MAX_PLACES} are read")
    places = []
    for item in listed:
        if not isinstance(item, Mapping):
            raise MalformedAnswer(f"a place must be an object with x_m and y_m, not {_shown(item)}")
        _only(item, ("x_m", "y_m"))
        places.append(PlaceXY(x_m=_number(item, "x_m"), y_m=_number(item, "y_m")))
    return Answer(places=tuple(places))


def parse_answer(payload: object, expected: AnswerKind) -> Answer:
    """Reads an answer of the asked kind, strictly.

    Args:
        payload: What the system sent: a mapping of plain JSON values, or the JSON text or bytes of one.
        expected: The kind that the question asks for.

    Returns:
        The answer; a heading is wrapped to (-180, 180].

    Raises:
        MalformedAnswer: Not an object of exactly the asked fields with finite numbers; says what was wrong.
    """
    if isinstance(payload, str | bytes):
        try:
            payload = msgspec.json.decode(payload)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise MalformedAnswer(f"not JSON: {error}") from None
    if not isinstance(payload, Mapping):
        raise MalformedAnswer(f"an answer must be an object, not {_shown(payload)}")
    if "unknown" in payload:
        _only(payload, ("unknown",))
        if payload["unknown"] is not True:
            raise MalformedAnswer(f"unknown must be true, not {_shown(payload['unknown'])}")
        return UNKNOWN
    if expected == "places":
        if "places" not in payload:
            raise MalformedAnswer("places is missing")
        return _places(payload)
    names = FIELDS[expected]
    _only(payload, names)
    values = {name: _number(payload, name) for name in names}
    if expected == "heading":
        values["heading_deg"] = wrap_deg(round(values["heading_deg"], 9))
    return msgspec.convert(values, Answer)
