"""One quality of service a kind of topic; what both ends offer is written here once.

Steps are reliable and kept whole: in lockstep one is in flight at a time, so a depth of 10 never overwrites.
"""

from __future__ import annotations

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

STREAM = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=10,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
# Questions, answers and scores may go out many at once (a brain died, a case has ended); none may be overwritten.
BURST = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=2000,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.VOLATILE,
)
# Whoever comes late still needs these: case_info, task, case_state, footprint, /tf_static.
LATCHED = QoSProfile(
    history=HistoryPolicy.KEEP_LAST,
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
# The brain's acknowledgement: latched, so that one sent before the harness had matched is not lost.
STEP_DONE = LATCHED
