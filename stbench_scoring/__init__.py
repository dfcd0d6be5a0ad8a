"""Release files, questions, gold, credit, aggregation and reports: pure functions, no ROS, no Blender."""

__version__ = "0.1.0"
