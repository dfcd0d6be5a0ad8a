"""The ROS package `stbench_harness`: what pip and colcon install, and where."""

from __future__ import annotations

from pathlib import Path

from setuptools import find_packages, setup

NAME = "stbench_harness"
ROOT = Path(__file__).resolve().parent


def tree(folder: str) -> list[tuple[str, list[str]]]:
    """Every file below a folder, folder by folder, into the package's share."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / folder).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            relative = path.relative_to(ROOT)
            found.setdefault(f"share/{NAME}/{relative.parent.as_posix()}", []).append(relative.as_posix())
    return sorted(found.items())


nodes = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "libexec").glob("*") if path.is_file())

setup(
    name=NAME,
    version="0.1.0",
    description="Replays recorded robot jobs to a robot's brain, asks about the space around it, scores the answers",
    license="MIT",
    packages=find_packages(include=["stbench_scoring*", "stbench_world*", "stbench_harness*"]),
    package_data={"": ["**/*.npz", "**/*.jpg", "**/*.png", "**/*.md", "**/*.j2", "**/*.css", "**/*.js", "**/*.xml"]},
    python_requires=">=3.11",
    install_requires=(
        "click embreex jinja2 mcap msgspec numpy opencv-python-headless rich rosbags scipy shapely trimesh".split()
    ),
    extras_require={"test": ["pytest", "hypothesis"]},
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{NAME}"]),
        (f"share/{NAME}", ["package.xml"]),
        *([(f"lib/{NAME}", nodes)] if nodes else []),
        *tree("launch"),
        *tree("config"),
        *tree("data/sample"),
    ],
    entry_points={"console_scripts": ["stbench = stbench_harness.cli.main:main"]},
    zip_safe=False,
)
