"""Plane geometry of bodies and things, and the pinhole camera. Metres and radians; frames as the names say."""
