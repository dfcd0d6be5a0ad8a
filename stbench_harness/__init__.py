"""The session, systems, transports, eval runner, command line, and the thin ROS nodes."""
