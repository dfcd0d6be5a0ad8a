"""results.json: the same bytes whatever the order and the route, coverage beside the headline, versions refused."""

import msgspec
import pytest

from stbench_scoring.errors import RecordError, StbenchError
from stbench_scoring.records import Answer, Gold, Release, ReleaseTree, read_json, read_jsonl
from stbench_scoring.records.results import CaseResponses, Response, RunLabel
from stbench_scoring.report import write_page
from stbench_scoring.results import make_results, read_results, write_results


def test_bytes_do_not_depend_on_order_or_last_bits(hand, tmp_path):
    plain = [hand.responses(cid, hand.gold) for cid in ("c1", "c2", "c3")]
    noisy = [hand.responses(cid, [Answer(distance_m=1.0 + 1e-15), *hand.gold[1:]]) for cid in ("c3", "c1", "c2")]
    for name, cases in (("a", plain), ("b", noisy)):
        write_results(tmp_path / name, make_results(hand.release, hand.label, cases, hand.tree))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    results = read_results(tmp_path / "a")
    assert [row.cid for row in results.rows] == ["c1"] * 5 + ["c2"] * 5 + ["c3"] * 5
    write_results(tmp_path / "again", results)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "a").read_bytes()


def test_coverage_names_what_was_not_scored_and_what_failed_stays_in_the_denominator(hand):
    cases = [
        hand.responses("c1", [hand.gold[0], *["crashed"] * 4]),
        hand.responses("c2", [], "invalid"),
    ]
    results = make_results(hand.release, hand.label, cases, hand.tree)
    c = results.coverage
    assert (c.cases_asked, c.cases_scored, c.cases_release) == (2, 1, 3)
    assert (c.questions_asked, c.questions_scored, c.questions_release) == (10, 5, 15)
    assert [(u.cid, u.outcome, u.questions) for u in c.unscored] == [("c2", "invalid", 5)]
    assert results.aggregates[0].pooled_mean == 0.2
    assert results.aggregates[0].no_answer == {"crashed": 4}


def test_the_digest_of_the_questions_tells_sets_apart(hand):
    def digest(*cids):
        cases = [hand.responses(cid, hand.gold) for cid in cids]
        return make_results(hand.release, hand.label, cases, hand.tree).questions_digest

    assert digest("c1", "c2") == digest("c2", "c1") != digest("c1")


def test_a_run_of_only_invalid_cases_has_no_headline(hand):
    results = make_results(hand.release, hand.label, [hand.responses("c1", [], "invalid")], hand.tree)
    assert (results.aggregates, results.rows) == ((), ())


def test_what_does_not_belong_together_is_refused(hand):
    case = hand.responses("c1", hand.gold)
    with pytest.raises(StbenchError, match="case c1 is in the run twice"):
        make_results(hand.release, hand.label, [case, case], hand.tree)
    with pytest.raises(StbenchError, match="another arm"):
        make_results(hand.release, msgspec.structs.replace(hand.label, brief="neutral"), [case], hand.tree)
    with pytest.raises(StbenchError, match="'zz' is not in the release hand 1"):
        make_results(hand.release, hand.label, [hand.responses("zz", [])], hand.tree)


def test_another_format_is_refused(hand, tmp_path):
    results = make_results(hand.release, hand.label, [hand.responses("c1", hand.gold)], hand.tree)
    write_results(tmp_path / "r.json", msgspec.structs.replace(results, format_version=99))
    with pytest.raises(RecordError, match="format_version is 99, this version reads 1"):
        read_results(tmp_path / "r.json")


def test_a_compiled_release_gives_one_for_its_own_gold_and_shows_it(tiny_release, tmp_path):
    tree = ReleaseTree(tiny_release)
    release = read_json(tree.release_json, Release)
    label = RunLabel(system="gold", channel="rgb_pose", pace="wait", transport="local", sandbox="none")
    cases = []
    for entry in release.cases:
        gold = read_jsonl(tree.gold_jsonl(entry.cid), Gold)
        replies = (
            Response(qid=g.qid, outcome="unknown" if g.answer.unknown else "answered", answer=g.answer) for g in gold
        )
        cases.append(CaseResponses(cid=entry.cid, outcome="completed", label=label, responses=tuple(replies)))
    results = make_results(release, label, cases, tree)
    assert results.rows and all(row.score == 1 for row in results.rows)
    assert [one.headline for one in results.aggregates] == [1.0] * len(results.aggregates)
    write_page(tmp_path / "results.html", tree, results)
    assert (tmp_path / "results.html").read_text().count("<article") == len(results.rows)
