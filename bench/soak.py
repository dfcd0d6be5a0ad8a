"""Plays a long case over ROS 2 with a brain of random speed, a recorder and a best-effort viewer, and looks for lost frames.

    .venv/bin/python bench/soak.py [--steps 1000] [--longest-ms 50]

The case repeats the sample's frames. Exit 0 where every frame and every answer is in the bag, once and in order.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from stbench_harness.data import sample_dir
from stbench_harness.processes import CaseOrder, ros_label
from stbench_harness.ros.supervise import run_processes
from stbench_harness.runs import is_completed, open_run
from stbench_scoring.records import (
    Case,
    Frame,
    Gold,
    PoseRow,
    Question,
    Release,
    ReleaseTree,
    Timeline,
    read_json,
    read_jsonl,
    write_json,
    write_jsonl,
)

BRAIN = """
import random, subprocess, sys, time
VIEWER = '''
import rclpy
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import CompressedImage
rclpy.init()
node = rclpy.create_node("viewer")
node.create_subscription(CompressedImage, "camera/image_raw/compressed", lambda message: None, qos_profile_sensor_data)
rclpy.spin(node)
'''
class Brain:
    def start(self, start):
        self.random, self.seen = random.Random(1), []
        self.viewer = subprocess.Popen([sys.executable, "-c", VIEWER])
    def task(self, task): pass
    def observe(self, step):
        self.seen.append(step.step)
        time.sleep(self.random.uniform(0.0, {longest_s}))
    def ask(self, ask):
        if self.seen != list(range(len(self.seen))): raise RuntimeError("a frame is missing, twice or out of order")
        return {{"unknown": True}}
    def finish(self, finish): self.viewer.terminate()
"""


def long_release(root: Path, steps: int) -> tuple[ReleaseTree, str]:
    """A release of one case, which repeats the frames of the sample's longest one, one second apart."""
    sample, tree = ReleaseTree(sample_dir()), ReleaseTree(root)
    release = read_json(sample.release_json, Release)
    entry = max(release.cases, key=lambda e: e.frames)
    sid, cid = entry.sid, entry.cid
    case = read_json(sample.case_json(cid), Case)
    rows = [row for row in read_jsonl(sample.pose_jsonl(sid), PoseRow) if case.first_step <= row.step <= case.last_step]
    rows = [row for row in rows if row.task == case.first_task]
    for source in (sample.robot_json(sid), sample.camera_json(sid)):
        target = root / source.relative_to(sample.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    pictures = [sample.rgb(sid, row.step).read_bytes() for row in rows]
    long = [
        msgspec.structs.replace(rows[n % len(rows)], step=n, stamp_ns=case.start_ns + n * 1_000_000_000)
        for n in range(steps)
    ]
    write_jsonl(tree.pose_jsonl(sid), long)
    timeline = read_json(sample.timeline_json(sid), Timeline)
    frames = tuple(
        Frame(step=row.step, stamp_ns=row.stamp_ns, task=row.task, phase=row.phase, decision=False) for row in long
    )
    write_json(tree.timeline_json(sid), msgspec.structs.replace(timeline, frames=frames))
    for n in range(steps):
        tree.rgb(sid, n).parent.mkdir(parents=True, exist_ok=True)
        tree.rgb(sid, n).write_bytes(pictures[n % len(pictures)])
    questions = [
        msgspec.structs.replace(q, step=steps - 1) if q.when == "end" else q
        for q in read_jsonl(sample.questions_jsonl(cid), Question)
        if q.when == "end" or q.step < steps
    ]
    kept = {q.qid for q in questions}
    write_jsonl(tree.questions_jsonl(cid), questions)
    write_jsonl(tree.gold_jsonl(cid), [g for g in read_jsonl(sample.gold_jsonl(cid), Gold) if g.qid in kept])
    end_ns = case.start_ns + (steps - 1) * 1_000_000_000
    write_json(tree.case_json(cid), msgspec.structs.replace(case, first_step=0, last_step=steps - 1, end_ns=end_ns))
    only = msgspec.structs.replace(entry, frames=steps, questions=len(questions))
    write_json(tree.release_json, msgspec.structs.replace(release, cases=(only,), digest="0" * 64))
    return tree, cid


def stamps_in(bag: Path) -> Iterator[tuple[str, int, str]]:
    """Topic, stamp and question id of every frame and answer of a bag, read with rosbags alone."""
    from rosbags.highlevel import AnyReader

    with AnyReader([bag]) as reader:
        wanted = [c for c in reader.connections if c.topic in ("/camera/image_raw/compressed", "/stbench/answer")]
        for connection, _, data in reader.messages(wanted):
            message = reader.deserialize(data, connection.msgtype)
            stamp = message.header.stamp
            yield connection.topic, stamp.sec * 1_000_000_000 + stamp.nanosec, getattr(message, "qid", "")


def main() -> int:
    """Runs and judges."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--longest-ms", type=float, default=50.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        tree, cid = long_release(root / "release", given.steps)
        brain = root / "brain.py"
        brain.write_text(BRAIN.format(longest_s=given.longest_ms / 1000))
        order = CaseOrder(
            data=tree.root, case=cid, system=f"{brain}:Brain", channel="rgb_pose", out=root / "run", bag=root / "bag"
        )
        open_run(order.out, tree, ros_label(order.system, order.channel), [cid])
        began = time.monotonic()
        ended = run_processes(order, threading.Event(), print)
        seconds = time.monotonic() - began
        found = list(stamps_in(root / "bag"))
        frames = [stamp for topic, stamp, _ in found if "image" in topic]
        answers = [qid for topic, _, qid in found if "answer" in topic]
        asked = [q.qid for q in read_jsonl(tree.questions_jsonl(cid), Question)]
        whole = frames == sorted(set(frames)) and len(frames) == given.steps and sorted(answers) == sorted(asked)
        completed = ended.code == 0 and is_completed(root / "run" / "cases" / cid / "ledger.jsonl")
    told = {
        "steps": given.steps, "frames_in_bag": len(frames), "questions": len(asked), "answers_in_bag": len(answers),
        "completed": completed, "problems": list(ended.problems), "seconds": round(seconds, 1),
        "peak_child_mib": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
    }  # fmt: skip
    print(json.dumps(told))
    return 0 if whole and completed and not ended.problems else 1


if __name__ == "__main__":
    sys.exit(main())
