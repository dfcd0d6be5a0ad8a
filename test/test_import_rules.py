"""The arrows between the packages, read from the source: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("stbench_scoring", "stbench_world", "stbench_harness")
ROS_MODULES = {
    "rclpy", "rosbags", "mcap", "stbench_msgs", "sensor_msgs", "geometry_msgs", "nav_msgs", "std_msgs", "std_srvs",
    "tf2_msgs", "rosgraph_msgs", "diagnostic_msgs", "visualization_msgs", "lifecycle_msgs", "cv_bridge", "launch",
    "launch_ros", "ament_index_python", "rosidl_runtime_py", "builtin_interfaces", "action_msgs",
}  # fmt: skip
FORBIDDEN = {
    "stbench_scoring": {"stbench_world", "stbench_harness", "bpy"} | ROS_MODULES,
    "stbench_world": {"stbench_harness", "bpy", "render"} | ROS_MODULES,
    "stbench_harness": {"stbench_world", "bpy", "render"},
}
# The gold is computed here; a scripted system that used it would repeat the gold instead of checking it.
GOLD_PACKAGES = ("families", "seen", "geometry", "compile", "select", "credit", "score", "release", "validate")


def modules(package: str) -> Iterator[Path]:
    yield from sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Every dotted module name that a file imports, at any depth, typing-only imports included."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def tops(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_have_modules(package: str) -> None:
    assert len(list(modules(package))) > 1


@pytest.mark.parametrize("package", PACKAGES)
def test_arrows_between_packages(package: str) -> None:
    allowed_both = ROOT / "stbench_harness" / "cli"
    wrong = {
        str(path.relative_to(ROOT)): sorted(tops(path) & FORBIDDEN[package])
        for path in modules(package)
        if tops(path) & FORBIDDEN[package] and not (path.is_relative_to(allowed_both) and "bpy" not in tops(path))
    }
    assert wrong == {}


def test_world_is_offered_by_the_command_line_alone() -> None:
    users = {p.relative_to(ROOT).parts[1] for p in modules("stbench_harness") if "stbench_world" in tops(p)}
    assert users <= {"cli"}


def may_use_ros(path: Path) -> bool:
    name = path.relative_to(ROOT).as_posix()
    return path.name.endswith("_node.py") or name.startswith("stbench_harness/ros/")


def test_ros_is_imported_in_nodes_transport_and_bags_alone() -> None:
    wrong = {
        str(path.relative_to(ROOT)): sorted(tops(path) & ROS_MODULES)
        for path in modules("stbench_harness")
        if tops(path) & ROS_MODULES and not may_use_ros(path)
    }
    assert wrong == {}


def test_ros_folder_is_reached_by_the_command_line_alone() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for path in modules("stbench_harness")
        if any(name.startswith("stbench_harness.ros") for name in imported(path))
        and not may_use_ros(path)
        and not path.is_relative_to(ROOT / "stbench_harness" / "cli")
    ]
    assert wrong == []


def test_scripted_systems_do_not_share_code_with_the_gold() -> None:
    forbidden = tuple(f"stbench_scoring.{name}" for name in GOLD_PACKAGES)
    files = list((ROOT / "stbench_harness" / "systems").rglob("*.py"))
    assert files
    wrong = {
        str(path.relative_to(ROOT)): [name for name in imported(path) if name.startswith(forbidden)]
        for path in files
        if any(name.startswith(forbidden) for name in imported(path))
    }
    assert wrong == {}


def test_render_stands_alone() -> None:
    files = sorted((ROOT / "render").rglob("*.py"))
    assert files
    local = {path.stem for path in files} | {"render"}
    for path in files:
        ours = tops(path) & set(PACKAGES)
        assert not ours, f"{path}: render/ is GPL and reads scene files alone, but imports {sorted(ours)}"
    for package in PACKAGES:
        for path in modules(package):
            assert not tops(path) & {"bpy", "render"}, path
    assert local


@pytest.mark.parametrize("folder", ["stbench_msgs", "launch", "config", "render", "test"])
def test_folders_that_must_not_be_packages(folder: str) -> None:
    assert not list((ROOT / folder).rglob("__init__.py")), f"{folder}/ must hold no __init__.py"
