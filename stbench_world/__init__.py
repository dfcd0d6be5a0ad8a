"""Places, robots, jobs, planning, the exact sensor and script building. Knows no ROS and no Blender."""
