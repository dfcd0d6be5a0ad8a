"""The launch file: what its arguments mean, what it starts, and that its exit code tells how the case ended."""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from stbench_harness.launch_support import ARGUMENTS, crash_in, open_folder, order_from
from stbench_harness.ledger import Ledger
from stbench_harness.processes import CaseOrder, NodeProcess, case_processes
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Release, ReleaseTree, read_json
from stbench_scoring.records.results import RunLabel

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "launch" / "case.launch.py"
DEFAULTS = {argument.name: argument.default for argument in ARGUMENTS}
DIGITS = "0123456789012345"  # an id of digits alone, which YAML reads as a number


def given(**values: str) -> dict[str, str]:
    assert set(values) <= set(DEFAULTS)
    return {**DEFAULTS, **values}


def cases_of(root: Path) -> list[str]:
    return [entry.cid for entry in read_json(ReleaseTree(root).release_json, Release).cases]


def test_the_defaults_are_the_first_case_and_the_systems_own_channel(
    tiny_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    order = order_from(given(data=str(tiny_release), system="perfect_memory"))
    first = cases_of(tiny_release)[0]
    assert (order.data, order.case, order.system) == (tiny_release, first, "perfect_memory")
    assert (order.channel, order.pace, order.deadline_s) == ("detections", "lockstep", 120.0)
    assert order.out == tmp_path / "runs" / f"perfect_memory-{first}"
    assert (order.bag, order.live_score, order.during, order.brief) == (None, False, True, "correct")


def test_arguments_become_the_order(tiny_release: Path, tmp_path: Path) -> None:
    case = cases_of(tiny_release)[-1]
    order = order_from(given(
        data=str(tiny_release), case=case, system="a_stack/brain", channel="detections", record="true", out=str(tmp_path),
        deadline="2.5", live_score="True", during="off", brief="neutral",
    ))  # fmt: skip
    assert order == CaseOrder(
        data=tiny_release, case=case, system="a_stack/brain", channel="detections", out=tmp_path,
        bag=tmp_path / "cases" / case / "bag", live_score=True, during=False, brief="neutral", deadline_s=2.5,
    )  # fmt: skip


def test_a_bag_never_goes_over_another(tiny_release: Path, tmp_path: Path) -> None:
    case = cases_of(tiny_release)[0]
    folder = tmp_path / "cases" / case
    asked = given(data=str(tiny_release), case=case, out=str(tmp_path), record="true")
    (folder / "bag").mkdir(parents=True)
    assert order_from(asked).bag == folder / "bag-2"
    (folder / "bag-2").mkdir()
    assert order_from(asked).bag == folder / "bag-3"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"case": "nosuch"}, "case 'nosuch' is not in"),
        ({"case": "all"}, "a launch runs one"),
        ({"data": "/nowhere"}, "/nowhere/release.json"),
        ({"system": "nosuch"}, "package/file.launch.py"),
        ({"system": "nosuch.py:Brain"}, "there is no file nosuch.py"),
        ({"channel": "rgbd_pose"}, "rgb_pose or detections"),
        ({"system": "perfect_memory", "channel": "rgb_pose"}, "detections"),
        ({"pace": "real_time"}, "pace:=real_time"),
        ({"rate": "2"}, "rate:=2"),
        ({"deadline": "soon"}, "deadline:=soon"),
        ({"deadline": "0"}, "more than 0"),
        ({"record": "maybe"}, "record:=maybe"),
        ({"brief": "wrong"}, "correct or neutral"),
    ],
)
def test_bad_input_is_named_with_what_would_be_right(tiny_release: Path, wrong: dict[str, str], told: str) -> None:
    with pytest.raises(StbenchError) as error:
        order_from(given(**{"data": str(tiny_release), **wrong}))
    assert told in str(error.value)


def test_a_folder_of_another_run_is_refused(tiny_release: Path, tmp_path: Path) -> None:
    first = order_from(given(data=str(tiny_release), out=str(tmp_path / "run")))
    open_folder(first)
    open_folder(first)  # once more is to go on with it
    other = order_from(given(data=str(tiny_release), out=str(tmp_path / "run"), system="perfect_memory"))
    with pytest.raises(StbenchError, match="give another --out"):
        open_folder(other)


def a_ledger(order: CaseOrder, *outcomes: str) -> None:
    label = RunLabel(
        system=order.system, channel="rgb_pose", pace="lockstep", transport="ros", sandbox="ros", during=True,
        brief="correct",
    )  # fmt: skip
    with Ledger(order.out / "cases" / order.case / "ledger.jsonl") as ledger:
        ledger.append("case", cid=order.case, label=label)
        for number, outcome in enumerate(outcomes):
            detail = "the brain has left" if outcome == "crashed" else ""
            ledger.append("reply", step=0, qid=f"q{number}", outcome=outcome, detail=detail)
        ledger.append("end", case_outcome="completed")


