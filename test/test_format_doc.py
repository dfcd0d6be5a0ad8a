"""docs/format.md names every field of every record, so that the page cannot fall behind the code."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import stbench_scoring.records as records

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "format.md").read_text()
STRUCTS = [
    value
    for name in records.__all__
    if isinstance(value := getattr(records, name), type) and issubclass(value, msgspec.Struct)
]


def test_records_are_found() -> None:
    assert len(STRUCTS) > 20


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_field_is_described(struct: type[msgspec.Struct]) -> None:
    answers = {"unknown", "distance_m", "ahead_m", "left_m", "heading_deg", "x_m", "y_m", "places"}
    missing = [
        field.name
        for field in msgspec.structs.fields(struct)
        if f"`{field.name}`" not in PAGE and field.name not in answers
    ]
    assert missing == []
