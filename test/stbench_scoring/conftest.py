"""A release of hand-written questions and gold: two scripts of helper/1, three cases, all that scoring reads."""

from __future__ import annotations

import msgspec
import pytest

from stbench_scoring.records import (
    Answer,
    Body,
    Camera,
    CameraMount,
    Case,
    CaseEntry,
    CellCount,
    Frame,
    Gold,
    Grid,
    Needs,
    Params,
    Part,
    Path2D,
    PoseSpan,
    Question,
    Release,
    ReleaseTree,
    Robot,
    RoomRecord,
    ThingRecord,
    Timeline,
    write_json,
    write_jsonl,
)  # fmt: skip
from stbench_scoring.records.results import CaseResponses, Response, RunLabel

NEEDS = Needs(clearance_m=0.15, reacquire_m=1.0, match_m={}, horizon_m=5.0)
LABEL = RunLabel(system="scripted", channel="rgb_pose", pace="wait", transport="local", sandbox="none")
UNKNOWN = Answer(unknown=True)
# (family, ability, column, kind, gold, when), the same five questions in each case.
ASKED = (
    ("clear_path", "clearance", "now", "harm", Answer(distance_m=1.0), "during"),
    ("ego_now", "distance", "now", "situation", Answer(ahead_m=2.0, left_m=-0.8), "during"),
    ("clear_path", "clearance", "memory", "harm", UNKNOWN, "during"),
    ("ego_mem", "memory", "memory", "situation", Answer(ahead_m=-1.0, left_m=1.5), "during"),
    ("object_where", "memory", "memory", "reuse", Answer(x_m=1.0, y_m=1.0), "end"),
)
CASES = (("c1", "s1"), ("c2", "s1"), ("c3", "s2"))
HARMFUL = {"clear_path": "longer", "ego_now": "farther", "ego_mem": "farther", "object_where": "none"}
EXPECTED = {"clear_path": "number", "ego_now": "offset", "ego_mem": "offset", "object_where": "place"}


def _question(cid, index, family, when):
    turn = "ahead" if family == "clear_path" else None
    return Question(
        qid=f"{cid}q{index}", family=family, when=when, step=1, slot=index, text=f"Where is {family}?",
        expected=EXPECTED[family], params=Params(turn=turn, horizon_m=5.0),
    )  # fmt: skip


def _gold(cid, index, family, ability, column, kind, answer):
    known = not answer.unknown
    return Gold(
        qid=f"{cid}q{index}", family=family, kind=kind, ability=ability, column=column, answer=answer,
        evidence=(1,) if known else (), age_s=0.0 if known else None, age_band="now" if known else None,
        need_m=1.0 if family == "object_where" else 0.2, resolution_m=0.01, pixel_m=0.005, distance_m=1.0,
        harmful=HARMFUL[family], contact="seen" if known else "none", half_width_m=0.1, critical=index == 0, thing="",
    )  # fmt: skip