def test_a_case_whose_brain_died_is_no_success(tmp_path: Path) -> None:
    order = CaseOrder(data=tmp_path, case="c", system="external", channel="rgb_pose", out=tmp_path)
    assert "no ledger" in str(crash_in(order))
    a_ledger(order, "timed_out", "crashed", "crashed")
    assert crash_in(order) == "2 questions ended as crashed: the brain has left"
    a_ledger(order, "timed_out", "malformed")  # a new attempt is what counts; poor answers are still answers
    assert crash_in(order) is None


def test_the_launch_file_names_no_node_of_its_own() -> None:
    """It compiles, and what it starts is told by `stbench_harness.processes` alone."""
    tree = ast.parse(FILE.read_text(), str(FILE))
    compile(tree, str(FILE), "exec")
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    nodes = {path.name for path in (ROOT / "libexec").iterdir()}
    assert nodes and not texts & nodes
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert {"case_processes", "order_from", "crash_in"} <= calls


# From here on with the real launch libraries, and in the last tests with processes over real DDS.
needs_launch = pytest.mark.skipif(
    not (find_spec("launch") and find_spec("launch_ros") and find_spec("rclpy")),
    reason="launch_ros is not installed here",
)

EXITS = """#!/usr/bin/env python3
from stbench_harness.ros.brain_node import spin
from stbench_harness.systems import make_system
import os, signal
class Odd:
    def __init__(self): self.inner, self.seen = make_system("all_unknown"), 0
    def start(self, m): self.inner.start(m)
    def task(self, m): self.inner.task(m)
    def finish(self, m): self.inner.finish(m)
    def ask(self, m): return self.inner.ask(m)
    def observe(self, m):
        self.seen += 1
        if self.seen > 2:
            {end}
raise SystemExit(spin(Odd))
"""
BRAINS = {
    "exits_3": EXITS.format(end="os._exit(3)"),
    "exits_0": EXITS.format(end="os._exit(0)"),
    "segfaults": EXITS.format(end="os.kill(os.getpid(), signal.SIGSEGV)"),
    "silent": "#!/usr/bin/env python3\nimport time\ntime.sleep(600)\n",
}
STACK = """
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, LogInfo
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument("data", default_value="hidden"),
        LogInfo(msg=["the stack was told data=", LaunchConfiguration("data")]),
        Node(package="stbench_harness", executable="brain_node", name="brain", arguments=["all_unknown"]),
    ])
"""
RUN = """
import sys
from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import AnyLaunchDescriptionSource
file, *words = sys.argv[1:]
service = LaunchService(argv=words)
pairs = [tuple(word.split(":=", 1)) for word in words]
source = AnyLaunchDescriptionSource(file)
service.include_launch_description(LaunchDescription([IncludeLaunchDescription(source, launch_arguments=pairs)]))
sys.exit(service.run())
"""


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An install prefix with this source tree's package, and a package of brains that come to a bad end."""
    root: Path = tmp_path_factory.mktemp("prefix")
    index = root / "share" / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)
    for package in ("stbench_harness", "odd_brains"):
        (index / package).touch()
        (root / "lib" / package).mkdir(parents=True)
        (root / "share" / package).mkdir(parents=True)
    (root / "share" / "stbench_harness" / "launch").symlink_to(ROOT / "launch")
    for node in (ROOT / "libexec").iterdir():
        (root / "lib" / "stbench_harness" / node.name).symlink_to(node)
    for name, text in BRAINS.items():
        path = root / "lib" / "odd_brains" / name
        path.write_text(text)
        path.chmod(0o755)
    (root / "share" / "odd_brains" / "stack.launch.py").write_text(STACK)
    return root


