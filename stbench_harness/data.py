"""Finds the release to run on, and a case in it."""

from __future__ import annotations

from pathlib import Path

from stbench_harness.install import checkout, prefixes
from stbench_scoring.errors import StbenchError
from stbench_scoring.records import Release, ReleaseTree, read_json


def sample_dir() -> Path:
    """The sample that comes with the package: in the source tree, else in the installed share."""
    source = checkout()
    places = [prefix / "share" / "stbench_harness" for prefix in prefixes()]
    for place in (root / "data" / "sample" for root in (*([source] if source else []), *places)):
        if (place / "release.json").is_file():
            return place
    raise StbenchError("the sample is not installed: give --data DIR, the folder of a release")


def find_case(data: Path | None, case: str | None) -> tuple[ReleaseTree, tuple[str, ...]]:
    """Returns the release and the cases meant.

    Args:
        data: A release's folder; the sample where None, or the release that a case's folder lies in.
        case: A case's id, a script's id, `all`, `private/<cid>` or a case's folder.

    Raises:
        StbenchError: No case was given or it is not in the release; lists those that there are.
    """
    if data is None and case and "/" in case:
        folder = Path(case).resolve()
        if folder.parent.name == "private" and (folder.parents[1] / "release.json").is_file():
            data = folder.parents[1]
    tree = ReleaseTree(data if data is not None else sample_dir())
    release = read_json(tree.release_json, Release)
    if case is None:
        raise StbenchError(f"give a CASE of {tree.root}, or all:\n{_listing(release)}")
    if case == "all":
        return tree, tuple(entry.cid for entry in release.cases)
    name = Path(case).name
    found = tuple(entry.cid for entry in release.cases if name in (entry.cid, entry.sid))
    if not found:
        raise StbenchError(f"case {case!r} is not in {tree.root}. Its cases:\n{_listing(release)}")
    return tree, found


def _listing(release: Release) -> str:
    return "\n".join(
        f"  {e.cid}  {e.job}  {e.layout}  {e.length}  {e.frames} frames  {e.questions} questions" for e in release.cases
    )
