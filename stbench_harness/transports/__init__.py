"""What carries a session to a system. The ROS transport lies in `stbench_harness.ros`."""
