"""`stbench explain` by hand: the worked table comes out of the command, and bad input is named with its remedy."""

import json

import pytest
from click.testing import CliRunner

from stbench_scoring.cli_score import explain
from stbench_scoring.errors import StbenchError

UNKNOWN = {"unknown": True}


def run(gold, answer, *more, family="clear_path", camera=("--focal-px", "554")):
    arguments = ["--family", family, "--job", "helper/1", *camera, *more]
    arguments += ["--gold", json.dumps(gold), "--answer", json.dumps(answer)]
    return CliRunner().invoke(explain, arguments)


def explained(gold, answer, *more, **options):
    result = run(gold, answer, "--json", *more, **options)
    assert result.exit_code == 0, result.exception
    return json.loads(result.output)


@pytest.mark.parametrize(
    ("gold", "answer", "contact", "quarters", "gate", "score"),
    [
        (5.0, 4.0, "seen", (1, 1, 0, 0), 0.0, 0.0),
        (5.0, 4.75, "seen", (1, 1, 1, 0.509), 0.755, 0.755),
        (5.0, 5.10, "seen", (1, 1, 1, 0.622), 0.811, 0.811),
        (5.0, 5.25, "seen", (1, 1, 1, 0), 0.5, -2.0),
        (1.0, 1.30, "seen", (1, 0, 0, 0), -0.5, -2.0),
        (1.0, 1.30, "person", (1, 0, 0, 0), -0.5, -3.0),
    ],
)
def test_the_worked_table_comes_out_of_the_command(gold, answer, contact, quarters, gate, score):
    got = explained({"distance_m": gold}, {"distance_m": answer}, "--contact", contact)
    names = ["direction", "thing", "amount", "precision", "error", "need", "resolution", "harmful"]
    names += ["gate_score", "score"]
    assert list(got) == names
    assert [got[name] for name in names[:4]] == pytest.approx(quarters, abs=5e-4)
    assert (got["gate_score"], got["score"]) == pytest.approx((gate, score), abs=6e-4)


@pytest.mark.parametrize(
    ("gold", "answer", "score"),
    [({"distance_m": 1.0}, UNKNOWN, 0), (UNKNOWN, UNKNOWN, 1), (UNKNOWN, {"distance_m": 2.0}, -1)],
)
def test_unknowns_come_out_of_the_command(gold, answer, score):
    got = explained(gold, answer, camera=())
    assert (got["gate_score"], got["score"], got["direction"], got["harmful"]) == (score, score, None, False)


def test_an_offset_takes_its_range_for_the_distance_judged():
    # Range 5 m: N 0.5 m; 0.25 m nearer is safe, precision (0.5 - 0.25) / (0.5 - 5/554) = 0.509.
    got = explained({"ahead_m": 3.0, "left_m": 4.0}, {"ahead_m": 2.85, "left_m": 3.8}, family="ego_mem")
    assert (got["need"], got["harmful"]) == (0.5, False)
    assert got["precision"] == pytest.approx(0.509, abs=5e-4)


def test_a_place_takes_its_resolution():
    got = explained({"x_m": 0, "y_m": 0}, {"x_m": 0.5, "y_m": 0}, family="object_where", camera=("--resolution", "0.2"))
    assert (got["need"], got["precision"]) == (1.0, 0.625)  # (1 - 0.5) / (1 - 0.2)


@pytest.mark.parametrize(
    ("gold", "answer", "options", "message"),
    [
        ({"distance_m": 1.0}, {"distance_m": "x"}, {}, "--answer .*distance_m must be a number.*the form is"),
        ({"x_m": 1.0}, {"distance_m": 1}, {}, "--gold .*'x_m' does not belong"),
        ({"distance_m": 1.0}, {"distance_m": 1}, {"camera": ("--focal-px", "0")}, "--focal-px must be finite"),
        ({"distance_m": 1.0}, {"distance_m": 1}, {"camera": ("--focal-px", "nan")}, "--focal-px must be finite"),
        ({"distance_m": 1.0}, {"distance_m": 1}, {"camera": ()}, "--focal-px is needed"),
        ({"distance_m": -1.0}, {"distance_m": 1}, {}, "--gold must be a distance of 0 or more"),
        ({"x_m": 1.0, "y_m": 0}, {"x_m": 1.0, "y_m": 0}, {"family": "object_where"}, "--resolution is needed"),
        ({"distance_m": 1.0}, {"distance_m": 1}, {"family": "guess"}, "family 'guess' cannot be scored: known are"),
    ],
)
def test_bad_input_is_named_with_its_remedy(gold, answer, options, message):
    result = run(gold, answer, **options)
    assert isinstance(result.exception, StbenchError)
    with pytest.raises(StbenchError, match=message):
        raise result.exception


def test_what_is_missing_is_named():
    result = CliRunner().invoke(explain, ["--family", "clear_path"])
    assert "--gold, --answer missing" in str(result.exception)


def test_a_list_takes_its_matching_radius_and_says_what_became_of_each():
    gold = {"places": [{"x_m": 0, "y_m": 0}, {"x_m": 9, "y_m": 0}]}
    said = {"places": [{"x_m": 0, "y_m": 0}, {"x_m": 5, "y_m": 5}, {"x_m": 7, "y_m": 7}]}
    circle = ("--ignored", '{"places": [{"x_m": 5, "y_m": 5}]}')
    got = explained(gold, said, *circle, family="task_things", camera=("--resolution", "0.05"))
    # One of two things found, one false place: 1 / 2.5.
    assert (got["need"], got["gate_score"]) == (0.5, pytest.approx(-0.2))
    assert [item["outcome"] for item in got["items"]] == ["matched", "missed", "ignored", "false"]
    text = run(gold, said, *circle, family="task_things", camera=("--resolution", "0.05")).output
    assert "1 of 2 things found, 1 false places" in text and "place 2: in a don't-care circle" in text


def test_a_heading_takes_the_runs_of_the_headings_named():
    runs = ("--runs", '{"35": 4.0, "30": 3.7, "-35": 0.3}')
    got = explained({"heading_deg": 35}, {"heading_deg": 390}, *runs, family="open_heading")
    assert (got["error"], got["need"], got["amount"]) == (pytest.approx(0.3), 0.4, 1.0)
    assert explained({"heading_deg": 35}, UNKNOWN, family="open_heading", camera=())["score"] == 0


@pytest.mark.parametrize(
    ("gold", "family", "options", "message"),
    [
        ({"heading_deg": 35}, "open_heading", (), "--runs is needed for open_heading"),
        ({"heading_deg": 35}, "open_heading", ("--runs", "{}x"), "--runs .*degrees and metres"),
        ({"places": []}, "tangle_ahead", ("--resolution", "0.1"), "tangle_ahead is a list for which helper/1 has no"),
        ({"places": []}, "task_things", ("--resolution", "0.1", "--ignored", "{}"), "--ignored .*places is missing"),
    ],
)
def test_what_a_list_or_a_heading_lacks_is_named(gold, family, options, message):
    result = run(gold, gold, *options, family=family)
    assert isinstance(result.exception, StbenchError)
    with pytest.raises(StbenchError, match=message):
        raise result.exception
