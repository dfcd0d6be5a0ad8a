"""ROS time of a case: `/clock` goes on a little after each frame and then waits, so that timers live and no time runs ahead.

Before the first frame it nears case time 0 without ever reaching it: stacks that wait for a running clock can start. After a
frame it ticks on for a settling time, never to the next frame's stamp, and holds until that frame.
"""

from __future__ import annotations

import bisect
import math
import threading
import time
from collections.abc import Callable, Sequence

TICK_S = 0.01
LEAD_NS = 1_000_000_000  # the clock begins this long before case time 0
_NEARING_S = 3.0  # and has 1/e of it left after so many seconds of waiting


class CaseClock:
    """Ticks in a thread of its own from `start` to `stop`.

    Args:
        publish: Called with case time in ns; only ever with growing values.
        stamps_ns: The stamps of the case's frames, case time, growing.
        settle_s: How long time goes on after a frame.
    """

    def __init__(self, publish: Callable[[int], None], stamps_ns: Sequence[int], settle_s: float) -> None:
        self._publish = publish
        self._stamps_ns = list(stamps_ns)
        self._settle_ns = round(settle_s * 1e9)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._frame_ns: int | None = None
        self._since = 0.0
        self._last_ns = -LEAD_NS - 1
        self._thread = threading.Thread(target=self._run, name="stbench-clock", daemon=True)

    def start(self) -> None:
        """Begins before case time 0."""
        self._since = time.monotonic()
        self._thread.start()

    def frame(self, stamp_ns: int) -> None:
        """A frame of this stamp goes out next: the clock jumps to it."""
        with self._lock:
            self._frame_ns, self._since = stamp_ns, time.monotonic()
            self._tell(stamp_ns)

    def stop(self) -> None:
        """Ends the thread. The clock holds where it stands."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(TICK_S):
            with self._lock:
                self._tell(self._now_ns(time.monotonic() - self._since))

    def _now_ns(self, waited_s: float) -> int:
        if self._frame_ns is None:
            return -max(1, round(LEAD_NS * math.exp(-waited_s / _NEARING_S)))
        following = bisect.bisect_right(self._stamps_ns, self._frame_ns)
        end_ns = self._frame_ns + self._settle_ns
        if following < len(self._stamps_ns):
            end_ns = min(end_ns, self._stamps_ns[following] - 1)
        return min(self._frame_ns + round(waited_s * 1e9), end_ns)

    def _tell(self, now_ns: int) -> None:
        if now_ns > self._last_ns:
            self._last_ns = now_ns
            self._publish(now_ns)