def _write_script(tree, sid):
    square = ((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2))
    write_json(tree.camera_json(sid), Camera(
        format_version=1, width=640, height=480, fx=554.0, fy=554.0, cx=319.5, cy=239.5, depth_unit_m=0.001,
        near_m=0.1, far_m=20.0,
    ))  # fmt: skip
    write_json(tree.robot_json(sid), Robot(
        format_version=1, job="helper/1", layout="flat", name="helper", needs=NEEDS, max_speed_mps=0.3,
        body=Body(outline=square, bottom_m=0.02, top_m=1.4, blind_ring_m=0.2), max_turn_radps=0.5, depth=True,
        camera_mount=CameraMount(x_m=0.1, y_m=0.0, z_m=1.3, pitch_rad=0.4), depth_unit_m=0.001, near_m=0.1, far_m=20.0,
    ))  # fmt: skip
    table = ThingRecord(
        id="t1", kind="table", colour="red", words="red <table>", structure=False, hazard="", support="", length_m=1.0,
        parts=(Part(rings=(((-0.5, -0.3), (0.5, -0.3), (0.5, 0.3), (-0.5, 0.3)),), bottom_m=0.0, top_m=0.7),),
        poses=(PoseSpan(from_ns=0, x_m=2.5, y_m=1.0, z_m=0.0, yaw_rad=0.3),),
    )  # fmt: skip
    frames = tuple(Frame(step=i, stamp_ns=i * 10**9, task=0, phase="driving", decision=True) for i in range(3))
    write_json(tree.timeline_json(sid), Timeline(
        format_version=1, sid=sid, job="helper/1", robot="helper", layout="flat", variant_seed=0, seed=1,
        time_of_day="day", grid=Grid(origin_x_m=0, origin_y_m=0, cell_m=0.05, rows=80, columns=100),
        rooms=(RoomRecord(id="r", name="kitchen", outline=((0, 0), (5, 0), (5, 4), (0, 4))),), things=(table,),
        people=(), tasks=(), gaps=(), frames=frames,
        path=Path2D(stamp_ns=(0, 2 * 10**9), x_m=(0.5, 1.5), y_m=(1.0, 1.0), z_m=(0.0, 0.0), yaw_rad=(0.0, 0.0)),
    ))  # fmt: skip


def write_release(root):
    """Writes the release and returns its tree and record."""
    tree = ReleaseTree(root)
    for sid in ("s1", "s2"):
        _write_script(tree, sid)
    for cid, sid in CASES:
        write_json(tree.case_json(cid), Case(
            format_version=1, cid=cid, sid=sid, job="helper/1", layout="flat", length="short", first_task=0,
            last_task=0, first_step=0, last_step=2, start_ns=0, end_ns=2 * 10**9,
        ))  # fmt: skip
        write_jsonl(tree.questions_jsonl(cid), [_question(cid, i, a[0], a[5]) for i, a in enumerate(ASKED)])
        write_jsonl(tree.gold_jsonl(cid), [_gold(cid, i, *a[:5]) for i, a in enumerate(ASKED)])
    release = Release(
        format_version=1, name="hand", version="1", scorer_version="1", seed=0, digest="d" * 64,
        scripts=("s1", "s2"),
        cases=tuple(CaseEntry(cid=c, sid=s, job="helper/1", layout="flat", length="short", frames=3, questions=5)
                    for c, s in CASES),
        # As if the release were larger: two full cells and two thin ones.
        cells=(
            CellCount(job="helper/1", layout="flat", ability="clearance", column="now", questions=40),
            CellCount(job="helper/1", layout="flat", ability="distance", column="now", questions=10),
            CellCount(job="helper/1", layout="flat", ability="clearance", column="memory", questions=5),
            CellCount(job="helper/1", layout="flat", ability="memory", column="memory", questions=15),
        ),
    )  # fmt: skip
    write_json(tree.release_json, release)
    return tree, release


def responses(cid, answers, outcome="completed", label=LABEL):
    """A case's responses; an answer may be an Answer, or the name of a no-answer outcome."""
    rows = []
    for index, given in enumerate(answers):
        if isinstance(given, str):
            rows.append(Response(qid=f"{cid}q{index}", outcome=given))
        else:
            name = "unknown" if given.unknown else "answered"
            rows.append(Response(qid=f"{cid}q{index}", outcome=name, answer=given))
    return CaseResponses(cid=cid, outcome=outcome, label=label, responses=tuple(rows))


class Hand:
    """The release with what tests need of it."""

    def __init__(self, root):
        self.tree, self.release = write_release(root)
        self.gold = [asked[4] for asked in ASKED]
        self.label, self.responses, self.unknown = LABEL, responses, UNKNOWN

    def camera(self, sid, **changes):
        """Overwrites fields of a camera.json."""
        path = self.tree.camera_json(sid)
        write_json(path, msgspec.json.decode(path.read_bytes()) | changes)


@pytest.fixture
def hand(tmp_path):
    return Hand(tmp_path / "release")
