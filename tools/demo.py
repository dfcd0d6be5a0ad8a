"""Runs the demo: a case of the sample over ROS 2, with harness, brain, scoring node and recorder as processes of their own.

Standard library only; the project's own venv does the work. Earlier outputs of the demo are removed first.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = Path("runs") / "demo"
SYSTEM = "perfect_memory"


def main() -> int:
    release = json.loads((ROOT / "data" / "sample" / "release.json").read_text())
    case = max(release["cases"], key=lambda entry: entry["questions"])
    print(
        f"demo: {SYSTEM} plays case {case['cid']} of the sample over ROS 2: {case['frames']} frames, "
        f"{case['questions']} questions",
        flush=True,
    )
    shutil.rmtree(ROOT / OUT, ignore_errors=True)
    stbench = ROOT / ".venv" / "bin" / "stbench"
    command = [str(stbench), "run", SYSTEM, case["cid"], "--transport", "ros", "--record", "--out", str(OUT)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
