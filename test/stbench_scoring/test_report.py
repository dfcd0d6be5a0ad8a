"""The page and the table: outside text stays text everywhere, nothing is asked of another place, figures are there."""

import json
import re
from html.parser import HTMLParser

import msgspec
import pytest
from click.testing import CliRunner

from stbench_scoring.cli_score import explain, report
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Answer, PlaceXY, ReleaseTree, read_jsonl, write_jsonl
from stbench_scoring.records.case import Question
from stbench_scoring.records.results import ItemCredit
from stbench_scoring.report import text_table, write_page
from stbench_scoring.report.page import embedded_json
from stbench_scoring.results import make_results, write_results

NASTY = '" onmouseover="alert(1)"</script><script>alert(2)</script><!-- \u202eevil {{ 7*7 }}'


class Page(HTMLParser):
    """Tags with their attributes, and the text of the embedded JSON."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.data, self._inside, self.comments = [], "", False, []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag == "script"

    def handle_endtag(self, tag):
        self._inside = self._inside and tag != "script"

    def handle_data(self, data):
        self.data += data if self._inside else ""

    def handle_comment(self, data):
        self.comments.append(data)


@pytest.fixture
def results(hand):
    answers = [Answer(distance_m=3.0), Answer(ahead_m=2.2, left_m=-0.7), hand.unknown, "timed_out", hand.gold[4]]
    cases = [hand.responses("c1", answers), hand.responses("c3", hand.gold), hand.responses("c2", [], "invalid")]
    return make_results(hand.release, hand.label, cases, hand.tree)


def page_of(tmp_path, tree, results):
    write_page(tmp_path / "results.html", tree, results)
    return (tmp_path / "results.html").read_text()


def test_the_page_holds_the_figures_and_every_question(hand, results, tmp_path):
    html = page_of(tmp_path, hand.tree, results)
    one = results.aggregates[0]
    for text in (f"{one.headline:+.3f}", "Scored 2 of 3 cases and 10 of 15 questions", "Case c2 is invalid"):
        assert text in html
    tags = Page(html).tags
    assert sum(tag == "article" for tag, _ in tags) == 10
    assert sum(tag == "svg" for tag, _ in tags) == 10
    assert html.count("Catastrophe: acting on this answer") == 1
    assert "no answer (timed out)" in html
    assert json.loads(Page(html).data)["rows"][0]["score"] == -2


def test_outside_text_is_text_in_every_place(hand, results, tmp_path):
    questions = read_jsonl(hand.tree.questions_jsonl("c1"), Question)
    write_jsonl(hand.tree.questions_jsonl("c1"), [msgspec.structs.replace(q, text=NASTY) for q in questions])
    label = msgspec.structs.replace(results.label, system=NASTY, channel=NASTY, sandbox=NASTY)
    html = page_of(tmp_path, hand.tree, msgspec.structs.replace(results, label=label, release_name=NASTY))
    page = Page(html)
    assert [attrs for tag, attrs in page.tags if tag == "script"] == [{"type": "application/json", "id": "results"}]
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    assert page.comments == []
    assert "\u202e" not in html.replace(page.data, "")
    assert "\\u202eevil {{ 7*7 }}" in html
    assert json.loads(page.data)["label"]["system"] == NASTY


def test_no_request_leaves_the_page(hand, results, tmp_path):
    html = page_of(tmp_path, hand.tree, results)
    assert not re.search(r"https?://|//[a-z]|url\(|@import", html)
    sources = [attrs[name] for _, attrs in Page(html).tags for name in ("src", "srcset", "data") if name in attrs]
    assert all(source.startswith("data:") for source in sources)
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html


def test_not_a_number_is_null_in_the_embedded_json():
    value = {"latency_s": float("nan"), "text": "</script>"}
    assert json.loads(embedded_json(value)) == value | {"latency_s": None}
    assert "<" not in embedded_json("</script><!--")


def test_long_text_is_folded(hand, results, tmp_path):
    questions = read_jsonl(hand.tree.questions_jsonl("c1"), Question)
    long = msgspec.structs.replace(questions[0], text="x" * 10**6)
    write_jsonl(hand.tree.questions_jsonl("c1"), [long, *questions[1:]])
    html = page_of(tmp_path, hand.tree, results)
    assert "(1000000 characters)" in html
    assert html.count('<details class="fold">') == 1


def test_pictures_stand_in_the_page_or_are_linked_beside_it(hand, results, tmp_path, monkeypatch):
    picture = hand.tree.rgb("s1", 1)
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"\xff\xd8 picture")
    assert 'src="data:image/jpeg;base64,' in page_of(tmp_path, hand.tree, results)
    monkeypatch.setattr("stbench_scoring.report.page.EMBEDDED_BYTES", 0)
    assert 'href="release/scripts/s1/sensors/rgb/000001.jpg"' in page_of(tmp_path, hand.tree, results)


def test_the_map_shows_the_answer_where_it_lies(hand, results, tmp_path):
    html = page_of(tmp_path, hand.tree, results)
    # The robot stands at (1, 1) facing +x, its camera 0.1 m ahead: 2.0 ahead, 0.8 right is (3.1, 0.2), y drawn down.
    assert '<circle class="gold" cx="3.10" cy="-0.20"' in html
    assert '<circle class="said" cx="3.30" cy="-0.30"' in html
    # A run of 1 m moves the body's corner (0.2, 0.2) to (2.2, 1.2).
    assert re.search(r'<polygon class="gold" points="[^"]*2\.20,-1\.20', html)


def test_without_the_release_the_page_has_answers_alone(results, tmp_path):
    tags = Page(page_of(tmp_path, None, results)).tags
    assert sum(tag == "article" for tag, _ in tags) == 10
    assert not [tag for tag, _ in tags if tag == "svg"]


def test_another_release_is_refused(results, tmp_path):
    with pytest.raises(StbenchError, match="case 'c1' is not in the release"):
        write_page(tmp_path / "r.html", ReleaseTree(tmp_path / "nowhere"), results)


def test_the_table_says_what_was_covered_and_what_it_gave(results):
    text = text_table(results)
    assert "scored 2 of 3 cases and 10 of 15 questions asked" in text
    assert "not scored: case c2 is invalid (5 questions)" in text
    assert f"headline {results.aggregates[0].headline:+.3f} [" in text
    assert "catastrophes 1 of 2 harm answers (50 %)" in text
    assert "no answer: timed_out 1" in text


def test_the_commands_read_a_run(hand, results, tmp_path):
    write_results(tmp_path / "results.json", results)
    shown = CliRunner().invoke(report, [str(tmp_path), "--data", str(hand.tree.root)])
    assert shown.exit_code == 0 and (tmp_path / "results.html").is_file()
    one = CliRunner().invoke(explain, [str(tmp_path), "c1q0", "--json"])
    assert json.loads(one.output)["score"] == -2
    every = CliRunner().invoke(explain, [str(tmp_path)])
    assert every.output.count("answered ") >= 10
    missing = CliRunner().invoke(explain, [str(tmp_path), "zz"])
    assert "question 'zz' was not scored in this run" in str(missing.exception)


@pytest.mark.parametrize(
    ("expected", "gold", "said", "drawn"),
    [
        ("heading", Answer(heading_deg=90.0), Answer(heading_deg=-90.0), ('line class="gold"', 'line class="said"')),
        (
            "places",
            Answer(places=(PlaceXY(x_m=1.0, y_m=1.0), PlaceXY(x_m=2.0, y_m=1.5))),
            Answer(places=()),
            ('cx="1.00" cy="-1.00"', 'cx="2.00" cy="-1.50"'),
        ),
    ],
)
def test_a_map_shows_headings_and_lists(hand, results, tmp_path, expected, gold, said, drawn):
    row = msgspec.structs.replace(results.rows[0], expected=expected, gold=gold, answer=said)
    html = page_of(tmp_path, hand.tree, msgspec.structs.replace(results, rows=(row,)))
    assert all(mark in html for mark in drawn)


def test_a_list_says_how_its_items_fared(hand, results, tmp_path):
    items = tuple(
        ItemCredit(outcome=name, thing=None, place=None, error_m=None, share=0.0)
        for name in ("matched", "missed", "missed", "false", "ignored")
    )
    credit = msgspec.structs.replace(results.rows[0].credit, items=items)
    row = msgspec.structs.replace(results.rows[0], credit=credit)
    html = page_of(tmp_path, hand.tree, msgspec.structs.replace(results, rows=(row,)))
    assert "1 of 3 things found, 1 false places, 1 ignored" in html