@pytest.fixture
def index(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the prefix the first one on AMENT_PREFIX_PATH."""
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{prefix}:{sys.prefix}:{os.environ.get('AMENT_PREFIX_PATH', '')}")


@pytest.fixture
def launch_file() -> ModuleType:
    spec = spec_from_file_location("case_launch", FILE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def started(launch_file: ModuleType, **values: str) -> list[Any]:
    """The actions of the group that the launch file starts."""
    from launch import LaunchContext

    context = LaunchContext()
    context.launch_configurations.update(given(**values))
    *_, group = launch_file._start(context)
    return list(group.get_sub_entities())


@needs_launch
def test_every_argument_is_declared_with_a_description(launch_file: ModuleType) -> None:
    declared = launch_file.generate_launch_description().get_launch_arguments()
    assert [argument.name for argument in declared] == list(DEFAULTS)
    assert all(argument.description and argument.default_value is not None for argument in declared)
    assert set(DEFAULTS) >= {
        *("data", "case", "system", "channel", "pace", "rate", "record", "out", "rviz", "foxglove", "namespace"),
        *("deadline", "live_score"),
    }


@needs_launch
def test_it_starts_what_the_processes_of_a_case_are(
    launch_file: ModuleType, index: None, tiny_release: Path, tmp_path: Path
) -> None:
    from launch_ros.actions import Node

    asked = {"data": str(tiny_release), "system": "perfect_memory", "record": "true", "out": str(tmp_path)}
    nodes = [action for action in started(launch_file, **asked) if isinstance(action, Node)]
    described = case_processes(order_from(given(**asked)))
    assert len(described) == 4  # harness, scorer, recorder, brain
    assert [node.node_executable for node in nodes] == [item.executable for item in described]
    assert [node.node_package for node in nodes] == [item.package for item in described]
    assert [node._Node__arguments for node in nodes] == [list(item.arguments) for item in described]


@needs_launch
def test_texts_stay_texts_and_numbers_numbers(launch_file: ModuleType) -> None:
    """What rcl reads, by its own parser of YAML: an id may look like a whole number, or one with an exponent."""
    import rclpy
    from launch import LaunchContext
    from launch.utilities import perform_substitutions
    from rclpy.context import Context
    from rclpy.node import Node

    texts = (DIGITS, "1234567890123456", "12345678901234e5", "true", "null", "~", 'a "b" \\ c', "# d: [e]", "ä 🙂", "")
    sent: dict[str, Any] = {f"text_{number}": text for number, text in enumerate(texts)}
    sent |= {"record": False, "deadline_s": 120.0}
    action = launch_file._node(NodeProcess("harness_node", "stbench_harness", sent))
    # Without the executable and, at the end, the node's name, which are known when the launch runs.
    words = [perform_substitutions(LaunchContext(), part) for part in action.cmd[1:-3]]
    context = Context()
    rclpy.init(args=words, context=context)
    try:
        node = Node("stbench_harness", context=context, automatically_declare_parameters_from_overrides=True)
        read = {name: node.get_parameter(name).value for name in sent}
        node.destroy_node()
    finally:
        rclpy.try_shutdown(context=context)
    assert read == sent
    assert [type(value) for value in read.values()] == [type(value) for value in sent.values()]


@needs_launch
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"system": "no_such_package/brain"}, "no_such_package is not installed"),
        ({"system": "odd_brains/nosuch"}, "odd_brains has no executable nosuch"),
        ({"system": "odd_brains/nosuch.launch.py"}, "nosuch.launch.py"),
        ({"rviz": "true"}, "rviz2 is not installed"),
        ({"foxglove": "true"}, "foxglove_bridge is not installed"),
    ],
)
def test_what_is_not_installed_is_named_before_anything_starts(
    launch_file: ModuleType, index: None, tiny_release: Path, tmp_path: Path, wrong: dict[str, str], told: str
) -> None:
    for viewer in ("rviz", "foxglove"):
        if viewer in wrong and has_package(launch_file.VIEWERS[viewer][0]):
            pytest.skip(f"{launch_file.VIEWERS[viewer][0]} is installed here")
    with pytest.raises(StbenchError) as error:
        started(launch_file, data=str(tiny_release), out=str(tmp_path), **wrong)
    assert told in str(error.value)


@needs_launch
def test_messages_that_are_not_built_are_named_with_what_builds_them(
    launch_file: ModuleType, prefix: Path, tiny_release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(prefix))
    with pytest.raises(StbenchError, match="--base-paths"):
        started(launch_file, data=str(tiny_release))


def has_package(name: str) -> bool:
    from ament_index_python.packages import PackageNotFoundError, get_package_prefix

    try:
        return bool(get_package_prefix(name))
    except PackageNotFoundError:
        return False


@pytest.fixture
def launched(prefix: Path, index: None, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts the launch file in a process of its own, on a domain of its own; ends it with the test."""
    from stbench_harness.ros.domain import take_domain

    children: list[subprocess.Popen[str]] = []
    with take_domain() as domain:
        env = dict(
            os.environ, ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE="LOCALHOST", PYTHONPATH=f"{ROOT}:{os.environ.get('PYTHONPATH', '')}",
            ROS_LOG_DIR=str(tmp_path / "log"), PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        )  # fmt: skip

        def start(**values: str) -> subprocess.Popen[str]:
            words = [f"{name}:={value}" for name, value in values.items()]
            child = subprocess.Popen(
                [sys.executable, "-c", RUN, str(FILE), *words], env=env, cwd=tmp_path, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            children.append(child)
            return child

        yield start
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()


@pytest.fixture
def digits_release(tiny_release: Path, tmp_path: Path) -> Path:
    """The tiny release with an id of digits alone for its case of the most questions."""
    root = tmp_path / "release"
    shutil.copytree(tiny_release, root)
    release = read_json(ReleaseTree(root).release_json, Release)
    old = max(release.cases, key=lambda entry: entry.questions).cid
    (root / "private" / old).rename(root / "private" / DIGITS)
    (root / "private" / "index" / f"{old}.json").rename(root / "private" / "index" / f"{DIGITS}.json")
    for path in (root / "release.json", *(root / "private").rglob("*.json*")):
        path.write_text(path.read_text().replace(old, DIGITS))
    return root


@needs_launch
def test_a_whole_case_ends_with_0_and_its_bag_and_results(launched: Any, digits_release: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    child = launched(data=str(digits_release), case=DIGITS, system="perfect_memory", out=str(out), record="true")
    told, _ = child.communicate(timeout=120)
    assert child.returncode == 0, told
    folder = out / "cases" / DIGITS
    order = CaseOrder(data=digits_release, case=DIGITS, system="perfect_memory", channel="detections", out=out)
    assert crash_in(order) is None
    assert list((folder / "bag").glob("*.mcap"))
    assert DIGITS in (out / "results.json").read_text()
    assert (out / "results.html").is_file()


@needs_launch
@pytest.mark.parametrize(("brain", "told"), [("exits_3", "exited with code 3"), ("segfaults", "was ended by signal 11")])
def test_a_brain_that_dies_is_told_at_once_and_never_ends_with_0(
    launched: Any, tiny_release: Path, tmp_path: Path, brain: str, told: str
) -> None:
    child = launched(data=str(tiny_release), system=f"odd_brains/{brain}", out=str(tmp_path / "out"))
    text, _ = child.communicate(timeout=120)
    assert child.returncode == 1, text
    assert f"the brain odd_brains/{brain} {told}" in text
    case = cases_of(tiny_release)[0]
    assert (tmp_path / "out" / "cases" / case / "ledger.jsonl").is_file()


@needs_launch
def test_a_brain_that_leaves_in_order_has_crashed_all_the_same(launched: Any, tiny_release: Path, tmp_path: Path) -> None:
    child = launched(data=str(tiny_release), system="odd_brains/exits_0", out=str(tmp_path / "out"))
    text, _ = child.communicate(timeout=120)
    assert child.returncode == 1, text
    assert "questions ended as crashed" in text


@needs_launch
def test_a_brain_that_is_never_there_ends_the_run_as_failed(launched: Any, tiny_release: Path, tmp_path: Path) -> None:
    child = launched(data=str(tiny_release), system="odd_brains/silent", out=str(tmp_path / "out"))
    text, _ = child.communicate(timeout=120)
    assert child.returncode == 1, text
    assert "no publisher of stbench/step_done" in text


@needs_launch
def test_a_brains_launch_file_is_not_told_where_the_release_lies(launched: Any, tiny_release: Path, tmp_path: Path) -> None:
    child = launched(
        data=str(tiny_release), system="odd_brains/stack.launch.py", out=str(tmp_path / "out"), namespace="robot_1"
    )
    text, _ = child.communicate(timeout=120)
    assert child.returncode == 0, text
    assert "the stack was told data=hidden" in text


@needs_launch
def test_ctrl_c_cancels_the_case_and_is_no_success(launched: Any, tiny_release: Path, tmp_path: Path) -> None:
    child = launched(data=str(tiny_release), system="odd_brains/silent", out=str(tmp_path / "out"))
    time.sleep(6.0)
    child.send_signal(signal.SIGINT)
    text, _ = child.communicate(timeout=60)
    assert child.returncode == 1, text
    assert nodes_of(tmp_path) == {}


@needs_launch
def test_a_killed_launcher_leaves_no_node_of_ours(launched: Any, tiny_release: Path, tmp_path: Path) -> None:
    child = launched(data=str(tiny_release), system="external", out=str(tmp_path / "out"))
    wait_until(lambda: [catches_sigterm(pid) for pid in nodes_of(tmp_path)] == [True, True], tmp_path, 30.0)
    child.kill()
    child.wait()
    wait_until(lambda: nodes_of(tmp_path) == {}, tmp_path, 20.0)


def nodes_of(folder: Path) -> dict[int, str]:
    """Command lines of the ROS processes whose working folder is the test's, by their process id."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes().decode().replace("\0", " ")
            if (process / "cwd").resolve() == folder.resolve() and "--ros-args" in words:
                found[int(process.name)] = words
    return found


def catches_sigterm(pid: int) -> bool:
    """Whether a node is so far up that it ends in order on a signal, by its mask of caught signals (proc(5))."""
    with contextlib.suppress(OSError):
        (line,) = (x for x in Path(f"/proc/{pid}/status").read_text().splitlines() if x.startswith("SigCgt:"))
        return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False


def wait_until(done: Callable[[], bool], folder: Path, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, nodes_of(folder)
        time.sleep(0.2)
