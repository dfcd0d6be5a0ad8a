"""The packages are what ROS tools take them for, and what setup installed is there."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
# What a ROS user's rosdep must find; an undeclared one fails on their machine alone.
ROSDEP = {
    *("rclpy", "cv_bridge", "launch", "launch_ros", "stbench_msgs"),
    *("python3-numpy", "python3-opencv", "python3-pytest"),
}


@pytest.mark.parametrize(("folder", "build_type"), [(".", "ament_python"), ("stbench_msgs", "ament_cmake")])
def test_manifest_is_valid(folder: str, build_type: str) -> None:
    root = ET.parse(ROOT / folder / "package.xml").getroot()
    assert root.findtext("export/build_type") == build_type
    maintainer = root.find("maintainer")
    assert maintainer is not None
    # An invalid address demotes the package to a plain one without a visible error.
    assert re.fullmatch(r"[\w.+-]+@[\w-]+\.[\w.]+", maintainer.get("email", ""))


def test_manifest_declares_what_rosdep_needs() -> None:
    root = ET.parse(ROOT / "package.xml").getroot()
    declared = {item.text for item in root.iter() if item.tag.endswith("depend")}
    assert declared >= ROSDEP


def test_colcon_sees_both_packages() -> None:
    colcon = BIN / "colcon"
    if not colcon.exists():
        pytest.skip("colcon is not installed beside this Python (a sourced ROS brings its own)")
    env = dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}")
    listed = subprocess.run([str(colcon), "list"], cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout
    rows = {line.split("\t")[0]: line.split("\t")[-1] for line in listed.splitlines()}
    assert rows["stbench_harness"] == "(ros.ament_python)"
    assert rows["stbench_msgs"] == "(ros.ament_cmake)"


def test_an_answer_survives_serialisation() -> None:
    serialization = pytest.importorskip("rclpy.serialization", reason="no ROS 2 here")
    from stbench_msgs.msg import Answer, AnswerValue

    sent = Answer(qid="0123456789abcdef", step=7)
    assert sent.value.kind == AnswerValue.NOT_SET, "an empty reply must not read as unknown"
    sent.value.kind = AnswerValue.NUMBER
    sent.value.distance_m = 1.2000000000000002
    back = serialization.deserialize_message(serialization.serialize_message(sent), Answer)
    assert back == sent


def test_interfaces_are_all_built() -> None:
    pytest.importorskip("rclpy", reason="no ROS 2 here")
    import stbench_msgs.action
    import stbench_msgs.msg
    import stbench_msgs.srv

    for kind in ("msg", "srv", "action"):
        module = getattr(stbench_msgs, kind)
        names = {path.stem for path in (ROOT / "stbench_msgs" / kind).glob(f"*.{kind}")}
        assert names and names <= set(dir(module))


def test_the_wheel_holds_every_file_of_the_packages(tmp_path: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "stbench_scoring", "stbench_harness", "stbench_world"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    command = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    missing = [name for name in listed.stdout.split() if not (tmp_path / name).is_file()]
    assert missing == []  # pictures and meshes beside the code too, not modules alone


def test_nodes_and_launch_files_go_where_ros_looks_for_them(tmp_path: Path) -> None:
    command = [sys.executable, "setup.py", "--quiet", "install_data", "--install-dir", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    share, nodes = tmp_path / "share" / "stbench_harness", tmp_path / "lib" / "stbench_harness"
    assert (tmp_path / "share" / "ament_index" / "resource_index" / "packages" / "stbench_harness").is_file()
    assert (share / "package.xml").is_file() and (share / "launch" / "case.launch.py").is_file()
    assert (share / "data" / "sample" / "release.json").is_file()
    assert {path.name for path in nodes.iterdir()} == {path.name for path in (ROOT / "libexec").iterdir()}
    assert all(os.access(path, os.X_OK) for path in nodes.iterdir())  # ros2 run and ros2 launch take no other


@pytest.mark.parametrize("node", sorted((ROOT / "libexec").iterdir()), ids=lambda path: path.name)
def test_a_node_runs_the_main_of_its_module(node: Path) -> None:
    """Checked by reading, since a wrong module is seen on a user's machine alone."""
    first, *rest = node.read_text().splitlines()
    assert first == "#!/usr/bin/env python3"
    found = re.search(r"^from (stbench_harness[\w.]+) import main$", "\n".join(rest), re.MULTILINE)
    assert found is not None
    source = (ROOT / (found[1].replace(".", "/") + ".py")).read_text()
    assert re.search(r"^def main\(", source, re.MULTILINE)


def set_up_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What `tools/setup.py` writes for a shell to source, in a virtual environment that is a bare folder here."""
    spec = importlib.util.spec_from_file_location("stbench_setup", ROOT / "tools" / "setup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path)
    monkeypatch.setattr(module, "sourced_ros", lambda: None)
    module.write_environment()
    return str(tmp_path / "setup.sh")


def test_sourcing_the_set_up_twice_adds_its_paths_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = set_up_file(tmp_path, monkeypatch)
    script = f'set -eu; . "{file}"; . "{file}"; echo "$AMENT_PREFIX_PATH"; echo "$PATH"'
    for before, after in (({}, f"{tmp_path}"), ({"AMENT_PREFIX_PATH": "/opt/ros/x"}, f"{tmp_path}:/opt/ros/x")):
        env = {"PATH": "/usr/bin:/bin", **before}
        shown = subprocess.run(["sh", "-c", script], env=env, capture_output=True, text=True, check=True)
        assert shown.stdout.splitlines() == [after, f"{tmp_path}/bin:/usr/bin:/bin"]
