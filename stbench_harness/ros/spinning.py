"""Spins a node's executor in a thread that no message can kill, and ends a process in order on a signal."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

PARENT_VARIABLE = "STBENCH_END_WITH_PARENT"
_PR_SET_PDEATHSIG = 1


class Spinner:
    """Spins a node in a thread. A message that Python cannot hold (a text that is not UTF-8) is told, not fatal.

    Args:
        node: Its executor is made here.
        unreadable: Called with the error in the spinning thread.
    """

    def __init__(self, node: Node, unreadable: Callable[[Exception], None] = lambda error: None) -> None:
        self._node, self._unreadable = node, unreadable
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(node)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._spin, name="stbench-ros", daemon=True)
        self.failure: BaseException | None = None

    def __enter__(self) -> Spinner:
        self._thread.start()
        return self

    def _spin(self) -> None:
        while not self._stopped.is_set() and self._node.context.ok():
            try:
                self._executor.spin_once(timeout_sec=0.2)
            except UnicodeDecodeError as error:
                self._node.get_logger().warning(f"a message came that holds a text which is not UTF-8: {error}")
                self._unreadable(error)
            except ExternalShutdownException:
                return
            except BaseException as error:  # SystemExit in a callback too: a thread that ended so would only hang
                self.failure = error
                self._node.get_logger().error(f"a callback failed:\n{traceback.format_exc()}")
                os.kill(os.getpid(), signal.SIGTERM)
                return

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        self._executor.wake()
        self._thread.join(5.0)
        self._executor.shutdown(timeout_sec=1.0)


def _end_with_parent(parent: str) -> None:
    if not parent:
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if parent.isdigit() and not Path("/proc", parent).exists():  # it ended before we could ask
        raise SystemExit(f"the launcher, process {parent}, has ended already")


@contextlib.contextmanager
def ros_process(args: list[str] | None = None) -> Iterator[threading.Event]:
    """A process's ROS context; yields an event that SIGINT and SIGTERM set, so that the node ends in order.

    The second signal ends the process at once. Where STBENCH_END_WITH_PARENT holds the launcher's process id, the kernel
    sends SIGTERM when it ends, however it does (Linux, prctl(2)): a launcher that was killed leaves nothing behind.
    """
    os.environ.setdefault("FASTDDS_DEFAULT_PROFILES_FILE", str(Path(__file__).with_name("fastdds.xml")))
    _end_with_parent(os.environ.get(PARENT_VARIABLE, ""))
    ended = threading.Event()

    def on_signal(number: int, frame: object) -> None:
        if ended.is_set():
            os._exit(128 + number)
        ended.set()

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
    try:
        yield ended
    finally:
        rclpy.try_shutdown()
