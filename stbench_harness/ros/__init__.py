"""The ROS 2 side: conversions, transport, nodes and bags. The rest of the harness runs without it."""
